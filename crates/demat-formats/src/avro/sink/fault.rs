//! Errors of writing.

use super::super::schema::Node;
use core::fmt;
use demat_core::{Error, ErrorKind};

/// Returns the error for a value of another kind.
#[cold]
pub(super) fn other(node: Node, found: &str) -> Error {
    Error::mismatch(ErrorKind::Encode, node.name(), found.to_owned())
}

/// Returns the error for a value of the right kind that the schema can't hold.
#[cold]
pub(super) fn unfit(expected: &str, found: impl fmt::Display) -> Error {
    Error::mismatch(ErrorKind::Encode, expected.to_owned(), format!("`{found}`"))
}

#[cold]
pub(super) fn no_shape() -> Error {
    Error::new(ErrorKind::Encode, "Avro must know the type before the first value: give the type")
}

#[cold]
pub(super) fn no_field(key: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("the type has no field `{key}`"))
}

#[cold]
pub(super) fn missing(key: &str) -> Error {
    Error::mismatch(ErrorKind::Encode, format!("field `{key}`"), "nothing")
}

#[cold]
pub(super) fn again(key: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("the field `{key}` comes again"))
}

#[cold]
pub(super) fn wrong_count(announced: u64, count: u64) -> Error {
    Error::new(ErrorKind::Encode, format!("{announced} items were announced and written so, but {count} came"))
}

#[cold]
pub(super) fn too_fine(found: impl fmt::Display) -> Error {
    unfit("a time in microseconds", found)
}

#[cold]
pub(super) fn astray() -> Error {
    Error::new(ErrorKind::Encode, "a value comes where the type has none")
}
