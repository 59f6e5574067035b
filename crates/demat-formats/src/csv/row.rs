use super::Dialect;

/// Where one row and its cells stand in the window.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    /// Its first byte.
    pub(super) start: usize,
    /// The end of its last cell: what ends the row is not part of it.
    pub(super) end: usize,
    /// How many cells it has.
    pub(super) cells: usize,
    /// What the marks of its cells count from.
    pub(super) origin: usize,
    /// The mark before its first cell; the ends of the cells are the marks after it.
    pub(super) first: u32,
    /// Where text follows a closing quote, if it does.
    pub(super) fault: Option<usize>,
}

/// What tells cells and rows apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub(super) delimiter: u8,
    /// The delimiter again where there is no quote: whoever looks for the delimiter first never meets it.
    pub(super) quote: u8,
    /// Whether an empty line is a row of one empty cell; otherwise it is nothing.
    pub(super) blank_rows: bool,
    /// Whether the place ends with these bytes.
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
