//! Timestamps as SQLite programs store them: as text, Unix time or Julian day.

use demat_core::scalar::{Instant, Offset};
use rusqlite::types::ValueRef;

/// The end of the range that SQLite reads as Julian days; larger numbers are Unix time.
const LAST_DAY: f64 = 5_373_484.5;
/// Milliseconds from the epoch of Julian days to 1970.
const TO_UNIX: i64 = 210_866_760_000_000;

/// Returns the instant of a number: a Julian day if that falls in the years 0 to 9999, else seconds since 1970. `None`
/// if neither is in range.
///
/// This is the rule of SQLite's `auto`, except for Julian days before the year 0.
pub(crate) fn of_number(number: f64) -> Option<Instant> {
    if (0.0..LAST_DAY).contains(&number)
        && let Some(day) = of_millis((number * 86_400_000.0).round() as i64 - TO_UNIX)
    {
        return Some(day);
    }
    // Far beyond the valid years, and far below the limit of an i64.
    (number.abs() < 1e12).then(|| of_millis((number * 1000.0).round() as i64)).flatten()
}

fn of_millis(millis: i64) -> Option<Instant> {
    Instant::from_unix(millis.div_euclid(1000), millis.rem_euclid(1000) as u32 * 1_000_000, Offset::UTC)
}

/// Returns the instant that a value denotes, if it is a timestamp.
#[allow(clippy::cast_precision_loss)] // numbers of seconds and days that are dates are far below 2^53
pub(crate) fn of_value(value: ValueRef<'_>) -> Option<Instant> {
    match value {
        ValueRef::Integer(value) => of_number(value as f64),
        ValueRef::Real(value) => of_number(value),
        ValueRef::Text(text) => Instant::parse(core::str::from_utf8(text).ok()?),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

/// Returns nanoseconds since 1970. Without an offset, the instant is UTC, as in SQLite's own functions.
pub(crate) fn nanos(instant: Instant) -> i128 {
    instant.unix_nanos().unwrap_or_else(|| instant.split().0.wall_nanos())
}

/// Returns bytes that sort like the instants.
pub(crate) fn key(instant: Instant) -> [u8; 16] {
    (nanos(instant) ^ i128::MIN).to_be_bytes()
}
