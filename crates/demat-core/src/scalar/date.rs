//! [`Date`]: a day of the calendar.

use super::front;
use super::short_text::{ShortText, ToShortText, date_words};
use core::fmt;

#[cfg(test)]
mod tests;

/// A **date** of the proleptic Gregorian calendar, from year 1 to year 9999: `full-date` of RFC 3339 §5.6, without its
/// year 0, which dates in Python and SQL do not have.
///
/// ```
/// use demat_core::scalar::Date;
///
/// let date = Date::parse("2024-02-29").unwrap();
/// assert_eq!((date.year(), date.month(), date.day()), (2024, 2, 29));
/// assert_eq!(date.days_since_epoch(), 19_782);
/// assert_eq!(date.to_string(), "2024-02-29");
/// assert_eq!(Date::parse("2023-02-29"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    // The order of the fields makes the derived order chronological.
    year: u16,
    month: u8,
    day: u8,
}

/// Days from 1 March 400 years before year 0 to 1 January 1970. See [`Date::days_since_epoch`].
const EPOCH: u32 = 719_468 + FOUR_CENTURIES;
const FOUR_CENTURIES: u32 = 146_097;
impl Date {
    /// The earliest date, `0001-01-01`.
    pub const MIN: Date = Date { year: 1, month: 1, day: 1 };
    /// The latest date, `9999-12-31`.
    pub const MAX: Date = Date { year: 9_999, month: 12, day: 31 };

    /// Returns the date with these parts if it exists: a year from 1 to 9999, a month and a day from 1.
    #[inline]
    pub fn new(year: i32, month: u8, day: u8) -> Option<Date> {
        let year = u16::try_from(year).ok().filter(|year| (1..=9_999).contains(year))?;
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
            2 => 28,
            _ => return None,
        };
        (1..=days).contains(&day).then_some(Date { year, month, day })
    }

    /// Parses `YYYY-MM-DD`: exactly these ten bytes.
    #[inline]
    pub fn parse(text: &str) -> Option<Date> {
        let (date, rest) = Date::front(text.as_bytes())?;
        rest.is_empty().then_some(date)
    }

    #[inline]
    pub(super) fn front(bytes: &[u8]) -> Option<(Date, &[u8])> {
        let (pairs, rest) = front::eight(bytes, *b"0000-00-")?;
        let [century, _, year, _, _, month, ..] = pairs.to_le_bytes();
        let (day, rest) = front::two(rest)?;
        Some((Date::new(i32::from(century) * 100 + i32::from(year), month, day)?, rest))
    }

    /// The year, 1 to 9999.
    #[inline]
    pub fn year(self) -> i32 {
        self.year.into()
    }

    /// The month, 1 to 12.
    #[inline]
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, 1 to 31.
    #[inline]
    pub fn day(self) -> u8 {
        self.day
    }

    /// The number of days since 1970-01-01, from -719162 to 2932896.
    ///
    /// It counts in years that begin in March, so that a leap day is the last day of a year. It adds four centuries, a
    /// whole cycle of the calendar, so that no number is negative. The arithmetic is that of C. Neri and L. Schneider,
    /// *Euclidean affine functions and their application to calendar algorithms* (2022).
    #[inline]
    pub fn days_since_epoch(self) -> i32 {
        let (month, day) = (u32::from(self.month), u32::from(self.day));
        let is_before_march = month < 3;
        let year = u32::from(self.year) + 400 - u32::from(is_before_march);
        let month = if is_before_march { month + 12 } else { month };
        let century = year / 100;
        let days = 1_461 * year / 4 - century + century / 4 + (979 * month - 2_919) / 32 + day - 1;
        days.cast_signed() - EPOCH.cast_signed()
    }

    /// Returns the date `days` days after 1970-01-01, if its year is from 1 to 9999.
    ///
    /// ```
    /// use demat_core::scalar::Date;
    ///
    /// assert_eq!(Date::from_days_since_epoch(-1), Date::new(1969, 12, 31));
    /// assert_eq!(Date::from_days_since_epoch(i32::MAX), None);
    /// ```
    #[inline]
    pub fn from_days_since_epoch(days: i32) -> Option<Date> {
        let days = days.checked_add(EPOCH.cast_signed())?;
        let days = u32::try_from(days).ok().filter(|days| *days < 26 * FOUR_CENTURIES)?;
        let quarters = 4 * days + 3;
        let (century, day) = (quarters / FOUR_CENTURIES, quarters % FOUR_CENTURIES / 4);
        // 2,939,745 is 2³² over the quarters of days in a year: one product has the year and, below it, its day.
        let product = 2_939_745 * u64::from(4 * day + 3);
        let (year, day) = (100 * century + (product >> 32) as u32, product as u32 / 2_939_745 / 4);
        // The same for the month, counted from March as 3, and its day.
        let product = 2_141 * day + 197_913;
        let (month, day) = ((product >> 16) as u8, ((product & 0xffff) / 2_141) as u8 + 1);
        // January and February belong to the next year.
        let is_next_year = month > 12;
        let year = (year + u32::from(is_next_year)).checked_sub(400)?;
        let year = u16::try_from(year).ok().filter(|year| (1..=9_999).contains(year))?;
        Some(Date { year, month: if is_next_year { month - 12 } else { month }, day })
    }

    #[inline(always)]
    pub(super) fn words(self) -> [u64; 2] {
        date_words((self.year / 100) as u8, (self.year % 100) as u8, self.month, self.day)
    }

    #[inline]
    pub(super) fn write(self, line: &mut ShortText) {
        let (century, year) = ((self.year / 100) as u8, (self.year % 100) as u8);
        line.eight(*b"    -  -", [(0, century), (2, year), (5, self.month)]);
        line.two(self.day);
    }
}

impl ToShortText for Date {
    #[inline]
    fn to_short_text(&self) -> ShortText {
        let mut line = ShortText::new();
        self.write(&mut line);
        line
    }

    #[inline(always)] // returned in memory, the words would be loaded again before they are there
    fn to_words(&self) -> Option<([u64; 5], usize)> {
        let [first, second] = self.words();
        Some(([first, second, 0, 0, 0], 10))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_short_text().show(f)
    }
}
