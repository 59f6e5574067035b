use demat_core::Position;

/// The byte order mark, which some editors write before UTF-8.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The position of a window in its place, for the positions of errors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Base {
    /// The number of bytes before the window.
    pub offset: u64,
    /// The number of line breaks before the window.
    pub lines: u64,
    /// The number of characters between the last line break (or the start) and the window.
    pub columns: u64,
}

impl Base {
    /// Returns the position of a byte of the window. Counts through the window, so it is for errors only.
    ///
    /// Lines end at `\n`. A column counts characters; a byte of invalid UTF-8 counts as one. The byte order mark at the
    /// start of the place counts as none, since it is invisible.
    ///
    /// ```
    /// use demat_formats::stream::Base;
    /// let position = Base::default().position(b"[\n1,\n  x]", 7);
    /// assert_eq!((position.line, position.column), (Some(3), Some(3)));
    /// ```
    pub fn position(&self, window: &[u8], at: usize) -> Position {
        let at = at.min(window.len());
        let here = self.after(&window[..at]);
        Position { offset: Some(here.offset), line: Some(here.lines + 1), column: Some(here.columns + 1), record: None }
    }

    /// Returns the base of a window that begins after these bytes.
    #[must_use]
    pub fn after(&self, bytes: &[u8]) -> Self {
        let offset = self.offset + bytes.len() as u64;
        let bytes = if self.offset == 0 { bytes.strip_prefix(MARK).unwrap_or(bytes) } else { bytes };
        let (lines, columns) = match memchr::memrchr(b'\n', bytes) {
            Some(last) => {
                let lines = memchr::memchr_iter(b'\n', &bytes[..=last]).count() as u64;
                (self.lines + lines, characters(&bytes[last + 1..]))
            }
            None => (self.lines, self.columns + characters(bytes)),
        };
        Self { offset, lines, columns }
    }
}

/// Counts all bytes but the continuation bytes of characters. Takes a fast path for ASCII.
pub(super) fn characters(bytes: &[u8]) -> u64 {
    bytes.chunks(4096).map(|part| if part.is_ascii() { part.len() as u64 } else { counted(part) }).sum()
}

pub(super) fn counted(bytes: &[u8]) -> u64 {
    // Small enough parts that each count fits a byte, so that the compiler can vectorise the sum.
    let parts = bytes.chunks(128).map(|part| part.iter().map(|byte| u8::from(byte & 0xC0 != 0x80)).sum::<u8>());
    parts.map(u64::from).sum()
}
