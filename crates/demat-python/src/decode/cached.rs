//! Short texts that were met lately, as objects, for as long as that pays.
//!
//! Texts of real data repeat. Finding the object of one costs a few nanoseconds, making it anew some forty and the memory.

use super::text;
use pyo3::ffi;
use std::cell::UnsafeCell;

/// A table of objects by their text; a newer one takes the place of an older one.
pub(super) struct Cached<const SLOTS: usize> {
    slots: [Slot; SLOTS],
    /// How well it does: falls with every text that was not there.
    score: i32,
}

#[derive(Clone, Copy)]
struct Slot {
    word: Word,
    object: *mut ffi::PyObject,
}

/// A text of up to 16 bytes, whole: two that are equal in this are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    low: u64,
    high: u64,
    len: usize,
}

impl Word {
    /// The text as one, if it is short enough.
    #[inline(always)]
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let len = text.len();
        let load8 =
            |at: usize| text.get(at..).and_then(|rest| rest.first_chunk()).map(|chunk| u64::from_le_bytes(*chunk));
        let load4 =
            |at: usize| text.get(at..).and_then(|rest| rest.first_chunk()).map(|chunk| u32::from_le_bytes(*chunk));
        let (low, high) = match len {
            9..=16 => (load8(0)?, load8(len - 8)?),
            8 => (load8(0)?, 0),
            4..=7 => (u64::from(load4(0)?), u64::from(load4(len - 4)?)),
            1..=3 => (u64::from(text[0]) | u64::from(text[len / 2]) << 8 | u64::from(text[len - 1]) << 16, 0),
            _ => return None,
        };
        Some(Self { low, high, len })
    }

    #[inline(always)]
    pub(super) fn is_ascii(self) -> bool {
        (self.low | self.high) & 0x8080_8080_8080_8080 == 0
    }

    #[inline(always)]
    fn hash(self) -> usize {
        let mixed = (self.low ^ self.high.rotate_left(29) ^ self.len as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as usize
    }
}

/// Table entries that are looked at while the GIL is held, and by code that runs no other.
pub(crate) struct Guarded<T>(UnsafeCell<T>);

// SAFETY: see `Guarded::get`.
unsafe impl<T> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// The value.
    ///
    /// # Safety
    /// The GIL is held, and until the reference is gone nothing runs that could come here again: no Python code, and no
    /// allocation of an object that the collector tracks.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)] // that is what the safety section is about
    pub(crate) unsafe fn get(&self) -> &mut T {
        // SAFETY: as the caller says.
        unsafe { &mut *self.0.get() }
    }
}

impl<const SLOTS: usize> Cached<SLOTS> {
    pub(super) const fn new() -> Self {
        let slot = Slot { word: Word { low: 0, high: 0, len: 0 }, object: std::ptr::null_mut() };
        Self { slots: [slot; SLOTS], score: FULL }
    }

    /// The object of a text that is ASCII, owned by the caller; null where memory is out.
    #[inline(always)]
    pub(super) fn object(&mut self, text: &str, word: Word) -> *mut ffi::PyObject {
        // Two places for each text, so that two texts that are met by turns do not drive each other out.
        let index = word.hash() % (SLOTS / 2) * 2;
        for slot in [&self.slots[index], &self.slots[index + 1]] {
            if slot.word == word {
                // SAFETY: the slot's word is only ever that of the object in it, which it owns a reference to.
                unsafe { ffi::Py_INCREF(slot.object) };
                self.score = FULL.min(self.score + GAIN);
                return slot.object;
            }
        }
        self.new_object(text, word, index)
    }

    #[inline]
    fn new_object(&mut self, text: &str, word: Word, index: usize) -> *mut ffi::PyObject {
        let object = text::ascii_object(text);
        if object.is_null() {
            return object;
        }
        self.score -= 1;
        // The newest stands first, the one before it second.
        let new = Slot { word, object };
        let second = std::mem::replace(&mut self.slots[index], new);
        let old = std::mem::replace(&mut self.slots[index + 1], second).object;
        // SAFETY: the slot has a reference of its own to what is in it; what it had is exact text, whose end runs no code.
        unsafe {
            ffi::Py_INCREF(object);
            ffi::Py_XDECREF(old);
        }
        object
    }

    /// Whether looking here pays. Where it did not of late, it is tried again after many texts.
    #[inline(always)]
    pub(super) fn pays(&mut self) -> bool {
        if self.score > 0 {
            return true;
        }
        self.score -= 1;
        if self.score < -PAUSE {
            self.score = FULL / 4;
        }
        false
    }
}

/// So many texts in a row may be new.
const FULL: i32 = 256;
/// A hit is worth so many misses.
const GAIN: i32 = 4;
/// So many texts pass before the table is tried again.
const PAUSE: i32 = 4096;
