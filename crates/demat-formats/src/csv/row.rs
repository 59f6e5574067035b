use super::Dialect;

/// The position of one row and its cells in the window.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    /// Its first byte.
    pub(super) start: usize,
    /// The end of its last cell, without the line ending.
    pub(super) end: usize,
    /// The number of cells.
    pub(super) cells: usize,
    /// The position that the marks of its cells are relative to.
    pub(super) origin: usize,
    /// The index of the mark before its first cell. The ends of the cells are the marks after it.
    pub(super) first: u32,
    /// The position of text after a closing quote, if there is any.
    pub(super) fault: Option<usize>,
}

/// The bytes that separate cells and rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub(super) delimiter: u8,
    /// The quote, or the delimiter again in a dialect without quotes: code that tests for the delimiter first never
    /// sees it as a quote.
    pub(super) quote: u8,
    /// Whether an empty line is a row with one empty cell; otherwise it is skipped.
    pub(super) blank_rows: bool,
    /// Whether the input ends with these bytes.
    pub(super) last: bool,
}

impl Rules {
    pub(super) fn of(dialect: Dialect, last: bool) -> Self {
        let delimiter = dialect.delimiter;
        Self { delimiter, quote: dialect.quote.unwrap_or(delimiter), blank_rows: false, last }
    }

    /// Whether a cell that begins with this byte is quoted.
    #[inline]
    pub(super) fn quotes(self, byte: u8) -> bool {
        byte == self.quote && byte != self.delimiter
    }
}
