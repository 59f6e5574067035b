//! Dates with times as SQLite's users keep them: as text, as Unix time, as Julian day.

use demat_core::scalar::{Instant, Offset};
use rusqlite::types::ValueRef;

/// The greatest Julian day that SQLite takes a number for; what is greater is Unix time.
const LAST_DAY: f64 = 5_373_484.5;
/// Milliseconds from the first Julian day to 1970.
const TO_UNIX: i64 = 210_866_760_000_000;

/// The instant that a number says: a Julian day, if that is one of the years 0 to 9999, else seconds since 1970. Nothing
/// where neither is of these years.
///
/// It is the rule of SQLite's own `auto`, but for the numbers that are a day before the year 0 there.
pub(crate) fn of_number(number: f64) -> Option<Instant> {
    if (0.0..LAST_DAY).contains(&number)
        && let Some(day) = of_millis((number * 86_400_000.0).round() as i64 - TO_UNIX)
    {
        return Some(day);
    }
    // Far beyond the years that there are, and far below what an i64 holds.
    (number.abs() < 1e12).then(|| of_millis((number * 1000.0).round() as i64)).flatten()
}

fn of_millis(millis: i64) -> Option<Instant> {
    Instant::from_unix(millis.div_euclid(1000), millis.rem_euclid(1000) as u32 * 1_000_000, Offset::UTC)
}

/// The instant that a value says, if it says one.
#[allow(clippy::cast_precision_loss)] // numbers of seconds and days that are dates are far below 2^53
pub(crate) fn of_value(value: ValueRef<'_>) -> Option<Instant> {
    match value {
        ValueRef::Integer(value) => of_number(value as f64),
        ValueRef::Real(value) => of_number(value),
        ValueRef::Text(text) => Instant::parse(core::str::from_utf8(text).ok()?),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

/// The nanoseconds since 1970 of an instant. One without an offset is in UTC, as SQLite's own functions have it.
pub(crate) fn nanos(instant: Instant) -> i128 {
    instant.unix_nanos().unwrap_or_else(|| instant.wall_nanos())
}

/// Bytes that are in the order of the instants.
pub(crate) fn key(instant: Instant) -> [u8; 16] {
    (nanos(instant) ^ i128::MIN).to_be_bytes()
}
