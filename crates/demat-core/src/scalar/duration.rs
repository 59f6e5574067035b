//! [`Duration`]: a length of time.

use super::short_text::{ShortText, ToShortText};
use super::{DAY, SECOND};
use core::fmt;

mod parse;
#[cfg(test)]
mod tests;

/// A signed **length of time** with nanosecond precision, of up to about 292 billion years.
///
/// It is `seconds` plus `nanos` from 0 to 999,999,999: minus half a second is -1 and 500,000,000. So the order of the
/// parts is the order of the durations. Days have 24 hours and weeks 7 days. Years and months have no fixed length and
/// are not supported.
///
/// The text is a duration of ISO 8601-1 §5.5.2, with a `-` before it if it is negative (ISO 8601-2).
///
/// ```
/// use demat_core::scalar::Duration;
///
/// let film = Duration::parse("PT1H63M3.5S").unwrap();
/// assert_eq!((film.seconds(), film.nanos()), (7_383, 500_000_000));
/// assert_eq!(film.to_string(), "PT2H3M3.5S");
/// assert_eq!(Duration::new(-1, 500_000_000).unwrap().to_string(), "-PT0.5S");
/// assert_eq!(Duration::parse("P1M"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    seconds: i64,
    nanos: u32,
}

impl Duration {
    /// The zero duration, `PT0S`.
    pub const ZERO: Duration = Duration { seconds: 0, nanos: 0 };
    /// The smallest duration, -2⁶³ seconds.
    pub const MIN: Duration = Duration { seconds: i64::MIN, nanos: 0 };
    /// The largest duration, a nanosecond less than 2⁶³ seconds.
    pub const MAX: Duration = Duration { seconds: i64::MAX, nanos: SECOND - 1 };

    /// Returns the sum of `seconds` and `nanos`; `None` if `nanos` is a second or more.
    pub fn new(seconds: i64, nanos: u32) -> Option<Duration> {
        (nanos < SECOND).then_some(Duration { seconds, nanos })
    }

    /// The seconds, rounded down: -1 for minus half a second.
    pub fn seconds(self) -> i64 {
        self.seconds
    }

    /// The nanoseconds to add to the seconds, 0 to 999,999,999.
    pub fn nanos(self) -> u32 {
        self.nanos
    }

    /// The duration in nanoseconds.
    pub fn total_nanos(self) -> i128 {
        i128::from(self.seconds) * i128::from(SECOND) + i128::from(self.nanos)
    }

    /// Converts from nanoseconds; `None` if the seconds do not fit `i64`.
    ///
    /// ```
    /// use demat_core::scalar::Duration;
    ///
    /// assert_eq!(Duration::from_nanos(-1), Duration::new(-1, 999_999_999));
    /// assert_eq!(Duration::from_nanos(i128::MAX), None);
    /// ```
    pub fn from_nanos(total: i128) -> Option<Duration> {
        let seconds = i64::try_from(total.div_euclid(SECOND.into())).ok()?;
        let nanos = total.rem_euclid(SECOND.into()) as u32; // below a second
        Some(Duration { seconds, nanos })
    }

    /// Returns the seconds and nanoseconds of the absolute value.
    fn size(self) -> (u64, u32) {
        if self.seconds < 0 && self.nanos > 0 {
            // The nanoseconds count up from the floor, towards zero.
            ((self.seconds + 1).unsigned_abs(), SECOND - self.nanos)
        } else {
            (self.seconds.unsigned_abs(), self.nanos)
        }
    }
}

impl ToShortText for Duration {
    /// Days, hours, minutes and seconds, those that are zero left out; as many digits of a fraction as it takes.
    #[inline]
    fn to_short_text(&self) -> ShortText {
        let mut line = ShortText::new();
        let (seconds, nanos) = self.size();
        if self.seconds < 0 {
            line.push(b'-');
        }
        line.push(b'P');
        let part = |line: &mut ShortText, number: u64, designator: u8| {
            if number != 0 {
                line.number(number);
                line.push(designator);
            }
        };
        let (days, rest) = (seconds / u64::from(DAY), seconds % u64::from(DAY));
        part(&mut line, days, b'D');
        if days == 0 || rest != 0 || nanos != 0 {
            line.push(b'T');
            part(&mut line, rest / 3_600, b'H');
            part(&mut line, rest / 60 % 60, b'M');
            let second = rest % 60;
            if nanos != 0 {
                let zeros = trailing_zeros(nanos);
                line.number(second);
                line.push(b'.');
                line.fixed(nanos / 10u32.pow(zeros), 9 - zeros as usize);
                line.push(b'S');
            } else if second != 0 || seconds == 0 {
                line.number(second);
                line.push(b'S');
            }
        }
        line
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_short_text().show(f)
    }
}

/// Returns the number of trailing zeros of a number other than zero.
fn trailing_zeros(mut number: u32) -> u32 {
    let mut zeros = 0;
    while number.is_multiple_of(10) {
        number /= 10;
        zeros += 1;
    }
    zeros
}
