//! Parses numbers in one pass that also finds out whether they are integers.

use super::decimal_float::nearest_f64;
use super::eight_digits::{leading_digits, value_of, value_of_sixteen};
use super::integer_parse::{TENS, parse_digits};
use crate::scan::{digit_count, fraction_digits};

/// The result of parsing a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// A number with neither fraction nor exponent.
    Int(i64),
    /// Any other number, correctly rounded.
    Float(f64),
}

impl Number {
    /// Returns the nearest float. `first` is the first byte of its text, since a float's zero has a sign.
    #[inline(always)]
    #[allow(clippy::cast_precision_loss, reason = "the nearest is what is asked for")]
    pub(crate) fn into_f64(self, first: u8) -> f64 {
        match self {
            Self::Int(0) if first == b'-' => -0.0,
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }
}

/// The number of bytes that [`plain_number`] inspects: a sign, and three words of eight, which include the byte after
/// the number.
pub(crate) const PLAIN: usize = 25;

/// Parses the number that the block begins with. Returns it and its length if it has a common form: an integer of up to
/// 18 digits, or up to three digits before the point and 16 behind it, or up to seven and 19 of them in all.
///
/// Returns `None` for other numbers, and for text that is no number.
#[inline(always)]
pub(crate) fn plain_number(block: &[u8; PLAIN]) -> Option<(Number, usize)> {
    let negative = block[0] == b'-';
    let first = usize::from(negative);
    let word = u64::from_le_bytes(part(block, first));
    let count = leading_digits(word);
    if count == 8 {
        return plain_int(block, first, negative);
    }
    // At least one digit, and no leading zero.
    if count == 0 || (word as u8 == b'0' && count > 1) {
        return None;
    }
    let whole = value_of(word, count);
    let point = first + count;
    if block[point] != b'.' {
        return whole_number(block, point, whole, negative);
    }
    let (places, eights) = fraction_digits(&part(block, point + 1));
    let number = if count <= 3 {
        // Below 10^19, which fits a u64; no digit may be left.
        if block[point + 17].is_ascii_digit() && places == 16 {
            return None;
        }
        nearest_f64(whole * TENS[16] + eights[0] * TENS[8] + eights[1], -16)?
    } else if places <= 8 {
        // Below 10^15, which an f64 represents exactly, as it does the power. So their quotient is rounded once.
        #[allow(clippy::cast_precision_loss, reason = "there is none below 2^53")]
        let number = (whole * TENS[8] + eights[0]) as f64;
        number / 1e8
    } else if places < 16 && count + places <= 19 {
        // As above: below 10^19.
        let fraction = value_of_sixteen(part(block, point + 1), places);
        nearest_f64(whole * TENS[places] + fraction, -(places.cast_signed() as i32))?
    } else {
        return None;
    };
    let end = point + 1 + places;
    if places == 0 || block[end] | 0x20 == b'e' {
        return None;
    }
    Some((Number::Float(if negative { -number } else { number }), end))
}

/// As [`plain_number`], for an integer of eight digits or more.
#[inline(always)]
fn plain_int(block: &[u8; PLAIN], first: usize, negative: bool) -> Option<(Number, usize)> {
    let digits = part(block, first);
    let count = digit_count(&digits);
    if digits[0] == b'0' {
        return None;
    }
    if count < 16 {
        return whole_number(block, first + count, value_of_sixteen(digits, count), negative);
    }
    let word = u64::from_le_bytes(part(block, first + 16));
    let more = leading_digits(word);
    if more > 2 {
        return None;
    }
    let number = value_of_sixteen(digits, 16) * TENS[more] + value_of(word, more);
    whole_number(block, first + 16 + more, number, negative)
}

/// Returns the number, unless the byte after its digits makes it a float.
#[inline(always)]
fn whole_number(block: &[u8; PLAIN], end: usize, number: u64, negative: bool) -> Option<(Number, usize)> {
    let stop = block[end];
    if stop == b'.' || stop | 0x20 == b'e' {
        return None;
    }
    let number = number.cast_signed();
    Some((Number::Int(if negative { -number } else { number }), end))
}

#[inline(always)]
fn part<const N: usize>(block: &[u8; PLAIN], at: usize) -> [u8; N] {
    let mut part = [0; N];
    part.copy_from_slice(&block[at..at + N]);
    part
}

/// Parses the number at `from`. Returns it and its end if it has up to 19 digits. Returns `None` for numbers that are
/// too large for their kind, for powers of ten outside of the table, and for text that is no number.
///
/// It may read to the end of the input, and does not check what follows.
#[inline(never)]
pub(crate) fn other_number(bytes: &[u8], from: usize) -> Option<(Number, usize)> {
    let negative = bytes.get(from) == Some(&b'-');
    let first = from + usize::from(negative);
    let whole = parse_digits(bytes, first);
    if whole.count == 0 || !whole.exact || (bytes[first] == b'0' && whole.count > 1) {
        return None;
    }
    let mut end = first + whole.count;
    let (mut number, mut power) = (whole.value, 0);
    let mut float = false;
    if bytes.get(end) == Some(&b'.') {
        let places = parse_digits(bytes, end + 1);
        // 19 digits are below 10^19, which fits a u64.
        if places.count == 0 || whole.count + places.count > 19 {
            return None;
        }
        number = number * TENS[places.count] + places.value;
        power = -(places.count.cast_signed() as i32);
        end += 1 + places.count;
        float = true;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let sign = bytes.get(end + 1).filter(|sign| matches!(sign, b'+' | b'-'));
        let first = end + 1 + usize::from(sign.is_some());
        let exponent = parse_digits(bytes, first);
        if exponent.count == 0 || exponent.count > 8 {
            return None;
        }
        let size = exponent.value.cast_signed() as i32;
        power += if sign == Some(&b'-') { -size } else { size };
        end = first + exponent.count;
        float = true;
    }
    if float {
        let float = nearest_f64(number, power)?;
        return Some((Number::Float(if negative { -float } else { float }), end));
    }
    let number = i64::try_from(number).ok()?;
    Some((Number::Int(if negative { -number } else { number }), end))
}
