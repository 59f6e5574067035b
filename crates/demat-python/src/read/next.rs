//! The step of a loop, without anything around it.

use super::Reader;
use crate::error::exception_for;
use pyo3::ffi;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `for` calls for the next record: where one is ready, that is all there is to it.
///
/// # Safety
/// Called by the interpreter, with a reader, and with the GIL held.
unsafe extern "C" fn next(reader: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the GIL is held, as the caller says.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: a reader, which the caller holds.
    let reader = unsafe { Borrowed::from_ptr(py, reader).cast_unchecked::<Reader>() };
    let ready = reader.get().giving.ready();
    if ready.is_null() { slow(py, reader.get()) } else { ready }
}

#[inline(never)]
fn slow(py: Python<'_>, reader: &Reader) -> *mut ffi::PyObject {
    // The interpreter knows nothing of panics.
    let done = catch_unwind(AssertUnwindSafe(|| reader.advance(py)));
    match done {
        Ok(Ok(object)) => object,
        Ok(Err(raised)) => {
            raised.restore(py);
            std::ptr::null_mut()
        }
        Err(panic) => {
            exception_for(py, &demat_core::panicked(&*panic)).restore(py);
            std::ptr::null_mut()
        }
    }
}

/// Gives the class this step.
pub(crate) fn install(py: Python<'_>) {
    let class = py.get_type::<Reader>().as_type_ptr();
    // SAFETY: a class of this module's own, which nobody uses yet; the step does what the one in its place does, and the
    // interpreter is told that the class was changed.
    unsafe {
        (*class).tp_iternext = Some(next);
        ffi::PyType_Modified(class);
    }
}
