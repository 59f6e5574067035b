//! Text, as the interpreter keeps it.

use pyo3::ffi;

/// The UTF-8 of a text that is ASCII.
///
/// # Safety
/// The pointer is to a living `str` that is compact and ASCII, and that lives as long as what is given.
#[inline(always)]
pub(super) unsafe fn ascii<'a>(text: *mut ffi::PyObject) -> &'a str {
    let text = text.cast::<ffi::PyASCIIObject>();
    // SAFETY: its characters stand right behind its head, as many bytes as characters, which is UTF-8. They never change.
    unsafe {
        let bytes = core::slice::from_raw_parts(text.add(1).cast::<u8>(), (*text).length.cast_unsigned());
        core::str::from_utf8_unchecked(bytes)
    }
}

/// The UTF-8 of a text; None where it has none, because of a lone surrogate: an exception is set then.
///
/// # Safety
/// The pointer is to a living `str`, or an instance of a subclass, that lives as long as what is given.
#[inline(always)]
pub(super) unsafe fn utf8<'a>(text: *mut ffi::PyObject) -> Option<&'a str> {
    // From 3.14 on the layout is the interpreter's secret; the function finds out the same.
    #[cfg(not(Py_3_14))]
    // SAFETY: as the caller says, and after a look at its kind.
    unsafe {
        if ffi::PyUnicode_IS_COMPACT_ASCII(text) != 0 {
            return Some(ascii(text));
        }
    }
    // SAFETY: as the caller says.
    unsafe { utf8_kept(text) }
}

/// The same of text of any kind. The interpreter keeps the UTF-8 with the text, for the next time.
#[inline(never)]
unsafe fn utf8_kept<'a>(text: *mut ffi::PyObject) -> Option<&'a str> {
    let mut length = 0;
    // SAFETY: as the caller says. What is given is UTF-8, and lives and stays as it is for as long as the text.
    unsafe {
        let bytes = ffi::PyUnicode_AsUTF8AndSize(text, &raw mut length);
        if bytes.is_null() {
            return None;
        }
        let bytes = core::slice::from_raw_parts(bytes.cast::<u8>(), length.cast_unsigned());
        Some(core::str::from_utf8_unchecked(bytes))
    }
}
