//! Record batch readers for other libraries, which call and drop them from any thread, with or without the GIL.

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::ffi;
use pyo3::prelude::*;

/// Wraps a reader whose caller may or may not hold the GIL.
///
/// PyO3 counts per thread how often it was attached, and takes a positive count for the GIL. That is wrong in this
/// case: our code calls Python code, which calls another library, which releases the GIL and calls our code again.
/// Attaching then does nothing, and a reference count is changed while other threads change it. So calls from outside
/// acquire the GIL from the interpreter itself.
pub(super) struct HandedOut<R: Send> {
    schema: SchemaRef,
    /// `None` only during drop.
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
        // Acquires the GIL and releases it at once, so that PyO3's count is correct from here on.
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
            // If the interpreter has ended, its objects must not be touched.
            core::mem::forget(reader);
        }
    }
}

/// Calls a function with the GIL held, whether or not the caller holds it. Returns `None` if the interpreter has ended.
fn with_gil<T>(then: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    // SAFETY: the GIL state is released on the same thread and in reverse order, also during a panic.
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
        // SAFETY: releases the state that was acquired once, when this was created.
        unsafe { ffi::PyGILState_Release(self.0) };
    }
}
