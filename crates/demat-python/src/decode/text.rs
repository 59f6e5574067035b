//! Creates `str` objects. The interpreter stores one, two or four bytes per character, depending on the widest one.

use super::Engine;
use super::cached::{Cached, Guarded, Word};
use super::keys::Keys;
use super::wide;
use crate::object::Object;
use demat_core::{Result, Source};
use pyo3::ffi;
use std::ptr;

/// The cache of recent values.
static VALUES: Guarded<Cached<1024>> = Guarded::new(Cached::new());
/// The cache of recent keys.
pub(super) static KEYS: Guarded<Keys> = Guarded::new(Keys::new());

impl<'a, S: Source<'a>, const ALL: bool> Engine<'_, 'a, S, ALL> {
    #[inline(always)]
    pub(super) fn text(&mut self) -> Result<Object> {
        let object = value_object(&self.source.text()?);
        self.made(object)
    }
}

/// Returns the object of a text that is a value. Null if memory runs out.
#[inline(always)]
pub(super) fn value_object(text: &str) -> *mut ffi::PyObject {
    if let Some(word) = Word::of(text.as_bytes())
        && word.is_ascii()
    {
        // SAFETY: the GIL is held; the table only creates and drops plain `str` objects, which runs no code.
        let values = unsafe { VALUES.get() };
        if values.pays() {
            return values.object(text, word);
        }
        return ascii_object(text);
    }
    object(text)
}

/// Returns the object of text in bytes. `None` if they are not UTF-8, null if memory runs out.
#[inline(always)]
pub(crate) fn text_object(bytes: &[u8]) -> Option<*mut ffi::PyObject> {
    if bytes.is_ascii() {
        // SAFETY: ASCII is UTF-8.
        return Some(ascii_object(unsafe { core::str::from_utf8_unchecked(bytes) }));
    }
    core::str::from_utf8(bytes).ok().map(wide::object)
}

/// Returns the object of a text that is a key. Null if memory runs out.
#[inline(always)]
pub(super) fn key_object(text: &str) -> *mut ffi::PyObject {
    // SAFETY: as above.
    unsafe { KEYS.get() }.object(text).0
}

/// Returns the object of a text. Null if memory runs out.
#[inline(never)]
pub(super) fn object(text: &str) -> *mut ffi::PyObject {
    if text.is_ascii() { ascii_object(text) } else { wide::object(text) }
}

/// Returns the object of a text that is known to be ASCII.
#[inline(always)]
pub(super) fn ascii_object(text: &str) -> *mut ffi::PyObject {
    debug_assert!(text.is_ascii());
    // SAFETY: the object has room for `len` one-byte characters directly behind its header, and no other code has seen
    // it.
    unsafe {
        let object = ffi::PyUnicode_New(text.len() as ffi::Py_ssize_t, 127);
        if !object.is_null() {
            let data = object.cast::<ffi::PyASCIIObject>().add(1).cast::<u8>();
            ptr::copy_nonoverlapping(text.as_ptr(), data, text.len());
        }
        object
    }
}
