//! The errors of rows, made where a fault is found and given a position where the window is known.

use crate::stream::Base;
use demat_core::{Error, ErrorKind, Signal, excerpt};
use std::fmt::Write as _;

/// Why the end of a row was not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The window ends first.
    Incomplete,
    /// The quote at this offset in the window is never closed.
    Unclosed(usize),
    /// The row at this offset in the window is too long for 32-bit marks.
    TooLong(usize),
}

impl Stop {
    /// Returns the error.
    #[cold]
    pub(super) fn error(self, base: &Base, window: &[u8]) -> Error {
        match self {
            Self::Incomplete => Error::signalled(Signal::Incomplete).at(base.position(window, window.len())),
            Self::Unclosed(open) => {
                Error::mismatch(ErrorKind::Syntax, "a closing quote", "end of input").at(base.position(window, open))
            }
            Self::TooLong(at) => Error::limit("the length of a row", "4 GiB").at(base.position(window, at)),
        }
    }
}

/// Returns the error for text after a closing quote.
#[cold]
pub(super) fn after_quote() -> Error {
    Error::mismatch(ErrorKind::Syntax, "a delimiter or a line break after the closing quote", "other text")
}

/// Returns the error for a row with another number of cells than the table has.
#[cold]
pub(super) fn ragged(expected: usize, found: usize) -> Error {
    Error::mismatch(ErrorKind::Syntax, counted(expected), counted(found))
}

/// As [`ragged`], under a header of one name: if that looks like several, cells may have another delimiter.
#[cold]
pub(super) fn ragged_under(header: &str, found: usize) -> Error {
    if !header.contains(DELIMITERS) {
        return ragged(1, found);
    }
    let expected =
        format!("1 cell, as the header is the one cell {} (is its delimiter another?)", excerpt::name(header));
    Error::mismatch(ErrorKind::Syntax, expected, counted(found))
}

/// What often stands between cells.
const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

fn counted(cells: usize) -> String {
    if cells == 1 { "1 cell".to_string() } else { format!("{cells} cells") }
}

/// Lists the first few names for an error.
pub(super) fn names<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MOST: usize = 20;
    let more = names.len().saturating_sub(MOST);
    let mut list = String::new();
    for name in names.take(MOST) {
        let comma = if list.is_empty() { "" } else { ", " };
        let _ = write!(list, "{comma}`{name}`"); // writing to a String cannot fail
    }
    if more > 0 {
        let _ = write!(list, " and {more} more");
    }
    list
}

/// Returns the content of a cell for an error: all of it, or its beginning.
#[cold]
pub(super) fn shown(content: &[u8]) -> String {
    if content.is_empty() {
        return "an empty cell".to_string();
    }
    // A character more, so that the excerpt shows that it is one.
    excerpt::name(&String::from_utf8_lossy(&content[..content.len().min(excerpt::ENOUGH + 4)]))
}

/// As [`ragged`], for a row that is written.
#[cold]
pub(super) fn ragged_out(expected: usize, found: usize) -> Error {
    let error = ragged(expected, found);
    let (expected, found) = (error.expectation().unwrap_or_default(), error.found().unwrap_or_default());
    Error::mismatch(ErrorKind::Encode, expected.to_string(), found.to_string())
}
