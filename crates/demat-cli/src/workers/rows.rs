//! Tables whose cells may be quoted: the header, and where a range of rows may begin.

use demat_formats::csv::Dialect;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

#[cfg(test)]
mod tests;

/// A header that is longer than this is none: then the file is not divided.
const LONGEST: u64 = 1 << 20;
/// How far a row is looked for that has as many cells as the first.
const WINDOW: u64 = 1 << 16;

/// The first row of a table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// All bytes up to its end, if it has the names of the columns; else none.
    pub(super) bytes: Vec<u8>,
    /// The number of its cells.
    pub(super) cells: usize,
    /// The position behind it.
    pub(super) end: u64,
}

impl Head {
    /// Returns the first row of a file; `None` if it does not end.
    pub(super) fn of(file: &mut File, dialect: &Dialect) -> io::Result<Option<Self>> {
        let mut first = Vec::new();
        file.rewind()?;
        file.take(LONGEST).read_to_end(&mut first)?;
        Ok(Self::within(first, dialect))
    }

    fn within(mut first: Vec<u8>, dialect: &Dialect) -> Option<Self> {
        let mark = if first.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut at = mark + first[mark..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let mut cells = 0;
        loop {
            at = cell(&first, at, dialect)?;
            cells += 1;
            if first.get(at) != Some(&dialect.delimiter) {
                break;
            }
            at += 1;
        }
        let end = row_end(&first, at)?;
        first.truncate(if dialect.header { end } else { 0 });
        Some(Self { bytes: first, cells, end: end as u64 })
    }
}

/// Returns where a row is likely to begin, at a line or behind it.
///
/// It is a guess: a line within a quoted cell may look like a row. The copy finds that out, as the part before it then
/// ends within a cell.
pub(super) fn begin(file: &mut File, line: u64, end: u64, cells: usize, dialect: &Dialect) -> io::Result<u64> {
    let Some(quote) = dialect.quote else { return Ok(line) };
    let mut window = Vec::new();
    file.seek(SeekFrom::Start(line))?;
    file.take(WINDOW.min(end - line)).read_to_end(&mut window)?;
    if !window.contains(&quote) {
        return Ok(line);
    }
    let mut at = 0;
    while at < window.len() {
        if is_row(&window, at, cells, dialect) {
            return Ok(line + at as u64);
        }
        match window[at..].iter().position(|byte| *byte == b'\n') {
            Some(feed) => at += feed + 1,
            None => break,
        }
    }
    Ok(line)
}

/// Whether a row with this many cells stands here.
fn is_row(bytes: &[u8], mut at: usize, cells: usize, dialect: &Dialect) -> bool {
    for index in 0..cells {
        if index > 0 {
            if bytes.get(at) != Some(&dialect.delimiter) {
                return false;
            }
            at += 1;
        }
        match cell(bytes, at, dialect) {
            Some(end) => at = end,
            None => return false,
        }
    }
    row_end(bytes, at).is_some()
}

/// Returns the position behind a cell; `None` if it is quoted and does not end as a cell does.
fn cell(bytes: &[u8], at: usize, dialect: &Dialect) -> Option<usize> {
    let ends = |byte: &u8| *byte == dialect.delimiter || matches!(byte, b'\r' | b'\n');
    let Some(quote) = dialect.quote.filter(|quote| bytes.get(at) == Some(quote)) else {
        return Some(at + bytes.get(at..)?.iter().take_while(|byte| !ends(byte)).count());
    };
    let mut at = at + 1;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == quote)? + 1;
        match bytes.get(at)? {
            byte if *byte == quote => at += 1,
            byte if ends(byte) => return Some(at),
            _ => return None,
        }
    }
}

/// Returns the position behind a line break; `None` if there is none here.
fn row_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at..)? {
        [b'\n', ..] => Some(at + 1),
        [b'\r', b'\n', ..] => Some(at + 2),
        _ => None,
    }
}
