//! Children of a lazy value, by key and index.

use super::keys::Keys;
use super::value::LazyValue;
use super::visit::{CountOf, IsFilled, ItemAt, KindOf, LastOfKey, StoredCount};
use crate::decode::Repeats;
use demat_core::{Error, Kind, Mark, Result};
use demat_formats::lookup::{Items, Spot};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// What a child is looked up by.
pub(super) enum By<'k, 'py> {
    Key(&'k Bound<'py, PyAny>),
    Index(isize),
}

impl LazyValue {
    /// Returns the kind of the value.
    pub(super) fn kind_of(&self, py: Python<'_>) -> PyResult<Kind> {
        if let Some(kind) = self.kind.get() {
            return Ok(*kind);
        }
        let kind = self.document().at(self.spot, KindOf(self.spot))?.and_then(|kind| kind);
        let kind = kind.map_err(|error| self.outer_exception(py, error))?;
        Ok(*self.kind.get_or_init(|| kind))
    }

    /// Returns the exception for an error of a source that began with the container around the value.
    #[cold]
    pub(super) fn outer_exception(&self, py: Python<'_>, error: Error) -> PyErr {
        self.document().exception(py, self.spot, self.spot.outer_start(), error.into())
    }

    /// Returns the exception for an error of a source that began with the value.
    #[cold]
    pub(super) fn own_exception(&self, py: Python<'_>, error: Error) -> PyErr {
        self.document().exception(py, self.spot, self.spot.inner_start(), error.into())
    }

    /// Returns what a key of Python means here: an index of a list, or a key of a map.
    pub(super) fn by<'k, 'py>(&self, key: &'k Bound<'py, PyAny>) -> PyResult<By<'k, 'py>> {
        let py = key.py();
        if key.is_instance_of::<PyString>() {
            return Ok(By::Key(key));
        }
        match self.kind_of(py)? {
            Kind::Map => Ok(By::Key(key)),
            _ if key.is_instance_of::<PyInt>() => {
                // A number that is too large is the index of no item.
                let beyond = if key.lt(0)? { isize::MIN } else { isize::MAX };
                Ok(By::Index(key.extract().unwrap_or(beyond)))
            }
            _ => {
                let found = key.get_type().name()?;
                Err(PyTypeError::new_err(format!("a lazy value is indexed by a str or an int, not by {found}")))
            }
        }
    }

    /// Returns a child; `None` if there is none.
    pub(super) fn child(&self, py: Python<'_>, by: &By<'_, '_>) -> PyResult<Option<Spot>> {
        match by {
            By::Key(key) => Ok(self.value_of(key)?.map(|mark| self.spot.child(true, mark))),
            By::Index(index) => {
                let index = match usize::try_from(*index) {
                    Ok(index) => Some(index),
                    Err(_) => self.count(py)?.checked_add_signed(*index),
                };
                let Some(index) = index else { return Ok(None) };
                Ok(self.item(py, index)?.map(|mark| self.spot.child(false, mark)))
            }
        }
    }

    /// Returns the exception for a child that does not exist.
    #[cold]
    pub(super) fn no_child(&self, py: Python<'_>, by: &By<'_, '_>) -> PyErr {
        let (expected, found) = match by {
            By::Key(key) => {
                let key = key.str().map_or_else(|_| "?".to_owned(), |key| key.to_string_lossy().into_owned());
                (format!("the key {}", demat_core::excerpt::name(&key)), "a dict without it".to_owned())
            }
            By::Index(index) => {
                let count = self.count(py).map_or_else(|_| "fewer".to_owned(), |count| count.to_string());
                (format!("item {index}"), format!("a list of {count}"))
            }
        };
        self.document().missing(py, self.spot, expected, found)
    }

    /// Returns the value of a key.
    fn value_of(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Mark>> {
        let py = key.py();
        // The first lookup compares bytes. From the second on, the keys are worth a table.
        if self.keys.get().is_none()
            && self.document().repeats == Repeats::LastWins
            && let Ok(text) = key.cast_exact::<PyString>()
            && let Ok(text) = text.to_str()
            && !self.is_looked_up.swap(true, Ordering::Relaxed)
        {
            self.must_be(py, Kind::Map, "record")?;
            let found = self.document().long_inside(py, self.spot, LastOfKey(text))?;
            return found.map_err(|error| self.own_exception(py, error));
        }
        self.keys(py)?.find(key)
    }

    /// Returns the keys of the map.
    pub(super) fn keys(&self, py: Python<'_>) -> PyResult<&Keys> {
        if let Some(keys) = self.keys.get() {
            return Ok(keys);
        }
        self.must_be(py, Kind::Map, "record")?;
        let keys = Box::new(Keys::of(py, self.document(), self.spot)?);
        // Another thread may have been faster.
        Ok(self.keys.get_or_init(|| keys))
    }

    /// Fails if the value is of another kind.
    pub(super) fn must_be(&self, py: Python<'_>, kind: Kind, name: &'static str) -> PyResult<()> {
        let found = self.kind_of(py)?;
        if found == kind {
            return Ok(());
        }
        if self.spot.is_whole() && found == Kind::List {
            // A sequence begins with a map.
            return Err(self.document().refusal(py, self.spot, Error::expected(name, found.name())));
        }
        Err(self.document().mismatch(py, self.spot, name))
    }

    /// Returns an item of the list.
    fn item(&self, py: Python<'_>, index: usize) -> PyResult<Option<Mark>> {
        self.must_be(py, Kind::List, "list")?;
        let find = |items: &mut Items| {
            if items.is_near(index) {
                return Ok(self.document().inside(self.spot, ItemAt { items, index })?.and_then(|found| found));
            }
            self.document().long_inside(py, self.spot, ItemAt { items, index })
        };
        self.with_items(find)?.map_err(|error| self.own_exception(py, error))
    }

    /// Returns the number of items of the list.
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        self.must_be(py, Kind::List, "list")?;
        if let Some(count) = self.items.lock().unwrap_or_else(PoisonError::into_inner).known_count() {
            return Ok(count);
        }
        if !self.spot.is_whole() {
            let stored = self.document().at(self.spot, StoredCount(self.spot))?.and_then(|stored| stored);
            if let Some(count) = stored.map_err(|error| self.outer_exception(py, error))? {
                return Ok(count);
            }
        }
        self.with_items(|items| self.document().long_inside(py, self.spot, CountOf(items)))?
            .map_err(|error| self.own_exception(py, error))
    }

    /// Works with the items found so far. Other threads, and signal handlers, have none meanwhile.
    fn with_items<T>(&self, work: impl FnOnce(&mut Items) -> PyResult<Result<T>>) -> PyResult<Result<T>> {
        let lock = || self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let mut items = std::mem::take(&mut *lock());
        let done = work(&mut items);
        *lock() = items;
        done
    }

    /// Returns the number of children.
    pub(super) fn len(&self, py: Python<'_>) -> PyResult<usize> {
        match self.kind_of(py)? {
            Kind::List => self.count(py),
            Kind::Map => Ok(self.keys(py)?.numbers.bind(py).as_any().len()?),
            _ => Err(self.document().mismatch(py, self.spot, "dict or list")),
        }
    }

    /// Returns whether the container has children.
    pub(super) fn is_filled(&self, py: Python<'_>, is_map: bool) -> PyResult<bool> {
        let filled = self.document().inside(self.spot, IsFilled { is_map })?.and_then(|filled| filled);
        filled.map_err(|error| self.own_exception(py, error))
    }
}
