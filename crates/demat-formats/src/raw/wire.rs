//! Scalars that have several parts: dates, times and spans of time.

use super::varint::{self, NoVarint, zigzag};
use demat_core::scalar::{Date, DateTime, Duration, Instant, Offset, Time};

/// Why no such scalar could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoScalar {
    Varint(NoVarint),
    /// The numbers are out of range.
    Range,
}

impl From<NoVarint> for NoScalar {
    fn from(fault: NoVarint) -> Self {
        Self::Varint(fault)
    }
}

/// A value and its end.
pub(super) type Read<T> = Result<(T, usize), NoScalar>;

/// Writes days since 1970-01-01.
pub(super) fn write_date(buffer: &mut Vec<u8>, date: Date) {
    varint::write(buffer, zigzag(date.days_since_epoch().into()));
}

pub(super) fn read_date(bytes: &[u8], at: usize) -> Read<Date> {
    let (days, end) = signed(bytes, at)?;
    let date = i32::try_from(days).ok().and_then(Date::from_days_since_epoch);
    Ok((date.ok_or(NoScalar::Range)?, end))
}

/// Writes twice the second of the day, plus 1 if nanoseconds follow.
pub(super) fn write_time(buffer: &mut Vec<u8>, time: Time) {
    write_seconds(buffer, time.second_of_day().into(), time.nanosecond());
}

pub(super) fn read_time(bytes: &[u8], at: usize) -> Read<Time> {
    let (seconds, nanos, end) = read_seconds(bytes, at)?;
    let time = u32::try_from(seconds).ok().and_then(|seconds| Time::from_second_of_day(seconds, nanos));
    Ok((time.ok_or(NoScalar::Range)?, end))
}

pub(super) fn write_date_time(buffer: &mut Vec<u8>, at: DateTime) {
    write_date(buffer, at.date);
    write_time(buffer, at.time);
}

pub(super) fn read_date_time(bytes: &[u8], at: usize) -> Read<DateTime> {
    let (date, at) = read_date(bytes, at)?;
    let (time, end) = read_time(bytes, at)?;
    Ok((DateTime::new(date, time), end))
}

/// Writes the local date and time, and then the offset: 0 if unknown, otherwise its zigzag form plus 1. Minutes are an
/// odd number, seconds an even one.
pub(super) fn write_instant(buffer: &mut Vec<u8>, at: DateTime, offset: Option<Offset>) {
    write_date_time(buffer, at);
    let offset = offset.map_or(0, |offset| {
        let seconds = i64::from(offset.seconds());
        if seconds % 60 == 0 { zigzag(seconds / 60) * 2 + 1 } else { zigzag(seconds) * 2 + 2 }
    });
    varint::write(buffer, offset);
}

pub(super) fn read_instant(bytes: &[u8], at: usize) -> Read<Instant> {
    let (at, next) = read_date_time(bytes, at)?;
    let (offset, end) = varint::read(bytes, next)?;
    let Some(left) = offset.checked_sub(1) else { return Ok((at.into(), end)) };
    let (value, is_minutes) = (varint::unzigzag(left / 2), left % 2 == 0);
    let seconds = if is_minutes { value.checked_mul(60) } else { Some(value).filter(|seconds| seconds % 60 != 0) };
    let offset = seconds.and_then(|seconds| i32::try_from(seconds).ok()).and_then(Offset::new);
    Ok((at.with_offset(offset.ok_or(NoScalar::Range)?), end))
}

/// Writes twice the zigzag form of the seconds, plus 1 if nanoseconds follow.
pub(super) fn write_duration(buffer: &mut Vec<u8>, value: Duration) {
    write_seconds(buffer, zigzag(value.seconds()), value.nanos());
}

pub(super) fn read_duration(bytes: &[u8], at: usize) -> Read<Duration> {
    let (seconds, nanos, end) = read_seconds(bytes, at)?;
    let seconds = i64::try_from(varint::unzigzag(seconds)).ok();
    Ok((seconds.and_then(|seconds| Duration::new(seconds, nanos)).ok_or(NoScalar::Range)?, end))
}

fn write_seconds(buffer: &mut Vec<u8>, seconds: u64, nanos: u32) {
    varint::write_wide(buffer, u128::from(seconds) * 2 + u128::from(nanos != 0));
    if nanos != 0 {
        varint::write(buffer, nanos.into());
    }
}

fn read_seconds(bytes: &[u8], at: usize) -> Result<(u128, u32, usize), NoScalar> {
    let (both, end) = varint::read(bytes, at)?;
    if both % 2 == 0 {
        return Ok((both / 2, 0, end));
    }
    let (nanos, end) = varint::read(bytes, end)?;
    match u32::try_from(nanos) {
        Ok(nanos @ 1..=999_999_999) => Ok((both / 2, nanos, end)),
        _ => Err(NoScalar::Range),
    }
}

fn signed(bytes: &[u8], at: usize) -> Result<(i128, usize), NoScalar> {
    let (value, end) = varint::read(bytes, at)?;
    Ok((varint::unzigzag(value), end))
}
