//! Borrows the UTF-8 of `str` objects.

use super::ObjectRef;
use crate::object::Object;
use pyo3::ffi;

/// Returns the UTF-8 of a `str`, which lives as long as the reference does. Returns `None` and sets an exception if it
/// has a lone surrogate.
///
/// # Safety
/// The object is a live instance of `str` or a subclass, and stays alive while the reference is borrowed.
#[inline(always)]
pub(crate) unsafe fn utf8(text: &ObjectRef) -> Option<&str> {
    // SAFETY: as the caller guarantees.
    unsafe { utf8_unbound(text.as_ptr()) }
}

/// As [`utf8`], of a `str` that is held.
///
/// # Safety
/// The object is an instance of `str` or a subclass.
#[inline(always)]
pub(super) unsafe fn utf8_of(text: &Object) -> Option<&str> {
    // SAFETY: as the caller guarantees; what is held is alive.
    unsafe { utf8_unbound(text.as_ptr()) }
}

/// Returns the UTF-8 of an ASCII `str`.
///
/// # Safety
/// The pointer is to a live `str` that is compact and ASCII, and that outlives the result.
#[inline(always)]
pub(crate) unsafe fn ascii<'a>(text: *mut ffi::PyObject) -> &'a str {
    let text = text.cast::<ffi::PyASCIIObject>();
    // SAFETY: its characters directly follow its header, one byte each, which is UTF-8. They never change.
    unsafe {
        let bytes = core::slice::from_raw_parts(text.add(1).cast::<u8>(), (*text).length.cast_unsigned());
        core::str::from_utf8_unchecked(bytes)
    }
}

/// As [`utf8`], with a lifetime that the compiler can't check: an error that keeps the text would outlive the `str`.
///
/// # Safety
/// The pointer is to a live instance of `str` or a subclass that outlives the result.
#[inline(always)]
pub(super) unsafe fn utf8_unbound<'a>(text: *mut ffi::PyObject) -> Option<&'a str> {
    // From Python 3.14 on, the layout is private; the function below performs the same check.
    #[cfg(not(Py_3_14))]
    // SAFETY: as the caller guarantees, and after a check of its kind.
    unsafe {
        if ffi::PyUnicode_IS_COMPACT_ASCII(text) != 0 {
            return Some(ascii(text));
        }
    }
    // SAFETY: as the caller guarantees.
    unsafe { utf8_kept(text) }
}

/// As [`utf8_unbound`], for a `str` of any kind. The interpreter caches the UTF-8 in the `str`.
#[inline(never)]
unsafe fn utf8_kept<'a>(text: *mut ffi::PyObject) -> Option<&'a str> {
    let mut length = 0;
    // SAFETY: as the caller guarantees. The result is UTF-8, and lives unchanged as long as the `str`.
    unsafe {
        let bytes = ffi::PyUnicode_AsUTF8AndSize(text, &raw mut length);
        if bytes.is_null() {
            return None;
        }
        let bytes = core::slice::from_raw_parts(bytes.cast::<u8>(), length.cast_unsigned());
        Some(core::str::from_utf8_unchecked(bytes))
    }
}
