//! Keys that come again and again.

use super::{EncodeSink, Engine, ObjectRef, fault, text};
use demat_core::{QuotedKey, Result};
use pyo3::ffi;
use std::cell::UnsafeCell;

/// The keys of dicts are few objects, and the same ones in each dict: these are kept as they are written.
///
/// A key is found by its address, so it is held as long as it is here; a text never changes.
struct Table(UnsafeCell<[Slot; 1 << BITS]>);

// SAFETY: it is only used with the GIL held, and nothing of the user's runs while it is.
unsafe impl Sync for Table {}

#[derive(Clone, Copy)]
struct Slot {
    /// Owned; or null.
    key: *mut ffi::PyObject,
    /// The key that was looked for here last, and not found. It may be gone.
    candidate: *mut ffi::PyObject,
    quoted: QuotedKey,
}

/// There is room for so many, as a power of two.
const BITS: u32 = 10;

static TABLE: Table = Table(UnsafeCell::new(
    [Slot { key: core::ptr::null_mut(), candidate: core::ptr::null_mut(), quoted: QuotedKey::NONE }; 1 << BITS],
));

impl Table {
    /// Where a key stands, if it is here.
    #[inline(always)]
    fn slot(&self, key: ObjectRef) -> *mut Slot {
        // Addresses of objects are multiples of 16.
        let place = (key.as_ptr().addr() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BITS);
        // SAFETY: the index is of so many bits as the table has.
        unsafe { self.0.get().cast::<Slot>().add(place as usize) }
    }
}

impl<K: EncodeSink> Engine<'_, K> {
    /// A key of a dict that is of the class `str` itself.
    ///
    /// # Errors
    /// Where it has no UTF-8, or the sink refuses it.
    #[inline(always)]
    pub(super) fn key(&mut self, key: ObjectRef) -> Result<()> {
        let slot = TABLE.slot(key);
        // SAFETY: the GIL is held; a key that is here is ASCII, and alive.
        unsafe {
            if (*slot).key == key.as_ptr() {
                let text = text::ascii(key.as_ptr());
                return self.sink.key_quoted(text, &(*slot).quoted);
            }
        }
        self.other_key(key, slot)
    }

    /// A key that is not in the table. One that comes a second time without another one in between is put there.
    #[inline(never)]
    fn other_key(&mut self, key: ObjectRef, slot: *mut Slot) -> Result<()> {
        // SAFETY: it is a `str`, as the caller has seen. Nothing but the sink runs while the text is borrowed.
        let Some(text) = (unsafe { text::utf8(key.as_ptr()) }) else { return Err(fault::surrogates()) };
        if text.len() <= QuotedKey::LONGEST {
            // SAFETY: the GIL is held, and a place in the table. To let a text go runs no code of the user's.
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
        self.sink.key(text)
    }
}
