//! Converts errors of the parser to [`Error`].

use crate::whole::at_byte;
use demat_core::{Error, ErrorKind};
use granit_parser::ScanError;

/// Returns a syntax error, or the error for the depth limit. `lenient`: whether the option for too little indentation
/// would read the text.
#[cold]
pub(super) fn syntax(error: &ScanError, text: &str, depth: u32, lenient: bool) -> Error {
    let at = error.marker().byte_offset().unwrap_or(text.len()).min(text.len());
    let own = match error.kind() {
        granit_parser::ErrorKind::RecursionLimitExceeded => Error::limit("the depth of nesting", depth),
        granit_parser::ErrorKind::UnknownAnchor => {
            Error::mismatch(ErrorKind::Syntax, "an alias of an anchor before it", found(text, at))
        }
        _ if lenient => Error::new(ErrorKind::Syntax, format!("{}: `lenient_indentation=True` reads it", error.info())),
        _ => Error::new(ErrorKind::Syntax, error.info()),
    };
    own.at(at_byte(text.as_bytes(), at))
}

/// Returns the text at an offset, for a message.
fn found(text: &str, at: usize) -> String {
    let word: String =
        text.get(at..).unwrap_or_default().chars().take_while(|char| !char.is_whitespace()).take(40).collect();
    if word.is_empty() { "end of input".to_string() } else { format!("`{word}`") }
}
