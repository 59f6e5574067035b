//! The definition of a table.

use crate::affinity::Affinity;
use crate::stored::Stored;
use demat_core::{Field, Record, Result, Shape};
use std::sync::Arc;

/// A table definition: derived from a shape, or read from a database.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // independent properties
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, in order, without hidden ones.
    pub columns: Vec<Column>,
    /// The names of the columns of its primary key, in the key's order.
    pub key: Vec<String>,
    /// Its indexes, including those of [unique](Index::unique) constraints.
    pub indexes: Vec<Index>,
    /// Its foreign keys.
    pub references: Vec<Reference>,
    /// Whether SQLite enforces the types of its columns (`STRICT`).
    pub strict: bool,
    /// Whether its rows are stored by the primary key (`WITHOUT ROWID`).
    pub without_rowid: bool,
    /// Whether SQLite keeps an index of the primary key: then no column is an alias of the rowid.
    pub key_index: bool,
    /// Whether it is a view, which stores no rows.
    pub view: bool,
    /// Whether it is read-only: a view, or a virtual table whose module does not support writing.
    pub readonly: bool,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its declared type, which may be empty.
    pub declared: String,
    /// The shape of its values.
    pub shape: Shape,
    /// The storage of its values.
    pub stored: Stored,
    /// Whether NULL is refused.
    pub not_null: bool,
    /// The default value, in SQL.
    pub default: Option<String>,
    /// Its CHECK constraints, in SQL; unknown for existing tables.
    pub checks: Vec<String>,
    /// Whether it is a generated column, which can't be written.
    pub generated: bool,
    /// The names that it had before, for a [migration](crate::Migration); unknown for existing tables.
    pub was: Vec<String>,
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Its name; `None` if SQLite creates it for a UNIQUE constraint.
    pub name: Option<String>,
    /// The columns; empty for an index on expressions.
    pub columns: Vec<String>,
    /// Whether it is unique.
    pub unique: bool,
}

/// A foreign key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The columns of this table.
    pub columns: Vec<String>,
    /// The referenced table.
    pub table: String,
    /// The referenced columns; empty for that table's primary key.
    pub to: Vec<String>,
    /// The actions in SQL, such as `ON DELETE CASCADE`.
    pub actions: String,
}

impl Table {
    /// Returns the index of the column with this name, case-insensitively.
    pub fn column(&self, name: &str) -> Option<usize> {
        let exact = self.columns.iter().position(|column| column.name == name);
        exact.or_else(|| self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name)))
    }

    /// Returns the column that is an alias of the rowid: the only key column of an ordinary table, declared `INTEGER`.
    /// `INTEGER PRIMARY KEY DESC` is none, for historical reasons: it has an index.
    pub fn rowid(&self) -> Option<usize> {
        let [key] = &*self.key else { return None };
        let column = self.column(key)?;
        (!self.without_rowid && !self.key_index && self.columns[column].declared.eq_ignore_ascii_case("INTEGER"))
            .then_some(column)
    }

    /// Returns the names of the columns.
    pub fn names(&self) -> Arc<[String]> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// Returns whether a column is part of the primary key.
    pub fn is_key(&self, column: usize) -> bool {
        self.key.iter().any(|key| key.eq_ignore_ascii_case(&self.columns[column].name))
    }

    /// Returns the table without the indexes of UNIQUE constraints.
    pub(crate) fn without_unnamed_indexes(&self) -> Self {
        let mut table = self.clone();
        table.indexes.retain(|index| index.name.is_some());
        table
    }

    /// Returns the storage of each column: from a record's field of the same name, or else from the column's type.
    pub fn stored_as(&self, record: Option<&Record>) -> Box<[Stored]> {
        let of = |column: &Column| {
            let field = record.and_then(|record| record.index_of(&column.name).map(|index| &record.fields()[index]));
            field.map_or(column.stored, |field| Stored::of(field.shape(), Some(&column.declared)))
        };
        self.columns.iter().map(of).collect()
    }

    /// Returns the table with the storage of its columns as [`stored_as`](Self::stored_as) gives it, so that a
    /// [`Select`](crate::Select) sorts by the values that the record has.
    #[must_use]
    pub fn for_record(mut self, record: Option<&Record>) -> Self {
        let stored = self.stored_as(record);
        self.columns.iter_mut().zip(stored).for_each(|(column, stored)| column.stored = stored);
        self
    }

    /// Returns the shape of its rows, from which an equivalent table can be created, as far as a shape can express it.
    ///
    /// # Errors
    /// If two columns have names that a record can't distinguish.
    pub fn record(&self) -> Result<Record> {
        let fields = self.columns.iter().enumerate().map(|(index, _)| self.field(index));
        Record::new(self.name.clone(), fields.collect())
    }

    fn field(&self, index: usize) -> Field {
        let column = &self.columns[index];
        // SQLite generates an omitted rowid: so the field is optional when written, but never null when read.
        let nullable = !column.not_null && self.rowid() != Some(index);
        let shape = if nullable { column.shape.clone().optional() } else { column.shape.clone() };
        let mut field = Field::new(column.name.clone(), index as u32 + 1, shape);
        if self.is_key(index) {
            field = field.with_note("sql", "key");
        }
        let is_own = |names: &[String]| matches!(names, [one] if one.eq_ignore_ascii_case(&column.name));
        if self.indexes.iter().any(|index| index.unique && is_own(&index.columns)) {
            field = field.with_note("sql", "unique");
        } else if self.indexes.iter().any(|index| is_own(&index.columns)) {
            field = field.with_note("sql", "index");
        }
        if let Some(reference) = self.references.iter().find(|reference| is_own(&reference.columns)) {
            field = field.with_note("sql", reference.note());
        }
        let shape = column.shape.inner();
        if !column.declared.eq_ignore_ascii_case(&Stored::of(shape, None).declared(shape, self.strict)) {
            field = field.with_note("sql", format!("type {}", column.declared).trim_end().to_string());
        }
        field
    }
}

impl Column {
    /// Returns the column's affinity.
    pub fn affinity(&self, strict: bool) -> Affinity {
        Affinity::of(&self.declared, strict)
    }
}

impl Reference {
    /// Returns the note of a field for this foreign key.
    pub(crate) fn note(&self) -> String {
        let to = if self.to.is_empty() { String::new() } else { format!("({})", self.to.join(", ")) };
        format!("references {}{to} {}", self.table, self.actions).trim_end().to_string()
    }
}
