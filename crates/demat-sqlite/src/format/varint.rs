//! Variable-length integers of one to nine bytes: seven bits in each, the most significant ones first, and eight in the
//! ninth.

/// The maximum length.
pub(crate) const MOST: usize = 9;

/// Reads a varint; returns it and its length. `None` if the bytes end before it does.
#[inline(always)]
pub(crate) fn read(bytes: &[u8]) -> Option<(u64, usize)> {
    match bytes {
        [one, ..] if *one < 0x80 => Some((u64::from(*one), 1)),
        [one, two, ..] if *two < 0x80 => Some((u64::from(*one & 0x7f) << 7 | u64::from(*two), 2)),
        _ => read_long(bytes),
    }
}

fn read_long(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0u64;
    for (at, byte) in bytes.iter().take(8).enumerate() {
        value = value << 7 | u64::from(byte & 0x7f);
        if *byte < 0x80 {
            return Some((value, at + 1));
        }
    }
    bytes.get(8).map(|last| (value << 8 | u64::from(*last), 9))
}

/// Reads a varint of up to eight bytes, in parallel; returns it and its length. `None` if it has nine.
#[inline(always)]
pub(crate) fn read_eight(bytes: [u8; 8]) -> Option<(i64, usize)> {
    let all = u64::from_be_bytes(bytes);
    let last = !all & 0x8080_8080_8080_8080;
    if last == 0 {
        return None;
    }
    let len = last.leading_zeros() as usize / 8 + 1;
    // Combines the seven bits of each byte in parallel: pairs of bytes, pairs of these, and once more.
    let sevens = (all >> (64 - 8 * len)) & 0x7f7f_7f7f_7f7f_7f7f;
    let sevens = (sevens & 0x7f00_7f00_7f00_7f00) >> 1 | (sevens & 0x007f_007f_007f_007f);
    let sevens = (sevens & 0x3fff_0000_3fff_0000) >> 2 | (sevens & 0x0000_3fff_0000_3fff);
    let value = (sevens & 0x0fff_ffff_0000_0000) >> 4 | (sevens & 0x0000_0000_0fff_ffff);
    Some((value.cast_signed(), len))
}

/// Returns the length of a varint.
#[inline(always)]
pub(crate) fn len(value: u64) -> usize {
    // A seventh of the bits, rounded up: nine sixty-fourths gives the same result for up to 63 bits.
    let bits = 64 - (value | 1).leading_zeros() as usize;
    ((9 * bits + 64) >> 6).min(MOST)
}

/// Writes a varint at the start of the buffer, which has room for nine bytes; returns its length. The bytes behind it
/// may be overwritten: writing four bytes is as fast as writing one.
#[inline(always)]
pub(crate) fn write(value: u64, to: &mut [u8]) -> usize {
    if value < 0x80 {
        to[0] = value as u8;
        return 1;
    }
    if let Some(first) = to.first_chunk_mut()
        && value < 1 << 28
    {
        let value = value as u32;
        let spread = (value << 3 & 0x7f00_0000) | (value << 2 & 0x7f_0000) | (value << 1 & 0x7f00) | (value & 0x7f);
        let len = len(u64::from(value));
        *first = ((spread | 0x8080_8000) << (32 - 8 * len)).to_be_bytes();
        return len;
    }
    write_exactly(value, to)
}

/// As [`write`], but does not change the bytes behind it.
pub(crate) fn write_exactly(value: u64, to: &mut [u8]) -> usize {
    let len = len(value);
    let mut rest = value;
    let mut sevens = len;
    if len == MOST {
        to[8] = rest as u8;
        rest >>= 8;
        sevens = 8;
    }
    for (at, byte) in to[..sevens].iter_mut().enumerate().rev() {
        let more = if at + 1 < len { 0x80 } else { 0 };
        *byte = (rest & 0x7f) as u8 | more;
        rest >>= 7;
    }
    len
}

/// Appends a varint.
#[inline]
pub(crate) fn push(value: u64, to: &mut Vec<u8>) {
    if value < 0x80 {
        return to.push(value as u8);
    }
    let mut bytes = [0; MOST];
    let len = write(value, &mut bytes);
    to.extend_from_slice(&bytes[..len]);
}
