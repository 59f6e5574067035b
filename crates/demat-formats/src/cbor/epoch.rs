//! Dates and times as numbers: tag 1 has seconds since 1970, in UTC.

use demat_core::scalar::{Instant, Offset};

/// The number of digits of a fraction of a second.
const DIGITS: usize = 9;
const SECOND: u32 = 1_000_000_000;

/// Returns the instant after `seconds` since 1970; `None` beyond the years 1 to 9999.
pub(super) fn of_int(seconds: i128) -> Option<Instant> {
    Instant::from_unix(i64::try_from(seconds).ok()?, 0, Offset::UTC)
}

/// Returns the instant after `seconds` since 1970, to the nanosecond; `None` beyond the years 1 to 9999.
///
/// It has the digits of the shortest decimal that is this float. So 0.1 is 100 milliseconds, though the float is a
/// little more than that.
pub(super) fn of_float(seconds: f64) -> Option<Instant> {
    // The years 1 to 9999 have less than 10^12 seconds.
    if seconds.is_nan() || seconds.abs() > 1e12 {
        return None;
    }
    let text = seconds.abs().to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits = fraction.bytes().chain(core::iter::repeat(b'0')).take(DIGITS);
    let nanos = digits.fold(0, |nanos, digit| nanos * 10 + u32::from(digit - b'0'));
    let whole: i64 = whole.parse().ok()?;
    match (seconds < 0.0, nanos) {
        (false, _) => Instant::from_unix(whole, nanos, Offset::UTC),
        (true, 0) => Instant::from_unix(-whole, 0, Offset::UTC),
        (true, _) => Instant::from_unix(-whole - 1, SECOND - nanos, Offset::UTC),
    }
}

#[cfg(test)]
mod tests {
    use super::{of_float, of_int};

    #[test]
    fn floats_have_the_digits_that_are_meant() {
        for (seconds, text) in [
            (1_363_896_240.5, "2013-03-21T20:04:00.500Z"),
            (1_363_896_240.123_456, "2013-03-21T20:04:00.123456Z"),
            (0.1, "1970-01-01T00:00:00.100Z"),
            (-0.25, "1969-12-31T23:59:59.750Z"),
            (-1.0, "1969-12-31T23:59:59Z"),
            (-0.0, "1970-01-01T00:00:00Z"),
            (1e-300, "1970-01-01T00:00:00Z"),
        ] {
            assert_eq!(of_float(seconds).unwrap().to_string(), text);
        }
        for seconds in [f64::NAN, f64::INFINITY, 1e300, -1e300, 9e11, -9e10] {
            assert_eq!(of_float(seconds), None, "{seconds}");
        }
        assert_eq!(of_int(-1), of_float(-1.0));
        assert_eq!((of_int(i128::MAX), of_int(i64::MAX.into())), (None, None));
    }
}
