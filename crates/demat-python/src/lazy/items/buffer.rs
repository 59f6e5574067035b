//! Exports fixed-width numbers as a buffer, in place.
//!
//! The slots are hand-written: PyO3's wrapper around a method would take longer than filling the view.

use super::{Found, Inner, Items};
use crate::lazy::number;
use crate::quick;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::{Borrowed, ffi};
use std::ffi::c_int;

/// Installs the slots in the class.
pub(super) fn install(class: *mut ffi::PyTypeObject) {
    // SAFETY: a class of this module, without instances yet; classes created from a specification have memory for these
    // slots.
    unsafe {
        (*(*class).tp_as_buffer).bf_getbuffer = Some(fill);
        (*(*class).tp_as_buffer).bf_releasebuffer = Some(release);
    }
}

/// Fills a view.
unsafe extern "C" fn fill(own: *mut ffi::PyObject, view: *mut ffi::Py_buffer, flags: c_int) -> c_int {
    // SAFETY: the interpreter calls this with `Items`, and with the GIL held.
    let done = unsafe {
        quick::run(|| {
            let items = Borrowed::from_ptr(Python::assume_attached(), own).cast_unchecked::<Items>().get();
            filled(items.inner(), own, view, flags).then_some(own)
        })
    };
    if done.is_null() { -1 } else { 0 }
}

/// Fills a view; returns false if an exception is set.
///
/// # Safety
/// As for [`fill`].
#[inline(always)]
unsafe fn filled(inner: &mut Inner, own: *mut ffi::PyObject, view: *mut ffi::Py_buffer, flags: c_int) -> bool {
    // SAFETY: as the caller guarantees. The run has that many bytes, as long as the owner or the copy is held; these
    // items hold both, and the view holds the items. While the view exists, the owner is not released (its export count
    // prevents that), the run is not given up, and `layout` does not change: see `release`.
    unsafe {
        if view.is_null() {
            return refused("a view has to be given");
        }
        (*view).obj = core::ptr::null_mut();
        if !inner.is_seen_at_once() && !looked(inner) {
            return false;
        }
        let form = inner.form();
        let (Found::Run(start, count, _), Some(letter), Some(width)) =
            (&inner.found, number::letter(form), number::width(form))
        else {
            return refused("only numbers of fixed width that were not changed are a buffer");
        };
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return refused("the numbers of a lazy record can't be written to in place");
        }
        if !inner.is_there() {
            return false;
        }
        inner.layout = [(*count).cast_signed(), width.cast_signed()];
        let [shape, strides] = [&raw mut inner.layout[0], &raw mut inner.layout[1]];
        let has = |flag: c_int| flags & flag == flag;
        ffi::Py_INCREF(own);
        *view = ffi::Py_buffer {
            buf: (*start).cast_mut().cast(),
            obj: own,
            len: (*count * width).cast_signed(),
            itemsize: width.cast_signed(),
            readonly: 1,
            ndim: 1,
            format: if has(ffi::PyBUF_FORMAT) { letter.as_ptr().cast_mut() } else { core::ptr::null_mut() },
            shape: if has(ffi::PyBUF_ND) { shape } else { core::ptr::null_mut() },
            strides: if has(ffi::PyBUF_STRIDES) { strides } else { core::ptr::null_mut() },
            suboffsets: core::ptr::null_mut(),
            internal: core::ptr::null_mut(),
        };
        if let Some(owner) = inner.owner_of(Python::assume_attached()) {
            owner.export(true);
        }
        inner.exports += 1;
        true
    }
}

/// Locates the items; false with an exception.
#[inline(never)]
fn looked(inner: &mut Inner) -> bool {
    Python::attach(|py| inner.look(py).map_err(|raised| raised.restore(py)).is_ok())
}

#[cold]
fn refused(reason: &'static str) -> bool {
    quick::raise(|_| PyBufferError::new_err(reason));
    false
}

/// Releases a view.
unsafe extern "C" fn release(own: *mut ffi::PyObject, _: *mut ffi::Py_buffer) {
    // SAFETY: the interpreter calls this with `Items`, once for each filled view, and with the GIL held.
    unsafe {
        let items = Borrowed::from_ptr(Python::assume_attached(), own).cast_unchecked::<Items>().get();
        let inner = items.inner();
        inner.exports = inner.exports.saturating_sub(1);
        if let Some(owner) = inner.owner_of(Python::assume_attached()) {
            owner.export(false);
        }
    }
}
