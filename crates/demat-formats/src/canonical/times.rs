//! Timestamps and durations as text of canonical JSON.

use demat_core::scalar::Date;

/// The first and the last second of the years 1 to 9999, since 1970.
const EARLIEST: i64 = -62_135_596_800;
const LATEST: i64 = 253_402_300_799;
/// The number of seconds in ten thousand years.
const LONGEST: i64 = 315_576_000_000;
const DAY: i64 = 86_400;

/// Appends a fraction of a second with 0, 3, 6 or 9 digits: as few as are exact.
fn fraction(nanos: u32, out: &mut String) {
    use core::fmt::Write;
    // Writing to memory can't fail.
    let _ = match nanos {
        0 => Ok(()),
        _ if nanos.is_multiple_of(1_000_000) => write!(out, ".{:03}", nanos / 1_000_000),
        _ if nanos.is_multiple_of(1_000) => write!(out, ".{:06}", nanos / 1_000),
        _ => write!(out, ".{nanos:09}"),
    };
}

/// Appends a timestamp such as `1972-01-01T10:00:20.021Z`. Returns `None` if it is out of range.
pub(super) fn write_timestamp(seconds: i64, nanos: i64, out: &mut String) -> Option<()> {
    use core::fmt::Write;
    if !(EARLIEST..=LATEST).contains(&seconds) || !(0..1_000_000_000).contains(&nanos) {
        return None;
    }
    let date = Date::from_days_since_epoch(seconds.div_euclid(DAY) as i32)?;
    let second = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let _ = write!(out, "{:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}", date.year(), date.month(), date.day());
    fraction(u32::try_from(nanos).ok()?, out);
    out.push('Z');
    Some(())
}

/// Appends a duration such as `-1.500s`. Returns `None` if it is out of range, or if both parts differ in sign.
pub(super) fn write_duration(seconds: i64, nanos: i64, out: &mut String) -> Option<()> {
    use core::fmt::Write;
    let same = seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0);
    if !(-LONGEST..=LONGEST).contains(&seconds) || nanos.abs() >= 1_000_000_000 || !same {
        return None;
    }
    let sign = if seconds < 0 || nanos < 0 { "-" } else { "" };
    let _ = write!(out, "{sign}{}", seconds.unsigned_abs());
    fraction(nanos.unsigned_abs() as u32, out);
    out.push('s');
    Some(())
}

/// Parses a time of RFC 3339 with an offset to seconds and nanoseconds.
pub(super) fn read_timestamp(text: &str) -> Option<(i64, i64)> {
    let bytes = text.as_bytes();
    // The specification demands a capital `T` and a capital `Z`.
    if bytes.get(10) != Some(&b'T') || bytes.last() == Some(&b'z') {
        return None;
    }
    let nanos = demat_core::scalar::Instant::parse(text)?.unix_nanos()?;
    let seconds = i64::try_from(nanos.div_euclid(1_000_000_000)).ok()?;
    (EARLIEST..=LATEST).contains(&seconds).then(|| (seconds, nanos.rem_euclid(1_000_000_000) as i64))
}

/// Parses a duration such as `-1.5s` to seconds and nanoseconds.
pub(super) fn read_duration(text: &str) -> Option<(i64, i64)> {
    let text = text.strip_suffix('s')?;
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let (whole, part) = digits.split_once('.').map_or((digits, None), |(whole, part)| (whole, Some(part)));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || whole.len() > 12 {
        return None;
    }
    let seconds: i64 = whole.parse().ok()?;
    let nanos = match part {
        None => 0,
        Some(part) if all_digits(part) && part.len() <= 9 => {
            part.parse::<i64>().ok()? * 10_i64.pow(9 - part.len() as u32)
        }
        Some(_) => return None,
    };
    (seconds <= LONGEST).then_some((sign * seconds, sign * nanos))
}
