//! A cache of keys in their quoted form.

use super::{EncodeSink, Engine, ObjectRef, fault, text};
use demat_core::{QuotedKey, Result};
use demat_formats::{LONGEST_TEXT, ScalarWriter};
use pyo3::ffi;
use std::cell::UnsafeCell;

/// Dicts mostly share a few key objects. This cache keeps their quoted forms.
///
/// A key is found by its address, so the cache owns a reference to it; a `str` never changes.
struct Table(UnsafeCell<[Slot; 1 << BITS]>);

// SAFETY: only used with the GIL held, and no user code runs meanwhile.
unsafe impl Sync for Table {}

#[derive(Clone, Copy)]
struct Slot {
    /// An owned reference, or null.
    key: *mut ffi::PyObject,
    /// The last key that was looked up here and not found. It may be deallocated.
    candidate: *mut ffi::PyObject,
    quoted: QuotedKey,
}

/// The number of slots, as a power of two.
const BITS: u32 = 10;

static TABLE: Table = Table(UnsafeCell::new(
    [Slot { key: core::ptr::null_mut(), candidate: core::ptr::null_mut(), quoted: QuotedKey::NONE }; 1 << BITS],
));

impl Table {
    /// Returns the slot for a key.
    #[inline(always)]
    fn slot(&self, key: ObjectRef) -> *mut Slot {
        // Addresses of objects are multiples of 16.
        let place = (key.as_ptr().addr() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BITS);
        // SAFETY: the index has `BITS` bits, as many as the table's size.
        unsafe { self.0.get().cast::<Slot>().add(place as usize) }
    }
}

impl<K: EncodeSink> Engine<'_, K> {
    /// Encodes a key whose class is exactly `str`.
    ///
    /// # Errors
    /// If it has no UTF-8 form, or the sink refuses it.
    #[inline(always)]
    pub(super) fn key(&mut self, key: ObjectRef) -> Result<()> {
        let slot = TABLE.slot(key);
        // SAFETY: the GIL is held; a cached key is ASCII, and alive.
        unsafe {
            if (*slot).key == key.as_ptr() {
                let text = text::ascii(key.as_ptr());
                return self.sink.key_quoted(text, &(*slot).quoted);
            }
        }
        self.other_key(key, slot)
    }

    /// Encodes a key that is not cached.
    #[inline(never)]
    fn other_key(&mut self, key: ObjectRef, slot: *mut Slot) -> Result<()> {
        // SAFETY: it is a `str`, as the caller has checked. Only the sink runs while the text is borrowed.
        let Some(text) = (unsafe { text::utf8(&key) }) else {
            // SAFETY: as above.
            return Err(unsafe { fault::no_utf8(key) });
        };
        // SAFETY: the GIL is held, and the slot is that of the key.
        unsafe { note(key, text, slot) };
        self.sink.key(text)
    }
}

/// Begins an entry of a map with a key whose class is exactly `str`. Returns the number of bytes; `None`, if it wrote nothing
/// since the key has no UTF-8 form, or is longer than the writer takes.
///
/// # Safety
/// The GIL is held, and the key is alive.
#[inline(always)]
pub(super) unsafe fn put_key<W: ScalarWriter>(to: &mut W, key: ObjectRef) -> Option<usize> {
    let slot = TABLE.slot(key);
    // SAFETY: as the caller guarantees; a cached key is ASCII, and alive.
    unsafe {
        if (*slot).key == key.as_ptr() {
            return Some(to.key(text::ascii(key.as_ptr()), Some(&(*slot).quoted)));
        }
        let text = text::utf8_unbound(key.as_ptr()).filter(|text| text.len() <= LONGEST_TEXT)?;
        note(key, text, slot);
        Some(to.key(text, None))
    }
}

/// Notes a key that is not cached. If it comes twice in a row for its slot, it is added to the cache.
///
/// # Safety
/// The GIL is held, and the slot is that of the key.
#[inline(never)]
unsafe fn note(key: ObjectRef, text: &str, slot: *mut Slot) {
    // SAFETY: as the caller guarantees: it is a `str`.
    if text.len() > QuotedKey::LONGEST || unsafe { !text::is_compact_ascii(key.as_ptr()) } {
        return;
    }
    // SAFETY: as the caller guarantees. Deallocating a `str` runs no user code.
    unsafe {
        if (*slot).candidate != key.as_ptr() {
            (*slot).candidate = key.as_ptr();
        } else if let Some(quoted) = QuotedKey::new(text) {
            let old = core::mem::replace(&mut (*slot).key, key.hold().into_ptr());
            (*slot).quoted = quoted;
            ffi::Py_XDECREF(old);
        }
    }
}
