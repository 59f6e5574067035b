//! [`DateTime`]: a date and a time without an offset.

use super::short_text::{ShortText, ToShortText, date_time_words};
use super::{DAY, Date, Instant, Offset, SECOND, Time};
use core::fmt;

#[cfg(test)]
mod tests;

/// A **civil** date and time, as a wall clock shows it: `full-date "T" partial-time` of RFC 3339 §5.6.
///
/// It has no offset, so it is no point in time; it is never interpreted as UTC. Its order is that of a single clock.
/// [`Instant`] is a date and time whose offset may be known.
///
/// ```
/// use demat_core::scalar::{DateTime, Offset};
///
/// let meeting = DateTime::parse("2024-05-06 07:08:09.25").unwrap();
/// assert_eq!(meeting.to_string(), "2024-05-06T07:08:09.250");
/// assert_eq!(DateTime::parse("2024-05-06T07:08:09Z"), None);
///
/// let point = meeting.with_offset(Offset::new(7_200).unwrap());
/// assert_eq!(point.to_string(), "2024-05-06T07:08:09.250+02:00");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime {
    // The order of the fields makes the derived order chronological.
    /// The date.
    pub date: Date,
    /// The time of that day.
    pub time: Time,
}

impl DateTime {
    /// Combines a date and a time. All combinations are valid.
    #[inline]
    pub const fn new(date: Date, time: Time) -> DateTime {
        DateTime { date, time }
    }

    /// Parses a date, then `T`, `t` or one space, then a time. Refuses an offset: that is an [`Instant`].
    #[inline]
    pub fn parse(text: &str) -> Option<DateTime> {
        let (at, rest) = DateTime::front(text.as_bytes())?;
        rest.is_empty().then_some(at)
    }

    /// Parses one at the start of the text. Returns it with the rest.
    #[inline]
    pub(super) fn front(text: &[u8]) -> Option<(DateTime, &[u8])> {
        let (date, rest) = Date::front(text)?;
        let [b'T' | b't' | b' ', rest @ ..] = rest else { return None };
        let (time, rest) = Time::front(rest)?;
        Some((DateTime { date, time }, rest))
    }

    /// Adds the offset of the clock. The result is a point in time.
    #[inline]
    pub fn with_offset(self, offset: Offset) -> Instant {
        Instant { date: self.date, time: self.time, offset: Some(offset) }
    }

    /// The number of nanoseconds from 1970-01-01T00:00:00 on the same clock.
    ///
    /// Columns of timestamps without a zone hold this number.
    pub fn wall_nanos(self) -> i128 {
        i128::from(self.wall_seconds()) * i128::from(SECOND) + i128::from(self.time.nanosecond())
    }

    /// Returns the seconds from 1970-01-01T00:00:00 on the same clock.
    #[inline]
    pub(super) fn wall_seconds(self) -> i64 {
        i64::from(self.date.days_since_epoch()) * i64::from(DAY) + i64::from(self.time.second_of_day())
    }

    /// Returns the date and time `seconds` seconds and `nanos` nanoseconds (below a second) after 1970-01-01T00:00:00
    /// on the same clock. `None` if the year is not from 1 to 9999.
    ///
    /// ```
    /// use demat_core::scalar::DateTime;
    ///
    /// assert_eq!(DateTime::from_wall(86_400, 0).unwrap().to_string(), "1970-01-02T00:00:00");
    /// ```
    #[inline]
    pub fn from_wall(seconds: i64, nanos: u32) -> Option<DateTime> {
        let days = i32::try_from(seconds.div_euclid(DAY.into())).ok()?;
        let second = seconds.rem_euclid(DAY.into()) as u32; // below 86,400
        Some(DateTime { date: Date::from_days_since_epoch(days)?, time: Time::from_second_of_day(second, nanos)? })
    }

    /// Returns the words of the text with a byte behind it, if the time has whole microseconds.
    #[inline(always)]
    pub(super) fn words(self, then: u8) -> Option<([u64; 5], usize)> {
        let time = self.time;
        let nanos = time.nanosecond();
        let clock = (time.hour(), time.minute(), time.second());
        nanos.is_multiple_of(1_000).then(|| date_time_words(self.date.words(), clock, nanos / 1_000, then))
    }

    #[inline]
    pub(super) fn write(self, line: &mut ShortText) {
        self.date.write(line);
        line.push(b'T');
        self.time.write(line);
    }
}

impl ToShortText for DateTime {
    #[inline]
    fn to_short_text(&self) -> ShortText {
        let mut line = ShortText::new();
        self.write(&mut line);
        line
    }

    #[inline(always)] // returned in memory, the words would be loaded again before they are there
    fn to_words(&self) -> Option<([u64; 5], usize)> {
        self.words(0)
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_short_text().show(f)
    }
}
