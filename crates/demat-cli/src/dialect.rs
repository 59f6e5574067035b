//! Parses the options for the bytes of a table.

use demat_formats::csv::NullText;

/// Parses the delimiter: a character, or `tab` or `\t`.
pub(crate) fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "tab" | "\\t" => Ok(b'\t'),
        _ => byte(text),
    }
}

/// The quote of a table; `None` for a table without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quote(pub(crate) Option<u8>);

/// Parses the quote: a character, or `none`.
pub(crate) fn quote(text: &str) -> Result<Quote, String> {
    if text == "none" { Ok(Quote(None)) } else { byte(text).map(|byte| Quote(Some(byte))) }
}

/// Parses the text that stands for null.
pub(crate) fn null(text: &str) -> Result<NullText, String> {
    NullText::new(text).map_err(|error| error.reason())
}

fn byte(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("expected one ASCII character".to_string()),
    }
}
