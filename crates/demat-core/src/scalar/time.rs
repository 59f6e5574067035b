//! [`Time`]: a time of day.

use super::short_text::{ShortText, ToShortText, time_words};
use super::{DAY, SECOND, front};
use core::fmt;

#[cfg(test)]
mod tests;

/// A **time** of day with nanosecond precision, `00:00:00` to `23:59:59.999999999`: `partial-time` of RFC 3339 §5.6.
///
/// The second 60 of a leap second is refused: hardly any host or store can represent it, and moving it to another
/// second would be a silent loss. A fraction of more than nine digits is refused, too.
///
/// ```
/// use demat_core::scalar::Time;
///
/// let time = Time::parse("20:17:40.5").unwrap();
/// assert_eq!((time.hour(), time.minute(), time.second()), (20, 17, 40));
/// assert_eq!(time.nanosecond(), 500_000_000);
/// assert_eq!(time.to_string(), "20:17:40.500");
/// assert_eq!(Time::parse("23:59:60"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    // The order of the fields makes the derived order chronological.
    hour: u8,
    minute: u8,
    second: u8,
    nanosecond: u32,
}

impl Time {
    /// The first time of a day, `00:00:00`.
    pub const MIN: Time = Time { hour: 0, minute: 0, second: 0, nanosecond: 0 };
    /// The last time of a day, `23:59:59.999999999`.
    pub const MAX: Time = Time { hour: 23, minute: 59, second: 59, nanosecond: SECOND - 1 };

    /// Returns the time with these parts if they are below 24, 60, 60 and 1,000,000,000.
    #[inline]
    pub fn new(hour: u8, minute: u8, second: u8, nanosecond: u32) -> Option<Time> {
        let valid = hour < 24 && minute < 60 && second < 60 && nanosecond < SECOND;
        valid.then_some(Time { hour, minute, second, nanosecond })
    }

    /// Parses `HH:MM:SS`, and then nothing or `.` and one to nine digits.
    #[inline]
    pub fn parse(text: &str) -> Option<Time> {
        let (time, rest) = Time::front(text.as_bytes())?;
        rest.is_empty().then_some(time)
    }

    #[inline]
    pub(super) fn front(bytes: &[u8]) -> Option<(Time, &[u8])> {
        let (pairs, rest) = front::eight(bytes, *b"00:00:00")?;
        let [hour, _, _, minute, _, _, second, _] = pairs.to_le_bytes();
        let (nanosecond, rest) = front::fraction(rest)?;
        Some((Time::new(hour, minute, second, nanosecond)?, rest))
    }

    /// The hour, 0 to 23.
    #[inline]
    pub fn hour(self) -> u8 {
        self.hour
    }

    /// The minute, 0 to 59.
    #[inline]
    pub fn minute(self) -> u8 {
        self.minute
    }

    /// The second, 0 to 59.
    #[inline]
    pub fn second(self) -> u8 {
        self.second
    }

    /// The nanosecond of the second, 0 to 999,999,999.
    #[inline]
    pub fn nanosecond(self) -> u32 {
        self.nanosecond
    }

    /// The number of whole seconds since midnight, 0 to 86,399; [`nanosecond`](Time::nanosecond) is the fraction.
    #[inline]
    pub fn second_of_day(self) -> u32 {
        (u32::from(self.hour) * 60 + u32::from(self.minute)) * 60 + u32::from(self.second)
    }

    /// Returns the time `second` seconds and `nanosecond` nanoseconds (below a second) after midnight.
    ///
    /// ```
    /// use demat_core::scalar::Time;
    ///
    /// assert_eq!(Time::from_second_of_day(3_723, 0), Time::new(1, 2, 3, 0));
    /// assert_eq!(Time::from_second_of_day(86_400, 0), None);
    /// ```
    #[inline]
    pub fn from_second_of_day(second: u32, nanosecond: u32) -> Option<Time> {
        if second >= DAY {
            return None;
        }
        Time::new((second / 3_600) as u8, (second / 60 % 60) as u8, (second % 60) as u8, nanosecond)
    }

    #[inline]
    pub(super) fn write(self, line: &mut ShortText) {
        line.eight(*b"  :  :  ", [(0, self.hour), (3, self.minute), (6, self.second)]);
        // Milliseconds, microseconds or nanoseconds, as is usual; no more digits than needed.
        let (fraction, width) = match self.nanosecond {
            0 => return,
            nanos if nanos % 1_000_000 == 0 => (nanos / 1_000_000, 3),
            nanos if nanos % 1_000 == 0 => (nanos / 1_000, 6),
            nanos => (nanos, 9),
        };
        line.push(b'.');
        if width == 6 { line.pairs(fraction, 3) } else { line.fixed(fraction, width) }
    }
}

impl ToShortText for Time {
    /// The fraction has 3, 6 or 9 digits, as needed, and is left out when it is zero.
    #[inline]
    fn to_short_text(&self) -> ShortText {
        let mut line = ShortText::new();
        self.write(&mut line);
        line
    }

    #[inline(always)] // returned in memory, the words would be loaded again before they are there
    fn to_words(&self) -> Option<([u64; 5], usize)> {
        let nanos = self.nanosecond;
        let clock = (self.hour, self.minute, self.second);
        nanos.is_multiple_of(1_000).then(|| time_words(clock, nanos / 1_000))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_short_text().show(f)
    }
}
