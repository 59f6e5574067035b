//! Writes strings as JSON strings.

use crate::scan::{ESCAPES, append_block, append_json_quoted, escape_len, json_plain};

/// Appends `text` as a JSON string with its quotes. Escapes only quotes, backslashes and control characters, in the
/// short forms that JSON has.
///
/// ```
/// use demat_formats::text::write_json_string;
/// let mut out = Vec::new();
/// write_json_string(&mut out, "a \"käse\"\n\u{1}");
/// assert_eq!(out, r#""a \"käse\"\n\u0001""#.as_bytes());
/// ```
#[inline]
pub fn write_json_string(out: &mut Vec<u8>, text: &str) {
    append_json_quoted(out, text, false, None);
}

/// Appends `text` as an ASCII JSON string. Characters beyond ASCII become `\u` and four digits; a surrogate pair if
/// UTF-16 needs one.
///
/// ```
/// use demat_formats::text::write_json_string_ascii;
/// let mut out = Vec::new();
/// write_json_string_ascii(&mut out, "ä😀");
/// assert_eq!(out, br#""\u00e4\ud83d\ude00""#);
/// ```
#[inline]
pub fn write_json_string_ascii(out: &mut Vec<u8>, text: &str) {
    if text.is_ascii() {
        return append_json_quoted(out, text, false, None);
    }
    write_any_ascii(out, text);
}

#[inline(never)]
fn write_any_ascii(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut at = 0;
    loop {
        let end = json_plain(bytes, at);
        out.extend_from_slice(&bytes[at..end]);
        // The search stops at ASCII or at the start of a character, since it began at one: never inside.
        let Some(character) = text.get(end..).and_then(|rest| rest.chars().next()) else { break };
        if character.is_ascii() {
            write_escape(out, bytes[end]);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                write_unit(out, *unit);
            }
        }
        at = end + character.len_utf8();
    }
    out.push(b'"');
}

#[inline]
fn write_escape(out: &mut Vec<u8>, byte: u8) {
    let escape = &ESCAPES[usize::from(byte & 0x7f)];
    append_block(out, false, *escape, escape_len(escape));
}

#[inline]
fn write_unit(out: &mut Vec<u8>, unit: u16) {
    let digit = |shift: u16| b"0123456789abcdef"[usize::from(unit >> shift & 0xf)];
    out.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
}
