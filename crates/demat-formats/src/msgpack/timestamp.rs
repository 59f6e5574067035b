//! The timestamp extension: seconds and nanoseconds since 1970, in 4, 8 or 12 bytes.

use crate::scan::{Room, append_both, append_fixed};
use demat_core::scalar::{Instant, Offset};

/// The code of the extension type.
pub(super) const TIMESTAMP: i8 = -1;

const NANOS: u32 = 1_000_000_000;
/// The bits of the 64-bit form that hold seconds.
const SECONDS_BITS: u32 = 34;

/// Reads the content. Returns `None` if it has another length, a second of nanoseconds or more, or a year beyond 1 to
/// 9999.
#[inline]
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
    if nanos >= NANOS {
        return None;
    }
    Instant::from_unix(seconds, nanos, Offset::UTC)
}

/// Appends the extension with its head, in the smallest width. Returns whether it did: the year must be from 1 to 9999 in
/// UTC, as for [`read`].
#[inline(always)] // passed in memory, the parts would be loaded again before they are there
#[must_use]
pub(super) fn write(at: Instant, buffer: &mut impl Room) -> bool {
    let Some((seconds, nanos)) = at.unix() else { return false };
    let kind = TIMESTAMP.cast_unsigned();
    match u32::try_from(seconds) {
        Ok(seconds) if nanos == 0 => {
            append_both(buffer, [0xd6, kind], seconds.to_be_bytes());
        }
        _ if (0..1 << SECONDS_BITS).contains(&seconds) => {
            let both = u64::from(nanos) << SECONDS_BITS | seconds.cast_unsigned();
            append_both(buffer, [0xd7, kind], both.to_be_bytes());
        }
        _ if !at.is_in_utc() => return false,
        _ => {
            append_both(buffer, [0xc7, 12, kind], nanos.to_be_bytes());
            append_fixed(buffer, seconds.to_be_bytes());
        }
    }
    true
}
