use super::chunks::with_bytes;
use super::feed::Fed;
use super::giving::{Giving, Next};
use super::reader::Guarded;
use pyo3::exceptions::PyStopAsyncIteration;
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

/// Decodes records from bytes that are fed to it: the core of an asynchronous reader.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Feed {
    giving: Guarded,
    fed: Fed,
}

impl Feed {
    pub(super) fn new(giving: Giving, fed: Fed) -> Self {
        Self { giving: Guarded::new(giving), fed }
    }
}

#[pymethods]
impl Feed {
    /// Returns the next record, or `NotImplemented` if more input is needed first; raises `StopAsyncIteration` at the
    /// end.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.giving.with(|giving| giving.next(py, || self.fed.starved()))?? {
            // SAFETY: a new reference.
            Next::Object(object) => Ok(unsafe { Bound::from_owned_ptr(py, object) }),
            Next::Nothing => Err(PyStopAsyncIteration::new_err(())),
            Next::Starved => Ok(py.NotImplemented().into_bound(py)),
        }
    }

    /// Appends all records that are complete to a list, or calls a target with each.
    #[pyo3(signature = (records, target=None))]
    fn ready(&self, records: &Bound<'_, PyList>, target: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let py = records.py();
        loop {
            match self.giving.with(|giving| giving.next(py, || self.fed.starved()))?? {
                Next::Object(object) => {
                    // SAFETY: a new reference.
                    let record = unsafe { Bound::from_owned_ptr(py, object) };
                    match target {
                        None => records.append(record)?,
                        Some(target) => drop(target.call1((record,))?),
                    }
                }
                Next::Nothing | Next::Starved => return Ok(()),
            }
        }
    }

    /// Feeds bytes, or a str; `None` ends the input.
    fn give(&self, chunk: &Bound<'_, PyAny>) -> PyResult<()> {
        if chunk.is_none() {
            self.fed.end();
            return Ok(());
        }
        with_bytes(chunk, "what is awaited", |bytes| self.fed.give(bytes))
    }

    /// The number of records returned so far.
    #[getter]
    fn record(&self) -> PyResult<u64> {
        self.giving.counts().map(|(given, _)| given)
    }

    /// The fields around the records that were passed so far.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.giving.with(|giving| giving.header(py))?
    }

    /// The number of records left out so far.
    #[getter]
    fn rejected(&self) -> PyResult<u64> {
        self.giving.with(|giving| giving.rejected)
    }

    /// The number of bytes of the place read so far.
    #[getter]
    fn bytes_read(&self) -> PyResult<u64> {
        self.giving.counts().map(|(_, read)| read)
    }

    /// Whether the iteration has ended.
    #[getter]
    fn closed(&self) -> PyResult<bool> {
        self.giving.with(|giving| giving.has_ended())
    }

    /// Ends the iteration.
    fn close(&self) -> PyResult<()> {
        self.giving.close()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.giving.traverse(&visit)
    }

    fn __clear__(&self) {
        if !self.giving.is_busy() {
            let _ = self.giving.close(); // not in use, so this can't fail
        }
    }
}
