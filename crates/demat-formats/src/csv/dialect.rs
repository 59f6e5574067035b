use demat_core::{Error, ErrorKind, Result};

/// How a table is written as text: which bytes part its cells and rows, and what is done about rows of odd lengths.
///
/// ```
/// use demat_formats::csv::{Dialect, Ragged};
/// let semicolons = Dialect { delimiter: b';', ragged: Ragged::Pad, ..Dialect::default() };
/// assert!(semicolons.check().is_ok());
/// assert!(Dialect { delimiter: b'\n', ..Dialect::default() }.check().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// What stands between two cells: `,`.
    pub delimiter: u8,
    /// What stands around a cell that holds a delimiter, a quote or a line break; doubled inside: `"`. Without one,
    /// every byte but delimiters and line breaks is content, and text that has such a byte can't be written.
    pub quote: Option<u8>,
    /// Whether the first row is the names of the columns: true.
    pub header: bool,
    /// What happens to rows with more or fewer cells than there are columns.
    pub ragged: Ragged,
    /// How written rows end. Read rows end with either, or with a lone return.
    pub line_ending: LineEnding,
    /// Whether text that a spreadsheet might run as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a return)
    /// is written with `'` before it: false, since that changes the text.
    pub escape_formulas: bool,
}

/// What happens to rows with more or fewer cells than there are columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Ragged {
    /// They are refused.
    #[default]
    Refuse,
    /// Cells that are not there are missing, as a field is missing in a record; cells too many are refused unless all
    /// of them are empty. A sink writes the missing ones as empty cells.
    Pad,
}

/// How written rows end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// By a newline.
    #[default]
    Lf,
    /// By a return and a newline, as RFC 4180 has it.
    CrLf,
}

impl LineEnding {
    /// The bytes.
    pub(super) const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            delimiter: b',',
            quote: Some(b'"'),
            header: true,
            ragged: Ragged::Refuse,
            line_ending: LineEnding::Lf,
            escape_formulas: false,
        }
    }
}

impl Dialect {
    /// Cells between tabs, quoted as in CSV where they must be.
    pub fn tsv() -> Self {
        Self { delimiter: b'\t', ..Self::default() }
    }

    /// The same without a header: columns go by position.
    #[must_use]
    pub fn without_header(self) -> Self {
        Self { header: false, ..self }
    }

    /// Checks that delimiter and quote can be told apart from each other and from what cells are made of.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint), where one is not ASCII, could be part of a number, or ends a row.
    pub fn check(&self) -> Result<()> {
        for (what, byte) in [("delimiter", Some(self.delimiter)), ("quote", self.quote)] {
            let Some(byte) = byte else { continue };
            // Numbers are written without looking for what they hold; a byte of a character is no character.
            if !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"+-.\r\n".contains(&byte) {
                let message = format!("`{}` can't be the {what} of a CSV dialect", byte.escape_ascii());
                return Err(Error::new(ErrorKind::Constraint, message));
            }
        }
        if self.quote == Some(self.delimiter) {
            return Err(Error::new(ErrorKind::Constraint, "the delimiter and the quote of a CSV dialect are the same"));
        }
        Ok(())
    }
}
