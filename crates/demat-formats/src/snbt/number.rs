//! Bare words: numbers, bools and text.

use crate::nbt::Tag;

/// A word without quotes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Word<'a> {
    Int(Tag, i64),
    Float(f32),
    Double(f64),
    Text(&'a str),
    /// A number with this tag that exceeds it.
    TooLarge(Tag),
}

/// Returns whether a bare word may have this character.
pub(super) fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+')
}

/// Resolves a bare word.
pub(super) fn word(text: &str) -> Word<'_> {
    match text {
        "true" => return Word::Int(Tag::Byte, 1),
        "false" => return Word::Int(Tag::Byte, 0),
        _ => {}
    }
    let (digits, tag) = match text.as_bytes().last() {
        Some(b'b' | b'B') => (&text[..text.len() - 1], Some(Tag::Byte)),
        Some(b's' | b'S') => (&text[..text.len() - 1], Some(Tag::Short)),
        Some(b'l' | b'L') => (&text[..text.len() - 1], Some(Tag::Long)),
        Some(b'f' | b'F') => (&text[..text.len() - 1], Some(Tag::Float)),
        Some(b'd' | b'D') => (&text[..text.len() - 1], Some(Tag::Double)),
        _ => (text, None),
    };
    match (tag, form(digits)) {
        (Some(tag @ (Tag::Float | Tag::Double)), Some(_)) => finite(tag, digits).unwrap_or(Word::Text(text)),
        (None, Some(Form::Fraction)) => finite(Tag::Double, digits).unwrap_or(Word::Text(text)),
        (Some(tag @ (Tag::Float | Tag::Double)), None) => other(digits, tag).unwrap_or(Word::Text(text)),
        (tag, Some(Form::Int)) => {
            let tag = tag.unwrap_or(Tag::Int);
            match digits.strip_prefix('+').unwrap_or(digits).parse::<i64>() {
                Ok(value) if fits(value, tag) => Word::Int(tag, value),
                _ => Word::TooLarge(tag),
            }
        }
        _ => Word::Text(text),
    }
}

/// Returns whether an int fits a tag.
pub(super) fn fits(value: i64, tag: Tag) -> bool {
    let bits = match tag {
        Tag::Byte => 8,
        Tag::Short => 16,
        Tag::Int => 32,
        _ => 64,
    };
    matches!(value >> (bits - 1), 0 | -1)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Digits without a leading zero.
    Int,
    /// Digits, with an exponent or leading zeros.
    Digits,
    /// Digits and a point, or digits and an exponent.
    Fraction,
}

/// Returns the form of a number without its suffix letter.
fn form(text: &str) -> Option<Form> {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        if digits.is_empty() || !is_digits(digits) {
            return None;
        }
    }
    let has_point = match mantissa.split_once('.') {
        Some((whole, part)) if whole.len() + part.len() > 0 && is_digits(whole) && is_digits(part) => true,
        None if !mantissa.is_empty() && is_digits(mantissa) => false,
        _ => return None,
    };
    Some(match (has_point, exponent) {
        (false, None) if mantissa == "0" || !mantissa.starts_with('0') => Form::Int,
        (false, None) => Form::Digits,
        _ => Form::Fraction,
    })
}

/// Parses a float. Refuses one that is too large.
fn finite(tag: Tag, digits: &str) -> Option<Word<'static>> {
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    if tag == Tag::Float {
        let value: f32 = digits.parse().ok()?;
        return Some(if value.is_finite() { Word::Float(value) } else { Word::TooLarge(tag) });
    }
    let value: f64 = digits.parse().ok()?;
    Some(if value.is_finite() { Word::Double(value) } else { Word::TooLarge(tag) })
}

/// Resolves a named float: an infinity or NaN.
fn other(name: &str, tag: Tag) -> Option<Word<'static>> {
    let value = match name {
        "NaN" => f32::NAN,
        "Infinity" => f32::INFINITY,
        "-Infinity" => f32::NEG_INFINITY,
        _ => return None,
    };
    Some(if tag == Tag::Float { Word::Float(value) } else { Word::Double(value.into()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbers_or_text() {
        let cases = [
            ("1b", Word::Int(Tag::Byte, 1)),
            ("-128B", Word::Int(Tag::Byte, -128)),
            ("128b", Word::TooLarge(Tag::Byte)),
            ("3s", Word::Int(Tag::Short, 3)),
            ("+7", Word::Int(Tag::Int, 7)),
            ("2147483648", Word::TooLarge(Tag::Int)),
            ("9223372036854775807L", Word::Int(Tag::Long, i64::MAX)),
            ("9223372036854775808l", Word::TooLarge(Tag::Long)),
            ("1f", Word::Float(1.0)),
            ("1.5F", Word::Float(1.5)),
            ("1e39f", Word::TooLarge(Tag::Float)),
            ("1.", Word::Double(1.0)),
            (".5", Word::Double(0.5)),
            ("1e3", Word::Double(1000.0)),
            ("-1E-3d", Word::Double(-0.001)),
            ("1d", Word::Double(1.0)),
            ("-Infinityd", Word::Double(f64::NEG_INFINITY)),
            ("true", Word::Int(Tag::Byte, 1)),
            ("007", Word::Text("007")),
            ("1_000", Word::Text("1_000")),
            (".", Word::Text(".")),
            ("-", Word::Text("-")),
            ("e3", Word::Text("e3")),
            ("b", Word::Text("b")),
            ("1.2.3", Word::Text("1.2.3")),
            ("stone", Word::Text("stone")),
        ];
        for (text, expected) in cases {
            assert_eq!(word(text), expected, "{text}");
        }
        assert!(matches!(word("NaNf"), Word::Float(value) if value.is_nan()));
    }
}
