//! Writes to the rows of a table.

use super::adding::Adding;
use super::reader::unnamed;
use super::{Table, bad};
use demat_core::{Checked, Error, ErrorKind, Result, Shape, Sink, Value};
use demat_postgres::{Connection, Fragment, KeptRow, KeptRows, PostgresFailure, TableSink, quoted};
use demat_store::{Body, BulkChange, Duplicates, Fault, Posted, Put, Query, Reference, ValueBody, Version, When};
use std::sync::Arc;

impl Table {
    /// Executes a write in a transaction, if its precondition holds.
    fn change<T>(&self, row: Option<&str>, when: &When, act: impl FnOnce(&Connection, bool) -> Result<T>) -> Result<T> {
        let at: Vec<String> = row.map(str::to_string).into_iter().collect();
        let changed = self.base.write(|connection| {
            let there = match row {
                Some(row) => self.version_of(connection, row, true)?.map(Some),
                None if *when == When::Always => None,
                None => Some(Some(self.locked_version(connection)?)),
            };
            if !(when.holds(there) || row.is_none() && *when == When::Always) {
                return Err(Fault::Changed.about(&at));
            }
            act(connection, there.is_some())
        });
        changed.map_err(conflict)
    }

    /// Returns the version of the table, which nobody else changes before the transaction's end.
    fn locked_version(&self, connection: &Connection) -> Result<Version> {
        connection.execute(&format!("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE", self.about.quoted))?;
        // This transaction has no number yet.
        self.base.version(connection)
    }

    /// Reads a value and checks it.
    fn held(&self, value: &mut dyn Body, shape: &Shape) -> Result<Value> {
        Value::build(|sink| value.tell(shape, &mut self.checked(sink)))
    }

    /// Returns a sink with the checks of rows in front.
    fn checked<'s>(&self, sink: &'s mut dyn Sink) -> Box<dyn Sink + 's> {
        match &self.checks {
            Some(checks) => Box::new(Checked::new(sink, Arc::clone(checks))),
            None => Box::new(sink),
        }
    }

    /// Runs the class's own validation on a whole row, and returns the row that it makes.
    fn validated(&self, row: Value) -> Result<Value> {
        let Some(validator) = &self.validator else { return Ok(row) };
        let Value::Map(mut entries) = row else { return Err(Error::expected("record", row.kind().name())) };
        // The class may require a key that the server makes: it gets one to look at, which is taken away again.
        let record = self.record();
        let lacks = |field: &&demat_core::Field| {
            let is_key = self.about.column(field.key()).is_some_and(|column| self.key.has(column));
            let is_given = entries.iter().any(|(key, value)| is(key, field.key()) && *value != Value::Null);
            is_key && field.required() && !field.shape().allows_null() && !is_given
        };
        let made: Vec<String> = record.fields().iter().filter(lacks).map(|field| field.key().to_string()).collect();
        for name in &made {
            entries.retain(|(key, _)| !is(key, name));
            entries.push((Value::Text(name.clone().into()), Value::Int(1.into())));
        }
        let mut row = validator.validated(Value::Map(entries))?;
        if let Value::Map(entries) = &mut row {
            entries.retain(|(key, _)| !made.iter().any(|name| is(key, name)));
        }
        Ok(row)
    }

    /// Adds rows. Returns the name of the row, if there is only one.
    fn add(&self, connection: &Connection, value: &mut dyn Body, shape: &Shape) -> Result<Option<String>> {
        let mut sink = TableSink::new(Arc::clone(&self.about), Adding::new(self, connection));
        if self.validator.is_none() {
            value.tell(shape, &mut self.checked(&mut sink))?;
            return Ok(sink.into_writer().name);
        }
        let rows = match self.held(value, shape)? {
            Value::List(rows) => {
                let row = |(index, row)| self.validated(row).map_err(|error: Error| error.within_item(index));
                Value::List(rows.into_iter().enumerate().map(row).collect::<Result<_>>()?)
            }
            row => self.validated(row)?,
        };
        let shape = if matches!(rows, Value::List(_)) { Shape::Any.list() } else { Shape::Any };
        ValueBody(&rows).tell(&shape, &mut sink)?;
        Ok(sink.into_writer().name)
    }

    /// Returns the columns of a row, with their values as parameters. `part`: what is absent stays absent.
    fn kept(&self, row: &Value, part: bool) -> Result<Option<KeptRow>> {
        let mut table = Arc::clone(&self.about);
        if part {
            // A column without a value is left out, and NULL is a value, which the server refuses where it has to.
            for column in &mut Arc::make_mut(&mut table).columns {
                (column.identity, column.not_null) = (true, false);
            }
        }
        let mut sink = TableSink::new(table, KeptRows::default());
        ValueBody(row).tell(&Shape::Any, &mut sink)?;
        Ok(sink.into_writer().0.pop())
    }

    /// Sets the columns of a row that a record has.
    fn update(&self, connection: &Connection, name: &str, record: &Value) -> Result<()> {
        let Value::Map(entries) = record else { return Ok(()) };
        let is_key = |key: &Value| matches!(key, Value::Text(name) if self.about.column(name).is_some_and(|column| self.key.has(column)));
        if entries.iter().all(|(key, _)| is_key(key)) {
            return Ok(());
        }
        let Some(KeptRow { columns, values }) = self.kept(record, true)? else { return Ok(()) };
        let mut sql = Fragment::from(&*format!("UPDATE {} SET ", self.about.quoted));
        let mut is_first = true;
        for (column, value) in columns.iter().zip(values).filter(|(column, _)| !self.key.has(**column)) {
            let separator = if core::mem::take(&mut is_first) { "" } else { ", " };
            sql.text(&format!("{separator}{} = ", quoted(&self.about.columns[*column].name)));
            sql.value(value, "");
        }
        if is_first {
            return Ok(());
        }
        sql.text(" WHERE ");
        sql.append(&self.key.found(&self.about, name).ok_or_else(|| Fault::NotFound.about(&[name.to_string()]))?);
        let (sql, values) = sql.sql();
        connection.prepare(&sql)?.execute(&values).map(drop)
    }

    /// Merges a patch with the existing row, and runs the class's own validation on the result.
    fn patched(&self, connection: &Connection, name: &str, part: Value) -> Result<Value> {
        if self.validator.is_none() {
            return Ok(part);
        }
        let there = Value::build(|sink| self.row(connection, name, &Query::default(), sink))?;
        let (Value::Map(mut entries), Value::Map(part)) = (there, part) else {
            return Err(Error::expected("record", "another value"));
        };
        for (key, value) in part {
            entries.retain(|(own, _)| *own != key);
            entries.push((key, value));
        }
        self.validated(Value::Map(entries)).map(|row| self.without_computed(row))
    }

    pub(super) fn insert(&self, value: &mut dyn Body, when: &When) -> Result<Reference> {
        let name = self.change(None, when, |connection, _| self.add(connection, value, &self.given))?;
        Ok(Reference::from(&name.into_iter().collect::<Vec<_>>()[..]))
    }

    pub(super) fn put_all(&self, value: &mut dyn Body, when: &When) -> Result<Put> {
        self.change(None, when, |connection, _| {
            connection.execute(&format!("DELETE FROM {}", self.about.quoted))?;
            self.add(connection, value, &self.given.clone().list())?;
            Ok(Put::Replaced)
        })
    }

    pub(super) fn put_row(&self, name: &str, value: &mut dyn Body, when: &When) -> Result<Put> {
        self.named(name)?;
        let row = self.keyed(name, self.without_computed(self.held(value, &self.given)?))?;
        let row = self.whole(self.validated(row)?)?;
        self.change(Some(name), when, |connection, there| {
            if there {
                self.update(connection, name, &row)?;
                return Ok(Put::Replaced);
            }
            if let Some(kept) = self.kept(&row, false)? {
                self.insert_row(connection, kept)?;
            }
            Ok(Put::Created)
        })
    }

    pub(super) fn patch_row(&self, name: &str, value: &mut dyn Body, when: &When) -> Result<()> {
        let part = self.held_part(value)?;
        self.patch_part(name, part, when)
    }

    pub(super) fn put_field(&self, name: &str, column: usize, value: &mut dyn Body, when: &When) -> Result<()> {
        let value = Value::build(|sink| value.tell(&self.field_shape(column), sink))?;
        let key = Value::Text(self.about.columns[column].name.clone().into());
        let part = self.held_part(&mut ValueBody(&Value::Map(vec![(key, value)])))?;
        self.patch_part(name, part, when)
    }

    fn patch_part(&self, name: &str, part: Value, when: &When) -> Result<()> {
        self.named(name)?;
        let part = self.keyed(name, part)?;
        self.change(Some(name), when, |connection, there| {
            if !there {
                return Err(Fault::NotFound.about(&[name.to_string()]));
            }
            self.update(connection, name, &self.patched(connection, name, part)?)
        })
    }

    pub(super) fn delete_row(&self, name: &str, when: &When) -> Result<()> {
        let absent = || Fault::NotFound.about(&[name.to_string()]);
        let filter = self.key.found(&self.about, name).ok_or_else(absent)?;
        self.change(Some(name), when, |connection, there| {
            if there { self.delete_where(connection, &filter).map(drop) } else { Err(absent()) }
        })
    }

    pub(super) fn delete_all(&self, when: &When) -> Result<()> {
        self.change(None, when, |connection, _| self.delete_where(connection, &Fragment::new()).map(drop))
    }

    fn delete_where(&self, connection: &Connection, filter: &Fragment) -> Result<u64> {
        let mut sql = Fragment::from(&*format!("DELETE FROM {}", self.about.quoted));
        if !filter.is_empty() {
            sql.text(" WHERE ");
            sql.append(filter);
        }
        let (sql, values) = sql.sql();
        connection.prepare(&sql)?.execute(&values)
    }

    /// Deletes or patches the rows that match the query's conditions; returns their number.
    pub(super) fn change_rows(&self, query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        if !query.is_filter() {
            return Err(bad("what is changed is chosen by conditions and nothing else"));
        }
        let filter = self.select(query)?.filter;
        match each {
            BulkChange::Delete => self.change(None, when, |connection, _| self.delete_where(connection, &filter)),
            BulkChange::Patch(value) => {
                let part = self.held_part(value)?;
                self.change(None, when, |connection, _| {
                    let names = self.names(connection, filter, true)?;
                    for name in &names {
                        let part = self.keyed(name, part.clone())?;
                        self.update(connection, name, &self.patched(connection, name, part)?)?;
                    }
                    Ok(names.len() as u64)
                })
            }
        }
    }

    /// Adds rows in one transaction, or merges them into those with the same keys.
    pub(super) fn post_rows(&self, value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        if self.key.is_none() {
            return Err(bad("the rows of this have no names, and no key to find duplicates by"));
        }
        // What is merged has no defaults: they would replace what the row has.
        let rows = match duplicates {
            Duplicates::Refuse => self.held(value, &self.given)?,
            Duplicates::Merge => self.held(value, &self.part)?,
        };
        let is_list = matches!(rows, Value::List(_));
        let rows = if let Value::List(rows) = rows { rows } else { vec![rows] };
        self.change(None, when, |connection, _| {
            let mut posted = Posted::default();
            for (index, row) in rows.iter().enumerate() {
                let located = |error: Error| if is_list { error.within_item(index) } else { error };
                let (name, is_new) = self.post_row(connection, row, duplicates).map_err(located)?;
                posted.names.push(name);
                posted.created += u64::from(is_new);
            }
            Ok(posted)
        })
    }

    /// Inserts or merges a row. Returns its name, and whether it is new.
    fn post_row(&self, connection: &Connection, row: &Value, duplicates: Duplicates) -> Result<(String, bool)> {
        let names = |column: usize| row.get(&self.about.columns[column].name).cloned();
        if duplicates == Duplicates::Merge
            && let Some(name) = self.key.name(&self.about, names)
            && self.version_of(connection, &name, true)?.is_some()
        {
            self.refuse_computed(row)?;
            let part = self.keyed(&name, row.clone())?;
            self.update(connection, &name, &self.patched(connection, &name, part)?)?;
            return Ok((name, false));
        }
        // As a whole row, with the defaults of the class.
        let whole = self.held(&mut ValueBody(row), &self.given)?;
        let kept = self.kept(&self.validated(whole)?, false)?;
        let name = kept.map_or(Ok(None), |kept| self.insert_row(connection, kept))?;
        Ok((name.ok_or_else(unnamed)?, true))
    }

    /// Reads and checks a patch. Refuses computed columns.
    fn held_part(&self, value: &mut dyn Body) -> Result<Value> {
        let part = self.held(value, &self.part)?;
        self.refuse_computed(&part)?;
        Ok(part)
    }

    fn refuse_computed(&self, row: &Value) -> Result<()> {
        let Value::Map(entries) = row else { return Ok(()) };
        let computed = entries.iter().find_map(|(key, _)| match key {
            Value::Text(key) if self.is_computed(key) => Some(key),
            _ => None,
        });
        match computed {
            None => Ok(()),
            Some(name) => {
                let message = format!("the column `{name}` is computed, and nothing can be put into it");
                Err(Error::new(ErrorKind::Constraint, message).within_field(name.to_string()))
            }
        }
    }

    /// Removes computed columns: a client may put back a row that it read with them.
    fn without_computed(&self, mut row: Value) -> Value {
        if let Value::Map(entries) = &mut row {
            entries.retain(|(key, _)| !matches!(key, Value::Text(key) if self.is_computed(key)));
        }
        row
    }

    fn is_computed(&self, name: &str) -> bool {
        self.about.column(name).is_some_and(|column| self.about.columns[column].generated)
    }

    /// Refuses a name that no row can have.
    fn named(&self, name: &str) -> Result<()> {
        match self.key.found(&self.about, name) {
            Some(_) => Ok(()),
            None => Err(Fault::NotFound.about(&[name.to_string()])),
        }
    }

    /// Adds the key of a name to a row. A key in the row itself must be the same.
    fn keyed(&self, name: &str, row: Value) -> Result<Value> {
        let Value::Map(mut entries) = row else { return Err(Error::expected("record", row.kind().name())) };
        let values = self.key.values(&self.about, name).ok_or_else(|| Fault::NotFound.about(&[name.to_string()]))?;
        for (column, value) in values {
            let own = &self.about.columns[column].name;
            let text = super::spelled::text_of(&value);
            match entries.iter_mut().find(|(key, _)| is(key, own)) {
                None => entries.push((Value::Text(own.clone().into()), value)),
                Some((_, there)) if *there == Value::Null => *there = value,
                Some((_, there)) if *there == value || super::spelled::text_of(there) == text => {}
                Some(_) => {
                    let message = format!("the key `{own}` is another one than that of the reference, `{name}`");
                    return Err(Error::new(ErrorKind::Constraint, message).within_field(own.clone()));
                }
            }
        }
        Ok(Value::Map(entries))
    }

    /// Completes a row with all columns: absent ones get the class's default, or null.
    fn whole(&self, row: Value) -> Result<Value> {
        let Value::Map(mut entries) = row else { return Ok(row) };
        for field in self.record().fields() {
            let column = self.about.column(field.key());
            let is_given = column.is_some_and(|own| !self.about.columns[own].generated && !self.key.has(own));
            if !is_given || entries.iter().any(|(key, _)| is(key, field.key())) {
                continue;
            }
            let value = match field.default() {
                Some(default) => default.clone(),
                None if field.shape().allows_null() => Value::Null,
                // Only the table has a default: a put says what it replaces.
                None => return Err(Error::missing(field.key())),
            };
            entries.push((Value::Text(field.key().to_string().into()), value));
        }
        Ok(Value::Map(entries))
    }
}

fn is(key: &Value, name: &str) -> bool {
    matches!(key, Value::Text(key) if key == name)
}

/// Turns the server's errors about other rows into conflicts.
fn conflict(error: Error) -> Error {
    let failure = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<PostgresFailure>());
    match failure.map(|failure| &*failure.code) {
        // A key that is taken, a row that is referred to, or an exclusion.
        Some("23505" | "23503" | "23P01") => Fault::Conflict.because(error.reason()),
        _ => error,
    }
}
