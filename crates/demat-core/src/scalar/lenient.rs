//! Parsers for other forms of dates, times and UUIDs than those that Demat writes, for readers that ask for them.

use super::{Date, DateTime, Instant, Offset, Time, Uuid, front};

#[cfg(test)]
mod tests;

impl Instant {
    /// Parses what [`parse`](Self::parse) parses, and other forms that mean the same:
    ///
    /// - the date alone, which is its midnight
    /// - a time without seconds: `07:08`
    /// - more than nine digits of a second, which are cut to nanoseconds
    /// - an offset without a colon or without minutes, also behind a space: `+0100`, `+01`
    ///
    /// ```
    /// use demat_core::scalar::Instant;
    ///
    /// let instant = Instant::parse_lenient("2024-05-06 07:08 +0200").unwrap();
    /// assert_eq!(instant.to_string(), "2024-05-06T07:08:00+02:00");
    /// assert_eq!(Instant::parse_lenient("2024-05-06").unwrap().to_string(), "2024-05-06T00:00:00");
    /// assert_eq!(Instant::parse_lenient("06.05.2024"), None);
    /// ```
    pub fn parse_lenient(text: &str) -> Option<Self> {
        let (date, rest) = Date::front(text.as_bytes())?;
        let (time, offset) = match rest {
            [] => (Time::MIN, None),
            [b'T' | b't' | b' ', rest @ ..] => time_and_offset(rest)?,
            _ => return None,
        };
        let at = DateTime::new(date, time);
        Some(offset.map_or_else(|| at.into(), |offset| at.with_offset(offset)))
    }
}

impl Time {
    /// Parses a time of day and its offset, if it has one, in the forms of [`Instant::parse_lenient`].
    ///
    /// ```
    /// use demat_core::scalar::{Offset, Time};
    ///
    /// let (time, offset) = Time::parse_lenient("07:08+0200").unwrap();
    /// assert_eq!((time.to_string(), offset), ("07:08:00".into(), Offset::new(7_200)));
    /// ```
    pub fn parse_lenient(text: &str) -> Option<(Self, Option<Offset>)> {
        time_and_offset(text.as_bytes())
    }
}

impl Uuid {
    /// Parses what [`parse`](Self::parse) parses, and the same in braces or behind `urn:uuid:` (RFC 9562 §4).
    ///
    /// ```
    /// use demat_core::scalar::Uuid;
    ///
    /// let uuid = Uuid::parse("f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
    /// assert_eq!(Uuid::parse_lenient("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"), uuid);
    /// assert_eq!(Uuid::parse_lenient("{F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6}"), uuid);
    /// ```
    pub fn parse_lenient(text: &str) -> Option<Self> {
        const URN: &str = "urn:uuid:";
        let inner = match text.split_at_checked(URN.len()) {
            Some((urn, rest)) if urn.eq_ignore_ascii_case(URN) => rest,
            _ => text.strip_prefix('{').map_or(Some(text), |rest| rest.strip_suffix('}'))?,
        };
        Self::parse(inner)
    }
}

fn time_and_offset(bytes: &[u8]) -> Option<(Time, Option<Offset>)> {
    let (time, rest) = time(bytes)?;
    let offset = match rest {
        [] => return Some((time, None)),
        [b' ', rest @ ..] | rest => offset(rest)?,
    };
    Some((time, Some(offset)))
}

/// Parses `HH:MM`, and then nothing, or seconds with any number of digits behind the point.
fn time(bytes: &[u8]) -> Option<(Time, &[u8])> {
    let (hour, rest) = front::two(bytes)?;
    let (minute, rest) = front::two(front::byte(rest, b':')?)?;
    let Some(rest) = front::byte(rest, b':') else { return Some((Time::new(hour, minute, 0, 0)?, rest)) };
    let (second, rest) = front::two(rest)?;
    let (nanos, rest) = match front::byte(rest, b'.') {
        Some(rest) => {
            let (digits, rest) = front::run(rest)?;
            let digits = digits.iter().map(|digit| u32::from(digit - b'0'));
            let nine = digits.chain(core::iter::repeat(0)).take(9);
            (nine.fold(0, |nanos, digit| nanos * 10 + digit), rest)
        }
        None => (0, rest),
    };
    Some((Time::new(hour, minute, second, nanos)?, rest))
}

/// Parses an offset to the end of the text.
fn offset(bytes: &[u8]) -> Option<Offset> {
    if let Some((offset, [])) = Offset::front(bytes) {
        return Some(offset);
    }
    let (west, rest) = match bytes {
        [b'+', rest @ ..] => (false, rest),
        [b'-', rest @ ..] => (true, rest),
        _ => return None,
    };
    let (hour, rest) = front::two(rest)?;
    let (minute, rest) = if rest.is_empty() { (0, rest) } else { front::two(rest)? };
    if hour > 23 || minute > 59 || !rest.is_empty() {
        return None;
    }
    let seconds = (i32::from(hour) * 60 + i32::from(minute)) * 60;
    Offset::new(if west { -seconds } else { seconds })
}
