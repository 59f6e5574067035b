//! Changes of records.

use super::{Records, version_of};
use demat_core::{Checked, Error, ErrorKind, Result, Shape, Sink, Validated, Value};
use demat_lmdb::{CollectionSink, Key, Reads as _, RecordReader, Writing, keys};
use demat_store::{Body, BulkChange, Fault, Put, Query, Reference, ValueBody, Verb, When};
use std::sync::Arc;

impl Records {
    /// Refuses to change what can only be read.
    pub(super) fn check_writable(&self, verb: Verb, at: &[String]) -> Result<()> {
        if self.is_writable() { Ok(()) } else { Err(Fault::NotAllowed(verb).about(at)) }
    }

    /// Executes a change in a transaction, if its precondition holds. `key`: that of the record that it is about.
    fn change<T>(
        &self,
        at: &[String],
        key: Option<&[u8]>,
        when: &When,
        act: impl FnOnce(&mut Writing, Option<Vec<u8>>) -> Result<T>,
    ) -> Result<T> {
        self.base.write(|writing| {
            let record = match key {
                Some(key) => self.collection.get(writing, key)?.map(std::borrow::Cow::into_owned),
                None => None,
            };
            let there = match key {
                Some(_) => record.as_deref().map(|record| Some(version_of(record))),
                // The number of the state that this transaction began with.
                None => Some(Some(self.base.version_of(writing.number() - 1))),
            };
            if !when.holds(there) {
                return Err(Fault::Changed.about(at));
            }
            act(writing, record)
        })
    }

    /// Writes records to the collection. Returns their number, and the key of the last one.
    fn write_records(&self, writing: &mut Writing, value: &mut dyn Body, shape: &Shape) -> Result<(u64, Vec<u8>)> {
        let mut sink =
            CollectionSink::new(writing, &self.collection, &self.shape.clone().list(), demat_lmdb::Put::New)?;
        let told = match &self.validator {
            Some(validator) => {
                let list = self.shape.clone().list();
                let mut validated = Validated::new(self.checked(&mut sink), &list, &**validator);
                value.tell(shape, &mut validated)
            }
            None => value.tell(shape, &mut self.checked(&mut sink)),
        };
        match told {
            Ok(()) => Ok((sink.count(), sink.last_key().to_vec())),
            Err(error) if sink.has_clashed() => Err(Fault::Conflict.because(error.reason())),
            Err(error) => Err(error),
        }
    }

    /// Returns a sink with the checks of records in front.
    fn checked<'s>(&self, sink: &'s mut dyn Sink) -> Box<dyn Sink + 's> {
        match &self.checks {
            Some(checks) => Box::new(Checked::new(sink, Arc::clone(checks))),
            None => Box::new(sink),
        }
    }

    /// Reads a value and checks it.
    fn held(&self, value: &mut dyn Body, shape: &Shape) -> Result<Value> {
        Value::build(|sink| value.tell(shape, &mut self.checked(sink)))
    }

    /// Runs the class's own validation on a whole record, and returns the record that it makes.
    fn validated(&self, record: Value) -> Result<Value> {
        match &self.validator {
            Some(validator) => validator.validated(record),
            None => Ok(record),
        }
    }

    /// Encodes a record by a shape and writes it under a key. A key that is made of other values is refused.
    fn put_record(&self, writing: &mut Writing, key: &[u8], shape: &Shape, record: &Value) -> Result<()> {
        let definition = self.collection.definition();
        let bytes = definition.encoding.encode(shape, record)?;
        if matches!(definition.key, Key::Fields(_)) && self.collection.key_of(&bytes)? != key {
            return Err(Fault::Conflict.because("the record's key is another one than that of the reference"));
        }
        let put = self.collection.put(writing, key, &bytes, demat_lmdb::Put::Always);
        match put {
            Ok(_) => Ok(()),
            Err(error) if self.collection.clashes(writing, key, &bytes, demat_lmdb::Put::Always)? => {
                Err(Fault::Conflict.because(error.reason()))
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn insert(&self, value: &mut dyn Body, when: &When) -> Result<Reference> {
        let (count, key) =
            self.change(&[], None, when, |writing, _| self.write_records(writing, value, &self.shape))?;
        let name = if count == 1 { self.name.of_key(&key) } else { None };
        Ok(Reference::from(&name.into_iter().collect::<Vec<_>>()[..]))
    }

    pub(super) fn put_all(&self, value: &mut dyn Body, when: &When) -> Result<Put> {
        self.change(&[], None, when, |writing, _| {
            self.collection.clear(writing)?;
            self.write_records(writing, value, &self.shape.clone().list())?;
            Ok(Put::Replaced)
        })
    }

    pub(super) fn put_one(&self, name: &str, value: &mut dyn Body, when: &When) -> Result<Put> {
        let named = self.named(name)?;
        let record = self.held(value, &self.given)?;
        let record = self.validated(keyed(name, &named.values, record)?)?;
        let at = [name.to_string()];
        self.change(&at, Some(&named.key), when, |writing, there| {
            if there.is_none() && matches!(self.name, super::Name::Number) {
                let message =
                    format!("records get their numbers by themselves; post a record, instead of putting `{name}`");
                return Err(Fault::Conflict.because(message));
            }
            self.put_record(writing, &named.key, &self.shape, &record)?;
            Ok(if there.is_some() { Put::Replaced } else { Put::Created })
        })
    }

    pub(super) fn patch_one(&self, name: &str, value: &mut dyn Body, when: &When) -> Result<()> {
        let part = self.held(value, &self.part)?;
        self.patch(name, &[name.to_string()], part, when)
    }

    pub(super) fn put_field(&self, name: &str, field: &str, value: &mut dyn Body, when: &When) -> Result<()> {
        let shape = self.shape_of(field).unwrap_or(Shape::Any);
        let value = Value::build(|sink| value.tell(&shape, sink))?;
        let part = Value::Map(vec![(Value::Text(field.to_string().into()), value)]);
        let part = self.held(&mut ValueBody(&part), &self.part)?;
        self.patch(name, &[name.to_string(), field.to_string()], part, when)
    }

    fn patch(&self, name: &str, at: &[String], part: Value, when: &When) -> Result<()> {
        let named = self.named(name)?;
        let part = keyed(name, &named.values, part)?;
        self.change(at, Some(&named.key), when, |writing, there| {
            let there = there.ok_or_else(|| Fault::NotFound.about(at))?;
            self.patch_record(writing, &named.key, &there, &part)
        })
    }

    /// Replaces fields of a record. Fields that only the collection knows stay.
    fn patch_record(&self, writing: &mut Writing, key: &[u8], there: &[u8], part: &Value) -> Result<()> {
        let definition = self.collection.definition();
        let read = |shape: &Shape| -> Result<Value> {
            let mut reader = RecordReader::new(definition.encoding, shape)?;
            Value::build(|sink| reader.copy(there, sink))
        };
        let mut own = overlaid(read(&self.shape)?, part.clone())?;
        if self.validator.is_some() {
            own = self.validated(own)?;
        }
        let whole = overlaid(read(&definition.shape)?, own)?;
        self.put_record(writing, key, &definition.shape, &whole)
    }

    pub(super) fn delete_one(&self, name: &str, when: &When) -> Result<()> {
        let (key, at) = (self.named(name)?.key, [name.to_string()]);
        self.change(&at, Some(&key), when, |writing, there| {
            if there.is_none() {
                return Err(Fault::NotFound.about(&at));
            }
            self.collection.delete(writing, &key).map(drop)
        })
    }

    pub(super) fn delete_all(&self, when: &When) -> Result<()> {
        self.change(&[], None, when, |writing, _| self.collection.clear(writing))
    }

    /// Deletes or patches the records that meet the query's conditions; returns their number.
    pub(super) fn change_records(&self, query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        if !query.is_filter() {
            return Err(Fault::BadQuery.because("what is changed is chosen by conditions and nothing else"));
        }
        let plan = self.plan(query)?;
        let part = match each {
            BulkChange::Delete => None,
            BulkChange::Patch(value) => Some(self.held(value, &self.part)?),
        };
        self.change(&[], None, when, |writing, _| {
            let chosen = keys(writing, &self.collection, &plan.scan)?;
            for key in &chosen {
                let Some(part) = &part else {
                    self.collection.delete(writing, key)?;
                    continue;
                };
                let there = self.collection.get(writing, key)?.unwrap_or_default().into_owned();
                self.patch_record(writing, key, &there, part)?;
            }
            Ok(chosen.len() as u64)
        })
    }
}

/// Adds the key from the reference to a record. A key in the record itself must be the same.
fn keyed(name: &str, values: &[(String, Value)], record: Value) -> Result<Value> {
    let Value::Map(mut entries) = record else { return Err(Error::expected("record", record.kind().name())) };
    for (field, value) in values {
        match entries.iter_mut().find(|(key, _)| *key == Value::Text(field.clone().into())) {
            None => entries.push((Value::Text(field.clone().into()), value.clone())),
            Some((_, own)) if *own == Value::Null => *own = value.clone(),
            Some((_, own)) if own == value => {}
            Some(_) => {
                let message = format!("the key `{field}` is another one than that of the reference, `{name}`");
                return Err(Error::new(ErrorKind::Constraint, message).within_field(field.clone()));
            }
        }
    }
    Ok(Value::Map(entries))
}

/// Returns a record with the fields of another one in place of its own.
fn overlaid(record: Value, part: Value) -> Result<Value> {
    let (Value::Map(mut entries), Value::Map(part)) = (record, part) else {
        return Err(Error::expected("record", "another value"));
    };
    for (name, value) in part {
        match entries.iter_mut().find(|(own, _)| *own == name) {
            Some((_, own)) => *own = value,
            None => entries.push((name, value)),
        }
    }
    Ok(Value::Map(entries))
}
