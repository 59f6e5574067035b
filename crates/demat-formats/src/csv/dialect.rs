use demat_core::scalar::Duration;
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
    /// The text without quotes that stands for null, such as `NA`. A source reads it besides an empty cell, and a sink
    /// writes it instead of one. Default none.
    pub null: Option<NullText>,
    /// The number of cells of the rows in front, where this is a part of a table that follows other rows. Default none: this
    /// is the beginning. A source without a header takes it for the number of columns, instead of the cells of the first
    /// row. A sink may begin with a row that is one empty cell.
    pub behind: Option<usize>,
}

/// A text that stands for null in a table: of 1 to 15 bytes.
///
/// ```
/// use demat_formats::csv::NullText;
/// assert_eq!(NullText::new("NULL")?.as_bytes(), b"NULL");
/// assert!(NullText::new("").is_err());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NullText {
    bytes: [u8; 15],
    len: u8,
}

impl NullText {
    /// Returns the text.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if it is empty or longer than 15 bytes.
    pub fn new(text: &str) -> Result<Self> {
        let mut bytes = [0; 15];
        match bytes.get_mut(..text.len()) {
            Some(own) if !text.is_empty() => own.copy_from_slice(text.as_bytes()),
            _ => return Err(Error::new(ErrorKind::Constraint, "the text for null has from 1 to 15 bytes")),
        }
        Ok(Self { bytes, len: text.len() as u8 })
    }

    /// Its bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Whether a sink may write a value of another kind than text like this, which it does without quotes.
    fn may_be_a_value(&self) -> bool {
        let text = String::from_utf8_lossy(self.as_bytes());
        let first = text.bytes().next().unwrap_or_default();
        let word = ["true", "false", "nan", "inf"].iter().any(|word| word.eq_ignore_ascii_case(&text));
        first.is_ascii_digit() || b"+-.".contains(&first) || word || Duration::parse(&text).is_some()
    }
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
            null: None,
            behind: None,
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
    /// [`Constraint`](ErrorKind::Constraint), if one is not ASCII, could be part of a number, or ends a row; or if the
    /// text for null needs quotes.
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
        let special = |byte: &u8| *byte == self.delimiter || Some(*byte) == self.quote || b"\r\n".contains(byte);
        if self.null.is_some_and(|null| null.as_bytes().iter().any(special) || null.as_bytes()[0] == 0xEF) {
            return Err(Error::new(ErrorKind::Constraint, "the text for null needs quotes in this CSV dialect"));
        }
        Ok(())
    }

    /// As [`check`](Self::check), for a sink.
    ///
    /// # Errors
    /// As [`check`](Self::check); and if other values than null could be written like the text for null.
    pub(super) fn check_written(&self) -> Result<()> {
        if self.null.is_some_and(|null| null.may_be_a_value()) {
            let message = "the text for null could be another value, and can't be written";
            return Err(Error::new(ErrorKind::Constraint, message));
        }
        self.check()
    }
}
