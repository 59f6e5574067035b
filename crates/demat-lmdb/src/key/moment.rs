//! Dates and times, as numbers since 1970.

use super::tag;
use demat_core::scalar::Date;

/// The length of a date.
pub(super) const DATE_LEN: usize = 4;
/// The length of a date and time.
pub(super) const LEN: usize = 12;
const SECOND: i128 = 1_000_000_000;
const SIGN: u64 = 1 << 63;

pub(super) fn append_date(date: Date, key: &mut Vec<u8>) {
    key.push(tag::DATE);
    key.extend_from_slice(&(date.days_since_epoch().cast_unsigned() ^ 1 << 31).to_be_bytes());
}

pub(super) fn read_date(bytes: [u8; DATE_LEN]) -> Option<Date> {
    Date::from_days_since_epoch((u32::from_be_bytes(bytes) ^ 1 << 31).cast_signed())
}

pub(super) fn append(tag: u8, nanos: i128, key: &mut Vec<u8>) {
    // Years have at most four digits, so the seconds fit.
    let seconds = nanos.div_euclid(SECOND) as i64;
    let nanos = nanos.rem_euclid(SECOND) as u32;
    key.push(tag);
    key.extend_from_slice(&(seconds.cast_unsigned() ^ SIGN).to_be_bytes());
    key.extend_from_slice(&nanos.to_be_bytes());
}

/// Returns seconds and nanoseconds.
pub(super) fn read(bytes: [u8; LEN]) -> Option<(i64, u32)> {
    let (seconds, nanos) = bytes.split_at(8);
    let seconds = (u64::from_be_bytes(seconds.try_into().ok()?) ^ SIGN).cast_signed();
    let nanos = u32::from_be_bytes(nanos.try_into().ok()?);
    (i128::from(nanos) < SECOND).then_some((seconds, nanos))
}
