//! What a reader does with a record that it refuses.

use crate::decode::{one_of, wrong};
use crate::error::{Failure, exception};
use demat_formats::stream::{RecordPath, Step};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use pyo3::{PyTraverseError, PyVisit, intern};

/// What a reader does with a record that it refuses.
#[derive(Debug, Default)]
pub(crate) enum OnError {
    /// Raises its error, which ends the reading.
    #[default]
    Stop,
    /// Leaves it out.
    Skip,
    /// Leaves it out, and hands its error and its bytes over.
    Collect(Rejects),
}

/// Where refused records go.
#[derive(Debug)]
pub(crate) enum Rejects {
    /// Pairs of error and bytes are appended.
    List(Py<PyList>),
    /// Called with the error and the bytes.
    Function(Py<PyAny>),
}

/// A record that was left out: its error and its bytes, if someone wants them.
pub(crate) struct Refused(Option<(PyErr, Py<PyBytes>)>);

impl OnError {
    /// Parses `on_error` and `rejects`.
    ///
    /// # Errors
    /// `TypeError` for values of wrong types; `ValueError` for an unknown word, and for one of the two options without
    /// the other.
    pub(crate) fn parse(given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let py = given.py();
        let index = match given.get_item(intern!(py, "on_error"))? {
            Some(word) => one_of("on_error", &word, &["stop", "skip", "collect"])?,
            None => 0,
        };
        let rejects = given.get_item(intern!(py, "rejects"))?.filter(|rejects| !rejects.is_none());
        match (index, rejects) {
            (2, Some(rejects)) => Rejects::of(&rejects, "").map(Self::Collect),
            (2, None) => Err(lacks_rejects()),
            (_, Some(_)) => Err(PyValueError::new_err("rejects= needs on_error=\"collect\"")),
            (1, None) => Ok(Self::Skip),
            _ => Ok(Self::Stop),
        }
    }

    /// Checks that records at these paths have others after them.
    ///
    /// # Errors
    /// `ValueError` if the path leads to one value, and refused records would be left out.
    pub(crate) fn check(&self, at: &[RecordPath]) -> PyResult<()> {
        let several = at.len() > 1
            || at
                .iter()
                .flat_map(RecordPath::steps)
                .any(|step| matches!(step, Step::Each | Step::Values | Step::Elements(_)));
        if several || !self.goes_on() {
            return Ok(());
        }
        Err(PyValueError::new_err(
            "on_error is for several records, and here is only one; `at=` can lead to a list of them",
        ))
    }

    /// Returns whether refused records are left out.
    #[inline(always)]
    pub(crate) fn goes_on(&self) -> bool {
        !matches!(self, Self::Stop)
    }

    /// Keeps what is wanted of a refused record.
    #[cold]
    pub(crate) fn refused(&self, py: Python<'_>, failure: Failure, bytes: &[u8]) -> Refused {
        match self {
            Self::Stop | Self::Skip => Refused(None),
            Self::Collect(_) => Refused(Some((exception(py, failure), PyBytes::new(py, bytes).unbind()))),
        }
    }

    /// Hands an object over that was refused.
    ///
    /// # Errors
    /// What the callable raises.
    #[cold]
    pub(crate) fn hand_over_object(&self, error: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>) -> PyResult<()> {
        match self {
            Self::Stop | Self::Skip => Ok(()),
            Self::Collect(rejects) => rejects.take(error.py(), error, object),
        }
    }

    /// Hands a refused record over.
    ///
    /// # Errors
    /// What the callable raises.
    #[cold]
    pub(crate) fn hand_over(&self, py: Python<'_>, refused: Refused) -> PyResult<()> {
        let (Self::Collect(rejects), Some((error, bytes))) = (self, refused.0) else { return Ok(()) };
        rejects.take(py, error.value(py), bytes.bind(py))
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Self::Stop | Self::Skip => Ok(()),
            Self::Collect(Rejects::List(list)) => visit.call(list),
            Self::Collect(Rejects::Function(function)) => visit.call(function),
        }
    }
}

/// Returns the error for `on_error="collect"` alone.
pub(crate) fn lacks_rejects() -> PyErr {
    PyValueError::new_err("on_error=\"collect\" needs rejects=: a list, or a callable that gets an error and bytes")
}

impl Rejects {
    /// Parses `rejects`; `places` names what else it may be, which the caller has looked for.
    ///
    /// # Errors
    /// `TypeError` for an object that takes no rejects, and for a coroutine function, which nobody would await.
    pub(crate) fn of(given: &Bound<'_, PyAny>, places: &str) -> PyResult<Self> {
        if let Ok(list) = given.cast::<PyList>() {
            return Ok(Self::List(list.clone().unbind()));
        }
        if !given.is_callable() {
            let expected = format!("{places}a list, or a callable with an error and bytes");
            return Err(wrong("rejects", &expected, given));
        }
        if super::place::is_coroutine_function(given) {
            let message = "rejects must not be a coroutine function: it is called, and not awaited";
            return Err(PyTypeError::new_err(message));
        }
        Ok(Self::Function(given.clone().unbind()))
    }

    /// Takes a refused record, as its bytes or as the object that it is.
    ///
    /// # Errors
    /// What the callable raises.
    pub(crate) fn take(&self, py: Python<'_>, error: &Bound<'_, PyAny>, record: &Bound<'_, PyAny>) -> PyResult<()> {
        match self {
            Self::List(list) => list.bind(py).call_method1(intern!(py, "append"), ((error, record),))?,
            Self::Function(function) => function.bind(py).call1((error, record))?,
        };
        Ok(())
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Self::List(list) => Self::List(list.clone_ref(py)),
            Self::Function(function) => Self::Function(function.clone_ref(py)),
        }
    }
}
