//! Text: the interpreter keeps it at one, two or four bytes a character, whichever the widest one needs.

use super::Engine;
use super::cached::{Cached, Guarded, Word};
use super::keys::Keys;
use super::wide;
use crate::object::Object;
use demat_core::{Result, Source};
use pyo3::ffi;
use std::ptr;

/// Values that were met lately.
static VALUES: Guarded<Cached<1024>> = Guarded::new(Cached::new());
/// Keys that were met lately.
pub(super) static KEYS: Guarded<Keys> = Guarded::new(Keys::new());

impl<'a, S: Source<'a>, const ALL: bool> Engine<'_, 'a, S, ALL> {
    #[inline(always)]
    pub(super) fn text(&mut self) -> Result<Object> {
        let object = value_object(&self.source.text()?);
        self.made(object)
    }
}

/// A text that is a value; null where memory is out.
#[inline(always)]
pub(super) fn value_object(text: &str) -> *mut ffi::PyObject {
    if let Some(word) = Word::of(text.as_bytes())
        && word.is_ascii()
    {
        // SAFETY: the GIL is held; the table only makes and drops plain text, which runs no code.
        let values = unsafe { VALUES.get() };
        if values.pays() {
            return values.object(text, word);
        }
        return ascii_object(text);
    }
    object(text)
}

/// A text that stands somewhere as bytes: none where they are no UTF-8, null where memory is out.
#[inline(always)]
pub(crate) fn text_object(bytes: &[u8]) -> Option<*mut ffi::PyObject> {
    if bytes.is_ascii() {
        // SAFETY: ASCII is UTF-8.
        return Some(ascii_object(unsafe { core::str::from_utf8_unchecked(bytes) }));
    }
    core::str::from_utf8(bytes).ok().map(wide::object)
}

/// A text that is a key; null where memory is out.
#[inline(always)]
pub(super) fn key_object(text: &str) -> *mut ffi::PyObject {
    // SAFETY: as above.
    unsafe { KEYS.get() }.object(text).0
}

/// A text; null where memory is out.
#[inline(never)]
pub(super) fn object(text: &str) -> *mut ffi::PyObject {
    if text.is_ascii() { ascii_object(text) } else { wide::object(text) }
}

/// A text that is known to be ASCII.
#[inline(always)]
pub(super) fn ascii_object(text: &str) -> *mut ffi::PyObject {
    debug_assert!(text.is_ascii());
    // SAFETY: the object has room for so many one-byte characters right behind its header, and nobody else has seen it.
    unsafe {
        let object = ffi::PyUnicode_New(text.len() as ffi::Py_ssize_t, 127);
        if !object.is_null() {
            let data = object.cast::<ffi::PyASCIIObject>().add(1).cast::<u8>();
            ptr::copy_nonoverlapping(text.as_ptr(), data, text.len());
        }
        object
    }
}
