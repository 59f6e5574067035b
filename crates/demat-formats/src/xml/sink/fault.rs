//! Errors about values that XML can't represent.

use demat_core::{Error, ErrorKind};

#[cold]
pub(super) fn no_char(char: char) -> Error {
    Error::new(ErrorKind::Encode, format!("XML 1.0 has no form for the character U+{:04X}", u32::from(char)))
}

#[cold]
pub(super) fn no_container(found: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a scalar as a key", found)
}

/// The error for a value that its target can't hold.
#[cold]
pub(super) fn misplaced(expected: &'static str, found: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, expected, found)
}

/// The error for an attribute whose start tag is no longer in the buffer.
#[cold]
pub(super) fn too_late(name: &str) -> Error {
    let message = format!("the attribute `{name}` comes after elements that are already written; put it first");
    Error::new(ErrorKind::Encode, message)
}

#[cold]
pub(super) fn no_prefix(prefix: &str) -> Error {
    let message = format!("the prefix `{prefix}` has no namespace; set one with `Field(xml=\"namespace …\")`");
    Error::new(ErrorKind::Encode, message)
}
