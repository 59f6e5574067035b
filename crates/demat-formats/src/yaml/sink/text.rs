//! Text: without quotes if that is safe, else as a literal block or in quotes.

use super::super::word::is_other_than_text;
use std::io::Write as _;

/// Writes text. `block` is the column of a literal block, or `None` for a key.
pub(super) fn write(out: &mut Vec<u8>, text: &str, block: Option<usize>) {
    if is_plain(text) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    match block {
        Some(column) if is_block(text) => write_block(out, text, column),
        _ if text.chars().all(|char| is_printable(char) && char != '\n') => write_single(out, text),
        _ => write_double(out, text),
    }
}

/// Returns whether the text without quotes parses as the same text, in block style and as a key.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return false };
    let starts = match first {
        b'-' | b'?' | b':' => bytes.get(1).is_some_and(|next| !matches!(next, b' ' | b',' | b'[' | b']' | b'{' | b'}')),
        b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%' | b'@'
        | b'`' | b' ' => false,
        _ => true,
    };
    starts
        && !matches!(last, b' ' | b':')
        && !text.starts_with("---")
        && !text.starts_with("...")
        && !text.contains(": ")
        && !text.contains(" #")
        && text.chars().all(|char| is_printable(char) && char != '\n' && char != '\t')
        && !is_other_than_text(text)
}

/// Returns whether the text is readable as a literal block, and parses as the same text.
fn is_block(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let lines_end_well = || body.lines().all(|line| !line.ends_with([' ', '\t']) && !line.starts_with('\t'));
    body.contains('\n')
        && !body.ends_with('\n')
        && !body.starts_with([' ', '\n'])
        && lines_end_well()
        && text.chars().all(is_printable)
}

/// Returns whether all readers accept a character without an escape in quotes and blocks. Some parse other line breaks
/// and byte order marks as such.
fn is_printable(char: char) -> bool {
    match char {
        '\u{2028}' | '\u{2029}' | '\u{feff}' => false,
        '\t' | '\n' | ' '..='~' | '\u{a0}'..='\u{fffd}' | '\u{10000}'.. => true,
        _ => false,
    }
}

fn write_block(out: &mut Vec<u8>, text: &str, column: usize) {
    let (body, head) = match text.strip_suffix('\n') {
        Some(body) => (body, "|"),
        None => (text, "|-"),
    };
    out.extend_from_slice(head.as_bytes());
    for line in body.split('\n') {
        out.push(b'\n');
        if !line.is_empty() {
            let len = out.len();
            out.resize(len + column, b' ');
            out.extend_from_slice(line.as_bytes());
        }
    }
}

fn write_single(out: &mut Vec<u8>, text: &str) {
    out.push(b'\'');
    for (index, part) in text.split('\'').enumerate() {
        if index > 0 {
            out.extend_from_slice(b"''");
        }
        out.extend_from_slice(part.as_bytes());
    }
    out.push(b'\'');
}

fn write_double(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for char in text.chars() {
        let escape = match char {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\t' => "\\t",
            '\r' => "\\r",
            '\0' => "\\0",
            _ if is_printable(char) => {
                out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            _ => {
                let code = u32::from(char);
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02X}"),
                    0x100..=0xffff => write!(out, "\\u{code:04X}"),
                    _ => write!(out, "\\U{code:08X}"),
                }; // writing to a Vec cannot fail
                continue;
            }
        };
        out.extend_from_slice(escape.as_bytes());
    }
    out.push(b'"');
}
