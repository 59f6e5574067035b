//! A shape, as an option says it.

use crate::failure::Failure;
use core::fmt::Write as _;
use demat_core::{Error, Shape};
use demat_formats::canonical::Mapping;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Reads a shape: `@FILE`, a message of a `.proto` file, or text; what is no shape may be the name of a file that holds one.
pub(crate) fn read(given: &OsStr) -> Result<Shape, Failure> {
    if let Some(path) = given.to_str().and_then(|text| text.strip_prefix('@')) {
        return of_file(Path::new(path));
    }
    if let Some((path, message, many)) = given.to_str().and_then(of_proto) {
        let shape = demat_proto::Definitions::read(path, &[]).and_then(|all| match message {
            Some(message) => all.shape(message),
            None => all.only_shape(),
        });
        let shape = shape.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        return Ok(if many { shape.list() } else { shape });
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

/// Reads a shape that loses nothing of a message, where it is one of a `.proto` file, and how canonical JSON has it.
pub(crate) fn read_exactly(given: &OsStr) -> Result<(Shape, Arc<Mapping>), Failure> {
    let Some((path, message, many)) = given.to_str().and_then(of_proto) else {
        let shape = read(given)?;
        let mapping = Mapping::new(&shape).map_err(|error| Failure::usage(error.to_string()))?;
        return Ok((shape, Arc::new(mapping)));
    };
    let read = || {
        let all = demat_proto::Definitions::read(path, &[])?;
        let message = message.map_or_else(|| all.only_message(), |name| Ok(name.to_owned()))?;
        Ok(Mapping::new(&all.exact_shape(&message)?)?.with_types(all.types()))
    };
    let mapping = read().map_err(|error: Error| Failure::usage(format!("{}: {error}", path.display())))?;
    let shape = mapping.shape().clone();
    Ok((if many { shape.list() } else { shape }, Arc::new(mapping)))
}

/// A file of definitions, the message that is meant, and whether it is a list of those: `[tasks.proto:todo.Task]`.
fn of_proto(text: &str) -> Option<(&Path, Option<&str>, bool)> {
    let (text, many) = match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(inner) => (inner.trim(), true),
        None => (text, false),
    };
    let (path, message) = match text.rsplit_once(':') {
        Some((path, message)) => (path, Some(message)),
        None => (text, None),
    };
    let path = Path::new(path);
    let is_definition = path.extension().is_some_and(|suffix| suffix == "proto" || suffix == "protoset");
    is_definition.then_some((path, message.filter(|message| !message.is_empty()), many))
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
