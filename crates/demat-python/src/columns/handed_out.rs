//! Batches that are handed to other libraries, which ask for them and let go of them as they like.

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::ffi;
use pyo3::prelude::*;

/// A reader of ours in hands that may or may not hold the GIL.
///
/// PyO3 counts on each thread how often it was attached there, and takes that for the GIL. That is wrong where code of ours
/// calls the interpreter, that calls another library, that lets go of the GIL and calls code of ours again: to attach once
/// more does nothing then, and an object's count is changed while others change it. So what comes from outside asks the
/// interpreter itself.
pub(super) struct HandedOut<R: Send> {
    schema: SchemaRef,
    /// None only while it is dropped.
    reader: Option<R>,
}

impl<R: RecordBatchReader + Send> HandedOut<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { schema: reader.schema(), reader: Some(reader) }
    }
}

impl<R: RecordBatchReader + Send> Iterator for HandedOut<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut()?;
        // Held, and at once let go of: from there on PyO3 knows that it is.
        with_gil(|py| py.detach(|| reader.next())).flatten()
    }
}

impl<R: RecordBatchReader + Send> RecordBatchReader for HandedOut<R> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl<R: Send> Drop for HandedOut<R> {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take() {
            let mut reader = Some(reader);
            with_gil(|_| drop(reader.take()));
            // Where there is no interpreter any more, what it made is not touched.
            core::mem::forget(reader);
        }
    }
}

/// Does something with the GIL held, whoever holds it now; None where the interpreter has ended.
fn with_gil<T>(then: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    // SAFETY: what is asked for is given back on the same thread, in the same order, also where it panics.
    unsafe {
        if ffi::Py_IsInitialized() == 0 {
            return None;
        }
        let _held = Held(ffi::PyGILState_Ensure());
        Some(then(Python::assume_attached()))
    }
}

struct Held(ffi::PyGILState_STATE);

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: it was asked for, once.
        unsafe { ffi::PyGILState_Release(self.0) };
    }
}
