//! What a table is.

use crate::affinity::Affinity;
use crate::stored::Stored;
use demat_core::{Field, Record, Result, Shape};
use std::sync::Arc;

/// A table: as a shape wants it, or as it is.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // each is said of a table by itself
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, in order; hidden ones are not among them.
    pub columns: Vec<Column>,
    /// The names of the columns of its primary key, in the key's order.
    pub key: Vec<String>,
    /// Its indexes; those that keep columns [unique](Index::unique) are among them.
    pub indexes: Vec<Index>,
    /// What its columns refer to.
    pub references: Vec<Reference>,
    /// Whether it holds its columns to their types.
    pub strict: bool,
    /// Whether its key is where its rows are kept by.
    pub without_rowid: bool,
    /// Whether it is a view, which has no rows of its own.
    pub view: bool,
    /// Whether it is read-only: a view, or a virtual table whose module does not support writing.
    pub readonly: bool,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its declared type, which may be nothing.
    pub declared: String,
    /// What its values are.
    pub shape: Shape,
    /// How they are kept.
    pub stored: Stored,
    /// Whether NULL is refused.
    pub not_null: bool,
    /// The value that it has where none is given, in SQL.
    pub default: Option<String>,
    /// What its values must be, in SQL; not known of a table that is there.
    pub checks: Vec<String>,
    /// Whether it is computed, and nothing can be put into it.
    pub generated: bool,
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Its name; nothing where SQLite makes it to keep a column unique.
    pub name: Option<String>,
    /// The columns that it sorts by; empty where it is by expressions.
    pub columns: Vec<String>,
    /// Whether no two rows may have the same.
    pub unique: bool,
}

/// Columns whose values stand in another table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The columns here.
    pub columns: Vec<String>,
    /// The other table.
    pub table: String,
    /// The columns there; empty where they are that table's key.
    pub to: Vec<String>,
    /// What follows in SQL: `ON DELETE CASCADE`.
    pub actions: String,
}

impl Table {
    /// The column of this name, upper case or lower.
    pub fn column(&self, name: &str) -> Option<usize> {
        let exact = self.columns.iter().position(|column| column.name == name);
        exact.or_else(|| self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name)))
    }

    /// The column whose values are the rows' numbers: the one key of an ordinary table, declared `INTEGER`.
    pub fn rowid(&self) -> Option<usize> {
        let [key] = &*self.key else { return None };
        let column = self.column(key)?;
        (!self.without_rowid && self.columns[column].declared.eq_ignore_ascii_case("INTEGER")).then_some(column)
    }

    /// The names of the columns.
    pub fn names(&self) -> Arc<[String]> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// Whether a column is part of the key.
    pub fn is_key(&self, column: usize) -> bool {
        self.key.iter().any(|key| key.eq_ignore_ascii_case(&self.columns[column].name))
    }

    /// How the values of each column are kept: as the fields of a record say, where it has one of the name, else as the
    /// column's type says.
    pub fn stored_as(&self, record: Option<&Record>) -> Box<[Stored]> {
        let of = |column: &Column| {
            let field = record.and_then(|record| record.index_of(&column.name).map(|index| &record.fields()[index]));
            field.map_or(column.stored, |field| Stored::of(field.shape(), Some(&column.declared)))
        };
        self.columns.iter().map(of).collect()
    }

    /// The shape of its rows: what makes a table like it, as far as a shape can say it.
    ///
    /// # Errors
    /// Where two columns have names that differ in nothing a record can see.
    pub fn record(&self) -> Result<Record> {
        let fields = self.columns.iter().enumerate().map(|(index, _)| self.field(index));
        Record::new(self.name.clone(), fields.collect())
    }

    fn field(&self, index: usize) -> Field {
        let column = &self.columns[index];
        // SQLite gives a row its number where nothing is given: the field may be missing, but what is read has it.
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
        if !column.declared.eq_ignore_ascii_case(Stored::of(shape, None).declared(shape, self.strict)) {
            field = field.with_note("sql", format!("type {}", column.declared).trim_end().to_string());
        }
        field
    }
}

impl Column {
    /// What it does to values.
    pub fn affinity(&self, strict: bool) -> Affinity {
        Affinity::of(&self.declared, strict)
    }
}

impl Reference {
    /// What a field notes for it.
    pub(crate) fn note(&self) -> String {
        let to = if self.to.is_empty() { String::new() } else { format!("({})", self.to.join(", ")) };
        format!("references {}{to} {}", self.table, self.actions).trim_end().to_string()
    }
}
