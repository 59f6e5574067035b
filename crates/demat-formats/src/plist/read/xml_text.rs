//! Text in XML: entities, CDATA sections and line ends.

use super::text::Cursor;
use super::{Fault, unexpected};

/// Appends the unescaped text up to the next tag.
pub(super) fn unescaped(cursor: &mut Cursor<'_>, into: &mut Vec<u8>) -> Result<(), Fault> {
    loop {
        let begin = cursor.at;
        let rest = cursor.rest().as_bytes();
        let len = memchr::memchr3(b'<', b'&', b'\r', rest).unwrap_or(rest.len());
        cursor.at += len;
        check(cursor.text, begin, cursor.at)?;
        into.extend_from_slice(&rest[..len]);
        if cursor.take("<![CDATA[") {
            let begin = cursor.at;
            let inside = cursor.until("]]>", "`]]>`")?;
            check(cursor.text, begin, begin + inside.len())?;
            into.extend_from_slice(inside.as_bytes());
        } else if cursor.take("<!--") {
            cursor.until("-->", "`-->`")?;
        } else if cursor.take("&") {
            into.extend_from_slice(entity(cursor)?.encode_utf8(&mut [0; 4]).as_bytes());
        } else if cursor.take("\r") {
            // Every line end becomes one line feed.
            if cursor.peek() != Some(b'\n') {
                into.push(b'\n');
            }
        } else {
            return Ok(());
        }
    }
}

/// Parses an entity after its `&`.
fn entity(cursor: &mut Cursor<'_>) -> Result<char, Fault> {
    let at = cursor.at - 1;
    let name = cursor.run(|byte| byte.is_ascii_alphanumeric() || byte == b'#');
    let found = match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = match name.strip_prefix('#').map(|number| (number, number.strip_prefix('x'))) {
                Some((_, Some(number))) => u32::from_str_radix(number, 16).ok(),
                Some((number, None)) => number.parse().ok(),
                None => None,
            };
            number.and_then(char::from_u32).filter(|letter| is_allowed(*letter))
        }
    };
    match found {
        Some(letter) if cursor.take(";") => Ok(letter),
        _ => Err(unexpected("`&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;` or the number of a character", "`&`", at)),
    }
}

/// Returns whether XML allows a character.
pub(in super::super) fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Refuses characters that XML does not allow.
pub(super) fn check(text: &str, begin: usize, end: usize) -> Result<(), Fault> {
    let part = text.get(begin..end).unwrap_or_default();
    match part.char_indices().find(|(_, letter)| !is_allowed(*letter)) {
        Some((at, letter)) => {
            let found = format!("the character U+{:04X}", u32::from(letter));
            Err(unexpected("a character that XML has", found, begin + at))
        }
        None => Ok(()),
    }
}

/// Parsers for the text of scalars.
pub(super) mod decoded {
    use super::super::super::document::Number;

    /// Parses an int in decimal or hexadecimal digits.
    pub(in super::super) fn int(text: &str) -> Option<Number> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let size = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(digits) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
                u64::from_str_radix(digits, 16).ok()?
            }
            None if digits.bytes().all(|digit| digit.is_ascii_digit()) => digits.parse::<u64>().ok()?,
            _ => return None,
        };
        let value = if negative { -Number::from(size) } else { Number::from(size) };
        (value >= Number::from(i64::MIN)).then_some(value)
    }

    /// Parses a float. Infinities and NaN have names.
    pub(in super::super) fn real(text: &str) -> Option<f64> {
        match &*text.to_ascii_lowercase() {
            "nan" => return Some(f64::NAN),
            "inf" | "+inf" | "infinity" | "+infinity" => return Some(f64::INFINITY),
            "-inf" | "-infinity" => return Some(f64::NEG_INFINITY),
            _ => {}
        }
        let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        text.parse().ok().filter(|value: &f64| is_number && value.is_finite())
    }
}
