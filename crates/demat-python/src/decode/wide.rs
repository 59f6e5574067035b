//! Creates `str` objects with non-ASCII characters: converts UTF-8 to one, two or four bytes per character.

use demat_formats::scan::{Characters, characters};
use pyo3::ffi;

/// Returns the object of a non-ASCII text. Null if memory runs out.
pub(super) fn object(text: &str) -> *mut ffi::PyObject {
    let Characters { count, beyond_one, beyond_two } = characters(text);
    let len = count.cast_signed();
    // SAFETY: the object is created for `count` characters of the width that is written.
    unsafe {
        if beyond_two {
            filled::<u32>(ffi::PyUnicode_New(len, 0x10_FFFF), count, text)
        } else if beyond_one {
            filled::<u16>(ffi::PyUnicode_New(len, 0xFFFF), count, text)
        } else {
            filled::<u8>(ffi::PyUnicode_New(len, 0xFF), count, text)
        }
    }
}

/// A character in the interpreter's representation.
trait Unit: Copy {
    /// Converts a code point, truncated to the width.
    fn of(character: u32) -> Self;

    /// Widens eight ASCII bytes, with the first in the lowest byte.
    fn ascii(bytes: u64) -> [Self; 8];
}

impl Unit for u8 {
    #[inline(always)]
    fn of(character: u32) -> Self {
        character as Self
    }

    #[inline(always)]
    fn ascii(bytes: u64) -> [Self; 8] {
        bytes.to_le_bytes()
    }
}

impl Unit for u16 {
    #[inline(always)]
    fn of(character: u32) -> Self {
        character as Self
    }

    #[inline(always)]
    fn ascii(bytes: u64) -> [Self; 8] {
        // Spreads the bytes by halving: all bytes of a word move at once, instead of one after the other.
        let [low, high] = [bytes & 0xFFFF_FFFF, bytes >> 32].map(|four| {
            let twos = (four | four << 16) & 0x0000_FFFF_0000_FFFF;
            (twos | twos << 8) & 0x00FF_00FF_00FF_00FF
        });
        std::array::from_fn(|index| ((if index < 4 { low } else { high }) >> (16 * (index % 4))) as Self)
    }
}

impl Unit for u32 {
    #[inline(always)]
    fn of(character: u32) -> Self {
        character
    }

    #[inline(always)]
    fn ascii(bytes: u64) -> [Self; 8] {
        u16::ascii(bytes).map(Self::from)
    }
}

/// Writes a text into a new compact object that is not ASCII, and returns the object.
///
/// # Safety
/// The object is null, or has room for the text's `count` characters at this width.
#[inline(always)]
unsafe fn filled<U: Unit>(object: *mut ffi::PyObject, count: usize, text: &str) -> *mut ffi::PyObject {
    if !object.is_null() {
        // SAFETY: the characters of a compact `str` directly follow its header; there is room, as the caller
        // guarantees.
        unsafe { fill(object.cast::<ffi::PyCompactUnicodeObject>().add(1).cast::<U>(), count, text) };
    }
    object
}

/// The highest bit of each byte: zero in ASCII bytes.
const BEYOND: u64 = 0x8080_8080_8080_8080;
/// Mask and pattern: eight bytes are four characters of two bytes if the masked word equals the pattern.
const FOUR: (u64, u64) = (0xC0E0_C0E0_C0E0_C0E0, 0x80C0_80C0_80C0_80C0);
/// Mask and pattern: six bytes are two characters of three bytes if the masked word equals the pattern.
const TWO: (u64, u64) = (0xF000_00F0, 0xE000_00E0);

/// Writes the `count` characters of a text to `out`.
///
/// # Safety
/// There is room for them at `out`.
unsafe fn fill<U: Unit>(mut out: *mut U, count: usize, text: &str) {
    let mut at = text.as_ptr();
    // SAFETY: each step writes the characters of the bytes that it reads from the text. It writes more only if there is
    // room for them; later characters overwrite the surplus. Eight bytes are read only if that many are left.
    unsafe {
        let (end, room) = (at.add(text.len()), out.add(count));
        while end.offset_from(at) >= 8 {
            let word = u64::from_le_bytes(at.cast::<[u8; 8]>().read());
            let ascii = (word & BEYOND).trailing_zeros() / 8;
            if word & TWO.0 == TWO.1 {
                // The bits of both characters are combined in parallel, 24 bits apart.
                let both = (word & 0x0F00_000F) << 12 | word >> 2 & 0x000F_C000_0FC0 | word >> 16 & 0x3F00_003F;
                let units = [both, both >> 24].map(|unit| U::of(unit as u32 & 0xFFFF));
                out.cast::<[U; 2]>().write_unaligned(units);
                out = out.add(2);
                at = at.add(6);
            } else if ascii > 0 && room.offset_from(out) >= 8 {
                out.cast::<[U; 8]>().write_unaligned(U::ascii(word));
                out = out.add(ascii as usize);
                at = at.add(ascii as usize);
            } else if word & FOUR.0 == FOUR.1 {
                // Each group of 16 bits is one character.
                let all = (word & 0x001F_001F_001F_001F) << 6 | word >> 8 & 0x003F_003F_003F_003F;
                let units = [0, 16, 32, 48].map(|bits| U::of((all >> bits) as u32 & 0xFFFF));
                out.cast::<[U; 4]>().write_unaligned(units);
                out = out.add(4);
                at = at.add(8);
            } else {
                let (character, len) = first(word as u32);
                out.write(U::of(character));
                out = out.add(1);
                at = at.add(len);
            }
        }
        let mut last = [0; 8];
        let left = end.offset_from(at).cast_unsigned();
        at.copy_to_nonoverlapping(last.as_mut_ptr(), left);
        let mut word = u64::from_le_bytes(last);
        while out < room {
            let (character, len) = first(word as u32);
            out.write(U::of(character));
            out = out.add(1);
            word >>= 8 * len;
        }
    }
}

/// Decodes the first character of four bytes, with the first in the lowest byte; returns it and its length.
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
