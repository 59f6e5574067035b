use super::batch_validator::BatchValidator;
use super::open::named;
use super::{Columns, capsule, raise};
use crate::read::Raised;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use demat_core::{Error, Result};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Columns of records, batch by batch: an iterator of `demat.Columns`, in memory that is bounded by one batch.
///
/// The whole stream can also be passed to a library that supports Arrow's PyCapsule interface, which consumes it.
///
/// >>> import demat
/// >>> stream = demat.json.columns(b'[{"id": 1}, {"id": 2}, {"id": 3}]', batch_size=2)
/// >>> [len(batch) for batch in stream]
/// [2, 1]
#[pyclass(frozen, module = "demat", weakref)]
pub(crate) struct ColumnStream {
    schema: SchemaRef,
    stream: Mutex<Option<Stream>>,
}

impl ColumnStream {
    pub(super) fn new(stream: Stream) -> Self {
        Self { schema: stream.schema.clone(), stream: Mutex::new(Some(stream)) }
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Option<Stream>>> {
        match self.stream.try_lock() {
            Ok(stream) => Ok(stream),
            Err(TryLockError::Poisoned(stream)) => Ok(stream.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err("the stream is being read by another thread")),
        }
    }
}

#[pymethods]
impl ColumnStream {
    /// The names of the columns, in their order.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.schema.fields().iter().map(|field| field.name()))
    }

    /// Closes the place.
    fn close(&self) -> PyResult<()> {
        let stream = self.lock()?.take();
        drop(stream);
        Ok(())
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Columns>> {
        let mut locked = self.lock()?;
        let Some(stream) = locked.as_mut() else { return Ok(None) };
        let batch = crate::signals::detached(py, || stream.next_batch().transpose())?.transpose();
        py.check_signals()?;
        match batch {
            Some(Ok(batch)) => Ok(Some(Columns::new(self.schema.clone(), vec![batch]))),
            Some(Err(error)) => {
                let raised = stream.failed(py, error);
                *locked = None;
                Err(raised)
            }
            None => {
                *locked = None;
                Ok(None)
            }
        }
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // a hint, which the interface allows to ignore
        let Some(stream) = self.lock()?.take() else {
            return Err(PyValueError::new_err("the stream was read already"));
        };
        capsule::stream(py, Box::new(stream))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &self.schema)
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __exit__(
        &self,
        _class: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.close()
    }

    fn __repr__(&self) -> String {
        let columns: Vec<_> =
            self.schema.fields().iter().map(|field| format!("{}: {}", field.name(), field.data_type())).collect();
        format!("<demat.ColumnStream: {}>", columns.join(", "))
    }
}

/// A place that is read batch by batch.
pub(super) struct Stream {
    pub(super) schema: SchemaRef,
    pub(super) batches: Box<dyn Iterator<Item = Result<RecordBatch>> + Send>,
    pub(super) name: Option<String>,
    pub(super) raised: Raised,
    /// Validates the rows.
    pub(super) held: Option<BatchValidator>,
    /// Batches that validation made of one input batch, in reverse order.
    pub(super) pending: Vec<RecordBatch>,
}

impl Stream {
    /// Returns the next batch.
    pub(super) fn next_batch(&mut self) -> Option<Result<RecordBatch>> {
        if let Some(batch) = self.pending.pop() {
            return Some(Ok(batch));
        }
        let batch = self.batches.next()?;
        let batch = batch.and_then(|batch| match &mut self.held {
            Some(held) => {
                self.pending = held.hold(batch)?;
                self.pending.reverse();
                Ok(self.pending.pop())
            }
            None => Ok(Some(batch)),
        });
        let batch = batch.transpose()?;
        Some(batch.map_err(|error| named(error, self.name.as_deref())))
    }

    /// Returns the exception that the place raised, or else the error's own.
    pub(super) fn failed(&self, py: Python<'_>, error: Error) -> PyErr {
        self.raised.take().unwrap_or_else(|| raise(py, error))
    }
}

impl Iterator for Stream {
    type Item = core::result::Result<RecordBatch, ArrowError>;

    /// Errors are passed on as Arrow's.
    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.next_batch()?;
        Some(batch.map_err(|error| match self.raised.take() {
            Some(raised) => ArrowError::ExternalError(raised.to_string().into()),
            None => ArrowError::ExternalError(Box::new(error)),
        }))
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
