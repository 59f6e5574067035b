//! Converts the contract's scalars to Arrow's numbers.

use arrow_buffer::i256;
use demat_core::scalar::{DateTime, Duration, Instant, Int, Time};
use demat_core::{Error, ErrorKind, IntWidth, Result};

/// Returns the error for a number outside of the shape's range.
#[cold]
pub(super) fn out_of_range(width: IntWidth, found: &impl ToString) -> Error {
    let expected = match width {
        IntWidth::Any => "int64".to_string(),
        IntWidth::Signed(bits) => format!("int{bits}"),
        IntWidth::Unsigned(bits) => format!("uint{bits}"),
    };
    Error::mismatch(ErrorKind::Constraint, expected, found.to_string())
}

#[cold]
fn too_fine(what: &'static str, found: &impl ToString) -> Error {
    Error::mismatch(
        ErrorKind::Constraint,
        format!("a {what} of whole microseconds"),
        format!("`{}`", found.to_string()),
    )
}

/// Converts to microseconds since midnight.
pub(super) fn time(time: Time) -> Result<i64> {
    if !time.nanosecond().is_multiple_of(1_000) {
        return Err(too_fine("time", &time));
    }
    Ok(i64::from(time.second_of_day()) * 1_000_000 + i64::from(time.nanosecond() / 1_000))
}

/// Converts to microseconds since 1970 on the same clock.
pub(super) fn date_time(at: DateTime) -> Result<i64> {
    if !at.time.nanosecond().is_multiple_of(1_000) {
        return Err(too_fine("datetime", &at));
    }
    // The years 1 to 9999 fit 64 bits of microseconds.
    Ok((at.wall_nanos() / 1_000) as i64)
}

/// Converts to microseconds since 1970.
pub(super) fn instant(instant: Instant) -> Result<i64> {
    if !instant.time.nanosecond().is_multiple_of(1_000) {
        return Err(too_fine("instant", &instant));
    }
    match instant.unix_nanos() {
        Some(_) if !instant.is_in_utc() => {
            let found = format!("`{instant}`");
            Err(Error::mismatch(ErrorKind::Constraint, "an instant in the years 1 to 9999 of UTC", found))
        }
        Some(nanos) => Ok((nanos / 1_000) as i64),
        None => Err(Error::mismatch(ErrorKind::Constraint, "an instant with an offset", format!("`{instant}`"))),
    }
}

/// Returns the error for an instant in a column of [`date_time`]s.
#[cold]
pub(super) fn with_offset(instant: Instant) -> Error {
    Error::mismatch(ErrorKind::Constraint, "a datetime without an offset", format!("`{instant}`"))
}

/// Converts to microseconds.
pub(super) fn duration(duration: Duration) -> Result<i64> {
    let nanos = duration.total_nanos();
    if nanos % 1_000 != 0 {
        return Err(too_fine("duration", &duration));
    }
    i64::try_from(nanos / 1_000).map_err(|_| {
        let found = format!("`{duration}`");
        Error::mismatch(ErrorKind::Constraint, "a duration of up to 2^63 microseconds", found)
    })
}

/// The integer type of a column of decimals.
pub(super) trait Scaled: Sized {
    fn from_digits(digits: &str) -> Option<Self>;
}

impl Scaled for i128 {
    fn from_digits(digits: &str) -> Option<Self> {
        digits.parse().ok()
    }
}

impl Scaled for i256 {
    fn from_digits(digits: &str) -> Option<Self> {
        i256::from_string(digits)
    }
}

/// Converts a decimal's text to the integer that a column stores: the number times ten to the power of the scale. Fails
/// if that is not whole or has more digits than the precision.
pub(super) fn scaled<T: Scaled>(text: &str, precision: u8, scale: i8) -> Result<T> {
    scaled_digits(text, precision, scale).and_then(|digits| T::from_digits(&digits)).ok_or_else(|| {
        let expected = format!("a decimal of {precision} digits, {scale} of them behind the point");
        Error::mismatch(ErrorKind::Constraint, expected, format!("`{text}`"))
    })
}

fn scaled_digits(text: &str, precision: u8, scale: i8) -> Option<String> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = format!("{whole}{fraction}");
    let leading = digits.bytes().take_while(|digit| *digit == b'0').count();
    digits.drain(..leading);
    if digits.is_empty() {
        return Some("0".to_string());
    }
    let significant = digits.trim_end_matches('0').len();
    let trailing = digits.len() - significant;
    digits.truncate(significant);
    // A larger exponent exceeds every precision.
    let exponent: i64 = exponent.trim_start_matches('+').parse().ok()?;
    let shift = exponent.checked_add(i64::from(scale))?.checked_sub(fraction.len() as i64)?;
    let shift = shift.checked_add(trailing as i64)?;
    let zeros = usize::try_from(shift).ok().filter(|zeros| digits.len() + zeros <= usize::from(precision))?;
    digits.extend(std::iter::repeat_n('0', zeros));
    if negative {
        digits.insert(0, '-');
    }
    Some(digits)
}

/// Converts an integer of more than 64 bits.
pub(super) fn wide<T: Scaled>(int: &Int<'_>, width: IntWidth) -> Result<T> {
    if !width.holds(int) {
        return Err(out_of_range(width, int));
    }
    T::from_digits(&int.to_string()).ok_or_else(|| out_of_range(width, int))
}

#[cfg(test)]
mod tests {
    use super::scaled;

    #[test]
    fn decimals_are_scaled_exactly_or_refused() {
        let number = |text| scaled::<i128>(text, 5, 2).ok();
        assert_eq!(number("1.5"), Some(150));
        assert_eq!(number("-0.010"), Some(-1));
        assert_eq!(number("0.001"), None);
        assert_eq!(number("999.99"), Some(99_999));
        assert_eq!(number("1000"), None);
        assert_eq!(number("1e2"), Some(10_000));
        assert_eq!(number("12E-1"), Some(120));
        assert_eq!(number("0e99999999999999999999"), Some(0));
        assert_eq!(number("1e99999999999999999999"), None);
        assert_eq!(number("1e9223372036854775807"), None);
        assert_eq!(number("100e-4"), Some(1));
        assert_eq!(number("-0"), Some(0));
    }
}
