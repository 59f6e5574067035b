//! Longer keys that were met lately, as objects.

use super::text;
use pyo3::ffi;

/// A table of keys of more than 16 bytes; a newer one takes the place of an older one.
pub(super) struct LongKeys {
    slots: [*mut ffi::PyObject; SLOTS],
}

const SLOTS: usize = 4096;
/// Longer ones are hardly met again, and would keep much memory.
const LONGEST: usize = 64;

impl LongKeys {
    #[allow(clippy::large_stack_arrays)] // it is only ever made as a constant
    pub(super) const fn new() -> Self {
        Self { slots: [std::ptr::null_mut(); SLOTS] }
    }

    /// The object of a key, with its hash made, owned by the caller; null where memory is out.
    #[inline]
    pub(super) fn object(&mut self, key: &str) -> *mut ffi::PyObject {
        let Some(slot) = index(key.as_bytes()) else { return text::object(key) };
        // Two places for each key, as in the table of short ones.
        for object in [self.slots[slot], self.slots[slot ^ 1]] {
            if !object.is_null() && is(object, key) {
                // SAFETY: the slot owns a reference to what is in it.
                unsafe { ffi::Py_INCREF(object) };
                return object;
            }
        }
        if !key.is_ascii() {
            return text::object(key);
        }
        let object = text::ascii_object(key);
        if !object.is_null() {
            // SAFETY: exact text, whose hash cannot fail and whose end runs no code; the slot gets a reference of its own.
            unsafe {
                ffi::PyObject_Hash(object);
                ffi::Py_INCREF(object);
                let second = std::mem::replace(&mut self.slots[slot], object);
                ffi::Py_XDECREF(std::mem::replace(&mut self.slots[slot ^ 1], second));
            }
        }
        object
    }
}

/// Where a key would be, by what it begins and ends with and its length.
#[inline(always)]
fn index(key: &[u8]) -> Option<usize> {
    if key.len() > LONGEST {
        return None;
    }
    let (head, tail) = (key.first_chunk::<8>()?, key.last_chunk::<8>()?);
    let middle = key.get(key.len() / 2 - 4..)?.first_chunk::<8>()?;
    let word = |chunk: &[u8; 8]| u64::from_le_bytes(*chunk);
    let mixed = word(head) ^ word(tail).rotate_left(23) ^ word(middle).rotate_left(43) ^ key.len() as u64;
    Some((mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as usize % SLOTS)
}

/// Whether an object, which is ASCII, says this.
#[inline(always)]
fn is(object: *mut ffi::PyObject, key: &str) -> bool {
    // SAFETY: compact ASCII, made here: its characters stand right behind its header, as many as its length says.
    let own = unsafe {
        let len = (*object.cast::<ffi::PyASCIIObject>()).length as usize;
        std::slice::from_raw_parts(object.cast::<ffi::PyASCIIObject>().add(1).cast::<u8>(), len)
    };
    own == key.as_bytes()
}
