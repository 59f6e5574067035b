//! Shows the line that an error is about.

use demat_core::Position;
use demat_place::Place;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The number of bytes to read around the position.
const AROUND: u64 = 400;
/// The number of characters to show before and after the position.
const BEFORE: usize = 60;
const AFTER: usize = 40;

/// Returns the line with a caret under the position. Returns `None` if it can't be read again: a pipe, or a compressed
/// file.
pub(crate) fn of(place: &Place, position: Position) -> Option<String> {
    let (offset, number) = (position.offset?, position.line?);
    let mut file = File::open(place.path()?).ok()?;
    if place.compression().is_some() || !file.metadata().ok()?.is_file() {
        return None;
    }
    let start = offset.saturating_sub(AROUND);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(2 * AROUND).read_to_end(&mut bytes).ok()?;
    // A compressed file with another suffix is not text.
    if start == 0 && (bytes.starts_with(b"\x1F\x8B") || bytes.starts_with(b"\x28\xB5\x2F\xFD")) {
        return None;
    }
    let at = (offset - start) as usize;
    let (before, after) = (bytes.get(..at)?, &bytes[at..]);
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let line_end = after.iter().position(|byte| *byte == b'\n').unwrap_or(after.len());

    let whole = line_start > 0 || start == 0;
    let before = shown(&before[line_start..]);
    let after = shown(&after[..line_end]);
    let (cut, before) = last(&before, BEFORE);
    let front = if cut || !whole { "…" } else { "" };
    let rest: String = after.chars().take(AFTER).collect();
    let back = if rest.len() < after.len() { "…" } else { "" };

    let number = number.to_string();
    let margin = " ".repeat(number.len());
    let indent = " ".repeat(front.chars().count() + before.chars().count());
    Some(format!("  {number} | {front}{before}{rest}{back}\n  {margin} | {indent}^"))
}

/// Makes text fit on one line, with one character for each of its own.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_end_matches('\r').trim_start_matches('\u{FEFF}');
    text.chars()
        .map(|c| {
            if c == '\t' {
                ' '
            } else if c.is_control() {
                '\u{FFFD}'
            } else {
                c
            }
        })
        .collect()
}

/// Returns the last characters, and whether there are more before them.
fn last(text: &str, count: usize) -> (bool, &str) {
    let skipped = text.chars().count().saturating_sub(count);
    let at = text.char_indices().nth(skipped).map_or(text.len(), |(at, _)| at);
    (skipped > 0, &text[at..])
}

#[cfg(test)]
mod tests {
    use super::of;
    use demat_core::Position;
    use demat_place::Place;

    fn snippet(text: &[u8], offset: u64, line: u64) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, text).unwrap();
        let position = Position { offset: Some(offset), line: Some(line), ..Position::default() };
        of(&Place::from(&path), position)
    }

    #[test]
    fn the_caret_stands_under_the_byte() {
        assert_eq!(snippet(b"[1,\n  xy]\n", 6, 2).unwrap(), "  2 |   xy]\n    |   ^");
        assert_eq!(snippet(b"x", 0, 1).unwrap(), "  1 | x\n    | ^");
        assert_eq!(snippet(b"[1", 2, 1).unwrap(), "  1 | [1\n    |   ^");
        assert_eq!(snippet("[\"é\u{7}\",x]".as_bytes(), 7, 1).unwrap(), "  1 | [\"é\u{FFFD}\",x]\n    |       ^");
        assert_eq!(snippet(b"[1", 3, 1), None);
        assert_eq!(snippet(b"\x1F\x8Bxxx", 3, 1), None);
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = [b"[".repeat(1000), b"x".to_vec(), b"]".repeat(1000)].concat();
        let expected = format!("  1 | …{}x{}…\n    |  {}^", "[".repeat(60), "]".repeat(39), " ".repeat(60));
        assert_eq!(snippet(&text, 1000, 1).unwrap(), expected);
    }
}
