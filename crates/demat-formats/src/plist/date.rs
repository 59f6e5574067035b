//! Dates: points in time, in seconds since 2001 in UTC.

use demat_core::scalar::{DateTime, Instant, Offset};

/// Seconds from 1970 to 2001.
const EPOCH: i64 = 978_307_200;
const MICRO: i128 = 1_000;
const SECOND: i128 = 1_000_000_000;

/// Converts the seconds of a binary date, to the microsecond. Returns `None` beyond the years 1 to 9999.
pub(super) fn of_seconds(seconds: f64) -> Option<Instant> {
    if !seconds.is_finite() || seconds.abs() > 1e12 {
        return None;
    }
    let whole = seconds.floor();
    let (whole, micros) = (whole as i64, ((seconds - whole) * 1e6).round() as i64);
    let whole = whole + EPOCH + micros / 1_000_000;
    Instant::from_unix(whole, u32::try_from(micros % 1_000_000).ok()? * 1_000, Offset::UTC)
}

/// Returns the seconds of a binary date, or `None` if the date is finer than microseconds.
#[allow(clippy::cast_precision_loss)] // the check below refuses a value that was rounded
pub(super) fn to_seconds(at: DateTime, offset: Offset) -> Option<f64> {
    let nanos = at.with_offset(offset).unix_nanos()? - i128::from(EPOCH) * SECOND;
    if nanos % MICRO != 0 {
        return None;
    }
    let seconds = (nanos / MICRO) as f64 / 1e6;
    // In years far from 2001, a float has fewer bits left for the fraction.
    let back = of_seconds(seconds).and_then(Instant::unix_nanos)?;
    (back - i128::from(EPOCH) * SECOND == nanos).then_some(seconds)
}

/// Parses an XML date: `YYYY-MM-DDTHH:MM:SSZ`.
pub(super) fn parse(text: &str) -> Option<Instant> {
    Instant::parse(text).filter(|instant| instant.offset == Some(Offset::UTC) && text.ends_with('Z'))
}

/// Formats an XML date. Returns `None` if the date is finer than seconds.
pub(super) fn to_text(at: DateTime, offset: Offset) -> Option<String> {
    let nanos = at.with_offset(offset).unix_nanos()?;
    let seconds = i64::try_from(nanos.div_euclid(SECOND)).ok().filter(|_| nanos % SECOND == 0)?;
    Instant::from_unix(seconds, 0, Offset::UTC).map(|instant| instant.to_string())
}
