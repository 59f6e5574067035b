//! Scalars: numbers of up to 64 bits, and the four kinds of date and time.

use crate::whole::Content;
use demat_core::scalar::{Date, DateTime, Offset, Time};
use toml_datetime::{Datetime, Offset as TomlOffset};

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
