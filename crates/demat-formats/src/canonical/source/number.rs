//! Numbers, bytes, and texts that hold other kinds.

use super::CanonicalSource;
use super::frame::{Frame, Next};
use demat_core::scalar::{Decimal, Int};
use demat_core::{Error, ErrorKind, Kind, Result, Source};
use std::borrow::Cow;

/// Parses a number of few digits, the common case.
#[inline]
fn few_digits(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let plain = matches!(digits, [b'0'] | [b'1'..=b'9', ..]) && digits.len() <= 18;
    if !plain || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
    Some(if digits.len() == text.len() { value } else { -value })
}

/// Parses a text to seconds and nanoseconds.
type Times = fn(&str) -> Option<(i64, i64)>;

/// Returns the error for a text that is not the text of what was expected.
#[cold]
pub(super) fn other_text(expected: &'static str, text: &str) -> Error {
    Error::other_text(expected, text).with_kind(ErrorKind::Constraint)
}

/// More digits than any 64-bit number has.
const MOST_DIGITS: usize = 24;

impl<'a, S: Source<'a>> CanonicalSource<'a, S> {
    /// Reads an integer: a number or a quoted one, also with a fraction or an exponent if its value is whole.
    pub(super) fn read_int(&mut self) -> Result<Int<'a>> {
        if let Next::Int(value) = self.next {
            self.next = Next::Value;
            return Ok(Int::I64(value));
        }
        match self.inner.peek()? {
            Kind::Int => self.inner.int(),
            Kind::Text => {
                let text = self.inner.text()?;
                let value = few_digits(&text).map(Int::I64).or_else(|| whole(&text));
                let value = value.ok_or_else(|| other_text("a whole number", &text));
                value.map_err(|error| error.at(self.inner.position()))
            }
            Kind::Float | Kind::Decimal => {
                let number = self.inner.decimal()?;
                let value = whole(number.as_str());
                value.ok_or_else(|| self.refused("a whole number", "a fraction, or too large a number"))
            }
            _ => Err(self.inner.mismatch("int")),
        }
    }

    #[cold]
    pub(super) fn text_float(&mut self) -> Result<f64> {
        let text = self.inner.text()?;
        let value = match &*text {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            text => Decimal::parse(text).and_then(|_| text.parse().ok()).filter(|value: &f64| value.is_finite()),
        };
        let value = value.ok_or_else(|| other_text("a number, `NaN` or `Infinity`", &text));
        value.map_err(|error| error.at(self.inner.position()))
    }

    #[cold]
    pub(super) fn text_float32(&mut self) -> Result<f32> {
        let text = self.inner.text()?;
        let value = match &*text {
            "NaN" => Some(f32::NAN),
            "Infinity" => Some(f32::INFINITY),
            "-Infinity" => Some(f32::NEG_INFINITY),
            text => Decimal::parse(text).and_then(|_| text.parse().ok()).filter(|value: &f32| value.is_finite()),
        };
        let value = value.ok_or_else(|| other_text("a number, `NaN` or `Infinity`", &text));
        value.map_err(|error| error.at(self.inner.position()))
    }

    pub(super) fn read_times(&mut self, read: Times, expected: &'static str) -> Result<(i64, i64)> {
        let text = self.inner.text()?;
        let times = read(&text);
        let times = times.ok_or_else(|| other_text(expected, &text));
        times.map_err(|error| error.at(self.inner.position()))
    }

    pub(super) fn read_bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        if self.next == Next::Bytes {
            self.next = Next::Value;
            if let Some(Frame::Any { bytes, .. }) = self.frames.last_mut() {
                return Ok(Cow::Owned(core::mem::take(bytes)));
            }
        }
        let text = self.inner.text()?;
        let bytes = base64(text.as_bytes());
        let bytes = bytes.map(Cow::Owned).ok_or_else(|| other_text("`bytes` in base64", &text));
        bytes.map_err(|error| error.at(self.inner.position()))
    }
}

/// Decodes base64 in either alphabet, padded or not. Excess bits at the end are dropped, as other decoders do.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let digits = match text {
        [digits @ .., b'=', b'='] | [digits @ .., b'='] if text.len().is_multiple_of(4) => digits,
        digits => digits,
    };
    if digits.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for four in digits.chunks(4) {
        let mut bits = 0_u32;
        for digit in four {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        bits <<= 6 * (4 - four.len());
        let [_, whole @ ..] = bits.to_be_bytes();
        bytes.extend_from_slice(&whole[..four.len() - 1]);
    }
    Some(bytes)
}

/// Returns the value of a number's text if it is whole and of about 64 bits at most.
fn whole(text: &str) -> Option<Int<'static>> {
    Decimal::parse(text)?;
    if !text.contains(['.', 'e', 'E']) {
        return Int::from_digits(text).map(Int::into_owned);
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{before}{behind}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Int::I64(0));
    }
    let point = exponent.checked_sub(i64::try_from(behind.len()).ok()?)?;
    let digits = if point < 0 {
        let cut = digits.len().checked_sub(usize::try_from(-point).ok()?)?;
        let (digits, rest) = digits.split_at(cut);
        if rest.bytes().any(|digit| digit != b'0') {
            return None;
        }
        digits.to_owned()
    } else {
        let zeros = usize::try_from(point).ok().filter(|zeros| *zeros <= MOST_DIGITS)?;
        format!("{digits}{}", "0".repeat(zeros))
    };
    Int::from_digits(&format!("{sign}{digits}")).map(Int::into_owned)
}
