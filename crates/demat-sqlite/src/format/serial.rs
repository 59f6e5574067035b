//! Serial types: the type codes in a record's header.

/// Null.
pub(crate) const NULL: u64 = 0;
/// A float of eight bytes.
pub(crate) const REAL: u64 = 7;
/// The integer 0, which takes no bytes; the next type is the integer 1.
pub(crate) const ZERO: u64 = 8;

/// Returns the number of bytes of the value. `None` for the two types that are reserved for SQLite.
#[inline(always)]
pub(crate) fn size(serial: u64) -> Option<u64> {
    const SMALL: [u8; 12] = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0xff, 0xff];
    match SMALL.get(serial as usize) {
        Some(0xff) => None,
        Some(size) if serial < 12 => Some(u64::from(*size)),
        _ => Some((serial - 12) / 2),
    }
}

/// Returns the type of text with this length.
#[inline(always)]
pub(crate) fn of_text(len: usize) -> u64 {
    13 + 2 * len as u64
}

/// Returns the type of a blob with this length.
#[inline(always)]
pub(crate) fn of_blob(len: usize) -> u64 {
    12 + 2 * len as u64
}

/// Returns whether this is a type of text.
#[inline(always)]
pub(crate) fn is_text(serial: u64) -> bool {
    serial > 12 && serial % 2 == 1
}

/// Returns whether this is a type of blobs.
#[inline(always)]
pub(crate) fn is_blob(serial: u64) -> bool {
    serial >= 12 && serial.is_multiple_of(2)
}

/// Returns whether this is a type of integers.
#[inline(always)]
pub(crate) fn is_int(serial: u64) -> bool {
    matches!(serial, 1..=6 | 8 | 9)
}

/// Returns the shortest type of an integer, and its number of bytes.
#[inline(always)]
pub(crate) fn of_int(value: i64) -> (u64, usize) {
    // The one's complement of negative values has the same significant bits.
    let size = (value ^ (value >> 63)).cast_unsigned();
    match size {
        0 | 1 if value >= 0 => (ZERO + size, 0),
        0..=0x7f => (1, 1),
        0x80..=0x7fff => (2, 2),
        0x8000..=0x7f_ffff => (3, 3),
        0x80_0000..=0x7fff_ffff => (4, 4),
        0x8000_0000..=0x7fff_ffff_ffff => (5, 6),
        _ => (6, 8),
    }
}

/// Decodes an integer of this type; there may be more bytes than it takes.
#[inline(always)]
pub(crate) fn int(serial: u64, bytes: &[u8]) -> Option<i64> {
    Some(match serial {
        1 => i64::from(i8::from_be_bytes(*bytes.first_chunk()?)),
        2 => i64::from(i16::from_be_bytes(*bytes.first_chunk()?)),
        3 => {
            let [one, two, three] = *bytes.first_chunk()?;
            i64::from(i32::from_be_bytes([one, two, three, 0]) >> 8)
        }
        4 => i64::from(i32::from_be_bytes(*bytes.first_chunk()?)),
        5 => {
            let six: [u8; 6] = *bytes.first_chunk()?;
            let mut eight = [0; 8];
            eight[..6].copy_from_slice(&six);
            i64::from_be_bytes(eight) >> 16
        }
        6 => i64::from_be_bytes(*bytes.first_chunk()?),
        8 => 0,
        9 => 1,
        _ => return None,
    })
}

/// Decodes a float.
#[inline(always)]
pub(crate) fn real(bytes: &[u8]) -> Option<f64> {
    bytes.first_chunk().map(|bytes| f64::from_be_bytes(*bytes))
}
