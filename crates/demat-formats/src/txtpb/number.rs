//! The values of number literals.

use core::str::FromStr;
use demat_core::scalar::Int;

/// Whether the literal is an int.
pub(super) fn is_int(text: &str) -> bool {
    is_hex(text) || text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_hex(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X")
}

fn is_octal(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the value of an int literal. `None` if it is none, or if it has more than 64 bits and a sign.
pub(super) fn int(text: &str, negative: bool) -> Option<Int<'static>> {
    if !is_int(text) {
        return None;
    }
    let size = if is_hex(text) {
        u64::from_str_radix(&text[2..], 16)
    } else if is_octal(text) {
        u64::from_str_radix(text, 8)
    } else {
        text.parse()
    };
    let size = size.ok()?;
    if negative { 0_i64.checked_sub_unsigned(size).map(Int::I64) } else { Some(Int::from(size)) }
}

/// Returns the value of a float literal. `None` if it is an int that is not decimal.
pub(super) fn float<F: FromStr>(text: &str, negative: bool) -> Option<F> {
    if is_hex(text) || is_octal(text) {
        return None;
    }
    let digits = text.strip_suffix(['f', 'F']).unwrap_or(text);
    if negative { format!("-{digits}").parse().ok() } else { digits.parse().ok() }
}

/// Returns the value of a word that is a float.
pub(super) fn special(word: &str, negative: bool) -> Option<f64> {
    let value = if word.eq_ignore_ascii_case("nan") {
        f64::NAN
    } else if word.eq_ignore_ascii_case("inf") || word.eq_ignore_ascii_case("infinity") {
        f64::INFINITY
    } else {
        return None;
    };
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_have_three_bases() {
        let cases = [
            ("0", false, "0"),
            ("12", true, "-12"),
            ("0x7fFF", false, "32767"),
            ("017", false, "15"),
            ("0x8000000000000000", true, "-9223372036854775808"),
            ("01777777777777777777777", false, "18446744073709551615"),
        ];
        for (text, negative, value) in cases {
            assert_eq!(int(text, negative).unwrap().to_string(), value, "{text}");
        }
        for (text, negative) in [("18446744073709551616", false), ("9223372036854775809", true), ("1.0", false)] {
            assert!(int(text, negative).is_none(), "{text}");
        }
    }

    #[test]
    fn floats_are_decimal() {
        let cases = [("1", 1.0), ("1.", 1.0), (".5e1", 5.0), ("1F", 1.0), ("1e18446744073709551616", f64::INFINITY)];
        for (text, value) in cases {
            assert_eq!(float::<f64>(text, false), Some(value), "{text}");
        }
        assert_eq!(float::<f64>("0", true).map(f64::to_bits), Some((-0.0_f64).to_bits()));
        assert_eq!(float::<f64>("1e-18446744073709551616", false), Some(0.0));
        assert_eq!(float::<f64>("0x1", false), None);
        assert_eq!(float::<f64>("012", false), None);
    }
}
