//! Errors of lazy values, with the way to the value.

use super::visit::{AtValue, Mismatch, WayTo};
use super::whole::Document;
use crate::error::{Failure, exception, missing};
use demat_core::{Error, ErrorKind};
use demat_formats::lookup::{Spot, Step};
use demat_formats::stream::Base;
use pyo3::prelude::*;

impl Document {
    /// Returns the exception for a failure at a value. Its positions count from the start of the source's part, in lines.
    #[cold]
    pub(super) fn exception(&self, py: Python<'_>, spot: Spot, from: usize, failure: Failure) -> PyErr {
        match self.whole_failure(spot, from, failure) {
            Ok(failure) => exception(py, failure),
            Err(raised) => raised,
        }
    }

    /// As [`exception`](Self::exception), for one error at the value itself.
    #[cold]
    pub(super) fn refusal(&self, py: Python<'_>, spot: Spot, error: Error) -> PyErr {
        let placed = self.at(spot, AtValue { spot, error });
        self.placed(py, spot, placed)
    }

    /// Returns the exception for a value of another kind than wanted.
    #[cold]
    pub(super) fn mismatch(&self, py: Python<'_>, spot: Spot, expected: &'static str) -> PyErr {
        let placed = self.at(spot, Mismatch { spot, expected });
        self.placed(py, spot, placed)
    }

    fn placed(&self, py: Python<'_>, spot: Spot, placed: PyResult<demat_core::Result<Error>>) -> PyErr {
        match placed {
            Ok(Ok(error) | Err(error)) => self.exception(py, spot, spot.outer_start(), error.into()),
            Err(raised) => raised,
        }
    }

    /// Returns the exception for a child that does not exist: one that is a `KeyError` and an `IndexError`, too.
    #[cold]
    pub(super) fn missing(&self, py: Python<'_>, spot: Spot, expected: String, found: String) -> PyErr {
        let error = Error::mismatch(ErrorKind::Constraint, expected, found);
        let placed = match self.at(spot, AtValue { spot, error }) {
            Ok(Ok(error) | Err(error)) => error,
            Err(raised) => return raised,
        };
        match self.whole_failure(spot, spot.outer_start(), placed.into()) {
            Ok(failure) => missing(py, failure),
            Err(raised) => raised,
        }
    }

    fn whole_failure(&self, spot: Spot, from: usize, failure: Failure) -> PyResult<Failure> {
        let way = self.way(spot)?.unwrap_or_default();
        let lent = self.lent()?;
        let base = Base::default().after(lent.get(..from).unwrap_or_default());
        Ok(failure.map(|error| {
            let moved = error.moved(0, base.lines, base.columns);
            way.iter().rev().fold(moved, |error, step| step.around(error))
        }))
    }

    /// Returns the way to a value.
    pub(super) fn way(&self, spot: Spot) -> PyResult<demat_core::Result<Vec<Step>>> {
        if spot.is_whole() {
            return Ok(Ok(Vec::new()));
        }
        Ok(self.inside(Spot::WHOLE, WayTo(spot))?.and_then(|way| way))
    }
}
