//! Signals, such as Ctrl-C, while a call takes long.

use crate::error::{Failure, exception};
use demat_core::{Result, interrupt};
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

thread_local! {
    /// What a handler raised while nobody listened; the error that the work ends with gives way to it.
    static RAISED: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// Has signals heard also where SQLite works and nobody listens, as it does between rows that become objects.
pub(crate) fn listen() {
    interrupt::host(|| {
        // Signals are heard on Python's main thread; one that Python does not know could wait for it in vain.
        // SAFETY: it gives what belongs to this thread, and may be called at any time.
        if unsafe { pyo3::ffi::PyGILState_GetThisThreadState() }.is_null() {
            return false;
        }
        Python::attach(|py| py.check_signals().map_err(|raised| RAISED.set(Some(raised))).is_err())
    });
}

/// What a handler has raised on this thread, once.
pub(crate) fn raised() -> Option<PyErr> {
    RAISED.take()
}

/// Does work without the interpreter, and listens to signals as long as it takes. What a signal's handler raises ends the
/// work and is given instead.
///
/// # Errors
/// What a handler raised; inside, what the work came to.
#[allow(clippy::redundant_closure_for_method_calls)] // the method itself is not general enough
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<Result<T>> {
    let raised = Arc::new(Mutex::new(None));
    let keep = Arc::clone(&raised);
    let stops = move || match Python::attach(|py| py.check_signals()) {
        Ok(()) => false,
        Err(error) => {
            *keep.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            true
        }
    };
    let worked = py.detach(|| interrupt::listening(stops, work));
    match raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(raised) => Err(raised),
        None => Ok(worked),
    }
}

/// The same where an error is an exception as it is.
///
/// # Errors
/// What a handler raised, and what the work came to.
pub(crate) fn apart<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    detached(py, work)?.map_err(|error| exception(py, Failure::from(error)))
}
