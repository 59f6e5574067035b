//! Formats an error as a line of text.

use demat_core::{Error, ErrorKind};
use demat_place::InferredShape;
use std::error::Error as _;

/// The maximum lengths in characters; longer text is shortened in its middle. The input determines how long paths and
/// values are.
const REASON: usize = 400;
const PATH: usize = 120;

/// Returns the message of an error and its location, without what a hint explains better.
pub(crate) fn of(error: &Error) -> String {
    let mut reason = error.reason();
    if let Some(inferred) = inferred(error) {
        reason.truncate(reason.len() - format!(": {inferred}").len());
    }
    let reason = one_line(&reason, REASON);
    if error.kind() == ErrorKind::Io {
        return match error.place() {
            Some(place) => format!("{} {reason}", one_line(place, REASON)),
            None => reason,
        };
    }
    let (path, position) = (error.path(), error.position());
    let mut place: Vec<String> = error.place().map(|place| one_line(place, REASON)).into_iter().collect();
    place.extend(position.record.map(|record| format!("record {record}")));
    match (position.line, position.column, position.offset) {
        (Some(line), Some(column), _) => place.push(format!("line {line}, column {column}")),
        (_, _, Some(offset)) => place.push(format!("byte {offset}")),
        _ => {}
    }
    let path = if path == "$" { String::new() } else { format!(" at `{}`", one_line(&path, PATH)) };
    let place = if place.is_empty() { String::new() } else { format!(" ({})", place.join(", ")) };
    format!("{reason}{path}{place}")
}

/// Returns the cause, if the error is about an inferred shape.
pub(crate) fn inferred(error: &Error) -> Option<&InferredShape> {
    error.source()?.downcast_ref()
}

/// Makes text of the input safe for the terminal: no control characters, and limited in length.
fn one_line(text: &str, most: usize) -> String {
    let shown = |c: char| if c.is_control() { '\u{FFFD}' } else { c };
    let count = text.chars().count();
    if count <= most {
        return text.chars().map(shown).collect();
    }
    let half = most / 2;
    let (front, back) = (text.chars().take(half), text.chars().skip(count - half));
    front.chain(['…']).chain(back).map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::{of, one_line};
    use demat_core::{Error, ErrorKind, Position};

    #[test]
    fn long_and_live_text_is_tamed() {
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abc…efg");
        assert_eq!(one_line("\u{1B}[31m", 20), "\u{FFFD}[31m");
    }

    #[test]
    fn an_error_is_a_sentence() {
        let position = Position { offset: Some(9), line: Some(2), column: Some(3), record: Some(4) };
        let error = Error::expected("int", "text").within_field("id").within_item(3).at(position).in_place("a.json");
        assert_eq!(of(&error), "expected `int`, found `text` at `$[3].id` (a.json, record 4, line 2, column 3)");
        assert_eq!(of(&error), error.to_string());
        let error = Error::new(ErrorKind::Io, "can't be opened").in_place("a.json");
        assert_eq!(of(&error), "a.json can't be opened");
    }
}
