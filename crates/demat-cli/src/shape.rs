//! Parses the shape option.

use crate::failure::Failure;
use crate::pointer::pointed;
use demat_core::{Error, Shape};
use demat_formats::canonical::Mapping;
use demat_formats::codec::verify_shape;
use demat_proto::MessagePath;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Reads a shape: `@FILE`, a message of a `.proto` file, or text. Text that is not a shape may be the name of a file
/// with one.
pub(crate) fn read(given: &OsStr) -> Result<Shape, Failure> {
    if let Some(path) = given.to_str().and_then(|text| text.strip_prefix('@')) {
        return of_file(Path::new(path));
    }
    if let Some(path) = given.to_str().and_then(MessagePath::of) {
        return path.shape().map_err(|error| no_message(path, &error));
    }
    let refused = match given.to_str().map(str::parse::<Shape>) {
        Some(Ok(shape)) => return noted(shape, "--shape"),
        Some(Err(error)) => Some(error),
        None => None,
    };
    match (refused, Path::new(given).is_file()) {
        (_, true) => of_file(Path::new(given)),
        (Some(error), false) => Err(no_shape(&error, "--shape", given.to_str().unwrap_or_default())),
        (None, false) => Err(Failure::usage("`--shape` is neither UTF-8 text nor a file")),
    }
}

/// Reads the lossless shape of a message, and its mapping to canonical JSON.
pub(crate) fn read_exactly(given: &OsStr) -> Result<(Shape, Arc<Mapping>), Failure> {
    if let Some(path) = given.to_str().and_then(MessagePath::of) {
        let exact = path.exact().and_then(|(shape, types)| Ok((Mapping::new(&shape)?.with_types(types), shape)));
        let (mapping, shape) = exact.map_err(|error| no_message(path, &error))?;
        return Ok((path.listed(shape), Arc::new(mapping)));
    }
    let shape = read(given)?;
    let mapping = Mapping::new(&shape).map_err(|error| Failure::usage(error.to_string()))?;
    Ok((shape, Arc::new(mapping)))
}

/// Checks the notes of a shape.
fn noted(shape: Shape, place: &str) -> Result<Shape, Failure> {
    match verify_shape(&shape) {
        Ok(()) => Ok(shape),
        Err(error) => Err(Failure::usage(format!("{place}: {error}"))),
    }
}

fn no_message(path: MessagePath<'_>, error: &Error) -> Failure {
    Failure::usage(format!("{}: {error}", path.file.display()))
}

fn of_file(path: &Path) -> Result<Shape, Failure> {
    let name = path.display().to_string();
    match fs::read_to_string(path) {
        Ok(text) => text.parse().map_err(|error| no_shape(&error, &name, &text)).and_then(|shape| noted(shape, &name)),
        Err(cause) if cause.kind() == io::ErrorKind::InvalidData => {
            Err(Failure::usage(format!("`{name}` is not a shape: it is not UTF-8 text")))
        }
        Err(cause) => {
            let error = Error::new(demat_core::ErrorKind::Io, "can't be read").because(cause).in_place(name);
            Err(error.into())
        }
    }
}

/// Returns the error with a caret under the invalid position of the text.
fn no_shape(error: &Error, place: &str, text: &str) -> Failure {
    let message = pointed(format!("{place}: not a shape: {error}"), error, text);
    Failure::usage_with(message, "a shape is text like `id: int, title: text, tags: [text]?`")
}
