//! Strings in quotes.

/// Appends text in quotes, with escapes for control characters.
pub(super) fn write_text(out: &mut Vec<u8>, text: &str) {
    write_quoted(out, text.as_bytes(), |byte| byte >= 0x80);
}

/// Appends bytes in quotes, with escapes for all but printable ASCII.
pub(super) fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    write_quoted(out, bytes, |_| false);
}

fn write_quoted(out: &mut Vec<u8>, bytes: &[u8], is_plain: fn(u8) -> bool) {
    out.push(b'"');
    let mut begin = 0;
    for (at, byte) in bytes.iter().copied().enumerate() {
        let letter = match byte {
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            b'"' | b'\\' => byte,
            b' '..=b'~' => continue,
            _ if is_plain(byte) => continue,
            _ => 0,
        };
        out.extend_from_slice(&bytes[begin..at]);
        begin = at + 1;
        out.push(b'\\');
        if letter == 0 {
            // Three digits, so that a digit behind them is not one of them.
            out.extend_from_slice(&[b'0' + (byte >> 6), b'0' + (byte >> 3 & 7), b'0' + (byte & 7)]);
        } else {
            out.push(letter);
        }
    }
    out.extend_from_slice(&bytes[begin..]);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_quotes_are_escaped() {
        let mut out = Vec::new();
        write_text(&mut out, "a\"\\\n\r\t\u{1}7ü'\u{7f}");
        assert_eq!(out, "\"a\\\"\\\\\\n\\r\\t\\0017ü'\\177\"".as_bytes());
        out.clear();
        write_bytes(&mut out, b"\x00\xff ok");
        assert_eq!(out, br#""\000\377 ok""#);
    }
}
