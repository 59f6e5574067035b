//! Scalars in the data of a block.

use super::super::decimal;
use super::super::header::read_exactly;
use super::super::schema::{Digits, Node, Unit};
use super::{AvroSource, Found};
use crate::proto::varint::{LONGEST, unzigzag};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Offset, Time};
use demat_core::{Error, ErrorKind, Result, excerpt};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

impl AvroSource<'_, '_> {
    /// Reads a number. Returns it and its end.
    #[inline]
    pub(super) fn long(&self, at: usize, expected: &'static str) -> Result<(i64, usize)> {
        let rest = self.data().get(at..).unwrap_or_default();
        match read_exactly(rest) {
            Some((number, len)) => Ok((unzigzag(number), at + len)),
            None if rest.len() < LONGEST => Err(self.ended(expected)),
            None => Err(self.unexpected(at, expected, "a longer number")),
        }
    }

    /// Reads a number of a node. Returns it and its end.
    #[inline]
    pub(super) fn number(&self, node: Node) -> Result<(i64, usize)> {
        let (number, end) = self.long(self.at, "a number")?;
        if matches!(node, Node::Int | Node::Date | Node::Time(Unit::Millis)) && i32::try_from(number).is_err() {
            return Err(self.unexpected(self.at, "a number of 32 bits", number.to_string()));
        }
        Ok((number, end))
    }

    /// Reads so many bytes. Returns their end.
    pub(super) fn bytes_end(&self, at: usize, len: u64, expected: &'static str) -> Result<usize> {
        let end = usize::try_from(len).ok().and_then(|len| at.checked_add(len));
        end.filter(|end| *end <= self.data().len()).ok_or_else(|| self.ended(expected))
    }

    /// Reads a length and as many bytes. Returns their range.
    #[inline]
    pub(super) fn sized(&self, expected: &'static str) -> Result<(usize, usize)> {
        let (len, begin) = self.long(self.at, "a length")?;
        let len = u64::try_from(len).map_err(|_| self.unexpected(self.at, "a length", len.to_string()))?;
        Ok((begin, self.bytes_end(begin, len, expected)?))
    }

    pub(super) fn array<const N: usize>(&self, expected: &'static str) -> Result<[u8; N]> {
        let bytes = self.data().get(self.at..).and_then(<[u8]>::first_chunk);
        bytes.copied().ok_or_else(|| self.ended(expected))
    }

    /// Returns the text at a range.
    pub(super) fn utf8(&self, (begin, end): (usize, usize)) -> Result<&str> {
        let content = &self.data()[begin..end];
        simdutf8::compat::from_utf8(content).map_err(|error| {
            let bad = error.valid_up_to();
            let found = format!("byte 0x{:02x}", content.get(bad).copied().unwrap_or_default());
            self.unexpected(begin + bad, "text in UTF-8", found)
        })
    }

    /// Reads a bool.
    pub(super) fn flag(&self) -> Result<bool> {
        match self.data().get(self.at) {
            Some(0) => Ok(false),
            Some(1) => Ok(true),
            Some(other) => Err(self.unexpected(self.at, "a bool: 0 or 1", format!("byte 0x{other:02x}"))),
            None => Err(self.ended("a bool")),
        }
    }

    /// Reads the index of one of `count` branches or names. Returns it and its end.
    pub(super) fn index(&self, count: usize, expected: &'static str) -> Result<(usize, usize)> {
        let (index, end) = self.long(self.at, expected)?;
        match usize::try_from(index) {
            Ok(index) if index < count => Ok((index, end)),
            _ => Err(self.unexpected(self.at, expected, format!("{index} of {count}"))),
        }
    }

    /// Reads an enum. Returns the index of the name, and the end.
    pub(super) fn symbol(&self, names: u32) -> Result<(usize, usize)> {
        let count = self.header()?.schema.names(names).map_or(0, demat_core::Enum::len);
        self.index(count, "the index of a name")
    }

    /// Reads a scalar that was written as text.
    pub(super) fn parsed<T>(&mut self, expected: &'static str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let range = self.sized("text")?;
        let text = self.utf8(range)?;
        let Some(value) = parse(text) else {
            return Err(Error::other_text(expected, text).at(self.position_of(self.start)));
        };
        self.done(range.1);
        Ok(value)
    }

    pub(super) fn decimal_of(&mut self, digits: Digits) -> Result<Decimal<'static>> {
        let (begin, end) = match digits.size {
            Some(size) => (self.at, self.bytes_end(self.at, size.into(), "a decimal")?),
            None => self.sized("a decimal")?,
        };
        let bytes = &self.data()[begin..end];
        let Some(decimal) = decimal::of_bytes(bytes, digits.precision, digits.scale) else {
            let (expected, found) =
                (format!("a decimal of {} digits at most", digits.precision), excerpt::bytes(bytes));
            return Err(Error::mismatch(ErrorKind::Constraint, expected, found).at(self.position_of(self.start)));
        };
        self.done(end);
        Ok(decimal)
    }

    pub(super) fn date_of(&mut self) -> Result<Date> {
        let (days, end) = self.number(Node::Date)?;
        let date = i32::try_from(days).ok().and_then(Date::from_days_since_epoch);
        let date = date.ok_or_else(|| self.out_of_range("a date in the years 1 to 9999", days))?;
        self.done(end);
        Ok(date)
    }

    pub(super) fn time_of(&mut self, unit: Unit) -> Result<Time> {
        let (number, end) = self.number(Node::Time(unit))?;
        let (seconds, nanos) = split(number, unit);
        let time = u32::try_from(seconds).ok().and_then(|seconds| Time::from_second_of_day(seconds, nanos));
        let time = time.ok_or_else(|| self.out_of_range("a time of a day", number))?;
        self.done(end);
        Ok(time)
    }

    pub(super) fn instant_of(&mut self, unit: Unit) -> Result<Instant> {
        let (number, end) = self.number(Node::Timestamp(unit))?;
        let (seconds, nanos) = split(number, unit);
        let instant = Instant::from_unix(seconds, nanos, Offset::UTC);
        let instant = instant.ok_or_else(|| self.out_of_range("an instant in the years 1 to 9999", number))?;
        self.done(end);
        Ok(instant)
    }

    pub(super) fn local_of(&mut self, unit: Unit) -> Result<DateTime> {
        let (number, end) = self.number(Node::Local(unit))?;
        let (seconds, nanos) = split(number, unit);
        let at = DateTime::from_wall(seconds, nanos);
        let at = at.ok_or_else(|| self.out_of_range("a datetime in the years 1 to 9999", number))?;
        self.done(end);
        Ok(at)
    }

    /// Reads months, days and milliseconds. Months have no length.
    pub(super) fn duration_of(&mut self) -> Result<Duration> {
        let bytes: [u8; 12] = self.array("a duration of 12 bytes")?;
        let part = |from: usize| {
            i64::from(u32::from_le_bytes([bytes[from], bytes[from + 1], bytes[from + 2], bytes[from + 3]]))
        };
        let (months, days, millis) = (part(0), part(4), part(8));
        if months != 0 {
            return Err(self.out_of_range("a duration without months, which differ in length", months));
        }
        let (seconds, nanos) = split(millis, Unit::Millis);
        let duration = Duration::new(days * DAY + seconds, nanos);
        let duration = duration.ok_or_else(|| self.out_of_range("a duration", days))?;
        self.done(self.at + 12);
        Ok(duration)
    }

    /// Returns the name of an enum, or the key of a field.
    pub(super) fn name(&self, found: Found) -> Option<&str> {
        match found {
            Found::Key(field) => {
                let record = self.top().and_then(|frame| self.state.header.as_ref()?.schema.record(frame.node));
                record.and_then(|record| record.fields.get(field as usize)).map(|field| &*field.key)
            }
            Found::Node(Node::Enum(names)) => {
                let (index, _) = self.symbol(names).ok()?;
                self.state.header.as_ref()?.schema.names(names).map(|names| names.name_at(index))
            }
            Found::Node(_) => None,
        }
    }
}

/// Splits a number of units into seconds and nanoseconds.
fn split(number: i64, unit: Unit) -> (i64, u32) {
    let per = unit.per_second();
    // The rest is below 10^9.
    let rest = u32::try_from(number.rem_euclid(per)).unwrap_or_default();
    (number.div_euclid(per), rest * unit.nanos())
}
