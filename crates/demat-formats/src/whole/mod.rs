//! Formats whose documents are parsed as a whole.
//!
//! A crate parses the document, and a tape stores its values: one flat list in reading order. [`WholeSource`] reads the
//! tape. A document is parsed once, when all of it is in memory.

mod fault;
mod number;
mod reader;
mod source;
mod tape;

pub(crate) use number::{float, int};
pub use reader::Whole;
pub use source::WholeSource;
pub(crate) use tape::{Content, Node, Slice, Tape};

use core::fmt;
use demat_core::{Error, ErrorKind, Position, Result};

/// A format whose documents are parsed as a whole.
pub trait Document: Copy + fmt::Debug + Send + Sync + 'static {
    /// Whether the format has nulls. In a format without nulls, a required field that may be null is null if it is
    /// missing.
    const NULLS: bool;
    /// Whether text without quotes may be a number, a bool or a null.
    const PLAIN: bool;

    /// Parses a document.
    ///
    /// # Errors
    /// If it is malformed, or exceeds a limit.
    #[doc(hidden)]
    fn parse(&self, bytes: &[u8]) -> Result<Parsed>;

    /// Parses a date or a time in a form that only this format has.
    #[doc(hidden)]
    fn timestamp(text: &str) -> Option<Timestamp> {
        let _ = text;
        None
    }

    /// Returns the bytes of a value as a document of their own.
    #[doc(hidden)]
    fn span(bytes: &[u8], begin: usize, end: usize) -> std::borrow::Cow<'_, [u8]> {
        std::borrow::Cow::Borrowed(bytes.get(begin..end).unwrap_or_default())
    }
}

/// A parsed document.
#[derive(Debug)]
pub struct Parsed(pub(crate) Tape);

/// A date or a time in a form that only one format has.
#[derive(Debug, Clone, Copy)]
pub struct Timestamp(pub(crate) Content);

/// Returns the document as text.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str> {
    simdutf8::compat::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let found = bytes.get(at).map_or_else(|| "end of input".to_string(), |byte| format!("byte 0x{byte:02x}"));
        Error::mismatch(ErrorKind::Syntax, "text in UTF-8", found).at(at_byte(bytes, at))
    })
}

/// Returns the position of an offset in a document.
pub(crate) fn at_byte(bytes: &[u8], at: usize) -> Position {
    crate::stream::Base::default().position(bytes, at)
}
