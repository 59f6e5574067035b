//! A store of Python objects.

use super::answered::shared;
use super::raised;
use bytes::Bytes;
use demat_core::{Checked, Checks, Nothing, Result, Shape, Sink};
use demat_place::{Format, Host};
use demat_store::{
    Body, BulkChange, Changes, Fault, Node, Put, Query, Reference, Store, Verb, Verbs, Version, Watch, Watcher, When,
    relaxed, representation,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::sync::{Arc, Mutex};

/// A store of Python objects: its Python wrapper encodes the value at a reference, and takes written values as JSON.
pub(super) struct Objects {
    store: Py<PyAny>,
    shape: Shape,
    /// The shape and checks of a patch to one item.
    part: Option<(Shape, Option<Arc<Checks>>)>,
    changes: Changes,
    /// Serializes writers, so that a write's precondition still holds when it is executed.
    writing: Mutex<()>,
}

impl Objects {
    /// # Errors
    /// If the class's constraints can't be compiled.
    pub(super) fn new(store: Py<PyAny>, shape: Shape, host: &Host) -> Result<Self> {
        let part = match &shape {
            Shape::List(item) => match &**item {
                Shape::Record(record) => Some((relaxed(&record.get(), |_| true)?, host.checks(item)?)),
                _ => None,
            },
            _ => None,
        };
        Ok(Self { store, shape, part, changes: Changes::new(), writing: Mutex::new(()) })
    }

    /// Converts a patch to JSON and validates it here, since a patch that matches no items would never be validated
    /// otherwise.
    fn part(&self, value: &mut dyn Body) -> Result<Bytes> {
        let json = json(value)?;
        let options = Format::DEFAULT.read_options();
        let shape = self.part.as_ref().map(|(shape, _)| shape);
        match self.part.as_ref().and_then(|(_, checks)| checks.as_ref()) {
            None => demat_place::tell(Format::DEFAULT, &options, &*json, shape, &mut Nothing),
            Some(checks) => {
                let mut held = Checked::new(Nothing, Arc::clone(checks));
                demat_place::tell(Format::DEFAULT, &options, &*json, shape, &mut held)
            }
        }?;
        Ok(json)
    }

    /// Calls a function with the GIL held.
    fn with<T>(&self, act: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<T>) -> Result<T> {
        Python::attach(|py| act(self.store.bind(py)).map_err(|error| raised(py, &error)))
    }

    /// Checks that the items have the fields of a query, if their shape is known; without items, an unknown field would
    /// go unnoticed.
    fn knows(&self, query: &Query) -> Result<()> {
        let Shape::List(item) = &self.shape else { return Ok(()) };
        let Shape::Record(record) = &**item else { return Ok(()) };
        let record = record.get();
        let asked = query.order.iter().map(|order| &order.field);
        let asked = asked.chain(query.filter.iter().map(|condition| &condition.field));
        match asked.chain(query.fields.iter().flatten()).find(|name| record.index_of(name).is_none()) {
            Some(name) => Err(Fault::BadQuery.because(format!("there is no field `{name}`"))),
            None => match &query.predicate {
                Some(predicate) => {
                    let bound = predicate.bound(&record, false).map(drop);
                    bound.map_err(|error| Fault::BadQuery.because(error.reason()))
                }
                None => Ok(()),
            },
        }
    }

    /// Executes a write if its precondition holds, and notifies the watchers.
    fn change<T>(&self, verb: Verb, at: &[String], when: &When, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let _turn = self.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if *when != When::Always {
            let there = self.encoded(at, &Query::default(), Format::DEFAULT, usize::MAX).ok();
            // Objects have no versions, so no client can have seen one.
            if !when.holds(there.map(|_| None)) {
                return Err(Fault::Changed.about(at));
            }
        }
        let done = act()?;
        if verb != Verb::Post {
            self.changes.tell(verb, at);
        }
        Ok(done)
    }
}

/// Returns a value as JSON; what is JSON already keeps each digit of its numbers.
fn json(value: &mut dyn Body) -> Result<Bytes> {
    if let Some((format, reader)) = value.written()
        && format == Format::DEFAULT
    {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        return Ok(bytes.into());
    }
    // The Python wrapper knows the type, and decodes the JSON as that.
    let told = representation(Format::DEFAULT, usize::MAX, |sink| value.tell(&Shape::Any, sink))?;
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
        // Formats to which the objects can't be encoded directly are converted from JSON.
        let json = self.encoded(at, query, Format::DEFAULT, usize::MAX)?.unwrap_or_default();
        let shape = query.shape(&self.shape(at)?)?;
        let shape = (shape != Shape::Any).then_some(&shape);
        demat_place::tell(Format::DEFAULT, &Format::DEFAULT.read_options(), &*json, shape, sink).map(drop)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        Ok(match (&self.shape, at) {
            (shape, []) => shape.clone(),
            (Shape::List(item), [_]) => (**item).clone(),
            _ => Shape::Any,
        })
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let json = json(value)?;
        let created = self.change(Verb::Put, at, when, || {
            self.with(|store| {
                let py = store.py();
                store.call_method1("put", (names(py, at)?, PyBytes::new(py, &json)))?.extract()
            })
        })?;
        Ok(if created { Put::Created } else { Put::Replaced })
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        let json = json(value)?;
        self.change(Verb::Patch, at, when, || {
            self.with(|store| {
                let py = store.py();
                store.call_method1("patch", (names(py, at)?, PyBytes::new(py, &json))).map(drop)
            })
        })
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.post_if(at, value, &When::Always)
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        if at.is_empty() {
            self.knows(query)?;
        }
        let (verb, query) = (each.verb(), query.to_string());
        let json = match each {
            BulkChange::Delete => None,
            BulkChange::Patch(value) if at.is_empty() => Some(self.part(value)?),
            BulkChange::Patch(value) => Some(json(value)?),
        };
        self.change(verb, at, when, || {
            self.with(|store| {
                let py = store.py();
                let json = json.as_ref().map(|json| PyBytes::new(py, json));
                store.call_method1("change_each", (names(py, at)?, query, json))?.extract()
            })
        })
    }

    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        let json = json(value)?;
        let names: Vec<String> = self.change(Verb::Post, at, when, || {
            self.with(|store| {
                let py = store.py();
                store.call_method1("post", (names(py, at)?, PyBytes::new(py, &json)))?.extract()
            })
        })?;
        let reference = Reference::of(names);
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

    /// No version: the program may change its objects without notice.
    fn version(&self, _: &[String]) -> Result<Option<Version>> {
        Ok(None)
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        if !crate::format::is_module(format) {
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
