//! Timestamps of YAML 1.1: RFC 3339, and forms with spaces, short numbers and short offsets.

use crate::whole::Content;
use demat_core::scalar::{Date, DateTime, Offset, Time};

/// Parses a date, a date and time, or an instant.
pub(in super::super) fn timestamp(text: &str) -> Option<Content> {
    if let Some(date) = Date::parse(text) {
        return Some(Content::Date(date));
    }
    let (year, rest) = number(text, 4, 4)?;
    let (month, rest) = number(rest.strip_prefix('-')?, 1, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 1, 2)?;
    let date = Date::new(i32::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?)?;
    let blanks = rest.trim_start_matches([' ', '\t']);
    let rest = match rest.strip_prefix(['T', 't']) {
        Some(rest) => rest,
        None if blanks.len() < rest.len() => blanks,
        None => return None,
    };
    let (hour, rest) = number(rest, 1, 2)?;
    let (minute, rest) = number(rest.strip_prefix(':')?, 2, 2)?;
    let (second, rest) = number(rest.strip_prefix(':')?, 2, 2)?;
    let (nanos, rest) = match rest.strip_prefix('.') {
        Some(rest) => fraction(rest)?,
        None => (0, rest),
    };
    let part = |number: u32| u8::try_from(number).ok();
    let at = DateTime::new(date, Time::new(part(hour)?, part(minute)?, part(second)?, nanos)?);
    let rest = rest.trim_start_matches([' ', '\t']);
    Some(if rest.is_empty() { Content::DateTime(at) } else { Content::Instant(at, offset(rest)?) })
}

/// Parses an offset: `Z`, or a sign, hours and optional minutes.
fn offset(text: &str) -> Option<Offset> {
    if matches!(text, "Z" | "z") {
        return Some(Offset::UTC);
    }
    let (hours, rest) = number(text.strip_prefix(['+', '-'])?, 1, 2)?;
    let (minutes, rest) = match rest.strip_prefix(':') {
        Some(rest) => number(rest, 2, 2)?,
        None => (0, rest),
    };
    if !rest.is_empty() || hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = i32::try_from((hours * 60 + minutes) * 60).ok()?;
    Offset::new(if text.starts_with('-') { -seconds } else { seconds })
}

/// Parses a number of `least` to `most` digits. Also returns the text after it.
fn number(text: &str, least: usize, most: usize) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if !(least..=most).contains(&digits) {
        return None;
    }
    let (number, rest) = text.split_at(digits);
    Some((number.parse().ok()?, rest))
}

/// Parses a fraction as nanoseconds. Also returns the text after it. Refuses more than nine significant digits.
fn fraction(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (fraction, rest) = text.split_at(digits);
    let kept = fraction.trim_end_matches('0');
    if kept.len() > 9 {
        return None;
    }
    Some((format!("{kept:0<9}").parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        timestamp(text).map(|content| match content {
            Content::Date(date) => date.to_string(),
            Content::DateTime(at) => at.to_string(),
            Content::Instant(at, offset) => at.with_offset(offset).to_string(),
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn the_forms_of_1_1_are_read() {
        for (text, value) in [
            ("2001-12-15T02:59:43.1Z", "2001-12-15T02:59:43.100Z"),
            ("2001-12-14t21:59:43.10-05:00", "2001-12-14T21:59:43.100-05:00"),
            ("2001-12-14 21:59:43.10 -5", "2001-12-14T21:59:43.100-05:00"),
            ("2001-12-15 2:59:43.10", "2001-12-15T02:59:43.100"),
            ("2001-1-2  3:04:05.", "2001-01-02T03:04:05"),
            ("2002-12-14", "2002-12-14"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(value), "{text}");
        }
    }

    #[test]
    fn others_are_not() {
        for text in
            ["2001-1-2", "2001-13-01", "2001-12-14T", "2001-12-14 1:2:3", "2001-12-14T00:00:00+24", "12:00:00", "x"]
        {
            assert_eq!(shown(text), None, "{text}");
        }
        assert_eq!(shown("2001-12-14T00:00:00.0000000001"), None);
        assert_eq!(shown("2001-12-14T00:00:00.0000000010").as_deref(), Some("2001-12-14T00:00:00.000000001"));
    }
}
