//! Iterates over the objects of a document or file: the items of a list, or lines.

use super::super::Encoding;
use super::with_source;
use demat_core::{Mark, Result, Source};
use demat_formats::json::ReadOptions;
use demat_formats::stream::{Base, Part};

/// The UTF-8 byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The position of the iteration.
#[derive(Debug)]
pub(in super::super) struct Walk {
    encoding: Encoding,
    base: Base,
    /// Whether each line is an object.
    lines: bool,
    options: ReadOptions,
    /// In a list, the mark before the next item; `None` before the start.
    mark: Option<Mark>,
    /// In lines, the offset of the next one.
    at: usize,
    done: bool,
    failed: bool,
}

impl Walk {
    /// Starts at the beginning of a place.
    pub(in super::super) fn new(encoding: Encoding, lines: bool, options: ReadOptions) -> Self {
        let base = Base::default();
        Self { encoding, base, lines, options, mark: None, at: 0, done: false, failed: false }
    }

    /// Starts at the beginning of a list within a document.
    pub(in super::super) fn of_items(encoding: Encoding, base: Base, options: ReadOptions) -> Self {
        Self { base, ..Self::new(encoding, false, options) }
    }

    /// Returns the start and the end of the next object. `None` at the end.
    ///
    /// # Errors
    /// An error if the bytes are malformed; nothing follows after it.
    pub(in super::super) fn next(&mut self, bytes: &[u8]) -> Result<Option<(usize, usize)>> {
        if self.done {
            return Ok(None);
        }
        let found = if self.lines { Ok(self.line(bytes)) } else { self.item(bytes) };
        self.done = !matches!(found, Ok(Some(_)));
        self.failed = found.is_err();
        found
    }

    /// Returns whether the iteration has reached the end without an error.
    pub(in super::super) fn is_whole(&self) -> bool {
        self.done && !self.failed
    }

    /// Returns the number of bytes passed.
    pub(in super::super) fn offset(&self) -> usize {
        self.mark.map_or(self.at, |mark| mark.offset)
    }

    /// Returns the next line that is not blank. Its contents are validated later.
    fn line(&mut self, bytes: &[u8]) -> Option<(usize, usize)> {
        while self.at < bytes.len() {
            let begin = self.at;
            let len = bytes[begin..].iter().position(|byte| *byte == b'\n');
            let end = len.map_or(bytes.len(), |len| begin + len);
            self.at = len.map_or(end, |_| end + 1);
            let (begin, end) = within(bytes, begin, end);
            if begin < end {
                return Some((begin, end));
            }
        }
        None
    }

    fn item(&mut self, bytes: &[u8]) -> Result<Option<(usize, usize)>> {
        let (part, mark) = (Part { bytes, last: true, base: self.base }, self.mark);
        let found = with_source!(self.encoding, part, self.options, |source| item_behind(source, mark))?;
        Ok(found.map(|(len, mark)| {
            self.mark = Some(mark);
            (mark.offset - len, mark.offset)
        }))
    }
}

/// Returns the length of the item after a mark, and the mark behind it. `None` at the end of the list.
fn item_behind<'a, S: Source<'a>>(mut source: S, mark: Option<Mark>) -> Result<Option<(usize, Mark)>> {
    match mark {
        Some(mark) => source.reset(mark),
        None => {
            source.list()?;
        }
    }
    if !source.item()? {
        source.end()?;
        return Ok(None);
    }
    let len = source.span()?.len();
    Ok(Some((len, source.mark())))
}

/// Returns the start and the end of a JSON document without surrounding whitespace and the byte order mark.
pub(in super::super) fn trimmed(bytes: &[u8]) -> (usize, usize) {
    within(bytes, 0, bytes.len())
}

fn within(bytes: &[u8], begin: usize, end: usize) -> (usize, usize) {
    // A second byte order mark is invalid, and the source reports it.
    let marks = bytes.chunks(MARK.len()).take_while(|chunk| *chunk == MARK).count();
    let mark = if begin == 0 && marks == 1 { MARK.len() } else { 0 };
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let text = &bytes[begin + mark..end];
    let blanks = text.iter().take_while(|byte| is_blank(byte)).count();
    let behind = text[blanks..].iter().rev().take_while(|byte| is_blank(byte)).count();
    (begin + mark + blanks, end - behind)
}
