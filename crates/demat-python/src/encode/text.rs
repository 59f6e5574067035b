//! Borrows the UTF-8 of `str` objects.

use super::ObjectRef;
use crate::object::Object;
use pyo3::ffi;

/// Returns the UTF-8 of a `str`, which lives as long as the reference does. `None` if it has a lone surrogate, or there is
/// no memory for its UTF-8.
///
/// No user code runs here: no exception is raised for a surrogate, since Python 3.11 may collect garbage when it makes one.
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

/// Returns whether an ASCII `str` is compact: only the interface that Python 3.12 has removed makes others.
///
/// # Safety
/// The pointer is to a live `str` of no subclass.
#[inline(always)]
pub(super) unsafe fn is_compact_ascii(text: *mut ffi::PyObject) -> bool {
    #[cfg(not(Py_3_12))]
    // SAFETY: as the caller guarantees.
    unsafe {
        ffi::PyUnicode_IS_COMPACT_ASCII(text) != 0
    }
    #[cfg(Py_3_12)]
    {
        let _ = text;
        true
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
    #[cfg(not(Py_3_14))]
    // SAFETY: as the caller guarantees. A `str` that is not compact ASCII has a place for its UTF-8, which never changes
    // once it is there.
    unsafe {
        let own = text.cast::<ffi::PyCompactUnicodeObject>();
        if !(*own).utf8.is_null() {
            let bytes = core::slice::from_raw_parts((*own).utf8.cast::<u8>(), (*own).utf8_length.cast_unsigned());
            return Some(core::str::from_utf8_unchecked(bytes));
        }
    }
    let mut length = 0;
    // SAFETY: as the caller guarantees. The result is UTF-8, and lives unchanged as long as the `str`.
    unsafe {
        if !has_utf8(text) {
            return None;
        }
        let bytes = ffi::PyUnicode_AsUTF8AndSize(text, &raw mut length);
        if bytes.is_null() {
            ffi::PyErr_Clear(); // There is no memory.
            return None;
        }
        let bytes = core::slice::from_raw_parts(bytes.cast::<u8>(), length.cast_unsigned());
        Some(core::str::from_utf8_unchecked(bytes))
    }
}

/// Returns whether the characters of a `str` have a UTF-8 form.
///
/// # Safety
/// The pointer is to a live instance of `str` or a subclass.
#[inline(always)]
#[allow(clippy::needless_bitwise_bool, reason = "a branch for each unit would keep them from being compared at once")]
unsafe fn has_utf8(text: *mut ffi::PyObject) -> bool {
    #[cfg(not(Py_3_12))]
    // SAFETY: as the caller guarantees.
    unsafe {
        if ffi::PyUnicode_IS_READY(text) == 0 && !is_made_ready(text) {
            return false;
        }
    }
    // SAFETY: as the caller guarantees; the kind says how wide the characters are.
    unsafe {
        let kind = ffi::PyUnicode_KIND(text);
        if kind == ffi::PyUnicode_1BYTE_KIND {
            return true;
        }
        // All are looked at, as hardly any has one: so several are compared at once.
        match units(text, kind) {
            Units::One => true,
            Units::Two(units) => !units.iter().fold(false, |found, unit| found | (unit & 0xF800 == 0xD800)),
            Units::Four(units) => !units.iter().fold(false, |found, unit| found | is_surrogate(*unit)),
        }
    }
}

/// Returns the index of the first surrogate of a `str`.
///
/// # Safety
/// The pointer is to a live instance of `str` or a subclass.
#[cold]
pub(super) unsafe fn surrogate_in(text: *mut ffi::PyObject) -> Option<usize> {
    #[cfg(not(Py_3_12))]
    // SAFETY: as the caller guarantees.
    unsafe {
        if ffi::PyUnicode_IS_READY(text) == 0 {
            return None;
        }
    }
    // SAFETY: as the caller guarantees.
    match unsafe { units(text, ffi::PyUnicode_KIND(text)) } {
        Units::One => None,
        Units::Two(units) => units.iter().position(|unit| is_surrogate((*unit).into())),
        Units::Four(units) => units.iter().position(|unit| is_surrogate(*unit)),
    }
}

/// The characters of a `str`, as wide as the widest of them.
enum Units<'t> {
    One,
    Two(&'t [u16]),
    Four(&'t [u32]),
}

/// # Safety
/// The pointer is to a live `str` of this kind, which is not that of a `str` that is not ready.
#[inline(always)]
unsafe fn units<'t>(text: *mut ffi::PyObject, kind: core::ffi::c_uint) -> Units<'t> {
    // SAFETY: as the caller guarantees.
    unsafe {
        let (data, len) = (ffi::PyUnicode_DATA(text), ffi::PyUnicode_GET_LENGTH(text).cast_unsigned());
        match kind {
            ffi::PyUnicode_1BYTE_KIND => Units::One,
            ffi::PyUnicode_2BYTE_KIND => Units::Two(core::slice::from_raw_parts(data.cast::<u16>(), len)),
            _ => Units::Four(core::slice::from_raw_parts(data.cast::<u32>(), len)),
        }
    }
}

#[inline(always)]
fn is_surrogate(unit: u32) -> bool {
    unit & 0xFFFF_F800 == 0xD800
}

/// Gives a `str` that the deprecated interface made its final form. Returns false if it has none: a character is none of
/// Unicode, or there is no memory.
///
/// # Safety
/// The pointer is to a live instance of `str` or a subclass that is not ready.
#[cfg(not(Py_3_12))]
#[cold]
#[inline(never)]
unsafe fn is_made_ready(text: *mut ffi::PyObject) -> bool {
    // SAFETY: as the caller guarantees. Such a `str` has its characters here, which are of two bytes on Windows, and of
    // four elsewhere. Only for one beyond Unicode an exception would be raised, which may run user code.
    unsafe {
        let own = text.cast::<ffi::PyCompactUnicodeObject>();
        let (start, len) = ((*own)._base.wstr, (*own).wstr_length.cast_unsigned());
        if !cfg!(windows)
            && core::slice::from_raw_parts(start.cast::<u32>(), len).iter().any(|unit| *unit > 0x0010_FFFF)
        {
            return false;
        }
        let ready = ffi::PyUnicode_READY(text) == 0;
        if !ready {
            ffi::PyErr_Clear(); // There is no memory.
        }
        ready
    }
}
