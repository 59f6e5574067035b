//! LEB128: seven bits per byte, least significant first. The highest bit of a byte is set if another byte follows.

use crate::proto::varint_word;
use crate::scan::{Room, append_block, append_fixed};

/// Why no varint could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoVarint {
    /// The bytes end inside it.
    End,
    /// It has more than 128 bits.
    TooLong,
    /// It ends with a redundant zero byte.
    NotShortest,
    /// It is `80 00`: a larger number follows as text.
    Escape,
}

/// Appends a number.
#[inline]
pub(super) fn write(buffer: &mut impl Room, value: u64) {
    if value < 0x80 {
        append_fixed(buffer, [value as u8]);
    } else {
        let (word, len) = varint_word(value);
        append_block(buffer, false, word.to_le_bytes(), len);
    }
}

/// Appends a number of up to 128 bits.
pub(super) fn write_wide(buffer: &mut Vec<u8>, mut value: u128) {
    while value > u128::from(u64::MAX) {
        buffer.push(value as u8 | 0x80);
        value >>= 7;
    }
    write(buffer, value as u64);
}

/// Reads the number at an offset. Returns it and its end.
#[inline]
pub(super) fn read(bytes: &[u8], at: usize) -> Result<(u128, usize), NoVarint> {
    match bytes.get(at) {
        Some(first) if *first < 0x80 => Ok((u128::from(*first), at + 1)),
        Some(_) => read_long(bytes, at),
        None => Err(NoVarint::End),
    }
}

fn read_long(bytes: &[u8], at: usize) -> Result<(u128, usize), NoVarint> {
    let mut value = 0_u128;
    for (index, byte) in bytes[at..].iter().enumerate() {
        let bits = u128::from(byte & 0x7f);
        // The nineteenth byte has room for two bits.
        if index > 18 || index == 18 && bits > 3 {
            return Err(NoVarint::TooLong);
        }
        value |= bits << (7 * index);
        if *byte < 0x80 {
            return match (*byte, index) {
                (0, 1) if value == 0 => Err(NoVarint::Escape),
                (0, _) => Err(NoVarint::NotShortest),
                _ => Ok((value, at + index + 1)),
            };
        }
    }
    Err(NoVarint::End)
}

/// Returns the zigzag form, in which 0, -1, 1, -2, … are 0, 1, 2, 3, …
#[inline]
pub(super) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}

/// As [`zigzag`], for 128 bits.
pub(super) fn zigzag_wide(value: i128) -> u128 {
    (value << 1 ^ value >> 127).cast_unsigned()
}

/// Returns the number with this zigzag form.
#[inline]
pub(super) fn unzigzag(value: u128) -> i128 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}
