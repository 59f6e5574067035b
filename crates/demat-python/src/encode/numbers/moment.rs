//! Dates and times without an offset, as NumPy's `datetime64` counts them from the start of 1970.

use demat_core::scalar::{Date, DateTime};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Year,
    Month,
    Week,
    Day,
    /// So many seconds.
    Seconds(i64),
    /// So many of them are a second.
    OfSecond(i64),
}

/// A date, or a date and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Date(Date),
    At(DateTime),
}

/// NumPy's number for "not a time".
pub(super) const NO_TIME: i64 = i64::MIN;

const SECOND: i64 = 1_000_000_000;

impl Unit {
    /// Returns the unit that NumPy calls so. There is none for finer ones than nanoseconds.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "Y" => Self::Year,
            "M" => Self::Month,
            "W" => Self::Week,
            "D" => Self::Day,
            "h" => Self::Seconds(3_600),
            "m" => Self::Seconds(60),
            "s" => Self::Seconds(1),
            "ms" => Self::OfSecond(1_000),
            "us" => Self::OfSecond(1_000_000),
            "ns" => Self::OfSecond(SECOND),
            _ => return None,
        })
    }

    /// Returns what is so many units after the start of 1970: a date for units of days and more. `None` if its year is
    /// not from 1 to 9999.
    #[inline(always)]
    pub(super) fn moment(self, count: i64) -> Option<Moment> {
        let date = |days: i64| Date::from_days_since_epoch(i32::try_from(days).ok()?).map(Moment::Date);
        match self {
            Self::Year => month_of(count, 0),
            Self::Month => month_of(count.div_euclid(12), count.rem_euclid(12)),
            Self::Week => count.checked_mul(7).and_then(date),
            Self::Day => date(count),
            Self::Seconds(seconds) => DateTime::from_wall(count.checked_mul(seconds)?, 0).map(Moment::At),
            Self::OfSecond(parts) => {
                let nanos = count.rem_euclid(parts) * (SECOND / parts);
                DateTime::from_wall(count.div_euclid(parts), u32::try_from(nanos).ok()?).map(Moment::At)
            }
        }
    }
}

fn month_of(years: i64, months: i64) -> Option<Moment> {
    let year = i32::try_from(years.checked_add(1970)?).ok()?;
    Date::new(year, u8::try_from(months).ok()? + 1, 1).map(Moment::Date)
}

#[cfg(test)]
mod tests {
    use super::{Moment, Unit};

    fn text(unit: &str, count: i64) -> Option<String> {
        Some(match Unit::named(unit)?.moment(count)? {
            Moment::Date(date) => date.to_string(),
            Moment::At(at) => at.to_string(),
        })
    }

    #[test]
    fn moments_are_counted_from_1970() {
        for (unit, count, expected) in [
            ("Y", 50, "2020-01-01"),
            ("Y", -1_969, "0001-01-01"),
            ("M", -1, "1969-12-01"),
            ("W", 1, "1970-01-08"),
            ("D", -1, "1969-12-31"),
            ("h", 25, "1970-01-02T01:00:00"),
            ("m", -1, "1969-12-31T23:59:00"),
            ("s", 0, "1970-01-01T00:00:00"),
            ("ms", 1_005, "1970-01-01T00:00:01.005"),
            ("us", -1, "1969-12-31T23:59:59.999999"),
            ("us", 0, "1970-01-01T00:00:00"),
            ("ns", 1, "1970-01-01T00:00:00.000000001"),
            ("ns", i64::MAX, "2262-04-11T23:47:16.854775807"),
        ] {
            assert_eq!(text(unit, count).as_deref(), Some(expected), "{count} {unit}");
        }
        for unit in ["Y", "M", "W", "D", "h", "m", "s", "ms"] {
            assert_eq!(text(unit, i64::MAX), None, "{unit}");
            assert_eq!(text(unit, i64::MIN + 1), None, "{unit}");
        }
        assert_eq!((text("Y", 8_030), text("Y", -1_970)), (None, None));
        assert!(Unit::named("ps").is_none());
    }
}
