//! The slow twins: so simple that they are hardly wrong.

use super::characters::Characters;
use super::csv_block::CsvMasks;

pub(super) fn find(bytes: &[u8], from: usize, stop: impl Fn(u8) -> bool) -> usize {
    (from..bytes.len()).find(|&at| stop(bytes[at])).unwrap_or(bytes.len())
}

pub(super) fn json_plain(bytes: &[u8], from: usize) -> usize {
    find(bytes, from, |byte| byte == b'"' || byte == b'\\' || !(0x20..0x80).contains(&byte))
}

pub(super) fn json_string_end(bytes: &[u8], from: usize) -> usize {
    find(bytes, from, |byte| byte == b'"' || byte == b'\\' || byte < 0x20)
}

pub(super) fn json_escaped(text: &str) -> Vec<u8> {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            '\u{8}' => out += "\\b",
            '\u{c}' => out += "\\f",
            '\0'..' ' => out.extend(format!("\\u{:04x}", u32::from(character)).chars()),
            other => out.push(other),
        }
    }
    out.into_bytes()
}

pub(super) fn space_end(bytes: &[u8], from: usize) -> usize {
    find(bytes, from, |byte| !b" \t\n\r".contains(&byte))
}

pub(super) fn digits_end(bytes: &[u8], from: usize) -> usize {
    find(bytes, from, |byte| !byte.is_ascii_digit())
}

pub(super) fn csv_special(bytes: &[u8], from: usize, delimiter: u8, quote: u8) -> usize {
    find(bytes, from, |byte| [delimiter, quote, b'\n', b'\r'].contains(&byte))
}

pub(super) fn xml_special(bytes: &[u8], from: usize) -> usize {
    find(bytes, from, |byte| !(0x20..0x80).contains(&byte) || b"<&]".contains(&byte))
}

pub(super) fn xml_escape(bytes: &[u8], from: usize) -> usize {
    find(bytes, from, |byte| byte < 0x20 || b"<>&\"\xef".contains(&byte))
}

pub(super) fn xml_control(bytes: &[u8], from: usize) -> usize {
    find(bytes, from, |byte| byte < 0x20 || byte == 0xef)
}

pub(super) fn csv_index(bytes: &[u8], from: usize, to: usize, delimiter: u8, quote: u8) -> Vec<u32> {
    let special = [delimiter, quote, b'\n', b'\r'];
    (from..to.min(bytes.len())).filter(|&at| special.contains(&bytes[at])).map(|at| (at - from) as u32).collect()
}

/// Returns marks, rows, and the first byte with quotes that the sweep does not handle.
pub(super) fn csv_rows(bytes: &[u8], delimiter: u8, quote: Option<u8>) -> (Vec<usize>, Vec<usize>, usize) {
    #[derive(PartialEq)]
    enum QuoteState {
        Start,
        Unquoted,
        Inside,
        Closed,
    }
    let (mut marks, mut rows, mut state) = (Vec::new(), Vec::new(), QuoteState::Start);
    for (at, &byte) in bytes.iter().enumerate() {
        let parts = byte == delimiter || byte == b'\n' || byte == b'\r';
        state = match state {
            QuoteState::Inside if Some(byte) == quote => QuoteState::Closed,
            QuoteState::Inside => QuoteState::Inside,
            QuoteState::Start | QuoteState::Closed if Some(byte) == quote => QuoteState::Inside,
            QuoteState::Unquoted if Some(byte) == quote => return (marks, rows, at),
            _ if parts => {
                let second = byte == b'\n' && at > 0 && bytes[at - 1] == b'\r' && marks.last() == Some(&(at - 1));
                if byte != delimiter && !second {
                    rows.push(marks.len());
                }
                marks.push(at);
                QuoteState::Start
            }
            QuoteState::Closed => return (marks, rows, at),
            _ => QuoteState::Unquoted,
        };
    }
    (marks, rows, bytes.len())
}

pub(super) fn csv_block(bytes: &[u8], from: usize, delimiter: u8, quote: u8) -> CsvMasks {
    let mut masks = CsvMasks::default();
    for (bit, &byte) in bytes.iter().skip(from).take(64).enumerate() {
        masks.delimiter |= u64::from(byte == delimiter) << bit;
        masks.quote |= u64::from(byte == quote) << bit;
        masks.newline |= u64::from(byte == b'\n') << bit;
        masks.carriage |= u64::from(byte == b'\r') << bit;
    }
    masks
}

pub(super) fn characters(text: &str) -> Characters {
    let widest = text.chars().max().unwrap_or_default();
    Characters { count: text.chars().count(), beyond_one: widest > '\u{ff}', beyond_two: widest > '\u{ffff}' }
}

#[allow(clippy::naive_bytecount, reason = "a twin is meant to be naive")]
pub(super) fn count_newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

pub(super) fn padded<const N: usize>(bytes: &[u8], from: usize) -> [u8; N] {
    std::array::from_fn(|at| bytes.get(from.saturating_add(at)).copied().unwrap_or(0))
}
