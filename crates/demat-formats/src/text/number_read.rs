//! Numbers read in one pass: whether they are whole is found out on the way.

use super::decimal_float::nearest_f64;
use super::eight_digits::{leading_digits, value_of, value_of_sixteen};
use super::integer_parse::{TENS, parse_digits};
use crate::scan::{digit_count, fraction_digits};

/// A number that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// One with neither fraction nor exponent.
    Int(i64),
    /// Any other, correctly rounded.
    Float(f64),
}

impl Number {
    /// The float that is nearest to it; `first` is the byte that it begins with, as the sign of a float's zero counts.
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

/// So many bytes are looked at for a [`plain_number`], what ends it included: a sign, and three words of eight.
pub(crate) const PLAIN: usize = 25;

/// The number that the block begins with, and its length, if it is one of the kinds that most numbers are: whole ones
/// of up to 18 digits, and those with up to three digits before the point and 16 behind it, or seven and eight.
///
/// Nothing for any other, and for what is no number.
#[inline(always)]
pub(crate) fn plain_number(block: &[u8; PLAIN]) -> Option<(Number, usize)> {
    let negative = block[0] == b'-';
    let first = usize::from(negative);
    let word = u64::from_le_bytes(part(block, first));
    let count = leading_digits(word);
    if count == 8 {
        return plain_int(block, first, negative);
    }
    // Some digits, and no zero in front of others.
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
        // Below 10^19, which a u64 holds; no digit may be left.
        if block[point + 17].is_ascii_digit() && places == 16 {
            return None;
        }
        nearest_f64(whole * TENS[16] + eights[0] * TENS[8] + eights[1], -16)?
    } else if places <= 8 {
        // Below 10^15, which an f64 holds, as it does the power: so their quotient is rounded once.
        #[allow(clippy::cast_precision_loss, reason = "there is none below 2^53")]
        let number = (whole * TENS[8] + eights[0]) as f64;
        number / 1e8
    } else {
        return None;
    };
    let end = point + 1 + places;
    if places == 0 || block[end] | 0x20 == b'e' {
        return None;
    }
    Some((Number::Float(if negative { -number } else { number }), end))
}

/// The same for a whole number of eight digits or more.
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

/// The number, if what ends it does not make it another kind.
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

/// The number at `from`, and its end, if it has up to 19 digits and is none of the rare ones: too large for its kind, or
/// with a power of ten that takes more care. Nothing for these, and for what is no number.
///
/// It reads to the end of the input, and says nothing of what follows.
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
        // 19 digits are below 10^19, which a u64 holds.
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
