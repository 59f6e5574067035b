//! A cache of keys as Python objects, with a prediction of the next key.
//!
//! Maps of real data repeat the keys of earlier ones, usually in the same order. One comparison recognizes an expected
//! key, without decoding it or looking up its object.

use super::text;
use demat_core::KeyPattern;
use pyo3::ffi;

/// A hash table of keys. A new key replaces an old one in its slot.
pub(super) struct Keys {
    /// The first two slots stay empty: index 0 means none, and an empty table is all zeros.
    slots: [Slot; FIRST + SLOTS],
    /// The miss score: each miss raises it, each hit lowers it.
    score: i32,
}

/// The position of a key in the table, from which the next key is predicted.
#[derive(Clone, Copy)]
pub(super) struct KeyPosition {
    slot: u16,
    /// Whether to predict the first key inside the key's value.
    inside: bool,
}

impl KeyPosition {
    /// The position without an earlier key.
    pub(super) const NOWHERE: Self = Self { slot: 0, inside: false };

    /// Returns the position inside the value of this key.
    #[inline(always)]
    pub(super) const fn inside(self) -> Self {
        Self { slot: self.slot, inside: true }
    }
}

/// An ASCII key.
#[derive(Clone, Copy)]
struct Slot {
    token: KeyPattern,
    object: *mut ffi::PyObject,
    /// The slot of the key that came next, in the same map and inside the value.
    next: [u16; 2],
}

const SLOTS: usize = 4096;
/// The index of the first usable slot.
const FIRST: usize = 2;
/// The longest cached key: longer ones rarely repeat, and need much memory.
const LONGEST: usize = 64;
/// The miss score above which the cache pauses: the keys are probably data.
const FULL: i32 = 256;
/// A hit lowers the miss score by this much.
const GAIN: i32 = 4;
/// The number of keys in a pause.
const PAUSE: i32 = 4096;

impl Keys {
    #[allow(clippy::large_stack_arrays)] // only evaluated as a constant
    pub(super) const fn new() -> Self {
        let token = KeyPattern { head: 0, mask: 0, len: 0, plain: false, whole: false };
        Self { slots: [Slot { token, object: std::ptr::null_mut(), next: [0; 2] }; FIRST + SLOTS], score: 0 }
    }

    /// Returns the key predicted at a position: its text, its pattern and its own position.
    #[inline(always)]
    pub(super) fn expected(&self, position: KeyPosition) -> Option<(&str, &KeyPattern, KeyPosition)> {
        let slot = self.slots[usize::from(position.slot)].next[usize::from(position.inside)];
        let key = &self.slots[usize::from(slot)];
        (!key.object.is_null()).then(|| (key.text(), &key.token, KeyPosition { slot, inside: false }))
    }

    /// Returns a new reference to the key at a position, which [`expected`](Self::expected) has just returned.
    #[inline(always)]
    pub(super) fn shared(&self, position: KeyPosition) -> *mut ffi::PyObject {
        let object = self.slots[usize::from(position.slot)].object;
        // SAFETY: the slot owns a reference to what is in it.
        unsafe { ffi::Py_INCREF(object) };
        object
    }

    /// Returns a new reference to the object of a key, with its hash computed, and its position. Null if memory runs
    /// out.
    #[inline]
    pub(super) fn object(&mut self, key: &str) -> (*mut ffi::PyObject, KeyPosition) {
        if self.score > FULL {
            return self.passed(key);
        }
        let Some(first) = index(key.as_bytes()) else { return (text::object(key), KeyPosition::NOWHERE) };
        // Two slots, so two alternating keys do not evict each other.
        for slot in [first, first + 1] {
            if self.slots[slot].is(key) {
                self.score = 0.max(self.score - GAIN);
                let position = KeyPosition { slot: slot as u16, inside: false };
                return (self.shared(position), position);
            }
        }
        self.score += 1;
        if key.is_ascii() { self.keep(key, first) } else { (text::object(key), KeyPosition::NOWHERE) }
    }

    /// Returns the object of a key during a pause.
    #[inline]
    fn passed(&mut self, key: &str) -> (*mut ffi::PyObject, KeyPosition) {
        self.score += 1;
        if self.score > FULL + PAUSE {
            self.score = FULL / 2;
        }
        (text::object(key), KeyPosition::NOWHERE)
    }

    #[inline(never)]
    fn keep(&mut self, key: &str, first: usize) -> (*mut ffi::PyObject, KeyPosition) {
        let object = text::ascii_object(key);
        if object.is_null() {
            return (object, KeyPosition::NOWHERE);
        }
        // The newest key is in the first slot.
        let new = Slot { token: KeyPattern::new(key), object, next: [0; 2] };
        let second = std::mem::replace(&mut self.slots[first], new);
        let old = std::mem::replace(&mut self.slots[first + 1], second).object;
        // SAFETY: an exact `str`, whose hash cannot fail and whose deallocation runs no code; the slot gets its own
        // reference.
        unsafe {
            ffi::PyObject_Hash(object);
            ffi::Py_INCREF(object);
            ffi::Py_XDECREF(old);
        }
        (object, KeyPosition { slot: first as u16, inside: false })
    }

    /// Records that a key came next at a position.
    #[inline(always)]
    pub(super) fn follows(&mut self, position: KeyPosition, key: KeyPosition) {
        self.slots[usize::from(position.slot)].next[usize::from(position.inside)] = key.slot;
    }
}

impl Slot {
    /// Returns whether the slot holds this key.
    #[inline(always)]
    fn is(&self, key: &str) -> bool {
        // In an empty slot, the length of the pattern is 0.
        self.token.len == key.len() + 3 && same(self.text().as_bytes(), key.as_bytes())
    }

    /// Returns the text of the key. The slot must not be empty.
    #[inline(always)]
    fn text(&self) -> &str {
        debug_assert!(!self.object.is_null());
        // SAFETY: the slot owns a reference to a compact ASCII object, created here: its characters directly follow its
        // header, as many as its length says.
        unsafe {
            let len = (*self.object.cast::<ffi::PyASCIIObject>()).length as usize;
            let data = self.object.cast::<ffi::PyASCIIObject>().add(1).cast::<u8>();
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(data, len))
        }
    }
}

/// Returns whether two texts of equal length are equal: up to 32 bytes inline, by overlapping loads.
#[inline(always)]
fn same(one: &[u8], other: &[u8]) -> bool {
    let len = one.len();
    let differ8 = |at: usize| load8(one, at) ^ load8(other, at);
    match len {
        17..=32 => differ8(0) | differ8(8) | differ8(len - 16) | differ8(len - 8) == 0,
        8..=16 => differ8(0) | differ8(len - 8) == 0,
        4..=7 => (load4(one, 0) ^ load4(other, 0)) | (load4(one, len - 4) ^ load4(other, len - 4)) == 0,
        _ => one == other,
    }
}

/// Returns the 8 bytes at an offset.
#[inline(always)]
fn load8(text: &[u8], at: usize) -> u64 {
    text.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

#[inline(always)]
fn load4(text: &[u8], at: usize) -> u32 {
    text.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk| u32::from_le_bytes(*chunk))
}

/// Returns the first of the two slots for a key: a hash of its first and last bytes and its length.
#[inline(always)]
fn index(key: &[u8]) -> Option<usize> {
    let len = key.len();
    let mixed = match len {
        17..=LONGEST => load8(key, 0) ^ load8(key, len - 8).rotate_left(23) ^ load8(key, len / 2 - 4).rotate_left(43),
        8..=16 => load8(key, 0) ^ load8(key, len - 8).rotate_left(23),
        4..=7 => u64::from(load4(key, 0)) ^ u64::from(load4(key, len - 4)).rotate_left(29),
        1..=3 => u64::from(key[0]) | u64::from(key[len / 2]) << 8 | u64::from(key[len - 1]) << 16,
        _ => return None,
    };
    Some(FIRST + ((mixed ^ len as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as usize % (SLOTS / 2) * 2)
}
