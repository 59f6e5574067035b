//! Iterators over the children of a lazy value.

use super::value::LazyValue;
use super::visit::Following;
use demat_core::{Kind, Mark};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// What an iterator over a map returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    Values,
    Pairs,
}

/// Iterates over the items of a list, or the values of a map.
#[pyclass(frozen, name = "LazyIterator", module = "demat._native")]
pub(crate) struct LazyIterator {
    value: Py<LazyValue>,
    state: State,
}

enum State {
    Items(Mutex<Found>),
    /// The pairs of key and number.
    Map(Py<PyIterator>, Over),
}

/// The items that were found ahead.
#[derive(Debug, Default)]
struct Found {
    ahead: VecDeque<Mark>,
    last: Option<Mark>,
    ended: bool,
}

impl LazyIterator {
    /// Iterates over a list.
    pub(super) fn over_items(value: &Bound<'_, LazyValue>) -> Self {
        Self { value: value.clone().unbind(), state: State::Items(Mutex::default()) }
    }

    /// Iterates over a map.
    pub(super) fn over_map(value: &Bound<'_, LazyValue>, over: Over) -> PyResult<Self> {
        let pairs = value.get().keys(value.py())?.numbers.bind(value.py()).call_method0("items")?;
        let state = State::Map(pairs.try_iter()?.unbind(), over);
        Ok(Self { value: value.clone().unbind(), state })
    }

    /// Returns the next item.
    fn next_item(&self, py: Python<'_>, found: &Mutex<Found>) -> PyResult<Option<Mark>> {
        let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
        let last = {
            let mut found = lock();
            if let Some(mark) = found.ahead.pop_front() {
                found.last = Some(mark);
                return Ok(Some(mark));
            }
            if found.ended {
                return Ok(None);
            }
            found.last
        };
        let value = self.value.get();
        value.must_be(py, Kind::List, "list")?;
        let following = value.document().inside(value.spot, Following(last))?.and_then(|marks| marks);
        let mut found = lock();
        match following {
            Ok(marks) if marks.is_empty() => found.ended = true,
            Ok(marks) => {
                found.ahead = marks.into();
                found.last = found.ahead.pop_front();
                return Ok(found.last);
            }
            Err(error) => {
                // An iterator that has failed is at its end.
                found.ended = true;
                drop(found);
                return Err(value.own_exception(py, error));
            }
        }
        Ok(None)
    }
}

#[pymethods]
impl LazyIterator {
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> Bound<'py, Self> {
        slf.clone()
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.value.get();
        match &self.state {
            State::Items(found) => match self.next_item(py, found)? {
                Some(mark) => Ok(Some(value.at_spot(py, value.spot.child(false, mark))?.into_any())),
                None => Ok(None),
            },
            State::Map(pairs, over) => {
                let Some(pair) = pairs.bind(py).clone().next() else { return Ok(None) };
                let (key, number) = pair?.extract::<(Bound<'py, PyAny>, usize)>()?;
                let Some(mark) = value.keys(py)?.mark(number) else { return Ok(None) };
                let child = value.at_spot(py, value.spot.child(true, mark))?.into_any();
                Ok(Some(match over {
                    Over::Values => child,
                    Over::Pairs => PyTuple::new(py, [key, child])?.into_any(),
                }))
            }
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.value)?;
        match &self.state {
            State::Items(_) => Ok(()),
            State::Map(pairs, _) => visit.call(pairs),
        }
    }
}
