//! [`Instant`]: a date and a time.

use super::short_text::{ShortText, ToShortText};
use super::{Date, DateTime, Offset, SECOND, Time};
use core::fmt;

#[cfg(test)]
mod tests;

/// A date and a time, with the clock's offset if it is known: `date-time` of RFC 3339 §5.6.
///
/// - With an offset it is *aware*: a point in time, [`unix_nanos`](Instant::unix_nanos).
/// - Without one it is *naive*: a [`DateTime`], as a wall clock shows it.
///
/// It is the value of a field that accepts both, like Python's `datetime`. In a sink and in a [`Value`](crate::Value)
/// the two are different kinds: [`split`](Instant::split) separates them.
///
/// Two are equal if their parts are. The same point in time with another offset is another value, since formats keep
/// the offset; compare `unix_nanos` to compare points in time. There is no order, since a naive one can't be compared
/// with an aware one.
///
/// ```
/// use demat_core::scalar::{DateTime, Instant, Offset};
///
/// let aware = Instant::parse("2024-05-06 07:08:09.25+02:00").unwrap();
/// assert_eq!(aware.to_string(), "2024-05-06T07:08:09.250+02:00");
/// assert_eq!(aware.unix_nanos(), Some(1_714_972_089_250_000_000));
/// assert_eq!(aware.split().1, Offset::new(7_200));
///
/// let naive = Instant::parse("2024-05-06T07:08:09").unwrap();
/// assert_eq!((naive.offset, naive.unix_nanos()), (None, None));
/// assert_eq!(naive.split(), (DateTime::parse("2024-05-06T07:08:09").unwrap(), None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instant {
    /// The date in the clock's time zone.
    pub date: Date,
    /// The time of day that the clock shows.
    pub time: Time,
    /// The clock's offset east of UTC; `None` if unknown.
    pub offset: Option<Offset>,
}

impl Instant {
    /// Combines a date, a time and an offset. All combinations are valid.
    #[inline]
    pub fn new(date: Date, time: Time, offset: Option<Offset>) -> Instant {
        Instant { date, time, offset }
    }

    /// Parses a date, then `T`, `t` or one space, then a time, and then an optional offset.
    #[inline]
    pub fn parse(text: &str) -> Option<Instant> {
        let (at, rest) = DateTime::front(text.as_bytes())?;
        if rest.is_empty() {
            return Some(at.into());
        }
        let (offset, rest) = Offset::front(rest)?;
        rest.is_empty().then_some(at.with_offset(offset))
    }

    /// Returns the date and time that the clock shows, and the clock's offset if it is known.
    #[inline]
    pub fn split(self) -> (DateTime, Option<Offset>) {
        (DateTime { date: self.date, time: self.time }, self.offset)
    }

    /// The number of nanoseconds since 1970-01-01T00:00:00Z, without leap seconds; `None` for a naive one.
    pub fn unix_nanos(self) -> Option<i128> {
        let (at, offset) = self.split();
        Some(at.wall_nanos() - i128::from(offset?.seconds()) * i128::from(SECOND))
    }

    /// Returns the seconds since 1970-01-01T00:00:00Z, and the nanoseconds of the last one. Returns `None` if the
    /// offset is unknown. It is the inverse of [`from_unix`](Self::from_unix).
    ///
    /// ```
    /// use demat_core::scalar::Instant;
    /// let instant = Instant::parse("1969-12-31T23:59:59.25+01:00");
    /// assert_eq!(instant.and_then(Instant::unix), Some((-3_601, 250_000_000)));
    /// ```
    #[inline]
    pub fn unix(self) -> Option<(i64, u32)> {
        let (at, offset) = self.split();
        Some((at.wall_seconds() - i64::from(offset?.seconds()), self.time.nanosecond()))
    }

    /// Returns whether a clock at UTC shows a year from 1 to 9999 then, as formats need that have no offset. Returns false
    /// if the offset is unknown.
    ///
    /// ```
    /// use demat_core::scalar::Instant;
    /// let is_in_utc = |text: &str| Instant::parse(text).is_some_and(Instant::is_in_utc);
    /// assert!(is_in_utc("0001-01-01T14:00:00+14:00") && is_in_utc("9999-12-31T23:59:59.999999999Z"));
    /// assert!(!is_in_utc("0001-01-01T13:59:59+14:00") && !is_in_utc("9999-12-31T23:00:00-01:00"));
    /// ```
    #[inline]
    pub fn is_in_utc(self) -> bool {
        self.unix().is_some_and(|(seconds, _)| (-62_135_596_800..=253_402_300_799).contains(&seconds))
    }

    /// Returns the aware instant `seconds` seconds and `nanos` nanoseconds (below a second) after 1970-01-01T00:00:00Z,
    /// as a clock at this offset shows it. `None` if that clock's year is not from 1 to 9999.
    ///
    /// ```
    /// use demat_core::scalar::{Instant, Offset};
    ///
    /// let before = Instant::from_unix(-1, 500_000_000, Offset::UTC).unwrap();
    /// assert_eq!(before.to_string(), "1969-12-31T23:59:59.500Z");
    /// ```
    #[inline]
    pub fn from_unix(seconds: i64, nanos: u32, offset: Offset) -> Option<Instant> {
        let wall = seconds.checked_add(offset.seconds().into())?;
        Some(DateTime::from_wall(wall, nanos)?.with_offset(offset))
    }
}

impl From<DateTime> for Instant {
    fn from(DateTime { date, time }: DateTime) -> Instant {
        Instant { date, time, offset: None }
    }
}

impl ToShortText for Instant {
    #[inline]
    fn to_short_text(&self) -> ShortText {
        let mut line = ShortText::new();
        self.split().0.write(&mut line);
        if let Some(offset) = self.offset {
            offset.write(&mut line);
        }
        line
    }

    #[inline(always)] // returned in memory, the words would be loaded again before they are there
    fn to_words(&self) -> Option<([u64; 5], usize)> {
        match self.offset {
            Some(Offset::UTC) => self.split().0.words(b'Z').map(|(words, length)| (words, length + 1)),
            None => self.split().0.words(0),
            Some(_) => None,
        }
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_short_text().show(f)
    }
}
