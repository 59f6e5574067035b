//! Numbers of variable length: seven bits a byte, least first, a set top bit where more follow.

/// The most bytes that one has.
pub(super) const LONGEST: usize = 10;

/// Reads the number at the start of the bytes: it and its length. Nothing where it does not end within ten bytes or in
/// what there is; bits above the 64th are dropped, as everybody does.
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

fn long(bytes: &[u8]) -> Option<(u64, usize)> {
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

/// The bytes of a number, and how many of them it has.
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

/// How many bytes a number has: one for each seven bits.
#[inline]
pub(super) fn varint_len(value: u64) -> usize {
    ((70 - (value | 1).leading_zeros()) / 7) as usize
}

/// A number whose sign is its lowest bit, as one with a sign.
#[inline]
pub(super) fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

/// A number with a sign as one whose sign is its lowest bit.
#[inline]
pub(super) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}
