//! Writes to the rows of a table.

use super::Table;
use super::key::Key;
use super::reader::Reader;
use demat_core::scalar::{Int, base64};
use demat_core::{Checked, Checks, Error, ErrorKind, IntWidth, Result, Shape, Sink, Value};
use demat_sqlite::{Column, Database, Param, Rows, SqliteFailure, Stored, TableSink, Verb, Writer, quoted, row_of};
use demat_store::{Body, Fault, Put, Query, Reference, ValueBody, When};
use std::sync::Arc;

impl Table {
    /// Returns the storage classes of a statement's columns.
    pub(super) fn stored_of(&self, statement: &impl Rows) -> Vec<Stored> {
        let stored = |name: &String| self.about.column(name).map_or(Stored::Any, |column| self.stored[column]);
        statement.columns().iter().map(stored).collect()
    }

    /// Executes a write in a transaction, if its precondition holds.
    pub(super) fn change<T>(
        &self,
        row: Option<&str>,
        when: &When,
        act: impl FnOnce(&Database, bool) -> Result<T>,
    ) -> Result<T> {
        let changed = self.base.commits.write(|database| {
            let mut there = None;
            if row.is_some() || *when != When::Always {
                there = match row {
                    Some(row) => Reader::new(database.clone()).version(self, row)?.map(Some),
                    // Uncommitted changes of this transaction belong to a version that no client has seen.
                    None if self.base.commits.has_changed() => Some(None),
                    None => Some(Some(self.base.version()?)),
                };
                if !when.holds(there) {
                    return Err(Fault::Changed.about(&row.map(str::to_string).into_iter().collect::<Vec<_>>()));
                }
            }
            act(database, there.is_some())
        });
        changed.map_err(conflict)
    }

    /// Writes a value of a shape to a table's sink; returns the number of changed rows.
    fn told(
        &self,
        database: &Database,
        table: &Arc<demat_sqlite::Table>,
        verb: Verb,
        value: &mut dyn Body,
        shape: &Shape,
    ) -> Result<u64> {
        let record = row_of(&self.shape);
        let record = record.as_ref().map(demat_core::RecordRef::get);
        let writer = Writer::new(database.clone(), Arc::clone(table), verb);
        let mut sink = TableSink::new(Arc::clone(table), record.as_deref(), writer);
        value.tell(shape, &mut sink)?;
        sink.into_taker().finish()
    }

    /// Validates values and writes them to the table; returns the number of changed rows.
    pub(super) fn told_held(&self, database: &Database, value: &mut dyn Body, shape: &Shape) -> Result<u64> {
        if self.validator.is_none() {
            let mut held = RowValidator { value, checks: self.checks.as_ref() };
            return self.told(database, &self.about, Verb::Insert, &mut held, shape);
        }
        let rows = match self.held(value, shape)? {
            Value::List(rows) => {
                let row = |(index, row)| self.validated(row).map_err(|error: Error| error.within_item(index));
                Value::List(rows.into_iter().enumerate().map(row).collect::<Result<_>>()?)
            }
            row => self.validated(row)?,
        };
        let shape = if matches!(rows, Value::List(_)) { Shape::Any.list() } else { Shape::Any };
        self.told(database, &self.about, Verb::Insert, &mut ValueBody(&rows), &shape)
    }

    /// Reads a value and validates it with the checks of rows.
    pub(super) fn held(&self, value: &mut dyn Body, shape: &Shape) -> Result<Value> {
        Value::build(|sink| RowValidator { value, checks: self.checks.as_ref() }.tell(shape, sink))
    }

    /// Runs the class's own validation on a whole row, and returns the row that it makes.
    fn validated(&self, row: Value) -> Result<Value> {
        let (Some(validator), Value::Map(mut entries)) = (&self.validator, row) else {
            return Err(Error::expected("record", "something else"));
        };
        let is = |key: &Value, name: &str| matches!(key, Value::Text(key) if key == name);
        // The class may require a key that SQLite assigns. Gives it a placeholder, which is removed again afterwards.
        let own = row_of(&self.shape);
        let own = own.as_ref().map(demat_core::RecordRef::get);
        let missing: Vec<String> = own
            .iter()
            .flat_map(|own| own.fields())
            .filter_map(|field| {
                let column = self.about.column(field.key())?;
                let given = entries.iter().any(|(key, value)| is(key, field.key()) && *value != Value::Null);
                (self.key.has(column) && field.required() && !field.shape().allows_null() && !given)
                    .then(|| field.key().to_string())
            })
            .collect();
        for name in &missing {
            entries.retain(|(key, _)| !is(key, name));
            entries.push((Value::Text(name.clone().into()), Value::Int(1.into())));
        }
        let mut row = validator.validated(Value::Map(entries))?;
        if let Value::Map(entries) = &mut row {
            entries.retain(|(key, _)| !missing.iter().any(|name| is(key, name)));
        }
        Ok(row)
    }

    /// Merges a patch with the existing row, and runs the class's own validation on the result.
    pub(super) fn patched(&self, database: &Database, row: &str, part: Value) -> Result<Value> {
        let (Some(_), Value::Map(part)) = (&self.validator, &part) else { return Ok(part) };
        let query = Query::default();
        let there = Value::build(|sink| Reader::new(database.clone()).row(self, row, &query, &mut &mut *sink))?;
        let Value::Map(mut entries) = there else { return Err(Error::expected("record", there.kind().name())) };
        for (name, value) in part {
            entries.retain(|(own, _)| own != name);
            entries.push((name.clone(), value.clone()));
        }
        self.validated(Value::Map(entries))
    }

    pub(super) fn insert(&self, value: &mut dyn Body, when: &When) -> Result<Reference> {
        let name = self.change(None, when, |database, _| {
            // For several rows, the change is reported for the list.
            let rows = self.told_held(database, value, &self.given)?;
            if rows == 1 { self.last(database) } else { Ok(None) }
        })?;
        Ok(Reference::from(&name.into_iter().collect::<Vec<_>>()[..]))
    }

    /// Returns the name of the last inserted row.
    pub(super) fn last(&self, database: &Database) -> Result<Option<String>> {
        if self.about.without_rowid {
            return Ok(None);
        }
        let Some(number) = ["rowid", "_rowid_", "oid"].into_iter().find(|name| self.about.column(name).is_none())
        else {
            return Ok(None);
        };
        let columns = self.key.names(&self.about).join(", ");
        let sql = format!("SELECT {columns} FROM {} WHERE {number} = ?", quoted(&self.about.name));
        let mut statement = database.kept(&sql)?;
        statement.bind_all(&[Param::Int(database.last_rowid())])?;
        Ok(if statement.step()? { self.key.name(&self.about, &self.stored, &statement) } else { None })
    }

    pub(super) fn put_all(&self, value: &mut dyn Body, when: &When) -> Result<Put> {
        self.change(None, when, |database, _| {
            database.execute(&format!("DELETE FROM {}", quoted(&self.about.name)))?;
            self.told_held(database, value, &self.given.clone().list())?;
            Ok(Put::Replaced)
        })
    }

    pub(super) fn put_row(&self, row: &str, value: &mut dyn Body, when: &When) -> Result<Put> {
        // A name that no row can have must not be inserted as a row with another name.
        if !matches!(self.key, Key::None) && self.key.found(&self.about, &self.stored, row).is_none() {
            return Err(Fault::NotFound.about(&[row.to_string()]));
        }
        let value = self.without_computed(self.held(value, &self.given)?);
        let mut record = self.keyed(row, value)?;
        if self.validator.is_some() {
            record = self.validated(record)?;
        }
        let record = self.whole(record)?;
        self.change(Some(row), when, |database, there| {
            if there {
                self.update(database, row, &record)?;
                return Ok(Put::Replaced);
            }
            self.told(database, &self.about, Verb::Insert, &mut ValueBody(&self.numbered(row, record)?), &Shape::Any)?;
            Ok(Put::Created)
        })
    }

    pub(super) fn patch_row(&self, row: &str, value: &mut dyn Body, when: &When) -> Result<()> {
        let part = self.keyed(row, self.held_part(value)?)?;
        self.change(Some(row), when, |database, there| {
            if !there {
                return Err(Fault::NotFound.about(&[row.to_string()]));
            }
            self.update(database, row, &self.patched(database, row, part)?)
        })
    }

    /// Reads and validates a patch. Refuses computed columns.
    pub(super) fn held_part(&self, value: &mut dyn Body) -> Result<Value> {
        let value = self.held(value, &self.part)?;
        match self.computed(&value) {
            None => Ok(value),
            Some(name) => {
                let message = format!("the column `{name}` is computed, and nothing can be put into it");
                Err(Error::new(ErrorKind::Constraint, message).within_field(name.to_string()))
            }
        }
    }

    pub(super) fn put_field(&self, row: &str, column: usize, value: &mut dyn Body, when: &When) -> Result<()> {
        let value = Value::build(|sink| value.tell(&self.field_shape(column), sink))?;
        let name = Value::Text(self.about.columns[column].name.clone().into());
        let part = self.held(&mut ValueBody(&Value::Map(vec![(name, value)])), &self.part)?;
        self.change(Some(row), when, |database, there| {
            if !there {
                return Err(Fault::NotFound.about(&[row.to_string()]));
            }
            let part = self.patched(database, row, self.keyed(row, part)?)?;
            self.update(database, row, &part)
        })
    }

    pub(super) fn delete_row(&self, row: &str, when: &When) -> Result<()> {
        let absent = || Fault::NotFound.about(&[row.to_string()]);
        let (filter, values) = self.key.found(&self.about, &self.stored, row).ok_or_else(absent)?;
        self.change(Some(row), when, |database, there| {
            if !there {
                return Err(absent());
            }
            let sql = format!("DELETE FROM {} WHERE {filter}", quoted(&self.about.name));
            database.change(&sql, &values).map(drop)
        })
    }

    pub(super) fn delete_all(&self, when: &When) -> Result<()> {
        let sql = format!("DELETE FROM {}", quoted(&self.about.name));
        self.change(None, when, |database, _| database.execute(&sql))
    }

    /// Updates the columns of a row that a record contains.
    pub(super) fn update(&self, database: &Database, row: &str, record: &Value) -> Result<()> {
        let Value::Map(entries) = record else { return Ok(()) };
        let is_key = |key: &Value| matches!(key, Value::Text(name) if self.about.column(name).is_some_and(|column| self.key.has(column)));
        if entries.iter().all(|(name, _)| is_key(name)) {
            return Ok(());
        }
        let Key::Number(number) = self.key else {
            return self.told(database, &self.about, Verb::Update, &mut ValueBody(record), &Shape::Any).map(drop);
        };
        // Adds the rowid to the table's columns, as the key of its rows.
        let mut table = (*self.about).clone();
        table.columns.push(Column {
            name: number.to_string(),
            declared: "INTEGER".to_string(),
            shape: Shape::Int(IntWidth::Any),
            stored: Stored::Int,
            not_null: true,
            default: None,
            checks: Vec::new(),
            generated: false,
            was: Vec::new(),
        });
        table.key = vec![number.to_string()];
        let mut entries = entries.clone();
        let row = row.parse::<i64>().map_err(|_| Fault::NotFound.about(&[row.to_string()]))?;
        entries.push((Value::Text(number.into()), Value::Int(row.into())));
        self.told(database, &Arc::new(table), Verb::Update, &mut ValueBody(&Value::Map(entries)), &Shape::Any).map(drop)
    }

    /// Returns the first computed column in a record.
    pub(super) fn computed<'v>(&self, record: &'v Value) -> Option<&'v str> {
        let Value::Map(entries) = record else { return None };
        entries.iter().find_map(|(key, _)| match key {
            Value::Text(key) if self.is_computed(key) => Some(&**key),
            _ => None,
        })
    }

    /// Removes computed columns: a client may put back a row that it read with them.
    fn without_computed(&self, mut record: Value) -> Value {
        if let Value::Map(entries) = &mut record {
            entries.retain(|(key, _)| !matches!(key, Value::Text(key) if self.is_computed(key)));
        }
        record
    }

    fn is_computed(&self, name: &str) -> bool {
        self.about.column(name).is_some_and(|column| self.about.columns[column].generated)
    }

    /// Adds the key from the reference to a record; a key in the record itself must be the same.
    pub(super) fn keyed(&self, row: &str, record: Value) -> Result<Value> {
        let Value::Map(mut entries) = record else {
            return Err(Error::expected("record", record.kind().name()));
        };
        for (column, value) in self.key.values(&self.about, &self.stored, row) {
            let name = &self.about.columns[column].name;
            let own = entries.iter().position(|(key, _)| matches!(key, Value::Text(key) if key == name));
            match own {
                None => entries.push((Value::Text(name.clone().into()), value)),
                Some(index) if entries[index].1 == Value::Null => entries[index].1 = value,
                Some(index) if entries[index].1 == value || is_same(&entries[index].1, &value) => {}
                Some(_) => {
                    let message = format!("the key `{name}` is another one than that of the reference, `{row}`");
                    return Err(Error::new(ErrorKind::Constraint, message).within_field(name.clone()));
                }
            }
        }
        Ok(Value::Map(entries))
    }

    /// Completes a record with all columns: absent ones get the class's default, or null.
    fn whole(&self, record: Value) -> Result<Value> {
        let own = row_of(&self.shape);
        let Some(own) = own.as_ref().map(demat_core::RecordRef::get) else { return Ok(record) };
        let Value::Map(mut entries) = record else { return Ok(record) };
        for field in own.fields() {
            let there = entries.iter().any(|(key, _)| matches!(key, Value::Text(key) if key == field.key()));
            let column = self.about.column(field.key());
            let given = column.is_some_and(|column| !self.about.columns[column].generated && !self.key.has(column));
            if there || !given {
                continue;
            }
            let value = match field.default() {
                Some(default) => default.clone(),
                None if field.shape().allows_null() => Value::Null,
                // The table has a default that the shape does not contain; a put must specify the column.
                None => return Err(Error::missing(field.key())),
            };
            entries.push((Value::Text(field.key().to_string().into()), value));
        }
        Ok(Value::Map(entries))
    }

    /// Refuses to put a row with a chosen rowid.
    fn numbered(&self, row: &str, record: Value) -> Result<Value> {
        if matches!(self.key, Key::Number(_)) {
            let message = format!("rows get their numbers by themselves; post a row, instead of putting `{row}`");
            return Err(Fault::Conflict.because(message));
        }
        Ok(record)
    }
}

/// Wraps a value so that checks run while it is read.
struct RowValidator<'g> {
    value: &'g mut dyn Body,
    checks: Option<&'g Arc<Checks>>,
}

impl Body for RowValidator<'_> {
    fn tell(&mut self, shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
        match self.checks {
            Some(checks) => self.value.tell(shape, &mut Checked::new(sink, Arc::clone(checks))),
            None => self.value.tell(shape, sink),
        }
    }
}

fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Int(one), Value::Int(other)) => one == other,
        (Value::Bool(one), Value::Int(other)) => Int::from(i64::from(*one)) == *other,
        (Value::Text(one), Value::Text(other)) => one == other,
        // Values that SQLite stores as text are addressed by that text.
        (one, Value::Text(other)) => spelled(one).is_some_and(|one| one == **other),
        _ => false,
    }
}

/// Returns the text of a key's value as a part of a name; `None` for null and for what is no key.
pub(super) fn text_of(value: &Value) -> Option<String> {
    Some(match value {
        Value::Text(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Bool(value) => i64::from(*value).to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Bytes(value) => {
            let mut text = String::new();
            base64::encode(value, &mut text);
            text
        }
        other => return spelled(other),
    })
}

/// Returns the text of a value that SQLite stores as that.
fn spelled(value: &Value) -> Option<String> {
    Some(match value {
        Value::Uuid(value) => value.to_string(),
        Value::Duration(value) => value.to_string(),
        Value::Date(value) => value.to_string(),
        Value::Time(value) => value.to_string(),
        Value::DateTime(value) => value.to_string(),
        Value::Instant(at, offset) => at.with_offset(*offset).to_string(),
        Value::Decimal(value) => value.as_str().to_string(),
        _ => return None,
    })
}

/// Turns SQLite's constraint errors about stored data into conflicts.
fn conflict(error: Error) -> Error {
    let code = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<SqliteFailure>());
    let Some(failure) = code else { return error };
    match failure.name {
        "SQLITE_CONSTRAINT_PRIMARYKEY"
        | "SQLITE_CONSTRAINT_UNIQUE"
        | "SQLITE_CONSTRAINT_ROWID"
        | "SQLITE_CONSTRAINT_FOREIGNKEY" => Fault::Conflict.because(error.reason()),
        _ => error,
    }
}
