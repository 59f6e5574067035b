//! Points at the invalid position of a text on the command line.

use core::fmt::Write as _;
use demat_core::Error;

/// Returns the message with the line of the text below it, and a caret under the error's position.
pub(crate) fn pointed(mut message: String, error: &Error, text: &str) -> String {
    let position = error.position();
    if let (Some(line), Some(column)) = (position.line, position.column)
        && let Some(line) = text.split('\n').nth(line as usize - 1)
    {
        let before: String = line.chars().take(column as usize - 1).map(|c| if c == '\t' { c } else { ' ' }).collect();
        let _ = write!(message, "\n  | {line}\n  | {before}^"); // to a String
    }
    message
}
