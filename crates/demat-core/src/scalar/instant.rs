//! [`Instant`]: a date and a time.

use super::short_text::{ShortText, ToShortText};
use super::{Date, DateTime, Offset, SECOND, Time};
use core::fmt;

#[cfg(test)]
mod tests;

/// A date and a time, with the clock's offset where it is known: `date-time` of RFC 3339 §5.6.
///
/// - With an offset it is *aware*: a point on the world's one time line, [`unix_nanos`](Instant::unix_nanos).
/// - Without, it is *naive*: a [`DateTime`], which some clock on some wall shows.
///
/// It is the value of a field that takes both, as Python's `datetime` does. To a sink and in a [`Value`](crate::Value)
/// the two are different kinds: [`split`](Instant::split) tells them apart.
///
/// Two are equal when their parts are. The same point of time at another offset is another value, since formats keep
/// the offset; compare `unix_nanos` to compare points. There is no order, as a naive one stands nowhere among the aware.
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
    /// The day, where the clock hangs.
    pub date: Date,
    /// The time of that day, as the clock shows it.
    pub time: Time,
    /// How far the clock stands east of UTC; `None` if nobody knows.
    pub offset: Option<Offset>,
}

impl Instant {
    /// Puts one together; any date, time and offset go.
    pub fn new(date: Date, time: Time, offset: Option<Offset>) -> Instant {
        Instant { date, time, offset }
    }

    /// Reads a date, then `T`, `t` or one space, then a time, and then nothing or an offset.
    #[inline]
    pub fn parse(text: &str) -> Option<Instant> {
        let (at, rest) = DateTime::front(text.as_bytes())?;
        if rest.is_empty() {
            return Some(at.into());
        }
        let (offset, rest) = Offset::front(rest)?;
        rest.is_empty().then_some(at.with_offset(offset))
    }

    /// The date and time that its clock shows, and the clock's offset if it is known.
    #[inline]
    pub fn split(self) -> (DateTime, Option<Offset>) {
        (DateTime { date: self.date, time: self.time }, self.offset)
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted; `None` for a naive one.
    pub fn unix_nanos(self) -> Option<i128> {
        let (at, offset) = self.split();
        Some(at.wall_nanos() - i128::from(offset?.seconds()) * i128::from(SECOND))
    }

    /// The aware instant so many seconds, and nanoseconds below a second, after 1970-01-01T00:00:00Z, as a clock at
    /// this offset shows it. `None` where that clock's year is not one of 1 to 9999.
    ///
    /// ```
    /// use demat_core::scalar::{Instant, Offset};
    ///
    /// let before = Instant::from_unix(-1, 500_000_000, Offset::UTC).unwrap();
    /// assert_eq!(before.to_string(), "1969-12-31T23:59:59.500Z");
    /// ```
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
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_short_text().show(f)
    }
}
