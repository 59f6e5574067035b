//! The keys of a map.

use super::whole::Document;
use demat_core::Mark;
use demat_formats::lookup::Spot;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The keys of a map, and where their values are.
#[derive(Debug)]
pub(super) struct Keys {
    /// The number of each key's value, in the order of the keys' first occurrences.
    pub(super) numbers: Py<PyDict>,
    /// The marks of all values.
    marks: Vec<Mark>,
}

impl Keys {
    /// Reads all keys of a map.
    ///
    /// # Errors
    /// If the map is malformed, or repeats a key though that is refused.
    pub(super) fn of(py: Python<'_>, document: &Document, spot: Spot) -> PyResult<Self> {
        let (numbers, marks) = document.keys(py, spot)?;
        let numbers = numbers.into_bound(py).cast_into::<PyDict>()?.unbind();
        Ok(Self { numbers, marks })
    }

    /// Returns the mark of a key's value; `None` if there is no such key.
    ///
    /// # Errors
    /// `TypeError` if the key can't be hashed.
    pub(super) fn find(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Mark>> {
        match self.numbers.bind(key.py()).get_item(key)? {
            Some(number) => Ok(self.mark(number.extract()?)),
            None => Ok(None),
        }
    }

    /// Returns the mark of the value with this number.
    pub(super) fn mark(&self, number: usize) -> Option<Mark> {
        self.marks.get(number).copied()
    }
}
