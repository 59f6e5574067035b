//! Derives tables from shapes.

use crate::affinity::Affinity;
use crate::check;
use crate::failure::refused;
use crate::name::literal;
use crate::note::{self, Note};
use crate::param::Param;
use crate::stored::Stored;
use crate::table::{Column, Index, Table};
use demat_core::{Field, Record, Result, Shape, Unknown, Value};

/// The options of a table besides its shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// Whether SQLite enforces the types of columns (`STRICT`).
    pub strict: bool,
    /// Whether rows are stored by the primary key, without rowids (`WITHOUT ROWID`).
    pub without_rowid: bool,
    /// Indexes on columns, in addition to those from notes of fields.
    pub indexes: Vec<Vec<String>>,
    /// Unique indexes on columns, likewise.
    pub unique: Vec<Vec<String>>,
}

impl Table {
    /// Returns the table for records of this shape.
    ///
    /// A field becomes a column with the name of its key. The column is NOT NULL if the field is required and does not
    /// allow null. The field's `sql` notes apply to the column; only fields with the note `key` are part of the primary
    /// key. A single int with that note is `INTEGER PRIMARY KEY`, the rowid.
    ///
    /// # Errors
    /// If two columns have the same name for SQLite, a note is invalid, or the options contradict the shape.
    ///
    /// ```
    /// use demat_core::Shape;
    /// use demat_sqlite::{Table, TableOptions};
    /// let shape: Shape = "id: int #sql:key, title: text, done: bool = false".parse()?;
    /// let Shape::Record(record) = &shape else { unreachable!() };
    /// let table = Table::of("tasks", &record.get(), &TableOptions::default())?;
    /// assert_eq!(table.create()[0], r#"CREATE TABLE "tasks" (
    ///   "id" INTEGER PRIMARY KEY,
    ///   "title" TEXT NOT NULL,
    ///   "done" BOOLEAN NOT NULL DEFAULT 0 CHECK ("done" IN (0, 1))
    /// )"#);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn of(name: &str, record: &Record, options: &TableOptions) -> Result<Self> {
        let mut table = Self {
            name: name.to_string(),
            columns: Vec::new(),
            key: Vec::new(),
            indexes: Vec::new(),
            references: Vec::new(),
            strict: options.strict,
            without_rowid: options.without_rowid,
            key_index: false,
            view: false,
            readonly: false,
        };
        if name.is_empty() || name.contains('\0') {
            return Err(refused("a table has a name, and no zero byte in it"));
        }
        if record.fields().is_empty() {
            return Err(refused(format!("a table has columns, and the shape of `{name}` has no fields")));
        }
        if let Unknown::Keep(rest) = record.unknown() {
            let rest = record.fields()[rest].name();
            return Err(refused(format!(
                "the field `{rest}` keeps unknown fields, and a table has no column for these"
            )));
        }
        for field in record.fields() {
            if table.column(field.key()).is_some() {
                return Err(refused(format!("the table `{name}` can't have two columns `{}`", field.key())));
            }
            table.add(field)?;
        }
        for (columns, unique) in
            options.indexes.iter().map(|index| (index, false)).chain(options.unique.iter().map(|index| (index, true)))
        {
            if let Some(missing) = columns.iter().find(|column| table.column(column).is_none()) {
                return Err(refused(format!("the table `{name}` has no column `{missing}` to be indexed by")));
            }
            table.index(columns.clone(), unique);
        }
        if table.without_rowid && table.key.is_empty() {
            return Err(refused(format!("the table `{name}` has no key, and without one it needs its rows' numbers")));
        }
        // SQLite generates rowids; any other key is required.
        for index in 0..table.columns.len() {
            if table.is_key(index) && table.rowid() != Some(index) {
                table.columns[index].not_null = true;
            }
        }
        if let Some(rowid) = table.rowid() {
            table.columns[rowid].not_null = false;
        }
        Ok(table)
    }

    fn add(&mut self, field: &Field) -> Result<()> {
        let notes = note::of(field)?;
        let declared = notes.iter().find_map(|note| match note {
            Note::Type(declared) => Some(declared.clone()),
            _ => None,
        });
        let stored = Stored::of(field.shape(), declared.as_deref());
        let declared_as = declared.unwrap_or_else(|| stored.declared(field.shape(), self.strict).into_owned());
        let mut column = Column {
            name: field.key().to_string(),
            declared: declared_as.clone(),
            shape: field.shape().inner().clone(),
            stored,
            not_null: !field.shape().allows_null() && (field.required() || field.default().is_some()),
            default: default(field, stored, &declared_as)?,
            checks: check::rules(field, stored),
            generated: false,
            was: Vec::new(),
        };
        if !stored.keeps_in(column.affinity(self.strict)) {
            let message = format!(
                "a column `{}` declared `{}` can't keep {} as it is",
                column.name,
                column.declared,
                stored.name()
            );
            return Err(refused(message));
        }
        if column.name.is_empty() || column.name.contains('\0') {
            return Err(refused(format!("a column has a name, and no zero byte in it; `{}` has not", field.name())));
        }
        for note in notes {
            match note {
                Note::Key => self.key.push(column.name.clone()),
                Note::Unique => {
                    self.indexes.push(Index { name: None, columns: vec![column.name.clone()], unique: true });
                }
                Note::Index => self.index(vec![column.name.clone()], false),
                Note::References(reference) => self.references.push(reference),
                Note::Check(rule) => column.checks.push(rule),
                Note::Default(value) => column.default = Some(value),
                Note::Was(name) => column.was.push(name),
                Note::Type(_) => {}
            }
        }
        self.columns.push(column);
        Ok(())
    }

    fn index(&mut self, columns: Vec<String>, unique: bool) {
        let unique_too = if unique { "_unique" } else { "" };
        let name = Some(format!("{}_{}{unique_too}", self.name, columns.join("_")));
        self.indexes.push(Index { name, columns, unique });
    }
}

/// Returns the default of a field in SQL. A value without an SQLite storage class of its own is stored as text.
fn default(field: &Field, stored: Stored, declared: &str) -> Result<Option<String>> {
    let Some(value) = field.default() else { return Ok(None) };
    let param = match (value, stored) {
        (Value::Null, _) => return Ok(None),
        (value, Stored::Json) => Param::Text(json(value)?),
        (Value::Bool(value), _) => Param::Int(i64::from(*value)),
        (Value::Int(value), Stored::Digits) => match value.to_i64() {
            Some(value) if Affinity::of(declared, false) != Affinity::Text => Param::Int(value),
            _ => Param::Text(value.to_string()),
        },
        (Value::Int(value), Stored::Real) => Param::Real(value.to_f64()),
        (Value::Int(value), _) => match value.to_i64() {
            Some(value) => Param::Int(value),
            None => return Err(refused(format!("the default {value} of `{}` is beyond 64 bits", field.key()))),
        },
        (Value::Float(value), _) if value.is_nan() => {
            return Err(crate::statement::nan().within_field(field.key().to_string()));
        }
        (Value::Float(value), _) => Param::Real(*value),
        (Value::Text(value), _) => Param::Text(value.to_string()),
        (Value::Bytes(value), _) => Param::Blob(value.to_vec()),
        (Value::Decimal(value), _) => Param::Text(value.as_str().to_string()),
        (Value::Date(value), _) => Param::Text(value.to_string()),
        (Value::Time(value), _) => Param::Text(value.to_string()),
        (Value::DateTime(value), _) => Param::Text(value.to_string()),
        (Value::Instant(at, offset), _) => Param::Text(at.with_offset(*offset).to_string()),
        (Value::Duration(value), _) => Param::Text(value.to_string()),
        (Value::Uuid(value), _) => Param::Text(value.to_string()),
        (Value::List(_) | Value::Map(_), _) => {
            return Err(refused(format!("the default of `{}` is no value of one column", field.key())));
        }
    };
    Ok(Some(literal(&param)))
}

fn json(value: &Value) -> Result<String> {
    let bytes = demat_formats::json::encode(value)?;
    String::from_utf8(bytes).map_err(|_| refused("JSON is text"))
}

/// Returns the record of a shape's rows: the shape itself, or that of its items.
pub fn row_of(shape: &Shape) -> Option<demat_core::RecordRef> {
    shape.row().cloned()
}
