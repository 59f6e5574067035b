//! Numbers as documents write them: with signs, underscores, leading zeros and in other bases.

use demat_core::scalar::{Decimal, Int};
use std::borrow::Cow;

/// Parses an int that the format has already recognised as one. It has a sign, underscores and leading zeros, or `0x`,
/// `0o` or `0b` in front. Returns `None` if it is in another base and exceeds 128 bits.
pub(crate) fn int(raw: &str) -> Option<Int<'_>> {
    if let Some(int) = Int::from_digits(raw) {
        return Some(int);
    }
    let digits = without_underscores(raw);
    let radix = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'b' | b'B', ..] => 2,
        _ => return Int::from_digits(&plain(&digits)).map(Int::into_owned),
    };
    u128::from_str_radix(digits.get(2..)?, radix).ok().map(Int::from)
}

/// Parses an int as a decimal, which keeps the sign of a zero.
pub(crate) fn whole_decimal(raw: &str) -> Option<Decimal<'_>> {
    match Decimal::parse(raw) {
        Some(decimal) => Some(decimal),
        None => match int(raw)? {
            Int::I64(0) if raw.starts_with('-') => Decimal::parse("-0"),
            int => Some(Decimal::from_int(int)),
        },
    }
}

/// Parses a float that the format has already recognised as one. Returns infinity if it is too large.
pub(crate) fn float<F: core::str::FromStr + core::ops::Neg<Output = F>>(raw: &str) -> Option<F> {
    let (negative, size) = signed(raw);
    if is_float_special(raw) {
        let word = size.trim_start_matches('.').to_ascii_lowercase();
        let value: F = word.parse().ok()?;
        return Some(if negative { -value } else { value });
    }
    without_underscores(raw).parse().ok()
}

/// Returns whether a float is the literal of an infinity or NaN.
pub(crate) fn is_float_special(raw: &str) -> bool {
    let word = signed(raw).1.trim_start_matches('.');
    word.eq_ignore_ascii_case("inf") || word.eq_ignore_ascii_case("nan")
}

/// Normalises a number for the parser of decimals: no underscores, no `+`, no leading zeros, and digits on both sides
/// of the point.
pub(super) fn decimal(raw: &str) -> Cow<'_, str> {
    let digits = without_underscores(raw);
    if Decimal::parse(&digits).is_some() {
        return digits;
    }
    Cow::Owned(plain(&digits))
}

/// Removes `+` and leading zeros, and adds digits on both sides of the point.
fn plain(digits: &str) -> String {
    let (negative, size) = signed(digits);
    let (mantissa, exponent) = match size.find(['e', 'E']) {
        Some(at) => size.split_at(at),
        None => (size, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = whole.trim_start_matches('0');
    let sign = if negative { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}{exponent}", if whole.is_empty() { "0" } else { whole })
}

/// Returns whether there is a `-`, and the text after the sign.
fn signed(raw: &str) -> (bool, &str) {
    match raw.as_bytes() {
        [b'-', ..] => (true, &raw[1..]),
        [b'+', ..] => (false, &raw[1..]),
        _ => (false, raw),
    }
}

fn without_underscores(raw: &str) -> Cow<'_, str> {
    if raw.contains('_') { Cow::Owned(raw.replace('_', "")) } else { Cow::Borrowed(raw) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_have_signs_underscores_and_bases() {
        let cases = [
            ("12", "12"),
            ("+12", "12"),
            ("-007", "-7"),
            ("1_000", "1000"),
            ("0xfF", "255"),
            ("0o17", "15"),
            ("0b1_0", "2"),
            ("+00", "0"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("0xffffffffffffffffffffffffffffffff", "340282366920938463463374607431768211455"),
        ];
        for (raw, value) in cases {
            assert_eq!(int(raw).unwrap().to_string(), value, "{raw}");
        }
        assert!(int(&format!("0x{}", "f".repeat(33))).is_none());
    }

    #[test]
    fn floats_have_words_and_bare_points() {
        assert_eq!(float::<f64>("+1_0.5"), Some(10.5));
        assert_eq!(float::<f64>(".5"), Some(0.5));
        assert_eq!(float::<f64>("5."), Some(5.0));
        assert_eq!(float::<f64>("-.INF"), Some(f64::NEG_INFINITY));
        assert!(float::<f64>("+nan").unwrap().is_nan());
        assert_eq!(float::<f32>("1e999"), Some(f32::INFINITY));
    }

    #[test]
    fn decimals_are_written_as_json_has_them() {
        for (raw, value) in [("+01.50", "1.50"), (".5", "0.5"), ("5.", "5"), ("-0.0e5", "-0.0e5"), ("1_0", "10")] {
            assert_eq!(decimal(raw), value, "{raw}");
        }
    }
}
