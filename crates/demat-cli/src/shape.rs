//! A shape, as an option says it.

use crate::failure::Failure;
use core::fmt::Write as _;
use demat_core::{Error, Shape};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

/// Reads a shape: `@FILE`, or text; what is no shape may be the name of a file that holds one.
pub(crate) fn read(given: &OsStr) -> Result<Shape, Failure> {
    if let Some(path) = given.to_str().and_then(|text| text.strip_prefix('@')) {
        return of_file(Path::new(path));
    }
    let refused = match given.to_str().map(str::parse::<Shape>) {
        Some(Ok(shape)) => return Ok(shape),
        Some(Err(error)) => Some(error),
        None => None,
    };
    match (refused, Path::new(given).is_file()) {
        (_, true) => of_file(Path::new(given)),
        (Some(error), false) => Err(no_shape(&error, "--shape", given.to_str().unwrap_or_default())),
        (None, false) => Err(Failure::usage("`--shape` is no text in UTF-8, and no file")),
    }
}

fn of_file(path: &Path) -> Result<Shape, Failure> {
    let name = path.display().to_string();
    match fs::read_to_string(path) {
        Ok(text) => text.parse().map_err(|error| no_shape(&error, &name, &text)),
        Err(cause) if cause.kind() == io::ErrorKind::InvalidData => {
            Err(Failure::usage(format!("`{name}` holds no shape: it is no text in UTF-8")))
        }
        Err(cause) => {
            let error = Error::new(demat_core::ErrorKind::Io, "can't be read").because(cause).in_place(name);
            Err(error.into())
        }
    }
}

/// The text with a caret under what is wrong.
fn no_shape(error: &Error, place: &str, text: &str) -> Failure {
    let mut message = format!("{place}: no shape: {error}");
    let position = error.position();
    if let (Some(line), Some(column)) = (position.line, position.column)
        && let Some(line) = text.lines().nth(line as usize - 1)
    {
        let before: String = line.chars().take(column as usize - 1).map(|c| if c == '\t' { c } else { ' ' }).collect();
        let _ = write!(message, "\n  | {line}\n  | {before}^"); // to a String
    }
    Failure::usage_with(message, "a shape is text like `id: int, title: text, tags: [text]?`")
}
