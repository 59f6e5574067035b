//! [`Instant`]: a date and a time.

use super::line::Line;
use super::{DAY, Date, Offset, SECOND, Time};
use core::fmt;

#[cfg(test)]
mod tests;

/// A date and a time, with the clock's offset where it is known: `date-time` of RFC 3339 §5.6.
///
/// - With an offset it is *aware*: a point on the world's one time line, [`unix_nanos`](Instant::unix_nanos).
/// - Without, it is *naive*: what some clock on some wall shows. It is not UTC, and nothing here takes it for that.
///
/// Two are equal when their parts are. The same point of time at another offset is another value, since formats keep
/// the offset; compare `unix_nanos` to compare points. There is no order, as a naive one stands nowhere among the aware.
///
/// ```
/// use demat_core::scalar::Instant;
///
/// let aware = Instant::parse("2024-05-06 07:08:09.25+02:00").unwrap();
/// assert_eq!(aware.to_string(), "2024-05-06T07:08:09.250+02:00");
/// assert_eq!(aware.unix_nanos(), Some(1_714_972_089_250_000_000));
///
/// let naive = Instant::parse("2024-05-06T07:08:09").unwrap();
/// assert_eq!((naive.offset, naive.unix_nanos()), (None, None));
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
        let (date, rest) = Date::front(text.as_bytes())?;
        let [b'T' | b't' | b' ', rest @ ..] = rest else { return None };
        let (time, rest) = Time::front(rest)?;
        if rest.is_empty() {
            return Some(Instant { date, time, offset: None });
        }
        let (offset, rest) = Offset::front(rest)?;
        rest.is_empty().then_some(Instant { date, time, offset: Some(offset) })
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted; `None` for a naive one.
    pub fn unix_nanos(self) -> Option<i128> {
        let east = i128::from(self.offset?.seconds());
        Some(self.wall_nanos() - east * i128::from(SECOND))
    }

    /// Nanoseconds from 1970-01-01T00:00:00 to this *on the same clock*: whatever offset there is, is left aside.
    ///
    /// What columns of naive timestamps hold.
    pub fn wall_nanos(self) -> i128 {
        let seconds = i64::from(self.date.days_since_epoch()) * i64::from(DAY) + i64::from(self.time.second_of_day());
        i128::from(seconds) * i128::from(SECOND) + i128::from(self.time.nanosecond())
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
        Some(Instant { offset: Some(offset), ..Instant::from_wall(wall, nanos)? })
    }

    /// The naive instant so many seconds, and nanoseconds below a second, after 1970-01-01T00:00:00 on the same clock.
    ///
    /// ```
    /// use demat_core::scalar::Instant;
    ///
    /// assert_eq!(Instant::from_wall(86_400, 0).unwrap().to_string(), "1970-01-02T00:00:00");
    /// ```
    pub fn from_wall(seconds: i64, nanos: u32) -> Option<Instant> {
        let days = i32::try_from(seconds.div_euclid(DAY.into())).ok()?;
        let second = seconds.rem_euclid(DAY.into()) as u32; // below 86,400
        let (date, time) = (Date::from_days_since_epoch(days)?, Time::from_second_of_day(second, nanos)?);
        Some(Instant { date, time, offset: None })
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::new();
        self.date.write(&mut line);
        line.push(b'T');
        self.time.write(&mut line);
        if let Some(offset) = self.offset {
            offset.write(&mut line);
        }
        line.show(f)
    }
}
