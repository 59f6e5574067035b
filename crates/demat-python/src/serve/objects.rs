//! Objects of Python's as a store.

use super::answered::shared;
use super::raised;
use bytes::Bytes;
use demat_core::{Result, Shape, Sink};
use demat_place::{Format, ReadOptions};
use demat_store::{
    Changes, Fault, Given, Node, Put, Query, Reference, Store, Verb, Verbs, Version, Watch, Watcher, When,
    representation,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Objects: what Python has made of them encodes what a reference leads to, and takes what is given as JSON.
pub(super) struct Objects {
    store: Py<PyAny>,
    shape: Shape,
    /// How often something was changed through this.
    version: AtomicU64,
    changes: Changes,
    /// One writes at a time, so that what a change depends on is still so when it is made.
    writing: Mutex<()>,
}

impl Objects {
    pub(super) fn new(store: Py<PyAny>, shape: Shape) -> Self {
        let (version, changes) = (AtomicU64::new(0), Changes::new());
        Self { store, shape, version, changes, writing: Mutex::new(()) }
    }

    /// Does something with the interpreter's lock held.
    fn with<T>(&self, act: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<T>) -> Result<T> {
        Python::attach(|py| act(self.store.bind(py)).map_err(|error| raised(py, &error)))
    }

    /// Whether the items, where it is known what they are, have the fields that are asked for; of none that are there nobody would see it.
    fn knows(&self, query: &Query) -> Result<()> {
        let Shape::List(item) = &self.shape else { return Ok(()) };
        let Shape::Record(record) = &**item else { return Ok(()) };
        let record = record.get();
        let asked = query.order.iter().map(|order| &order.field);
        let asked = asked.chain(query.filter.iter().map(|condition| &condition.field));
        match asked.chain(query.fields.iter().flatten()).find(|name| record.index_of(name).is_none()) {
            Some(name) => Err(Fault::BadQuery.because(format!("there is no field `{name}`"))),
            None => Ok(()),
        }
    }

    /// Changes something, if there is as must be, and tells of it.
    fn change<T>(&self, verb: Verb, at: &[String], when: &When, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let _turn = self.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if *when != When::Always {
            let there = self.encoded(at, &Query::default(), Format::Json, usize::MAX).ok();
            if !when.holds(there.map(|_| Some(Version(self.version.load(Ordering::SeqCst))))) {
                return Err(Fault::Changed.about(at));
            }
        }
        let done = act()?;
        self.version.fetch_add(1, Ordering::SeqCst);
        if verb != Verb::Post {
            self.changes.tell(verb, at);
        }
        Ok(done)
    }
}

fn json(value: &mut dyn Given) -> Result<Bytes> {
    // The one who takes it knows the type, and reads it as such.
    let told = representation(Format::Json, usize::MAX, |sink| value.tell(&Shape::Any, sink))?;
    Ok(told.unwrap_or_default())
}

fn names<'py>(py: Python<'py>, at: &[String]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, at)
}

impl Store for Objects {
    fn describe(&self) -> Node {
        Node::new("objects")
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        // Formats that the objects themselves are not encoded to come by way of JSON.
        let json = self.encoded(at, query, Format::Json, usize::MAX)?.unwrap_or_default();
        let shape = query.shape(&self.shape(at)?)?;
        let shape = (shape != Shape::Any).then_some(&shape);
        demat_place::tell(Format::Json, &ReadOptions::of(Format::Json), &*json, shape, sink).map(drop)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        Ok(match (&self.shape, at) {
            (shape, []) => shape.clone(),
            (Shape::List(item), [_]) => (**item).clone(),
            _ => Shape::Any,
        })
    }

    fn put(&self, at: &[String], value: &mut dyn Given, when: &When) -> Result<Put> {
        let json = json(value)?;
        let created = self.change(Verb::Put, at, when, || {
            self.with(|store| {
                let py = store.py();
                store.call_method1("put", (names(py, at)?, PyBytes::new(py, &json)))?.extract()
            })
        })?;
        Ok(if created { Put::Created } else { Put::Replaced })
    }

    fn patch(&self, at: &[String], value: &mut dyn Given, when: &When) -> Result<()> {
        let json = json(value)?;
        self.change(Verb::Patch, at, when, || {
            self.with(|store| {
                let py = store.py();
                store.call_method1("patch", (names(py, at)?, PyBytes::new(py, &json))).map(drop)
            })
        })
    }

    fn post(&self, at: &[String], value: &mut dyn Given) -> Result<Reference> {
        let json = json(value)?;
        let names: Vec<String> = self.change(Verb::Post, at, &When::Always, || {
            self.with(|store| {
                let py = store.py();
                store.call_method1("post", (names(py, at)?, PyBytes::new(py, &json)))?.extract()
            })
        })?;
        let reference = Reference::of(names)?;
        self.changes.tell(Verb::Post, &reference);
        Ok(reference)
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.change(Verb::Delete, at, when, || {
            self.with(|store| store.call_method1("delete", (names(store.py(), at)?,)).map(drop))
        })
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        let own: Vec<String> =
            self.with(|store| store.call_method1("children", (names(store.py(), at)?,))?.extract())?;
        own.iter().try_for_each(|name| each(name))
    }

    fn allows(&self, at: &[String]) -> Verbs {
        let named = self.with(|store| {
            let named: Vec<String> = store.call_method1("allows", (names(store.py(), at)?,))?.extract()?;
            Ok(named)
        });
        let named = named.unwrap_or_default();
        let own = Verb::ALL.into_iter().filter(|verb| named.iter().any(|name| name == verb.name()));
        own.fold(Verbs::NONE, Verbs::and)
    }

    /// None: the program may change its objects in ways that nobody is told of.
    fn version(&self, _: &[String]) -> Result<Option<Version>> {
        Ok(None)
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        if !matches!(format, Format::Json | Format::Ndjson | Format::Csv | Format::Proto) {
            return representation(format, limit, |sink| self.get(at, query, sink));
        }
        self.knows(query)?;
        self.with(|store| {
            let py = store.py();
            let query = (!query.is_all()).then(|| query.to_string());
            let told = store.call_method1("encode", (names(py, at)?, query, format.name()))?;
            Ok(Some(shared(&told.cast_into::<PyBytes>()?)))
        })
    }

    fn watch(&self, _: &[String], watcher: Watcher) -> Option<Watch> {
        Some(self.changes.watch(watcher))
    }

    fn is_prompt(&self) -> bool {
        true
    }
}
