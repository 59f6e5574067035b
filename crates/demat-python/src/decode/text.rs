//! Text: the interpreter keeps it at one, two or four bytes a character, whichever the widest one needs.

use super::Engine;
use super::cached::{Cached, Guarded, Word};
use super::long_keys::LongKeys;
use crate::object::Object;
use demat_core::{Result, Source};
use pyo3::ffi;
use std::ptr;

/// Values that were met lately.
static VALUES: Guarded<Cached<1024>> = Guarded::new(Cached::new());
/// Keys that were met lately, with their hashes made.
static KEYS: Guarded<Cached<4096>> = Guarded::new(Cached::new());
/// The same of longer ones.
static LONG_KEYS: Guarded<LongKeys> = Guarded::new(LongKeys::new());

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
            return values.object(text, word, |_| ());
        }
        return ascii_object(text);
    }
    object(text)
}

/// A text that is a key; null where memory is out.
#[inline(always)]
pub(super) fn key_object(text: &str) -> *mut ffi::PyObject {
    if let Some(word) = Word::of(text.as_bytes())
        && word.is_ascii()
    {
        // SAFETY: as above; hashing plain text runs no code either.
        return unsafe { KEYS.get() }.object(text, word, |key| {
            // SAFETY: exact text, whose hash cannot fail, and is remembered in it.
            unsafe { ffi::PyObject_Hash(key) };
        });
    }
    long_key_object(text)
}

#[inline(never)]
fn long_key_object(text: &str) -> *mut ffi::PyObject {
    // SAFETY: as above.
    unsafe { LONG_KEYS.get() }.object(text)
}

/// A text; null where memory is out.
#[inline(never)]
pub(super) fn object(text: &str) -> *mut ffi::PyObject {
    if text.is_ascii() { ascii_object(text) } else { wide_object(text) }
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

/// Text with characters beyond ASCII.
fn wide_object(text: &str) -> *mut ffi::PyObject {
    let widest = text.bytes().max().unwrap_or(0);
    let count = text.chars().count() as ffi::Py_ssize_t;
    // SAFETY: the widest byte of UTF-8 says how wide the widest character is: from 0xF0 it is beyond 0xFFFF, from 0xC4
    // beyond 0xFF. So the object has room for `count` characters of the width that is written; nobody else has seen it.
    unsafe {
        match widest {
            0xF0.. => fill(ffi::PyUnicode_New(count, 0x10_FFFF), text.chars().map(u32::from)),
            0xC4.. => fill(ffi::PyUnicode_New(count, 0xFFFF), text.chars().map(|c| u32::from(c) as u16)),
            _ => fill(ffi::PyUnicode_New(count, 0xFF), text.chars().map(|c| u32::from(c) as u8)),
        }
    }
}

/// Writes characters into a new object that is compact and not ASCII.
///
/// # Safety
/// The object is null, or has room for as many characters of this width as the iterator gives.
#[inline(always)]
unsafe fn fill<C>(object: *mut ffi::PyObject, chars: impl Iterator<Item = C>) -> *mut ffi::PyObject {
    if !object.is_null() {
        // SAFETY: the characters of compact text stand right behind its header; there is room, as the caller says.
        unsafe {
            let data = object.cast::<ffi::PyCompactUnicodeObject>().add(1).cast::<C>();
            for (index, char) in chars.enumerate() {
                data.add(index).write(char);
            }
        }
    }
    object
}
