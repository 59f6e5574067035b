//! A cache of short strings as Python objects, which pauses while it does not pay.
//!
//! Real data repeats strings. Finding a cached object takes a few nanoseconds, creating a new one about forty, and
//! memory.

use super::text;
use pyo3::ffi;
use std::cell::UnsafeCell;

/// A hash table of `str` objects by their text. A new entry replaces an old one in its slots.
pub(super) struct Cached<const SLOTS: usize> {
    slots: [Slot; SLOTS],
    /// The hit score: each miss lowers it, each hit raises it.
    score: i32,
}

#[derive(Clone, Copy)]
struct Slot {
    word: Word,
    object: *mut ffi::PyObject,
}

/// A text of up to 16 bytes, packed into two words. Equal values mean equal texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    low: u64,
    high: u64,
    len: usize,
}

impl Word {
    /// Packs a text, if it is short enough.
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

/// A static value that is accessed only while the GIL is held, and only by code that runs no other code.
pub(crate) struct Guarded<T>(UnsafeCell<T>);

// SAFETY: see `Guarded::get`.
unsafe impl<T> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Returns the value.
    ///
    /// # Safety
    /// The GIL is held. While the reference exists, nothing runs that could access the value again: no Python code, and
    /// no allocation of an object that the collector tracks.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)] // the safety section covers aliasing
    pub(crate) unsafe fn get(&self) -> &mut T {
        // SAFETY: as the caller guarantees.
        unsafe { &mut *self.0.get() }
    }
}

impl<const SLOTS: usize> Cached<SLOTS> {
    pub(super) const fn new() -> Self {
        let slot = Slot { word: Word { low: 0, high: 0, len: 0 }, object: std::ptr::null_mut() };
        Self { slots: [slot; SLOTS], score: FULL }
    }

    /// Returns a new reference to the object of an ASCII text. Null if memory runs out.
    #[inline(always)]
    pub(super) fn object(&mut self, text: &str, word: Word) -> *mut ffi::PyObject {
        // Two slots per text, so that two alternating texts do not evict each other.
        let index = word.hash() % (SLOTS / 2) * 2;
        for slot in [&self.slots[index], &self.slots[index + 1]] {
            if slot.word == word {
                // SAFETY: the slot's word is always that of the slot's object, which the slot owns a reference to.
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
        // The newest entry is in the first slot, the previous one in the second.
        let new = Slot { word, object };
        let second = std::mem::replace(&mut self.slots[index], new);
        let old = std::mem::replace(&mut self.slots[index + 1], second).object;
        // SAFETY: the slot gets a reference of its own. The old object is an exact `str`, whose deallocation runs no
        // code.
        unsafe {
            ffi::Py_INCREF(object);
            ffi::Py_XDECREF(old);
        }
        object
    }

    /// Returns whether to use the cache. After too many misses, it pauses for [`PAUSE`] texts.
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

/// The number of misses in a row after which the cache pauses.
const FULL: i32 = 256;
/// A hit raises the score by this much.
const GAIN: i32 = 4;
/// The number of texts in a pause.
const PAUSE: i32 = 4096;
