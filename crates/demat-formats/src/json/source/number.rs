//! Numbers.

use super::{JsonSource, wanted};
use crate::scan::prefix8;
use crate::text::{Number, NumberScan, PLAIN, other_number, plain_number};
use crate::text::{parse_digits, parse_f32, parse_f64, scan_number, short_number};
use demat_core::scalar::{Decimal, Int};
use demat_core::{Error, ErrorKind, Kind, Result, Signal, Source};
use std::borrow::Cow;

impl<'a> JsonSource<'a> {
    /// Scans the next number by the grammar alone.
    #[inline]
    pub(super) fn scan_number(&mut self) -> Result<NumberScan> {
        let found = scan_number(self.bytes, self.at);
        if let Some(fault) = found.fault {
            return Err(self.unexpected(found.end, wanted(fault)));
        }
        if found.end == self.bytes.len() && !self.last {
            return Err(self.unexpected(found.end, "more"));
        }
        Ok(found)
    }

    #[inline]
    pub(super) fn number_kind(&mut self) -> Result<Kind> {
        if prefix8(self.wide.bytes(), self.at).is_some_and(|word| short_number(word).is_some()) {
            return Ok(Kind::Int);
        }
        Ok(if self.scan_number()?.integer { Kind::Int } else { Kind::Float })
    }

    /// Takes the next number if it is an integer of the common form; after whitespace, or longer than a word.
    #[inline(always)]
    fn plain_int(&mut self) -> Option<i64> {
        let (number, len) = self.next_block()?.first_chunk::<PLAIN>().and_then(plain_number)?;
        let Number::Int(int) = number else { return None };
        self.start = self.at;
        self.at += len;
        Some(int)
    }

    /// Takes the next number if one pass can read it and it ends within the slice.
    #[inline(never)]
    pub(super) fn long_number(&mut self) -> Option<Number> {
        let (number, end) = other_number(self.bytes, self.at)?;
        // The number might continue behind the slice.
        if end == self.bytes.len() && !self.last {
            return None;
        }
        self.at = end;
        Some(number)
    }

    /// Whether an integer ends here, and not only its digits.
    #[inline(always)]
    fn ends_int(&self, end: usize) -> bool {
        match self.bytes.get(end) {
            Some(byte) => !matches!(byte, b'.' | b'e' | b'E'),
            None => self.last,
        }
    }

    #[inline(always)]
    pub(super) fn read_i64(&mut self) -> Result<i64> {
        if let Some(word) = prefix8(self.wide.bytes(), self.at)
            && let Some((value, len)) = short_number(word)
        {
            self.start = self.at;
            self.at += len;
            return Ok(value.cast_signed());
        }
        self.any_i64()
    }

    #[inline(never)]
    fn any_i64(&mut self) -> Result<i64> {
        if let Some(Number::Int(int)) = self.number_of_key(true) {
            return Ok(int);
        }
        if let Some(int) = self.common_i64() {
            return Ok(int);
        }
        let int = self.read_int()?;
        int.to_i64().ok_or_else(|| self.out_of_range("int64", &int))
    }

    /// Takes the next number if it is an integer in range; another spelling of one may be left.
    #[inline(always)]
    fn common_i64(&mut self) -> Option<i64> {
        if let Some(int) = self.plain_int() {
            return Some(int);
        }
        let negative = self.begin() == Some(b'-');
        let first = self.at + usize::from(negative);
        let digits = parse_digits(self.bytes, first);
        let end = first + digits.count;
        // The common case: one digit or no leading zero, and in range.
        let plain = digits.count == 1 || (digits.count > 1 && self.bytes[first] != b'0');
        if let Ok(value) = i64::try_from(digits.value)
            && plain
            && digits.exact
            && self.ends_int(end)
        {
            self.at = end;
            return Some(if negative { -value } else { value });
        }
        None
    }

    /// As [`read_i64`](Self::read_i64), but returns `None` for an integer beyond 64 bits, which is no error for callers
    /// that have larger ones.
    #[inline(always)]
    pub(super) fn read_fitting_i64(&mut self) -> Result<Option<i64>> {
        if let Some(word) = prefix8(self.wide.bytes(), self.at)
            && let Some((value, len)) = short_number(word)
        {
            self.start = self.at;
            self.at += len;
            return Ok(Some(value.cast_signed()));
        }
        self.any_fitting_i64()
    }

    #[inline(never)]
    fn any_fitting_i64(&mut self) -> Result<Option<i64>> {
        if let Some(Number::Int(int)) = self.number_of_key(true) {
            return Ok(Some(int));
        }
        if let Some(int) = self.common_i64() {
            return Ok(Some(int));
        }
        let at = self.at;
        let int = self.any_int()?.to_i64();
        if int.is_none() {
            self.at = at;
        }
        Ok(int)
    }

    #[inline]
    pub(super) fn read_u64(&mut self) -> Result<u64> {
        let int = self.read_int()?;
        int.to_u64().ok_or_else(|| self.out_of_range("uint64", &int))
    }

    #[cold]
    fn out_of_range(&self, expected: &'static str, int: &Int<'_>) -> Error {
        Error::mismatch(ErrorKind::Constraint, expected, int.to_string()).at(self.position())
    }

    /// Takes the key that is next, directly behind the current position, if it is a number in the common form. Any other
    /// key is left to [`key_as`](Self::key_as), and so is a number of the other kind.
    #[inline(always)]
    fn number_of_key(&mut self, int: bool) -> Option<Number> {
        if !self.key || self.bytes.get(self.at) != Some(&b'"') {
            return None;
        }
        let first = self.at + 1;
        let block = self.wide.block(first).and_then(|block| block.first_chunk::<PLAIN>());
        let (number, end) = match block.and_then(plain_number) {
            Some((number, len)) => (number, first + len),
            None => other_number(self.bytes, first)?,
        };
        // What is behind the slice does not belong to it, nor does a number that goes on there.
        if self.bytes.get(end) != Some(&b'"') || int && !matches!(number, Number::Int(_)) {
            return None;
        }
        self.start = self.at;
        self.at = end + 1;
        Some(number)
    }

    #[inline(always)]
    pub(super) fn read_int(&mut self) -> Result<Int<'a>> {
        if let Some(word) = prefix8(self.wide.bytes(), self.at)
            && let Some((value, len)) = short_number(word)
        {
            self.start = self.at;
            self.at += len;
            return Ok(Int::I64(value.cast_signed()));
        }
        self.any_int()
    }

    #[inline(never)]
    fn any_int(&mut self) -> Result<Int<'a>> {
        if let Some(int) = self.plain_int() {
            return Ok(Int::I64(int));
        }
        if !matches!(self.begin(), Some(b'-' | b'0'..=b'9')) {
            if self.at_quoted_key() {
                return self.key_as("int", |source| source.int().map(Int::into_owned));
            }
            return Err(self.mismatch("int"));
        }
        let start = self.at;
        if let Some(Number::Int(int)) = self.long_number() {
            return Ok(Int::I64(int));
        }
        self.at = start;
        let found = self.scan_number()?;
        if !found.integer {
            return Err(self.mismatch("int"));
        }
        self.at = found.end;
        let digits = &self.bytes[start..found.end];
        let negative = digits[0] == b'-';
        let read = parse_digits(digits, usize::from(negative));
        if read.exact {
            return Ok(match (negative, i64::try_from(read.value)) {
                (false, Ok(value)) => Int::I64(value),
                (false, Err(_)) => Int::U64(read.value),
                (true, Ok(value)) => Int::I64(-value),
                (true, Err(_)) => Int::from(-i128::from(read.value)),
            });
        }
        // Digits beyond 64 bits by the grammar, which has no leading zeros, are those of a `Big`.
        match core::str::from_utf8(digits) {
            Ok(digits) => Ok(Int::Big(Cow::Borrowed(digits))),
            Err(_) => Err(self.unexpected(start, "int")),
        }
    }

    #[inline(always)]
    pub(super) fn read_f64(&mut self) -> Result<f64> {
        if let Some(block) = self.next_block()
            && let Some((number, len)) = block.first_chunk::<PLAIN>().and_then(plain_number)
        {
            self.start = self.at;
            self.at += len;
            return Ok(number.into_f64(block[0]));
        }
        self.any_f64()
    }

    #[inline(never)]
    fn any_f64(&mut self) -> Result<f64> {
        let quote = self.at;
        if let Some(number) = self.number_of_key(false) {
            return Ok(number.into_f64(self.bytes[quote + 1]));
        }
        if !matches!(self.begin(), Some(b'-' | b'0'..=b'9')) {
            if self.at_quoted_key() {
                return self.key_as("float", |source| source.float());
            }
            if self.options.nonfinite_text {
                return self.read_nonfinite();
            }
            return Err(self.mismatch("float"));
        }
        let start = self.at;
        if let Some(number) = self.long_number() {
            return Ok(number.into_f64(self.bytes[start]));
        }
        let end = self.scan_number()?.end;
        match parse_f64(&self.bytes[start..end]) {
            Some(float) if float.is_finite() => {
                self.at = end;
                Ok(float)
            }
            _ => Err(self.too_large("float64", end)),
        }
    }

    pub(super) fn read_f32(&mut self) -> Result<f32> {
        if !matches!(self.begin(), Some(b'-' | b'0'..=b'9')) {
            if self.at_quoted_key() {
                return self.key_as("float", |source| source.float32());
            }
            if self.options.nonfinite_text {
                #[allow(clippy::cast_possible_truncation)] // it has no digits
                return self.read_nonfinite().map(|float| float as f32);
            }
            return Err(self.mismatch("float"));
        }
        let start = self.at;
        let end = self.scan_number()?.end;
        match parse_f32(&self.bytes[start..end]) {
            Some(float) if float.is_finite() => {
                self.at = end;
                Ok(float)
            }
            _ => Err(self.too_large("float32", end)),
        }
    }

    /// Reads the text of a float that is not finite.
    #[cold]
    fn read_nonfinite(&mut self) -> Result<f64> {
        let texts = [("\"NaN\"", f64::NAN), ("\"Infinity\"", f64::INFINITY), ("\"-Infinity\"", f64::NEG_INFINITY)];
        let rest = &self.bytes[self.at..];
        for (text, float) in texts {
            if rest.starts_with(text.as_bytes()) {
                self.at += text.len();
                return Ok(float);
            }
            if !self.last && text.as_bytes().starts_with(rest) {
                return Err(Error::signalled(Signal::Incomplete));
            }
        }
        Err(self.mismatch("float"))
    }

    #[cold]
    fn too_large(&self, expected: &'static str, end: usize) -> Error {
        let text = String::from_utf8_lossy(&self.bytes[self.at..end.min(self.at + 40)]);
        Error::mismatch(ErrorKind::Constraint, expected, text.into_owned()).at(self.position())
    }

    pub(super) fn read_decimal(&mut self) -> Result<Decimal<'a>> {
        match self.begin() {
            Some(b'-' | b'0'..=b'9') => {
                let start = self.at;
                let end = self.scan_number()?.end;
                self.at = end;
                let text = core::str::from_utf8(&self.bytes[start..end]).ok();
                text.and_then(Decimal::parse).ok_or_else(|| self.unexpected(start, "decimal"))
            }
            Some(b'"') => demat_core::derived::decimal_of_text(self),
            _ => Err(self.mismatch("decimal")),
        }
    }
}
