//! Text with characters beyond ASCII, from UTF-8 to what the interpreter keeps: one, two or four bytes a character.

use demat_formats::scan::{Characters, characters};
use pyo3::ffi;

/// A text that is not ASCII; null where memory is out.
pub(super) fn object(text: &str) -> *mut ffi::PyObject {
    let Characters { count, beyond_one, beyond_two } = characters(text);
    let len = count.cast_signed();
    // SAFETY: the object is made for so many characters of the width that is written.
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

/// A character as the interpreter keeps it.
trait Unit: Copy {
    /// The same, without what does not fit.
    fn of(character: u32) -> Self;

    /// Eight of them from eight bytes of ASCII, the first of them lowest.
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
        // Halves are moved apart, and their halves. (One byte after the other would each be a step of its own.)
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

/// Writes a text into a new object that is compact and not ASCII.
///
/// # Safety
/// The object is null, or has room for the `count` characters of the text at this width.
#[inline(always)]
unsafe fn filled<U: Unit>(object: *mut ffi::PyObject, count: usize, text: &str) -> *mut ffi::PyObject {
    if !object.is_null() {
        // SAFETY: the characters of compact text stand right behind its header; there is room, as the caller says.
        unsafe { fill(object.cast::<ffi::PyCompactUnicodeObject>().add(1).cast::<U>(), count, text) };
    }
    object
}

/// The highest bit of each byte: those of ASCII don't have it.
const BEYOND: u64 = 0x8080_8080_8080_8080;
/// What says of eight bytes that they are four characters of two bytes, and how.
const FOUR: (u64, u64) = (0xC0E0_C0E0_C0E0_C0E0, 0x80C0_80C0_80C0_80C0);
/// What says of six bytes that they are two characters of three bytes, and how.
const TWO: (u64, u64) = (0xF000_00F0, 0xE000_00E0);

/// Writes the `count` characters of a text.
///
/// # Safety
/// There is room for them at `out`.
unsafe fn fill<U: Unit>(mut out: *mut U, count: usize, text: &str) {
    let mut at = text.as_ptr();
    // SAFETY: each step writes the characters of the bytes that it takes from the text, as many as there are; and more
    // only where there is room for them, which those that follow are written over. Eight bytes are read where so many
    // are left.
    unsafe {
        let (end, room) = (at.add(text.len()), out.add(count));
        while end.offset_from(at) >= 8 {
            let word = u64::from_le_bytes(at.cast::<[u8; 8]>().read());
            let ascii = (word & BEYOND).trailing_zeros() / 8;
            if word & TWO.0 == TWO.1 {
                // The bits of both characters are brought together at once, 24 bits apart.
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
                // Each 16 bits are those of a character.
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
