//! Scans the SQL text that SQLite stores for a table.

/// Returns whether a statement contains a keyword outside of quotes and comments.
pub(crate) fn has_word(sql: &str, word: &str) -> bool {
    let mut rest = sql.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            b'\'' | b'"' | b'`' => past(after, &[*first]),
            b'[' => past(after, b"]"),
            b'-' if after.starts_with(b"-") => past(after, b"\n"),
            b'/' if after.starts_with(b"*") => past(&after[1..], b"*/"),
            _ if is_part(*first) => {
                let len = rest.iter().position(|byte| !is_part(*byte)).unwrap_or(rest.len());
                if rest[..len].eq_ignore_ascii_case(word.as_bytes()) {
                    return true;
                }
                &rest[len..]
            }
            _ => after,
        };
    }
    false
}

/// Returns what follows the next terminator. A doubled quote ends one text and begins another, which has the same
/// effect.
fn past<'a>(bytes: &'a [u8], end: &[u8]) -> &'a [u8] {
    let at = bytes.windows(end.len()).position(|window| window == end);
    at.map_or(&[], |at| &bytes[at + end.len()..])
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}
