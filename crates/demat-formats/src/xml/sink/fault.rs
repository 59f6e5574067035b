//! What can't be written.

use demat_core::{Error, ErrorKind};

#[cold]
pub(super) fn no_char(char: char) -> Error {
    Error::new(ErrorKind::Encode, format!("XML 1.0 has no form for the character U+{:04X}", u32::from(char)))
}

#[cold]
pub(super) fn no_container(found: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a scalar as a key", found)
}

/// The value does not fit where it would stand.
#[cold]
pub(super) fn misplaced(expected: &'static str, found: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, expected, found)
}

/// The start tag has left the memory.
#[cold]
pub(super) fn too_late(name: &str) -> Error {
    let message = format!("the attribute `{name}` came behind elements that were written already; put it first");
    Error::new(ErrorKind::Encode, message)
}

#[cold]
pub(super) fn no_prefix(prefix: &str) -> Error {
    let message = format!("the prefix `{prefix}` has no namespace; `Field(xml=\"namespace …\")` says one");
    Error::new(ErrorKind::Encode, message)
}
