//! The objects of a document or a file, one after the other: the items of a list, or lines.

use demat_core::{Mark, Result, Source};
use demat_formats::json::{JsonSource, ReadOptions};
use demat_formats::stream::{Base, Part};

/// The mark of the byte order.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Where it is among them.
#[derive(Debug)]
pub(in super::super) struct Walk {
    /// Whether each line is one of them.
    lines: bool,
    options: ReadOptions,
    /// In a list, where the next item is looked for; nothing before its start.
    mark: Option<Mark>,
    /// Of lines, where the next one begins.
    at: usize,
    done: bool,
    failed: bool,
}

impl Walk {
    /// At the start of a place.
    pub(in super::super) fn new(lines: bool, options: ReadOptions) -> Self {
        Self { lines, options, mark: None, at: 0, done: false, failed: false }
    }

    /// At the start of a list.
    pub(in super::super) fn of_items(options: ReadOptions) -> Self {
        Self::new(false, options)
    }

    /// The next one: where it begins and ends. Nothing at the end.
    ///
    /// # Errors
    /// What is not well-formed; nothing comes after that.
    pub(in super::super) fn next(&mut self, bytes: &[u8]) -> Result<Option<(usize, usize)>> {
        if self.done {
            return Ok(None);
        }
        let found = if self.lines { Ok(self.line(bytes)) } else { self.item(bytes) };
        self.done = !matches!(found, Ok(Some(_)));
        self.failed = found.is_err();
        found
    }

    /// Whether it has gone to the end, and all of it was well-formed.
    pub(in super::super) fn is_whole(&self) -> bool {
        self.done && !self.failed
    }

    /// How many bytes it has gone through.
    pub(in super::super) fn offset(&self) -> usize {
        self.mark.map_or(self.at, |mark| mark.offset)
    }

    /// The next line that has more than blanks; what is in it is looked at later.
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
        let mut source = JsonSource::over(Part { bytes, last: true, base: Base::default() }, self.options);
        match self.mark {
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
        self.mark = Some(source.mark());
        Ok(Some((source.offset() - len, source.offset())))
    }
}

/// Where a document begins and ends, without the blanks around it and the mark of the byte order.
pub(in super::super) fn trimmed(bytes: &[u8]) -> (usize, usize) {
    within(bytes, 0, bytes.len())
}

fn within(bytes: &[u8], begin: usize, end: usize) -> (usize, usize) {
    // A second one is nothing that may stand there, which the source will say.
    let marks = bytes.chunks(MARK.len()).take_while(|chunk| *chunk == MARK).count();
    let mark = if begin == 0 && marks == 1 { MARK.len() } else { 0 };
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let text = &bytes[begin + mark..end];
    let blanks = text.iter().take_while(|byte| is_blank(byte)).count();
    let behind = text[blanks..].iter().rev().take_while(|byte| is_blank(byte)).count();
    (begin + mark + blanks, end - behind)
}
