//! The `tp_iternext` slot of readers, without PyO3's overhead.

use super::Reader;
use crate::error::exception_for;
use pyo3::ffi;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the next record for a `for` loop: pops one that is ready, or decodes more.
///
/// # Safety
/// Called by the interpreter, with a reader, and with the GIL held.
unsafe extern "C" fn next(reader: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the GIL is held, as the caller guarantees.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: a reader, which the caller holds.
    let reader = unsafe { Borrowed::from_ptr(py, reader).cast_unchecked::<Reader>() };
    let ready = reader.get().giving.ready();
    if ready.is_null() { slow(py, reader.get()) } else { ready }
}

#[inline(never)]
fn slow(py: Python<'_>, reader: &Reader) -> *mut ffi::PyObject {
    // A panic must not unwind into the interpreter.
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

/// Installs the slot in the class.
pub(crate) fn install(py: Python<'_>) {
    let class = py.get_type::<Reader>().as_type_ptr();
    // SAFETY: a class of this module, without instances yet. The function behaves like the one that it replaces, and
    // the interpreter is notified of the change.
    unsafe {
        (*class).tp_iternext = Some(next);
        ffi::PyType_Modified(class);
    }
}
