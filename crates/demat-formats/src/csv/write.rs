//! Writes text as a cell, quoted where necessary.

use super::{Dialect, NullText};
use crate::scan::csv_special;
use crate::stream::MARK;
use demat_core::{Error, ErrorKind, Result};

/// When and how cells are quoted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quoting {
    delimiter: u8,
    quote: Option<u8>,
    escape_formulas: bool,
    null: Option<NullText>,
}

impl Quoting {
    pub(super) fn of(dialect: Dialect) -> Self {
        let Dialect { delimiter, quote, escape_formulas, null, .. } = dialect;
        Self { delimiter, quote, escape_formulas, null }
    }

    /// Appends text as a cell.
    ///
    /// # Errors
    /// If the text needs quotes (as empty text does) and the dialect has none.
    #[inline]
    pub(super) fn text(self, out: &mut Vec<u8>, text: &str) -> Result<()> {
        let bytes = text.as_bytes();
        let plain = csv_special(bytes, 0, self.delimiter, self.quote.unwrap_or(self.delimiter)) == bytes.len();
        if plain && bytes.first().is_some_and(|first| *first != MARK[0]) && !self.escape_formulas && self.null.is_none()
        {
            out.extend_from_slice(bytes);
            return Ok(());
        }
        self.with_care(out, bytes, plain)
    }

    #[inline(never)]
    fn with_care(self, out: &mut Vec<u8>, bytes: &[u8], plain: bool) -> Result<()> {
        let escape: &[u8] = match bytes.first() {
            Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') if self.escape_formulas => b"'",
            _ => b"",
        };
        // A reader would skip a byte order mark at the start of the file.
        let marked = bytes.starts_with(MARK);
        let is_null = self.null.is_some_and(|null| null.as_bytes() == bytes);
        if plain && !bytes.is_empty() && !marked && !is_null {
            out.extend_from_slice(escape);
            out.extend_from_slice(bytes);
            return Ok(());
        }
        let Some(quote) = self.quote else { return Err(no_quote(bytes, marked, is_null)) };
        out.push(quote);
        out.extend_from_slice(escape);
        let mut rest = bytes;
        while let Some(at) = memchr::memchr(quote, rest) {
            out.extend_from_slice(&rest[..=at]);
            out.push(quote);
            rest = &rest[at + 1..];
        }
        out.extend_from_slice(rest);
        out.push(quote);
        Ok(())
    }
}

#[cold]
fn no_quote(text: &[u8], marked: bool, is_null: bool) -> Error {
    let found = match text {
        [] => "empty text, which would be read as null, in a dialect without quotes",
        _ if is_null => "the text that stands for null, in a dialect without quotes",
        _ if marked => "text that begins with a byte order mark, in a dialect without quotes",
        _ => "text with a delimiter or a line break, in a dialect without quotes",
    };
    Error::mismatch(ErrorKind::Encode, "text that needs no quotes", found)
}
