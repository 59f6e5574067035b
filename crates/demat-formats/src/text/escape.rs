//! Strings to JSON strings.

use super::integer_write::append;
use crate::scan::{json_plain, json_plain_mask, json_string_end, json_string_mask, padded16};

/// Appends `text` as a JSON string with its quotes. Only what must be escaped is: quotes, backslashes and control
/// characters, in the short forms where JSON has them.
///
/// ```
/// use demat_formats::text::write_json_string;
/// let mut out = Vec::new();
/// write_json_string(&mut out, "a \"käse\"\n\u{1}");
/// assert_eq!(out, r#""a \"käse\"\n\u0001""#.as_bytes());
/// ```
#[inline]
pub fn write_json_string(out: &mut Vec<u8>, text: &str) {
    if !write_short(out, text.as_bytes(), json_string_mask) {
        write_any(out, text);
    }
}

/// Appends `text` as a JSON string that is ASCII: what is beyond becomes `\u` and four digits, a pair of them where
/// UTF-16 needs a pair.
///
/// ```
/// use demat_formats::text::write_json_string_ascii;
/// let mut out = Vec::new();
/// write_json_string_ascii(&mut out, "ä😀");
/// assert_eq!(out, br#""\u00e4\ud83d\ude00""#);
/// ```
#[inline]
pub fn write_json_string_ascii(out: &mut Vec<u8>, text: &str) {
    if !write_short(out, text.as_bytes(), json_plain_mask) {
        write_any_ascii(out, text);
    }
}

/// Appends a string of up to 32 bytes with nothing to escape; `false`, and nothing written, for any other.
///
/// A string's usual length is that of a word or two. So it is put between its quotes in a register, or two that overlap,
/// and stored as a whole: no loop, and no call of `memcpy`.
#[inline(always)]
fn write_short(out: &mut Vec<u8>, text: &[u8], stops: impl Fn(&[u8; 16]) -> u32) -> bool {
    let len = text.len();
    if len < 16 {
        let block = padded16(text, 0);
        // The padding looks like control characters: the first is the end.
        if (stops(&block.to_le_bytes()) | 1 << len).trailing_zeros() as usize != len {
            return false;
        }
        let mut quoted = [b'"'; 24];
        quoted[1..17].copy_from_slice(&block.to_le_bytes());
        append(out, quoted, len + 1);
        out.push(b'"');
        return true;
    }
    let (Some(first), Some(last)) = (text.first_chunk::<16>(), text.last_chunk::<16>()) else { return false };
    if len > 32 || stops(first) | stops(last) != 0 {
        return false;
    }
    out.reserve(len + 18);
    out.push(b'"');
    append(out, *first, len - 16);
    out.extend_from_slice(last);
    out.push(b'"');
    true
}

#[inline(never)]
fn write_any(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut at = 0;
    loop {
        let end = json_string_end(bytes, at);
        out.extend_from_slice(&bytes[at..end]);
        let Some(&byte) = bytes.get(end) else { break };
        write_escape(out, byte);
        at = end + 1;
    }
    out.push(b'"');
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
        // It stops at ASCII, or at the start of a character since it began at one: never inside.
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

/// For each byte the letter of its short escape, or `u`.
const LETTERS: [u8; 256] = {
    let mut letters = [b'u'; 256];
    letters[b'"' as usize] = b'"';
    letters[b'\\' as usize] = b'\\';
    letters[0x08] = b'b';
    letters[0x0c] = b'f';
    letters[b'\n' as usize] = b'n';
    letters[b'\r' as usize] = b'r';
    letters[b'\t' as usize] = b't';
    letters
};

#[inline]
fn write_escape(out: &mut Vec<u8>, byte: u8) {
    match LETTERS[usize::from(byte)] {
        b'u' => write_unit(out, u16::from(byte)),
        letter => out.extend_from_slice(&[b'\\', letter]),
    }
}

#[inline]
fn write_unit(out: &mut Vec<u8>, unit: u16) {
    let digit = |shift: u16| b"0123456789abcdef"[usize::from(unit >> shift & 0xf)];
    out.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
}
