//! Converts JSON strings to strings.

use crate::scan::{ESCAPED, HEX, append_unescaped, ascii_short, json_plain_text, json_string_end};

/// Why a JSON string is invalid, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EscapeFault {
    /// The position: the first invalid byte, the backslash of an invalid escape, or the input's end.
    pub at: usize,
    /// The cause.
    pub cause: EscapeCause,
}

/// The causes for an invalid JSON string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeCause {
    /// The input ends before the closing quote. Everything before that is valid, so more input could complete the
    /// string.
    End,
    /// A control character that should have been escaped.
    Control,
    /// A backslash that begins none of JSON's escapes.
    Escape,
    /// Half of a surrogate pair without the other: no character.
    Surrogate,
    /// Bytes that are not UTF-8.
    Utf8,
}

/// Appends the JSON string at `from`, just after its opening quote, to `out`. Returns the position after its closing
/// quote.
///
/// It is strict: it returns the first fault. Then `out` holds the part before it.
///
/// ```
/// use demat_formats::text::{EscapeCause, unescape};
/// let mut out = String::new();
/// assert_eq!(unescape(br#""a\tb \ud83d\ude00", 1"#, 1, &mut out), Ok(19));
/// assert_eq!(out, "a\tb 😀");
/// let fault = unescape(br#""lone \ud83d""#, 1, &mut out).unwrap_err();
/// assert_eq!((fault.at, fault.cause), (6, EscapeCause::Surrogate));
/// ```
pub fn unescape(bytes: &[u8], from: usize, out: &mut String) -> Result<usize, EscapeFault> {
    let mut at = from;
    loop {
        at = dense(bytes, append_unescaped(bytes, at, out), out);
        let (text, end) = json_plain_text(bytes, at);
        out.push_str(text);
        at = match bytes.get(end) {
            Some(b'"') => return Ok(end + 1),
            Some(b'\\') => {
                let (character, end) = escaped(bytes, end)?;
                out.push(character);
                end
            }
            Some(0x80..) => beyond_ascii(bytes, end, out)?,
            Some(_) => return fault(end, EscapeCause::Control),
            None => return fault(end, EscapeCause::End),
        };
    }
}

/// The number of bytes that are appended at once, where escapes are dense.
const DENSE: usize = 32;

/// Appends the next characters as long as they are ASCII, [`DENSE`] of them at most, and returns where they end. It
/// leaves all else to the caller: the end, faults, and text beyond ASCII.
///
/// Between escapes there are a few bytes, mostly: less than a call to find them takes.
#[inline(always)]
fn dense(bytes: &[u8], from: usize, out: &mut String) -> usize {
    let mut block = [0; DENSE];
    let (mut at, mut len) = (from, 0);
    for place in &mut block {
        let Some([byte, behind]) = bytes.get(at..).and_then(<[u8]>::first_chunk) else { break };
        let width = match byte {
            b'\\' if ESCAPED[usize::from(*behind)] != 0 => {
                *place = ESCAPED[usize::from(*behind)];
                2
            }
            b'\\' => match bytes.get(at..).and_then(<[u8]>::first_chunk) {
                Some([_, b'u', b'0', b'0', high @ b'0'..=b'7', low]) if HEX[usize::from(*low)] < 16 => {
                    *place = (*high - b'0') << 4 | HEX[usize::from(*low)];
                    6
                }
                _ => break,
            },
            b'"' | ..0x20 | 0x80.. => break,
            plain => {
                *place = *plain;
                1
            }
        };
        at += width;
        len += 1;
    }
    out.push_str(ascii_short(&block[..len]).unwrap_or_default());
    at
}

/// Appends everything up to the next byte that can't be copied unchanged.
///
/// That byte is ASCII and so is not inside a character: the runs between escapes are UTF-8 if and only if the whole is.
fn beyond_ascii(bytes: &[u8], from: usize, out: &mut String) -> Result<usize, EscapeFault> {
    let end = json_string_end(bytes, from);
    match simdutf8::compat::from_utf8(&bytes[from..end]) {
        Ok(text) => {
            out.push_str(text);
            Ok(end)
        }
        Err(wrong) => {
            let valid = &bytes[from..from + wrong.valid_up_to()];
            out.push_str(std::str::from_utf8(valid).unwrap_or_default());
            match wrong.error_len() {
                // The character may continue behind the end of the input.
                None if end == bytes.len() => fault(end, EscapeCause::End),
                _ => fault(from + wrong.valid_up_to(), EscapeCause::Utf8),
            }
        }
    }
}

/// Returns the character of the escape whose backslash is at `at`, and the escape's end.
fn escaped(bytes: &[u8], at: usize) -> Result<(char, usize), EscapeFault> {
    let character = match bytes.get(at + 1) {
        Some(b'u') => return escaped_unit(bytes, at),
        Some(&mark @ (b'"' | b'\\' | b'/')) => char::from(mark),
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(_) => return fault(at, EscapeCause::Escape),
        None => return fault(bytes.len(), EscapeCause::End),
    };
    Ok((character, at + 2))
}

/// As [`escaped`], for `\u` and four digits, or for a surrogate pair of these.
fn escaped_unit(bytes: &[u8], at: usize) -> Result<(char, usize), EscapeFault> {
    let unit = hex4(bytes, at)?;
    if let Some(character) = char::from_u32(unit) {
        return Ok((character, at + 6));
    }
    // A surrogate. The first of a pair must be a high one, and the second must follow directly.
    if unit >= 0xdc00 {
        return fault(at, EscapeCause::Surrogate);
    }
    match bytes.get(at + 6..).unwrap_or_default() {
        [b'\\', b'u', ..] => {}
        [b'\\'] | [] => return fault(bytes.len(), EscapeCause::End),
        _ => return fault(at, EscapeCause::Surrogate),
    }
    let low = hex4(bytes, at + 6)?;
    let tail = low.checked_sub(0xdc00).filter(|&tail| tail < 0x400);
    match tail.and_then(|tail| char::from_u32(0x1_0000 + (unit - 0xd800) * 0x400 + tail)) {
        Some(character) => Ok((character, at + 12)),
        None => fault(at, EscapeCause::Surrogate),
    }
}

/// Returns the value of the four digits after a `\u`, whose backslash is at `at`.
fn hex4(bytes: &[u8], at: usize) -> Result<u32, EscapeFault> {
    let digits = &bytes[at + 2..bytes.len().min(at + 6)];
    let (mut number, mut wrong) = (0, 0);
    for &digit in digits {
        let value = HEX[usize::from(digit)];
        wrong |= value;
        number = number << 4 | u32::from(value & 0xf);
    }
    if wrong & 0x80 != 0 {
        fault(at, EscapeCause::Escape)
    } else if digits.len() < 4 {
        fault(bytes.len(), EscapeCause::End)
    } else {
        Ok(number)
    }
}

#[cold]
fn fault<T>(at: usize, cause: EscapeCause) -> Result<T, EscapeFault> {
    Err(EscapeFault { at, cause })
}
