//! The timestamp extension: seconds and nanoseconds since 1970, in 4, 8 or 12 bytes.

use demat_core::scalar::{Instant, Offset};

/// The code of the extension type.
pub(super) const TIMESTAMP: i8 = -1;

const NANOS: i128 = 1_000_000_000;
/// The bits of the 64-bit form that hold seconds.
const SECONDS_BITS: u32 = 34;

/// Reads the content. Returns `None` if it has another length, a second of nanoseconds or more, or a year beyond 1 to
/// 9999.
pub(super) fn read(content: &[u8]) -> Option<Instant> {
    let (seconds, nanos) = match content.len() {
        4 => (u32::from_be_bytes(content.try_into().ok()?).into(), 0),
        8 => {
            let both = u64::from_be_bytes(content.try_into().ok()?);
            let seconds = both & ((1 << SECONDS_BITS) - 1);
            (seconds.cast_signed(), u32::try_from(both >> SECONDS_BITS).ok()?)
        }
        12 => {
            let (nanos, seconds) = content.split_first_chunk()?;
            (i64::from_be_bytes(seconds.try_into().ok()?), u32::from_be_bytes(*nanos))
        }
        _ => return None,
    };
    if i128::from(nanos) >= NANOS {
        return None;
    }
    Instant::from_unix(seconds, nanos, Offset::UTC)
}

/// Appends the extension with its head, in the smallest width.
pub(super) fn write(unix_nanos: i128, buffer: &mut Vec<u8>) {
    let (seconds, nanos) = (unix_nanos.div_euclid(NANOS) as i64, unix_nanos.rem_euclid(NANOS) as u32);
    let kind = TIMESTAMP.cast_unsigned();
    match u32::try_from(seconds) {
        Ok(seconds) if nanos == 0 => {
            buffer.extend_from_slice(&[0xd6, kind]);
            buffer.extend_from_slice(&seconds.to_be_bytes());
        }
        _ if (0..1 << SECONDS_BITS).contains(&seconds) => {
            buffer.extend_from_slice(&[0xd7, kind]);
            let both = u64::from(nanos) << SECONDS_BITS | seconds.cast_unsigned();
            buffer.extend_from_slice(&both.to_be_bytes());
        }
        _ => {
            buffer.extend_from_slice(&[0xc7, 12, kind]);
            buffer.extend_from_slice(&nanos.to_be_bytes());
            buffer.extend_from_slice(&seconds.to_be_bytes());
        }
    }
}
