//! Varints: seven bits per byte, lowest first; the top bit is set if more bytes follow.

/// The maximum length in bytes.
pub(crate) const LONGEST: usize = 10;

/// Reads the number at the start of the bytes. Returns it and its length; `None` if it does not end within ten bytes or
/// within the slice. Drops bits above the 64th, as other decoders do.
///
/// ```
/// use demat_formats::proto::read_varint;
/// assert_eq!(read_varint(&[0x96, 0x01, 0xff]), Some((150, 2)));
/// assert_eq!(read_varint(&[0x96]), None);
/// ```
#[inline]
pub fn read_varint(bytes: &[u8]) -> Option<(u64, usize)> {
    match bytes {
        [one @ 0..=0x7f, ..] => Some((u64::from(*one), 1)),
        [one, two @ 0..=0x7f, ..] => Some((u64::from(*one & 0x7f) | u64::from(*two) << 7, 2)),
        _ => long(bytes),
    }
}

/// Reads a number of three bytes or more.
#[inline(never)]
fn long(bytes: &[u8]) -> Option<(u64, usize)> {
    let Some((first, more)) = bytes.split_first_chunk() else { return slow(bytes) };
    let word = u64::from_le_bytes(*first);
    let ends = !word & 0x8080_8080_8080_8080;
    // Up to the first byte without a top bit.
    let len = if ends == 0 { 8 } else { ends.trailing_zeros() as usize / 8 + 1 };
    let low = sevens(word & u64::MAX >> (64 - 8 * len));
    if ends != 0 {
        return Some((low, len));
    }
    match more {
        [ninth @ 0..=0x7f, ..] => Some((low | u64::from(*ninth) << 56, 9)),
        [ninth, tenth @ 0..=0x7f, ..] => {
            Some((low | u64::from(*ninth & 0x7f) << 56 | u64::from(*tenth) << 63, LONGEST))
        }
        _ => None,
    }
}

/// Concatenates the lower seven bits of each byte.
#[inline(always)]
fn sevens(word: u64) -> u64 {
    let word = word & 0x7f7f_7f7f_7f7f_7f7f;
    let word = word & 0x007f_007f_007f_007f | (word & 0x7f00_7f00_7f00_7f00) >> 1;
    let word = word & 0x0000_3fff_0000_3fff | (word & 0x3fff_0000_3fff_0000) >> 2;
    word & 0x0fff_ffff | (word & 0x0fff_ffff_0000_0000) >> 4
}

fn slow(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (index, byte) in bytes.iter().take(LONGEST).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if *byte < 0x80 {
            return Some((value, index + 1));
        }
    }
    None
}

/// Appends a number.
///
/// ```
/// let mut out = Vec::new();
/// demat_formats::proto::write_varint(&mut out, 150);
/// assert_eq!(out, [0x96, 0x01]);
/// ```
#[inline]
pub fn write_varint(out: &mut Vec<u8>, value: u64) {
    if value < 0x80 {
        out.push(value as u8);
    } else {
        let (bytes, len) = varint_bytes(value);
        out.extend_from_slice(&bytes[..len]);
    }
}

/// Returns the bytes of a number and their count.
pub(super) fn varint_bytes(mut value: u64) -> ([u8; LONGEST], usize) {
    let mut bytes = [0; LONGEST];
    let mut len = 0;
    loop {
        bytes[len] = value as u8 & 0x7f;
        value >>= 7;
        if value == 0 {
            return (bytes, len + 1);
        }
        bytes[len] |= 0x80;
        len += 1;
    }
}

/// Returns the bytes of a number in a word, lowest first, and their count.
#[inline(always)]
pub(crate) fn varint_word(value: u64) -> (u128, usize) {
    let len = varint_len(value);
    // Spreads seven bits to each byte: splits into halves, quarters and eighths. Bits beyond the 56th are handled
    // separately.
    let low = value & ((1 << 56) - 1);
    let low = low & 0x0fff_ffff | (low & 0x00ff_ffff_f000_0000) << 4;
    let low = low & 0x0000_3fff_0000_3fff | (low & 0x0fff_c000_0fff_c000) << 2;
    let low = low & 0x007f_007f_007f_007f | (low & 0x3f80_3f80_3f80_3f80) << 1;
    let high = value >> 56;
    let word = u128::from(low) | u128::from(high & 0x7f) << 64 | u128::from(high >> 7) << 72;
    let more = (1_u128 << (8 * (len - 1))) - 1;
    (word | 0x8080_8080_8080_8080_8080_u128 & more, len)
}

/// Returns the length of a number in bytes: one byte per seven bits.
#[inline]
pub(super) fn varint_len(value: u64) -> usize {
    ((70 - (value | 1).leading_zeros()) / 7) as usize
}

/// Decodes a zigzag number.
#[inline]
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

/// Encodes a signed number as zigzag.
#[inline]
pub(crate) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}
