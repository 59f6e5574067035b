//! Dates and times: days and microseconds since 2000.

use demat_core::scalar::{Date, DateTime, Duration, Instant, Offset, Time};

/// The days from 1970 to 2000.
const DAYS: i32 = 10_957;
/// The seconds from 1970 to 2000.
const SECONDS: i64 = DAYS as i64 * 86_400;
const MICROS: i64 = 1_000_000;
/// The first and the last day that there are, as days since 1970: of the years 1 and 9999.
const LEAST: i32 = -719_162;
const MOST: i32 = 2_932_896;

/// Returns the days since 2000.
pub(crate) fn days(date: Date) -> i32 {
    date.days_since_epoch() - DAYS
}

/// Returns the microseconds since midnight; `None` if the time has nanoseconds.
pub(crate) fn of_time(time: Time) -> Option<i64> {
    let micros = whole_micros(time.nanosecond())?;
    Some(i64::from(time.second_of_day()) * MICROS + micros)
}

/// Returns the microseconds since 2000 of a wall clock; `None` if it shows nanoseconds.
pub(crate) fn of_date_time(at: DateTime) -> Option<i64> {
    Some(i64::from(days(at.date)) * 86_400 * MICROS + of_time(at.time)?)
}

/// Returns the microseconds since 2000 in UTC; `None` if the time has nanoseconds.
pub(crate) fn of_instant(at: DateTime, offset: Offset) -> Option<i64> {
    Some(of_date_time(at)? - i64::from(offset.seconds()) * MICROS)
}

/// Returns the microseconds of a length of time; `None` if they are too many, or if there are nanoseconds.
pub(crate) fn of_duration(duration: Duration) -> Option<i64> {
    let nanos = duration.total_nanos();
    if nanos % 1_000 != 0 {
        return None;
    }
    i64::try_from(nanos / 1_000).ok()
}

fn whole_micros(nanos: u32) -> Option<i64> {
    nanos.is_multiple_of(1_000).then_some(i64::from(nanos / 1_000))
}

/// Returns the date of a number of days since 2000, if its year is from 1 to 9999.
pub(crate) fn date(days: i32) -> Option<Date> {
    Date::from_days_since_epoch(days.checked_add(DAYS)?)
}

/// Returns the time of day. 24:00, which PostgreSQL has, is none.
pub(crate) fn time(micros: i64) -> Option<Time> {
    let second = u32::try_from(micros.div_euclid(MICROS)).ok()?;
    Time::from_second_of_day(second, micros.rem_euclid(MICROS) as u32 * 1_000)
}

/// Returns the wall clock's date and time, if its year is from 1 to 9999.
pub(crate) fn date_time(micros: i64) -> Option<DateTime> {
    let seconds = micros.div_euclid(MICROS).checked_add(SECONDS)?;
    DateTime::from_wall(seconds, micros.rem_euclid(MICROS) as u32 * 1_000)
}

/// Returns the instant in UTC, if its year is from 1 to 9999.
pub(crate) fn instant(micros: i64) -> Option<Instant> {
    let seconds = micros.div_euclid(MICROS).checked_add(SECONDS)?;
    Instant::from_unix(seconds, micros.rem_euclid(MICROS) as u32 * 1_000, Offset::new(0)?)
}

/// Returns a length of time, whose days have 24 hours.
pub(crate) fn duration(micros: i64, days: i32) -> Option<Duration> {
    let nanos = i128::from(micros) * 1_000 + i128::from(days) * 86_400_000_000_000;
    Duration::from_nanos(nanos)
}

/// Returns the days since 1970 of a number of days since 2000, if the year is from 1 to 9999.
#[inline]
pub(crate) fn unix_days(days: i32) -> Option<i32> {
    let days = days.checked_add(DAYS)?;
    (LEAST..=MOST).contains(&days).then_some(days)
}

/// Returns the microseconds since midnight, if they are a time of day.
#[inline]
pub(crate) fn micros_of_day(micros: i64) -> Option<i64> {
    (0..86_400 * MICROS).contains(&micros).then_some(micros)
}

/// Returns the microseconds since 1970 of those since 2000, if the year is from 1 to 9999.
#[inline]
pub(crate) fn unix_micros(micros: i64) -> Option<i64> {
    let micros = micros.checked_add(SECONDS * MICROS)?;
    let day = 86_400 * MICROS;
    (i64::from(LEAST) * day <= micros && micros < (i64::from(MOST) + 1) * day).then_some(micros)
}

/// Returns the microseconds of an interval without months, whose days have 24 hours.
pub(crate) fn micros_of_interval(bytes: &[u8]) -> Option<i64> {
    let (micros, rest) = bytes.split_first_chunk::<8>()?;
    let (days, months) = rest.split_first_chunk::<4>()?;
    if months != [0; 4] {
        return None;
    }
    let days = i64::from(i32::from_be_bytes(*days)).checked_mul(86_400 * MICROS)?;
    i64::from_be_bytes(*micros).checked_add(days)
}

/// Whether a number of microseconds is kept by a type of this precision, in digits of a second.
pub(crate) fn keeps(precision: Option<u8>, micros: i64) -> bool {
    let digits = u32::from(precision.unwrap_or(6).min(6));
    micros % 10_i64.pow(6 - digits) == 0
}

#[cfg(test)]
mod tests {
    use super::{LEAST, MOST};
    use demat_core::scalar::Date;

    #[test]
    fn the_edges_are_those_of_dates() {
        assert_eq!((LEAST, MOST), (Date::MIN.days_since_epoch(), Date::MAX.days_since_epoch()));
    }
}
