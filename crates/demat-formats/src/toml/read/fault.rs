//! Converts errors of the parser to [`Error`].

use crate::whole::at_byte;
use core::fmt::Write as _;
use demat_core::{Error, ErrorKind};
use toml_parser::{Expected, ParseError};

/// The maximum number of characters that a message quotes.
const SHOWN: usize = 20;

/// Returns a syntax error.
#[cold]
pub(super) fn syntax(error: &ParseError, input: &str) -> Error {
    let span = error.unexpected().or(error.context());
    let at = span.map_or(input.len(), |span| span.start()).min(input.len());
    let error = match error.expected() {
        Some(expected) if !expected.is_empty() => {
            Error::mismatch(ErrorKind::Syntax, either(expected), found(input, at))
        }
        _ => Error::new(ErrorKind::Syntax, error.description().to_string()),
    };
    error.at(at_byte(input.as_bytes(), at))
}

/// Returns the expected alternatives, for a message.
fn either(expected: &[Expected]) -> String {
    let mut text = String::new();
    for one in expected {
        if !text.is_empty() {
            text.push_str(" or ");
        }
        let _ = match one {
            Expected::Literal(literal) => write!(text, "`{}`", literal.escape_debug()),
            Expected::Description(description) => write!(text, "{description}"),
            _ => write!(text, "something else"),
        }; // writing to a String cannot fail
    }
    if text.contains([' ', '`']) { text } else { format!("a {text}") }
}

/// Returns the text at an offset, for a message.
fn found(input: &str, at: usize) -> String {
    let rest = input.get(at..).unwrap_or_default();
    let word = rest.split(['\n', '\r']).next().unwrap_or_default();
    match (rest.is_empty(), word.is_empty()) {
        (true, _) => "end of input".to_string(),
        (false, true) => "the end of the line".to_string(),
        _ if word.chars().count() <= SHOWN => format!("`{word}`"),
        _ => format!("`{}…`", word.chars().take(SHOWN).collect::<String>()),
    }
}
