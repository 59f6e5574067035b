//! Bytes in a time.

use indicatif::DecimalBytes;
use std::time::Duration;

/// So many bytes a second; a thousandth of a second is the least that is told of.
pub(crate) fn per_second(bytes: u64, time: Duration) -> u64 {
    u64::try_from(u128::from(bytes) * 1000 / time.as_millis().max(1)).unwrap_or(u64::MAX)
}

/// The same in words.
pub(crate) fn shown(bytes: u64, time: Duration) -> String {
    format!("{}/s", DecimalBytes(per_second(bytes, time)))
}
