//! Transfer rates.

use indicatif::DecimalBytes;
use std::time::Duration;

/// Returns the rate in bytes per second. Times below a millisecond count as one.
pub(crate) fn per_second(bytes: u64, time: Duration) -> u64 {
    u64::try_from(u128::from(bytes) * 1000 / time.as_millis().max(1)).unwrap_or(u64::MAX)
}

/// Formats the rate.
pub(crate) fn shown(bytes: u64, time: Duration) -> String {
    format!("{}/s", DecimalBytes(per_second(bytes, time)))
}
