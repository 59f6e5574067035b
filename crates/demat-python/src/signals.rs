//! Handles signals, such as Ctrl-C, during long calls.

use crate::error::{Failure, exception};
use demat_core::{Error, ErrorKind, Result, interrupt};
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

thread_local! {
    /// The exception that a signal handler raised without a listener. It replaces the error that ends the work.
    static RAISED: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// Registers a callback for work without a listener, such as SQLite's between rows that become objects.
pub(crate) fn listen() {
    interrupt::host(|| {
        // Only Python's main thread handles signals. On a thread unknown to Python, attaching could block forever.
        // SAFETY: reads thread-local state, and may be called at any time.
        if unsafe { pyo3::ffi::PyGILState_GetThisThreadState() }.is_null() {
            return false;
        }
        Python::attach(|py| py.check_signals().map_err(|raised| RAISED.set(Some(raised))).is_err())
    });
}

/// Takes the exception that a signal handler raised on this thread.
pub(crate) fn raised() -> Option<PyErr> {
    RAISED.take()
}

/// Keeps an exception that stops work, and returns the error which it replaces.
#[cold]
pub(crate) fn stopped(raised: PyErr) -> Error {
    RAISED.set(Some(raised));
    Error::new(ErrorKind::Io, "interrupted")
}

/// Runs work without the GIL, and checks for signals meanwhile. If a signal handler raises, the work ends and the
/// exception is returned.
///
/// # Errors
/// The exception that a signal handler raised. The inner result is that of the work.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<Result<T>> {
    heard(|stops| py.detach(|| interrupt::listening(stops, work)))
}

/// As [`detached`], but with the GIL, for data that other threads could change.
///
/// # Errors
/// As [`detached`].
pub(crate) fn attached<T>(_: Python<'_>, work: impl FnOnce() -> Result<T>) -> PyResult<Result<T>> {
    heard(|stops| interrupt::listening(stops, work))
}

/// Runs work with a function that checks for signals.
#[allow(clippy::redundant_closure_for_method_calls)] // the method itself is not general enough
fn heard<T>(run: impl FnOnce(Box<dyn Fn() -> bool + Send>) -> Result<T>) -> PyResult<Result<T>> {
    let raised = Arc::new(Mutex::new(None));
    let keep = Arc::clone(&raised);
    let stops = move || match Python::attach(|py| py.check_signals()) {
        Ok(()) => false,
        Err(error) => {
            *keep.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            true
        }
    };
    let worked = run(Box::new(stops));
    match raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(raised) => Err(raised),
        None => Ok(worked),
    }
}

/// As [`detached`], with the work's error converted to an exception.
///
/// # Errors
/// The exception that a signal handler raised, or the work's error.
pub(crate) fn apart<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    detached(py, work)?.map_err(|error| exception(py, Failure::from(error)))
}
