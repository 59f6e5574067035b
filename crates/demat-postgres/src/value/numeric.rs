//! Numbers of the type `numeric`: groups of four decimal digits.

use demat_core::scalar::Decimal;

/// The maximum numbers of digits before and after the point.
const BEFORE: i64 = 131_072;
const AFTER: i64 = 16_383;

const NEGATIVE: u16 = 0x4000;
const NAN: u16 = 0xC000;
const INFINITY: u16 = 0xD000;
const MINUS_INFINITY: u16 = 0xF000;

/// A number as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Number {
    /// Its digits.
    Digits(String),
    Nan,
    Infinity,
    MinusInfinity,
}

impl Number {
    /// The text of the number, as errors show it.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Digits(digits) => digits,
            Self::Nan => "NaN",
            Self::Infinity => "infinity",
            Self::MinusInfinity => "-infinity",
        }
    }
}

/// Returns a number of digits: a text in memory has fewer than fit.
fn signed(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX)
}

/// The digits of a number without its point, and where the point is.
struct Parts {
    negative: bool,
    /// Without leading zeros; empty for zero.
    digits: Vec<u8>,
    /// The number of digits before the point; negative if zeros follow the point first.
    before: i64,
    /// The number of digits after the point, as written.
    scale: i64,
}

fn parts(text: &str) -> Option<Parts> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        // An exponent beyond 64 bits is beyond the limits, too, unless the number is zero.
        Some(at) => (&text[..at], text[at + 1..].parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    digits.drain(..zeros);
    let before = signed(whole.len()).checked_add(exponent)?.checked_sub(signed(zeros))?;
    let scale = signed(fraction.len()).checked_sub(exponent)?.max(0);
    Some(Parts { negative, digits, before, scale })
}

/// Appends a number. Returns false if PostgreSQL can't hold it.
pub(crate) fn encode(value: &str, out: &mut Vec<u8>) -> bool {
    let Some(Parts { negative, digits, before, scale }) = parts(value) else { return false };
    if scale > AFTER || before > BEFORE {
        return false;
    }
    let start = out.len();
    out.extend_from_slice(&[0; 8]);
    let (mut weight, mut count) = (0, 0_u16);
    if !digits.is_empty() {
        weight = (before - 1).div_euclid(4);
        let padding = usize::try_from((weight + 1) * 4 - before).unwrap_or_default();
        let mut digit = core::iter::repeat_n(b'0', padding).chain(digits.iter().copied()).peekable();
        let mut end = out.len();
        while digit.peek().is_some() {
            let group = (0..4).fold(0_u16, |group, _| group * 10 + u16::from(digit.next().unwrap_or(b'0') - b'0'));
            out.extend_from_slice(&group.to_be_bytes());
            if group != 0 {
                end = out.len();
            }
        }
        // Groups of zeros at the end are not stored.
        out.truncate(end);
        count = ((end - start - 8) / 2) as u16;
    }
    let (Ok(weight), Ok(scale)) = (i16::try_from(weight), u16::try_from(scale)) else {
        out.truncate(start);
        return false;
    };
    let sign = if negative && count > 0 { NEGATIVE } else { 0 };
    for (at, part) in [count, weight.cast_unsigned(), sign, scale].into_iter().enumerate() {
        out[start + at * 2..start + at * 2 + 2].copy_from_slice(&part.to_be_bytes());
    }
    true
}

/// Returns the number of digits after the point that are not zeros at the end; negative if so many digits before the
/// point are zeros. Zero fits any number of digits.
pub(crate) fn scale_of(value: &str) -> Option<i64> {
    let Parts { digits, before, .. } = parts(value)?;
    let zeros = digits.iter().rev().take_while(|digit| **digit == b'0').count();
    if digits.is_empty() {
        return Some(i64::MIN);
    }
    Some(signed(digits.len() - zeros).saturating_sub(before))
}

/// Reads a number; `None` if the bytes are none.
pub(crate) fn decode(bytes: &[u8]) -> Option<Number> {
    let (head, groups) = bytes.split_at_checked(8)?;
    let word = |at: usize| u16::from_be_bytes([head[at], head[at + 1]]);
    let (count, weight, sign, scale) = (word(0), i32::from(word(2).cast_signed()), word(4), usize::from(word(6)));
    if groups.len() != usize::from(count) * 2 {
        return None;
    }
    match sign {
        0 | NEGATIVE => {}
        NAN => return Some(Number::Nan),
        INFINITY => return Some(Number::Infinity),
        MINUS_INFINITY => return Some(Number::MinusInfinity),
        _ => return None,
    }
    if scale > AFTER as usize {
        return None;
    }
    let groups: Vec<u16> = groups.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    if groups.iter().any(|group| *group > 9_999) {
        return None;
    }
    let group = |at: i32| usize::try_from(at).ok().and_then(|at| groups.get(at)).copied().unwrap_or(0);
    let mut text = String::with_capacity(groups.len() * 4 + scale + 3);
    if sign == NEGATIVE && groups.iter().any(|group| *group != 0) {
        text.push('-');
    }
    let begin = text.len();
    for at in 0..=weight.max(-1) {
        push(&mut text, group(at));
    }
    let zeros = text.as_bytes()[begin..].iter().take_while(|digit| **digit == b'0').count();
    text.drain(begin..begin + zeros);
    if text.len() == begin {
        text.push('0');
    }
    if scale > 0 {
        text.push('.');
        let point = text.len();
        let mut at = weight + 1;
        while text.len() - point < scale {
            push(&mut text, group(at));
            at += 1;
        }
        text.truncate(point + scale);
    }
    Some(Number::Digits(text))
}

/// Appends the four digits of a group.
fn push(text: &mut String, group: u16) {
    for divisor in [1_000, 100, 10, 1] {
        text.push(char::from(b'0' + (group / divisor % 10) as u8));
    }
}

/// Returns the nearest float; `None` if it is beyond all of them.
pub(crate) fn float(number: &Number) -> Option<f64> {
    match number {
        Number::Nan => Some(f64::NAN),
        Number::Infinity => Some(f64::INFINITY),
        Number::MinusInfinity => Some(f64::NEG_INFINITY),
        Number::Digits(_) => decimal(number).map(|decimal| decimal.to_f64()).filter(|float| float.is_finite()),
    }
}

/// Returns a number that was read as a decimal.
pub(crate) fn decimal(number: &Number) -> Option<Decimal<'static>> {
    match number {
        Number::Digits(digits) => Decimal::parse(digits).map(Decimal::into_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, decode, encode, scale_of};
    use demat_core::scalar::Decimal;
    use proptest::prelude::*;

    fn back(text: &str) -> Option<String> {
        let mut bytes = Vec::new();
        encode(text, &mut bytes).then(|| match decode(&bytes) {
            Some(Number::Digits(digits)) => digits,
            other => panic!("{text} came back as {other:?}"),
        })
    }

    #[test]
    fn numbers_come_back_with_their_zeros() {
        for text in [
            "0",
            "0.00",
            "1",
            "-1",
            "10000",
            "9999",
            "0.1",
            "0.0001",
            "0.00001",
            "-0.000000012",
            "123456789.987654321",
            "100000000",
            "1.50",
            "12345678901234567890123456789.5",
        ] {
            assert_eq!(back(text).as_deref(), Some(text));
        }
        assert_eq!(back("1e3").as_deref(), Some("1000"));
        assert_eq!(back("15e-1").as_deref(), Some("1.5"));
        assert_eq!(back("-0").as_deref(), Some("0"));
    }

    #[test]
    fn limits_are_those_of_the_type() {
        assert!(back(&"9".repeat(131_072)).is_some());
        assert_eq!(back(&"9".repeat(131_073)), None);
        assert!(back(&format!("0.{}", "1".repeat(16_383))).is_some());
        assert_eq!(back(&format!("0.{}", "1".repeat(16_384))), None);
        assert_eq!(back("1e999999999"), None);
        assert_eq!(back("1e99999999999999999999"), None);
        assert_eq!(back("1e-99999999999999999999"), None);
    }

    #[test]
    fn bytes_of_postgres_are_read() {
        // select numeric_send(12345.678): 3 groups, the first of ten thousands.
        let sent = [0, 3, 0, 1, 0, 0, 0, 3, 0, 1, 0x09, 0x29, 0x1a, 0x7c];
        assert_eq!(decode(&sent), Some(Number::Digits("12345.678".into())));
        let mut own = Vec::new();
        assert!(encode("12345.678", &mut own));
        assert_eq!(own, sent);
        assert_eq!(decode(&[0, 0, 0, 0, 0xC0, 0, 0, 0]), Some(Number::Nan));
        assert_eq!(decode(&[0, 1, 0, 0, 0, 0, 0, 0, 0x27, 0x10]), None);
        assert_eq!(decode(&[0, 2, 0, 0, 0, 0, 0, 0, 0, 1]), None);
    }

    #[test]
    fn the_scale_counts_no_zeros_at_the_end() {
        for (text, scale) in [("1", 0), ("1.50", 1), ("1.5", 1), ("15e-3", 3), ("100", -2), ("1e5", -5), ("120", -1)] {
            assert_eq!(scale_of(text), Some(scale), "{text}");
        }
        assert_eq!(scale_of("0.00"), Some(i64::MIN));
    }

    proptest! {
        #[test]
        fn every_number_comes_back(text in "-?(0|[1-9][0-9]{0,12})(\\.[0-9]{1,9})?(e-?[0-9]{1,2})?") {
            let back = back(&text).unwrap();
            prop_assert_eq!(Decimal::parse(&back).unwrap(), Decimal::parse(&text).unwrap());
        }

        #[test]
        fn no_bytes_do_harm(bytes in proptest::collection::vec(any::<u8>(), 0..24)) {
            if let Some(Number::Digits(digits)) = decode(&bytes) {
                prop_assert!(Decimal::parse(&digits).is_some());
            }
        }
    }
}
