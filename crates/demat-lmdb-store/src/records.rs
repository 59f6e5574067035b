//! A collection as a store.

mod base;
mod name;
mod plan;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use base::Base;

use demat_core::{Checks, Field, Record, RecordRef, Result, Shape, Sink, Validator, Value};
use demat_lmdb::{Collection, OwnDocument, RecordReader, count, keys};
use demat_place::{Host, projected};
use demat_store::{
    Body, BulkChange, Change, Fault, Node, Put, Query, Reference, Store, ValueBody, Verb, Verbs, Version, Watch,
    Watcher, When, relaxed, within,
};
use name::{Name, Named};
use plan::Sorted;
use std::hash::{DefaultHasher, Hasher as _};
use std::sync::Arc;

/// A collection of an LMDB environment.
///
/// | reference | value |
/// |---|---|
/// | `/` | all records, a list |
/// | `/3` | the record with this key; the values of a compound key are separated by commas |
/// | `/3/title` | the value of a field of that record |
///
/// A post adds a record, or a list of them. A put replaces a record, a patch the given fields; fields that only the
/// collection knows stay. A put of a list replaces all records. Each change is a transaction of its own, and what it
/// waits for is an option of the environment.
///
/// A reader reads one state of the collection, whatever others write meanwhile. A slow one keeps the pages of that state
/// in use.
///
/// The records of a collection whose keys a program makes can only be read, as a list: they have no names.
pub struct Records {
    pub(crate) base: Arc<Base>,
    collection: Collection,
    /// The shape of its records.
    shape: Shape,
    row: RecordRef,
    /// The shape that records are read by: what is absent is null where it may be.
    read: Shape,
    /// The shape of a record in a request: the key that its reference has may be absent.
    given: Shape,
    /// The shape of a patch of a record.
    part: Shape,
    name: Name,
    /// The checks of records.
    checks: Option<Arc<Checks>>,
    validator: Option<Arc<dyn Validator>>,
}

impl Records {
    /// Opens a collection as a store of records of its own shape.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn of(collection: &Collection) -> Result<Self> {
        Self::of_host(collection, None, &Host::default())
    }

    /// Opens a collection as a store of records of a shape, whose host has further constraints and validators.
    ///
    /// # Errors
    /// Errors of LMDB; if the shape is that of no record; if a `check` note is invalid.
    pub fn of_host(collection: &Collection, shape: Option<&Shape>, host: &Host) -> Result<Self> {
        Self::over(Base::of(collection.environment()), collection, shape, host)
    }

    pub(crate) fn over(base: Arc<Base>, collection: &Collection, shape: Option<&Shape>, host: &Host) -> Result<Self> {
        let shape = shape.cloned().unwrap_or_else(|| collection.definition().shape);
        let no_record =
            || Fault::BadQuery.because(format!("a collection holds records, and this is a {}", shape.name()));
        let row = shape.row().ok_or_else(no_record)?.clone();
        let shape = Shape::Record(row.clone());
        let record = row.get();
        let name = Name::of(collection, &record)?;
        let given = relaxed(&record, |field| {
            name.fields().iter().any(|own| own == field.key()) || (field.default().is_none() && !field.required())
        })?;
        let part = relaxed(&record, |_| true)?;
        let nullable = |field: &Field| match field.default() {
            None if field.shape().allows_null() => field.clone().with_default(Value::Null),
            _ => field.clone(),
        };
        let fields = record.fields().iter().map(nullable).collect();
        let read = Shape::record(Record::new(record.name().to_string(), fields)?.with_unknown(record.unknown()));
        drop(record);
        let checks = host.checks(&shape.clone().list())?;
        let validator = host.validator.clone();
        Ok(Self { base, collection: collection.clone(), shape, row, read, given, part, name, checks, validator })
    }

    /// Resolves a reference.
    fn place<'r>(&self, at: &'r [String]) -> Result<Addressed<'r>> {
        match at {
            [] => Ok(Addressed::All),
            [name] => Ok(Addressed::Record(name)),
            [name, field] if self.shape_of(field).is_some() => Ok(Addressed::Field(name, field)),
            _ => Err(Fault::NotFound.about(at)),
        }
    }

    /// Returns the reference below the environment's root.
    fn within(&self, at: &[String]) -> Vec<String> {
        [&[self.collection.name().to_string()], at].concat()
    }

    /// The shape's record.
    fn record(&self) -> Record {
        self.row.get().clone()
    }

    fn shape_of(&self, field: &str) -> Option<Shape> {
        let row = self.row.get();
        row.index_of(field).map(|index| row.fields()[index].shape().clone())
    }

    /// Returns the key of a name.
    fn named(&self, name: &str) -> Result<Named> {
        self.name.named(&self.collection, name).ok_or_else(|| Fault::NotFound.about(&[name.to_string()]))
    }

    /// Calls a function with the record of a name.
    fn one<T>(&self, name: &str, read: impl FnOnce(&[u8]) -> Result<T>) -> Result<T> {
        let key = self.named(name)?.key;
        let snapshot = self.base.environment.read()?;
        let record = self.collection.get(&snapshot, &key)?;
        read(&record.ok_or_else(|| Fault::NotFound.about(&[name.to_string()]))?)
    }

    /// Writes a record to a sink, by a shape.
    fn copy(&self, record: &[u8], shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
        RecordReader::new(self.collection.definition().encoding, shape)?.copy(record, sink)
    }

    fn get_all(&self, query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let shape = query.shape(&self.read.clone().list())?;
        let plan = self.plan(query)?;
        let document = match plan.sorted {
            Sorted::Already => OwnDocument::after(&self.collection, &plan.scan, plan.skipped)?,
            _ => OwnDocument::of_keys(&self.collection, |snapshot| self.sorted_keys(snapshot, &plan, query))?,
        };
        let format = self.collection.definition().encoding.format();
        demat_place::tell(format, &format.read_options(), document, Some(&shape), sink).map(drop)
    }

    fn get_one(&self, name: &str, query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let only = Query { fields: query.fields.clone(), ..Query::default() };
        if only != *query {
            return Err(Fault::BadQuery.because("a list is filtered, sorted and counted, and this is one record"));
        }
        let shape = query.shape(&self.read)?;
        self.one(name, |record| self.copy(record, &shape, sink))
    }

    fn get_field(&self, name: &str, field: &str, query: &Query, sink: &mut dyn Sink) -> Result<()> {
        if !query.is_all() {
            return Err(Fault::BadQuery.because("a list is filtered, sorted and counted, and this is one value"));
        }
        let only = projected(&self.read, &[field.to_string()])?;
        let record = self.one(name, |record| Value::build(|sink| self.copy(record, &only, sink)))?;
        let shape = self.shape_of(field).unwrap_or(Shape::Any);
        ValueBody(record.get(field).unwrap_or(&Value::Null)).tell(&shape, sink)
    }

    fn is_writable(&self) -> bool {
        !matches!(self.name, Name::None) && !self.base.environment.is_readonly()
    }
}

/// Returns the version of a record, which is the same in every process.
fn version_of(record: &[u8]) -> Version {
    let mut hasher = DefaultHasher::new();
    hasher.write(record);
    Version(hasher.finish())
}

/// The target of a reference.
#[derive(Debug, Clone, Copy)]
enum Addressed<'r> {
    All,
    Record(&'r str),
    Field(&'r str, &'r str),
}

impl core::fmt::Debug for Records {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Records")
            .field("collection", &self.collection)
            .field("shape", &self.shape)
            .finish_non_exhaustive()
    }
}

impl Store for Records {
    fn describe(&self) -> Node {
        Node::new("collection").with(self.collection.place())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        match self.place(at)? {
            Addressed::All => self.get_all(query, sink),
            Addressed::Record(name) => self.get_one(name, query, sink),
            Addressed::Field(name, field) => self.get_field(name, field, query, sink),
        }
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        Ok(match self.place(at)? {
            Addressed::All => self.shape.clone().list(),
            Addressed::Record(_) => self.shape.clone(),
            Addressed::Field(_, field) => self.shape_of(field).unwrap_or(Shape::Any),
        })
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        self.check_writable(Verb::Put, at)?;
        let put = match self.place(at)? {
            Addressed::All => self.put_all(value, when)?,
            Addressed::Record(name) => self.put_one(name, value, when)?,
            Addressed::Field(name, field) => self.put_field(name, field, value, when).map(|()| Put::Replaced)?,
        };
        self.base.changes.tell(Verb::Put, &self.within(at));
        Ok(put)
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        self.check_writable(Verb::Patch, at)?;
        match self.place(at)? {
            Addressed::All => {
                let message = "records are patched by their keys, or by a query's conditions";
                return Err(Fault::Conflict.because(message));
            }
            Addressed::Record(name) => self.patch_one(name, value, when)?,
            Addressed::Field(name, field) => self.put_field(name, field, value, when)?,
        }
        self.base.changes.tell(Verb::Patch, &self.within(at));
        Ok(())
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.post_if(at, value, &When::Always)
    }

    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        self.check_writable(Verb::Post, at)?;
        let Addressed::All = self.place(at)? else { return Err(Fault::NotAllowed(Verb::Post).about(at)) };
        let reference = self.insert(value, when)?;
        self.base.changes.tell(Verb::Post, &self.within(&reference));
        Ok(reference)
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.check_writable(Verb::Delete, at)?;
        match self.place(at)? {
            Addressed::All => self.delete_all(when)?,
            Addressed::Record(name) => self.delete_one(name, when)?,
            Addressed::Field(..) => return Err(Fault::NotAllowed(Verb::Delete).about(at)),
        }
        self.base.changes.tell(Verb::Delete, &self.within(at));
        Ok(())
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        let verb = each.verb();
        self.check_writable(verb, at)?;
        let Addressed::All = self.place(at)? else {
            return Err(Fault::BadQuery.because("a collection has records to choose from, and this is one"));
        };
        let count = self.change_records(query, each, when)?;
        if count > 0 {
            self.base.changes.tell(verb, &self.within(at));
        }
        Ok(count)
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        match self.place(at)? {
            Addressed::All => {
                let snapshot = self.base.environment.read()?;
                let keys = keys(&snapshot, &self.collection, &demat_lmdb::Query::default())?;
                // The callback may be slow, and must not keep the pages.
                drop(snapshot);
                keys.iter().filter_map(|key| self.name.of_key(key)).try_for_each(|name| each(&name))
            }
            Addressed::Record(name) => {
                self.one(name, |_| Ok(()))?;
                self.record().fields().iter().try_for_each(|field| each(field.key()))
            }
            Addressed::Field(..) => Ok(()),
        }
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        let Addressed::All = self.place(at)? else { return Ok(None) };
        query.shape(&self.shape.clone().list())?;
        let plan = self.plan(query)?;
        let scan = demat_lmdb::Query { limit: None, ..plan.scan };
        let count = count(&self.base.environment.read()?, &self.collection, &scan)?.saturating_sub(plan.skipped);
        Ok(Some(query.limit.map_or(count, |limit| count.min(limit))))
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        if at.is_empty() { self.name.fields().to_vec() } else { Vec::new() }
    }

    fn allows(&self, at: &[String]) -> Verbs {
        let all = if self.is_writable() { Verbs::ALL } else { Verbs::READ };
        all.both(match self.place(at) {
            Ok(Addressed::All) => Verbs::ALL,
            Ok(Addressed::Record(_)) => Verbs::ALL.without(Verb::Post),
            Ok(Addressed::Field(..)) => Verbs::READ.and(Verb::Put).and(Verb::Patch),
            Err(_) => Verbs::NONE,
        })
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        match self.place(at)? {
            Addressed::All => Ok(Some(self.base.version())),
            Addressed::Record(name) | Addressed::Field(name, _) => {
                self.one(name, |record| Ok(Some(version_of(record)))).map_err(|error| relocated(error, at))
            }
        }
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        // The collections of an environment share one source of changes, which include the collection's name.
        let own = self.collection.name().to_string();
        let below = within(at, watcher);
        let watcher: Watcher = Arc::new(move |change| match change.at.split_first() {
            Some((name, rest)) if *name == own => below(&Change { verb: change.verb, at: rest.into() }),
            Some(_) => {}
            None => below(change),
        });
        Some(self.base.changes.watch(watcher))
    }

    fn look(&self) {
        self.base.look();
    }

    fn is_prompt(&self) -> bool {
        true
    }
}

/// Returns the error for the whole reference, if it says that there is no such record.
fn relocated(error: demat_core::Error, at: &[String]) -> demat_core::Error {
    if demat_store::fault_of(&error) == Some(Fault::NotFound) { Fault::NotFound.about(at) } else { error }
}
