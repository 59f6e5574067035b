//! Converts Arrow's numbers to the contract's scalars.

use super::column::{Column, Nanos, Values, Zone};
use arrow_buffer::i256;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Offset, Time};
use demat_core::{Error, ErrorKind, Result};

const SECOND: i128 = 1_000_000_000;

#[cold]
fn beyond(expected: &'static str, found: &impl ToString) -> Error {
    Error::mismatch(ErrorKind::Constraint, expected, found.to_string())
}

impl Column {
    /// Returns the integer of a row.
    #[inline]
    pub(super) fn int(&self, row: usize) -> Option<Result<Int<'static>>> {
        Some(Ok(match &self.values {
            Values::I64(own) => Int::I64(own.value(row)),
            Values::I8(own) => own.value(row).into(),
            Values::I16(own) => own.value(row).into(),
            Values::I32(own) => own.value(row).into(),
            Values::U8(own) => own.value(row).into(),
            Values::U16(own) => own.value(row).into(),
            Values::U32(own) => own.value(row).into(),
            Values::U64(own) => own.value(row).into(),
            Values::D32(..) | Values::D64(..) | Values::D128(..) | Values::D256(..) => {
                let text = self.decimal_text(row)?;
                let whole = text.strip_suffix('.').unwrap_or(&text);
                let whole = match whole.split_once('.') {
                    Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
                    Some(_) => return Some(Err(beyond("int", &text))),
                    None => whole,
                };
                match Int::from_digits(whole) {
                    Some(int) => int.into_owned(),
                    None => return Some(Err(beyond("int", &text))),
                }
            }
            _ => return None,
        }))
    }

    /// Returns the number of a row as a float.
    #[inline]
    pub(super) fn float(&self, row: usize) -> Option<Result<f64>> {
        Some(Ok(match &self.values {
            Values::F64(own) => own.value(row),
            Values::F32(own) => own.value(row).into(),
            Values::F16(own) => own.value(row).to_f64(),
            Values::D32(..) | Values::D64(..) | Values::D128(..) | Values::D256(..) => {
                let text = self.decimal_text(row)?;
                match Decimal::parse(&text).map(|decimal| decimal.to_f64()).filter(|float| float.is_finite()) {
                    Some(float) => float,
                    None => return Some(Err(beyond("float64", &text))),
                }
            }
            // The nearest float; all integers are in range.
            _ => self.int(row)?.ok()?.to_f64(),
        }))
    }

    /// Returns the text of a decimal.
    fn decimal_text(&self, row: usize) -> Option<String> {
        let (digits, scale) = match &self.values {
            Values::D32(own, scale) => (own.value(row).to_string(), *scale),
            Values::D64(own, scale) => (own.value(row).to_string(), *scale),
            Values::D128(own, scale) => (own.value(row).to_string(), *scale),
            Values::D256(own, scale) => (i256::to_string(&own.value(row)), *scale),
            _ => return None,
        };
        Some(pointed(digits, scale))
    }

    /// Returns the exact number of a row.
    pub(super) fn decimal(&self, row: usize) -> Option<Result<Decimal<'static>>> {
        if let Some(text) = self.decimal_text(row) {
            return Some(Decimal::parse(&text).map(Decimal::into_owned).ok_or_else(|| beyond("decimal", &text)));
        }
        match &self.values {
            Values::F64(own) => Some(of_float(own.value(row))),
            Values::F32(own) => Some(of_narrow(own.value(row))),
            Values::F16(own) => Some(of_narrow(own.value(row).to_f32())),
            _ => Some(self.int(row)?.map(Decimal::from_int)),
        }
    }

    pub(super) fn date(&self, row: usize) -> Option<Result<Date>> {
        match &self.values {
            Values::Date(own) => {
                let days = own.value(row);
                let date = Date::from_days_since_epoch(days);
                Some(date.ok_or_else(|| beyond("a date of the years 1 to 9999", &format!("day {days} since 1970"))))
            }
            // A date in milliseconds.
            Values::Instant(_, _, Zone::Naive) => Some(self.date_time(row)?.and_then(|at| match at.time {
                Time::MIN => Ok(at.date),
                _ => Err(beyond("a date", &format!("`{at}`"))),
            })),
            _ => None,
        }
    }

    pub(super) fn time(&self, row: usize) -> Option<Result<Time>> {
        let nanos = match &self.values {
            Values::Time32(own, unit) => i128::from(own[row]) * i128::from(*unit),
            Values::Time64(own, unit) => i128::from(own[row]) * i128::from(*unit),
            _ => return None,
        };
        let time = u32::try_from(nanos.div_euclid(SECOND)).ok();
        let time = time.and_then(|second| Time::from_second_of_day(second, nanos.rem_euclid(SECOND) as u32));
        Some(time.ok_or_else(|| beyond("a time of day", &format!("{nanos} nanoseconds"))))
    }

    /// Returns the date and time of a row, if the column has no zone.
    pub(super) fn date_time(&self, row: usize) -> Option<Result<DateTime>> {
        let Values::Instant(own, unit, Zone::Naive) = &self.values else { return None };
        let (seconds, nanos) = seconds(own[row], *unit);
        Some(
            DateTime::from_wall(seconds, nanos)
                .ok_or_else(|| beyond_years("a datetime of the years 1 to 9999", seconds)),
        )
    }

    /// Returns the date and time of a row, with the column's offset if it has one.
    pub(super) fn instant(&self, row: usize) -> Option<Result<Instant>> {
        let Values::Instant(own, unit, Zone::At(offset)) = &self.values else {
            return Some(self.date_time(row)?.map(Instant::from));
        };
        let (seconds, nanos) = seconds(own[row], *unit);
        // Near the first and the last year, the clock's year may be out of range although the year in UTC is not.
        let instant =
            Instant::from_unix(seconds, nanos, *offset).or_else(|| Instant::from_unix(seconds, nanos, Offset::UTC));
        Some(instant.ok_or_else(|| beyond_years("an instant of the years 1 to 9999", seconds)))
    }

    pub(super) fn duration(&self, row: usize) -> Option<Result<Duration>> {
        match &self.values {
            Values::Duration(own, unit) => {
                let nanos = i128::from(own[row]) * i128::from(*unit);
                Some(Duration::from_nanos(nanos).ok_or_else(|| beyond("a duration", &format!("{nanos} nanoseconds"))))
            }
            _ => None,
        }
    }

    #[inline]
    pub(super) fn text(&self, row: usize) -> Option<&str> {
        Some(match &self.values {
            Values::Text(own) => own.value(row),
            Values::LargeText(own) => own.value(row),
            Values::TextView(own) => own.value(row),
            _ => return None,
        })
    }

    pub(super) fn bytes(&self, row: usize) -> Option<&[u8]> {
        Some(match &self.values {
            Values::Bytes(own) => own.value(row),
            Values::LargeBytes(own) => own.value(row),
            Values::BytesView(own) => own.value(row),
            Values::FixedBytes(own) => own.value(row),
            _ => return None,
        })
    }
}

/// Converts to seconds since 1970, and nanoseconds below a second.
fn seconds(value: i64, unit: Nanos) -> (i64, u32) {
    let nanos = i128::from(value) * i128::from(unit);
    // The result never exceeds 64 bits.
    (nanos.div_euclid(SECOND) as i64, nanos.rem_euclid(SECOND) as u32)
}

#[cold]
fn beyond_years(expected: &'static str, seconds: i64) -> Error {
    beyond(expected, &format!("second {seconds} since 1970"))
}

fn of_float(float: f64) -> Result<Decimal<'static>> {
    Decimal::parse(&format!("{float:e}")).map(Decimal::into_owned).ok_or_else(|| beyond("decimal", &float))
}

fn of_narrow(float: f32) -> Result<Decimal<'static>> {
    Decimal::parse(&format!("{float:e}")).map(Decimal::into_owned).ok_or_else(|| beyond("decimal", &float))
}

/// Inserts a point before the last `scale` digits.
fn pointed(digits: String, scale: i8) -> String {
    if scale == 0 {
        return digits;
    }
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |digits| ("-", digits));
    let places = usize::from(scale.unsigned_abs());
    if scale < 0 {
        let zeros = if digits == "0" { 0 } else { places };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    format!("{sign}{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::pointed;

    #[test]
    fn points_stand_where_the_scale_says() {
        let of = |digits: &str, scale| pointed(digits.to_string(), scale);
        assert_eq!(of("150", 2), "1.50");
        assert_eq!(of("-5", 3), "-0.005");
        assert_eq!(of("0", 2), "0.00");
        assert_eq!(of("12", -3), "12000");
        assert_eq!(of("0", -3), "0");
        assert_eq!(of("-7", 0), "-7");
    }
}
