use demat_core::{Error, ErrorKind, Result};

/// How a table is written as text: the bytes that separate cells and rows, and the treatment of rows with too few or
/// too many cells.
///
/// ```
/// use demat_formats::csv::{Dialect, Ragged};
/// let semicolons = Dialect { delimiter: b';', ragged: Ragged::Pad, ..Dialect::default() };
/// assert!(semicolons.check().is_ok());
/// assert!(Dialect { delimiter: b'\n', ..Dialect::default() }.check().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// The byte between two cells; default `,`.
    pub delimiter: u8,
    /// The byte around a cell that holds a delimiter, a quote or a line break; doubled inside; default `"`. With
    /// `None`, every byte except delimiters and line breaks is content, and a sink refuses text that contains these.
    pub quote: Option<u8>,
    /// Whether the first row holds the names of the columns; default true.
    pub header: bool,
    /// The treatment of rows with more or fewer cells than there are columns.
    pub ragged: Ragged,
    /// How written rows end. Read rows may end with either, or with a lone carriage return.
    pub line_ending: LineEnding,
    /// Whether a sink writes `'` before text that a spreadsheet might run as a formula (it begins with `=`, `+`, `-`,
    /// `@`, a tab or a carriage return). Default false, since this changes the text.
    pub escape_formulas: bool,
}

/// The treatment of rows with more or fewer cells than there are columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Ragged {
    /// Refuses them.
    #[default]
    Refuse,
    /// Treats absent cells as missing fields, and refuses excess cells unless all of them are empty. A sink writes
    /// missing cells as empty ones.
    Pad,
}

/// How written rows end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// With a newline.
    #[default]
    Lf,
    /// With a carriage return and a newline, as in RFC 4180.
    CrLf,
}

impl LineEnding {
    /// Returns the bytes.
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
    /// Returns the dialect with tabs between cells, quoted as in CSV where necessary.
    pub fn tsv() -> Self {
        Self { delimiter: b'\t', ..Self::default() }
    }

    /// Returns the same dialect without a header: columns map to fields by position.
    #[must_use]
    pub fn without_header(self) -> Self {
        Self { header: false, ..self }
    }

    /// Checks that delimiter and quote differ from each other and from the bytes of numbers and line breaks.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint), if one is not ASCII, could be part of a number, or ends a row.
    pub fn check(&self) -> Result<()> {
        for (what, byte) in [("delimiter", Some(self.delimiter)), ("quote", self.quote)] {
            let Some(byte) = byte else { continue };
            // Numbers are written without a search for special bytes, and a part of a multi-byte character is no
            // character.
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
