//! Text with characters beyond ASCII, from UTF-8 to what the interpreter keeps: one, two or four bytes a character.

use pyo3::ffi;
use std::ptr;

/// The widest byte of a text and the number of its characters.
///
/// The widest byte says how wide the widest character is: ASCII below 0x80, one byte in the interpreter below 0xC4, two
/// below 0xF0. Both are found in one pass, of which each step does the same whatever it meets: so it is done to many
/// bytes at a time.
#[inline(always)]
pub(super) fn measure(text: &[u8]) -> (u8, usize) {
    let (mut widest, mut count) = (0, 0);
    // A count of no more than 255 fits a byte, and sixteen times as many of them a vector.
    for part in text.chunks(240) {
        let mut first = 0u8;
        for &byte in part {
            widest = if byte > widest { byte } else { widest };
            // All but those that go on with a character.
            first += u8::from(byte.cast_signed() >= -0x40);
        }
        count += usize::from(first);
    }
    (widest, count)
}

/// A text of which this is the widest byte, and not ASCII, and so many characters; null where memory is out.
pub(super) fn object(text: &str, widest: u8, count: usize) -> *mut ffi::PyObject {
    let count = count as ffi::Py_ssize_t;
    // SAFETY: the object is made for characters of the width that is written, by the widest byte: from 0xF0 it is the
    // first of a character beyond 0xFFFF, from 0xC4 of one beyond 0xFF. So there is room for `count` of them.
    unsafe {
        match widest {
            0xF0.. => filled::<u32>(ffi::PyUnicode_New(count, 0x10_FFFF), text),
            0xC4.. => filled::<u16>(ffi::PyUnicode_New(count, 0xFFFF), text),
            _ => filled::<u8>(ffi::PyUnicode_New(count, 0xFF), text),
        }
    }
}

/// A character as the interpreter keeps it.
trait Unit: Copy {
    /// The same, without what does not fit.
    fn of(character: u32) -> Self;
}

impl Unit for u8 {
    #[inline(always)]
    fn of(character: u32) -> Self {
        character as Self
    }
}

impl Unit for u16 {
    #[inline(always)]
    fn of(character: u32) -> Self {
        character as Self
    }
}

impl Unit for u32 {
    #[inline(always)]
    fn of(character: u32) -> Self {
        character
    }
}

/// Writes a text into a new object that is compact and not ASCII.
///
/// # Safety
/// The object is null, or has room for as many characters of this width as the text has.
#[inline(always)]
unsafe fn filled<U: Unit>(object: *mut ffi::PyObject, text: &str) -> *mut ffi::PyObject {
    if !object.is_null() {
        // SAFETY: the characters of compact text stand right behind its header; there is room, as the caller says.
        unsafe { fill(object.cast::<ffi::PyCompactUnicodeObject>().add(1).cast::<U>(), text) };
    }
    object
}

/// The highest bit of each byte: those of ASCII don't have it.
const BEYOND: u64 = 0x8080_8080_8080_8080;
/// What says of six bytes that they are two characters of three bytes, and how.
const TWICE: (u64, u64) = (0xF000_00F0, 0xE000_00E0);

/// Writes the characters of a text.
///
/// # Safety
/// There is room for them at `out`.
unsafe fn fill<U: Unit>(mut out: *mut U, text: &str) {
    let mut rest = text.as_bytes();
    // SAFETY: each step writes the characters of the bytes that it takes from the text, as many as there are.
    unsafe {
        while let Some(chunk) = rest.first_chunk::<8>() {
            let word = u64::from_le_bytes(*chunk);
            let taken;
            if word & BEYOND == 0 {
                let units: [U; 8] = std::array::from_fn(|index| U::of(u32::from(chunk[index])));
                out.cast::<[U; 8]>().write_unaligned(units);
                out = out.add(8);
                taken = 8;
            } else if word & TWICE.0 == TWICE.1 {
                // The bits of both characters are brought together at once, 24 bits apart.
                let both = (word & 0x0F00_000F) << 12 | word >> 2 & 0x000F_C000_0FC0 | word >> 16 & 0x3F00_003F;
                out.write(U::of(both as u32 & 0xFFFF));
                out.add(1).write(U::of((both >> 24) as u32 & 0xFFFF));
                out = out.add(2);
                taken = 6;
            } else {
                let (character, len) = first(word as u32);
                out.write(U::of(character));
                out = out.add(1);
                taken = len;
            }
            rest = rest.get_unchecked(taken..);
        }
        let mut last = [0; 8];
        let (count, mut at) = (rest.len(), 0);
        ptr::copy_nonoverlapping(rest.as_ptr(), last.as_mut_ptr(), count);
        while at < count {
            let word = u64::from_le_bytes(last) >> (8 * at);
            let (character, len) = first(word as u32);
            out.write(U::of(character));
            out = out.add(1);
            at += len;
        }
    }
}

/// The character that these four bytes begin with, the first of them lowest, and its length.
#[inline(always)]
fn first(word: u32) -> (u32, usize) {
    let bits = |at: u32| word >> (8 * at) & 0x3F;
    match word as u8 {
        byte @ ..0x80 => (u32::from(byte), 1),
        byte @ ..0xE0 => (u32::from(byte & 0x1F) << 6 | bits(1), 2),
        byte @ ..0xF0 => (u32::from(byte & 0xF) << 12 | bits(1) << 6 | bits(2), 3),
        byte => (u32::from(byte & 7) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), 4),
    }
}
