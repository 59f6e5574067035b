//! Keys that were met lately, as objects, and which one followed which.
//!
//! The maps of real data have the keys of those before them, mostly in the same order. A key that came where it was
//! expected is known by one comparison; it is not read, and its object not looked for.

use super::text;
use demat_core::KeyPattern;
use pyo3::ffi;

/// A table of keys; a newer one takes the place of an older one.
pub(super) struct Keys {
    /// None in the first two, so that zero is nowhere and an empty table nothing but zeros.
    slots: [Slot; FIRST + SLOTS],
    /// How well it does: falls with every key that was not there.
    score: i32,
}

/// Where in a table a key stands or stood: behind it, another one is expected.
#[derive(Clone, Copy)]
pub(super) struct KeyPosition {
    slot: u16,
    /// Whether this is inside the key's value, where the first key of a map comes next.
    inside: bool,
}

impl KeyPosition {
    /// Where no key came before.
    pub(super) const NOWHERE: Self = Self { slot: 0, inside: false };

    /// Inside the value of the key that stands here.
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
    /// Which key came next when this was met last, in the same map and inside the value.
    next: [u16; 2],
}

const SLOTS: usize = 4096;
/// The first of them in a table.
const FIRST: usize = 2;
/// Longer ones are hardly met again, and would keep much memory.
const LONGEST: usize = 64;
/// So many keys in a row may be new: more are those of a map that has its keys from the data.
const FULL: i32 = 256;
/// A key that is met again is worth so many.
const GAIN: i32 = 4;
/// So many pass then before they are looked for again.
const PAUSE: i32 = 4096;

impl Keys {
    #[allow(clippy::large_stack_arrays)] // it is only ever made as a constant
    pub(super) const fn new() -> Self {
        let token = KeyPattern { head: 0, mask: 0, len: 0, plain: false, whole: false };
        Self { slots: [Slot { token, object: std::ptr::null_mut(), next: [0; 2] }; FIRST + SLOTS], score: 0 }
    }

    /// The key that is expected at a place: its text, its token and where it stands.
    #[inline(always)]
    pub(super) fn expected(&self, position: KeyPosition) -> Option<(&str, &KeyPattern, KeyPosition)> {
        let slot = self.slots[usize::from(position.slot)].next[usize::from(position.inside)];
        let key = &self.slots[usize::from(slot)];
        (!key.object.is_null()).then(|| (key.text(), &key.token, KeyPosition { slot, inside: false }))
    }

    /// The object of the key at a place, which was just [expected](Self::expected).
    #[inline(always)]
    pub(super) fn shared(&self, position: KeyPosition) -> *mut ffi::PyObject {
        let object = self.slots[usize::from(position.slot)].object;
        // SAFETY: the slot owns a reference to what is in it.
        unsafe { ffi::Py_INCREF(object) };
        object
    }

    /// The object of a key, with its hash made, owned by the caller, and where it stands; null where memory is out.
    #[inline]
    pub(super) fn object(&mut self, key: &str) -> (*mut ffi::PyObject, KeyPosition) {
        if self.score > FULL {
            return self.passed(key);
        }
        let Some(first) = index(key.as_bytes()) else { return (text::object(key), KeyPosition::NOWHERE) };
        // Two slots, so that two keys that are met by turns do not drive each other out.
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

    /// A key while none are looked for.
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
        // The newest stands first, the one before it second.
        let new = Slot { token: KeyPattern::new(key), object, next: [0; 2] };
        let second = std::mem::replace(&mut self.slots[first], new);
        let old = std::mem::replace(&mut self.slots[first + 1], second).object;
        // SAFETY: exact text, whose hash cannot fail and whose end runs no code; the slot gets a reference of its own.
        unsafe {
            ffi::PyObject_Hash(object);
            ffi::Py_INCREF(object);
            ffi::Py_XDECREF(old);
        }
        (object, KeyPosition { slot: first as u16, inside: false })
    }

    /// Notes that a key came next at a place.
    #[inline(always)]
    pub(super) fn follows(&mut self, position: KeyPosition, key: KeyPosition) {
        self.slots[usize::from(position.slot)].next[usize::from(position.inside)] = key.slot;
    }
}

impl Slot {
    /// Whether the key is this one.
    #[inline(always)]
    fn is(&self, key: &str) -> bool {
        // Of an empty slot, the token has no length.
        self.token.len == key.len() + 3 && same(self.text().as_bytes(), key.as_bytes())
    }

    /// What the key says, if there is one.
    #[inline(always)]
    fn text(&self) -> &str {
        debug_assert!(!self.object.is_null());
        // SAFETY: the slot owns a reference to an object that is compact ASCII, made here: its characters stand right
        // behind its header, as many as its length says.
        unsafe {
            let len = (*self.object.cast::<ffi::PyASCIIObject>()).length as usize;
            let data = self.object.cast::<ffi::PyASCIIObject>().add(1).cast::<u8>();
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(data, len))
        }
    }
}

/// Whether two texts of the same length are the same: up to 32 bytes in line, by loads that overlap.
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

/// The 8 bytes at a place.
#[inline(always)]
fn load8(text: &[u8], at: usize) -> u64 {
    text.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

#[inline(always)]
fn load4(text: &[u8], at: usize) -> u32 {
    text.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk| u32::from_le_bytes(*chunk))
}

/// The first of the two slots where a key would be, by what it begins and ends with and its length.
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
