use super::chunks::with_bytes;
use super::feed::Fed;
use super::giving::{Giving, Next};
use super::reader::Guarded;
use pyo3::exceptions::PyStopAsyncIteration;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

/// Records of bytes that are given as they come: what an asynchronous reader stands on.
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
    /// The next record, or `NotImplemented` where more has to be given first; at the end it raises `StopAsyncIteration`.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.giving.with(|giving| giving.next(py, || self.fed.starved()))?? {
            // SAFETY: a new reference.
            Next::Object(object) => Ok(unsafe { Bound::from_owned_ptr(py, object) }),
            Next::Nothing => Err(PyStopAsyncIteration::new_err(())),
            Next::Starved => Ok(py.NotImplemented().into_bound(py)),
        }
    }

    /// Gives more bytes, or text; `None` says that there is no more.
    fn give(&self, chunk: &Bound<'_, PyAny>) -> PyResult<()> {
        if chunk.is_none() {
            self.fed.end();
            return Ok(());
        }
        with_bytes(chunk, "what is awaited", |bytes| self.fed.give(bytes))
    }

    /// How many records were given so far.
    #[getter]
    fn record(&self) -> PyResult<u64> {
        self.giving.counts().map(|(given, _)| given)
    }

    /// How many bytes of the place were read so far.
    #[getter]
    fn bytes_read(&self) -> PyResult<u64> {
        self.giving.counts().map(|(_, read)| read)
    }

    /// Whether nothing comes any more.
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
            let _ = self.giving.close(); // nobody is at work, so that it can't fail
        }
    }
}
