//! [`Offset`]: the offset of a clock from UTC.

use super::short_text::{ShortText, ToShortText};
use super::{DAY, front};
use core::fmt;

#[cfg(test)]
mod tests;

/// The offset of a clock **east** of UTC in seconds, less than a day either way: `time-offset` of RFC 3339 §5.6.
///
/// Zero is written as `Z`, all others as `+hh:mm` or `-hh:mm`. Historic offsets have seconds; these are written as
/// `+hh:mm:ss`, an extension of RFC 3339 that `parse` accepts. `-00:00` is read as zero (RFC 9557 §2.2 gives it the
/// meaning of `Z`).
///
/// ```
/// use demat_core::scalar::Offset;
///
/// let nepal = Offset::parse("+05:45").unwrap();
/// assert_eq!(nepal.seconds(), 20_700);
/// assert_eq!(nepal.to_string(), "+05:45");
/// assert_eq!(Offset::parse("z"), Some(Offset::UTC));
/// assert_eq!(Offset::parse("+0545"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset(i32);

impl Offset {
    /// The offset zero.
    pub const UTC: Offset = Offset(0);

    /// Returns an offset of `seconds` east of UTC, negative for west: -86,399 to 86,399.
    #[inline]
    pub fn new(seconds: i32) -> Option<Offset> {
        (seconds.unsigned_abs() < DAY).then_some(Offset(seconds))
    }

    /// Parses `Z` or `z`, `+hh:mm` or `-hh:mm`, or one of these with `:ss`; hours to 23, the others to 59.
    #[inline]
    pub fn parse(text: &str) -> Option<Offset> {
        let (offset, rest) = Offset::front(text.as_bytes())?;
        rest.is_empty().then_some(offset)
    }

    #[inline]
    pub(super) fn front(bytes: &[u8]) -> Option<(Offset, &[u8])> {
        let (west, rest) = match bytes {
            [b'Z' | b'z', rest @ ..] => return Some((Offset::UTC, rest)),
            [b'+', rest @ ..] => (false, rest),
            [b'-', rest @ ..] => (true, rest),
            _ => return None,
        };
        let (hour, rest) = front::two(rest)?;
        let (minute, rest) = front::two(front::byte(rest, b':')?)?;
        let (second, rest) = match front::byte(rest, b':') {
            Some(rest) => front::two(rest)?,
            None => (0, rest),
        };
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = (i32::from(hour) * 60 + i32::from(minute)) * 60 + i32::from(second);
        Some((Offset(if west { -seconds } else { seconds }), rest))
    }

    /// The number of seconds east of UTC, negative for west.
    #[inline]
    pub fn seconds(self) -> i32 {
        self.0
    }

    pub(super) fn write(self, line: &mut ShortText) {
        if self.0 == 0 {
            return line.push(b'Z');
        }
        let seconds = self.0.unsigned_abs();
        line.push(if self.0 < 0 { b'-' } else { b'+' });
        line.fixed(seconds / 3_600, 2);
        line.push(b':');
        line.fixed(seconds / 60 % 60, 2);
        if !seconds.is_multiple_of(60) {
            line.push(b':');
            line.fixed(seconds % 60, 2);
        }
    }
}

impl ToShortText for Offset {
    #[inline]
    fn to_short_text(&self) -> ShortText {
        let mut line = ShortText::new();
        self.write(&mut line);
        line
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_short_text().show(f)
    }
}
