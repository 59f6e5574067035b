//! Scalars: numbers of up to 64 bits, and the four kinds of date and time.

use crate::whole::Content;
use demat_core::scalar::{Date, DateTime, Offset, Time};
use toml_datetime::{Datetime, Offset as TomlOffset};

/// A number of plain form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    Int,
    Float,
}

/// Returns the kind of an int of at most 18 digits, or of a float without exponent: the numbers that need no further
/// look. Others, and what is no number, are `None`.
pub(super) fn plain(text: &str) -> Option<Plain> {
    let bytes = text.as_bytes();
    let bytes = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
    if whole == 0 || whole > 1 && bytes[0] == b'0' {
        return None;
    }
    match &bytes[whole..] {
        [] if whole <= 18 => Some(Plain::Int),
        [b'.', fraction @ ..] if !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit) && whole <= 300 => {
            Some(Plain::Float)
        }
        _ => None,
    }
}

/// Returns whether an int with these digits in this base fits 64 bits.
pub(super) fn fits(digits: &str, radix: u32) -> bool {
    i64::from_str_radix(digits, radix).is_ok()
}

/// Parses a date and time. Returns `None` if it is malformed or does not exist.
pub(super) fn date_time(text: &str) -> Option<Content> {
    let Datetime { date, time, offset } = text.parse().ok()?;
    let date = match date {
        Some(date) => Some(Date::new(date.year.into(), date.month, date.day)?),
        None => None,
    };
    let time = match time {
        Some(time) => Some(Time::new(time.hour, time.minute, time.second.unwrap_or(0), time.nanosecond.unwrap_or(0))?),
        None => None,
    };
    Some(match (date, time, offset) {
        (Some(date), Some(time), Some(offset)) => {
            let seconds = match offset {
                TomlOffset::Z => 0,
                TomlOffset::Custom { minutes } => i32::from(minutes) * 60,
            };
            Content::Instant(DateTime::new(date, time), Offset::new(seconds)?)
        }
        (Some(date), Some(time), None) => Content::DateTime(DateTime::new(date, time)),
        (Some(date), None, None) => Content::Date(date),
        (None, Some(time), None) => Content::Time(time),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Plain, plain};

    #[test]
    fn only_plain_numbers_are_plain() {
        for int in ["0", "-0", "7", "-12", "123456789012345678"] {
            assert_eq!(plain(int), Some(Plain::Int), "{int}");
        }
        for float in ["0.0", "-1.5", "10.01"] {
            assert_eq!(plain(float), Some(Plain::Float), "{float}");
        }
        for other in
            ["", "-", "+1", "01", "-01", "1_0", "0x1", "1e5", "1.", ".5", "1.5e3", "inf", "1234567890123456789"]
        {
            assert_eq!(plain(other), None, "{other}");
        }
        assert_eq!(plain("1979-05-27"), None);
    }
}
