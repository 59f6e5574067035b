//! Errors for values that property lists can't express.

use super::super::Variant;
use demat_core::scalar::{DateTime, Int, Offset};
use demat_core::{Error, ErrorKind};

#[cold]
pub(super) fn no_null() -> Error {
    let message = "property lists have no null: only a field of a record can be left out";
    Error::new(ErrorKind::Encode, message)
}

#[cold]
pub(super) fn no_text_key() -> Error {
    Error::mismatch(ErrorKind::Encode, "a text, an int or a bool as a key", "another value")
}

#[cold]
pub(super) fn too_large(value: &Int<'_>) -> Error {
    Error::mismatch(ErrorKind::Encode, "an int from -2^63 to 2^64 - 1", value.to_string())
}

#[cold]
pub(super) fn too_fine(at: DateTime, offset: Offset, variant: Variant) -> Error {
    let expected = match variant {
        Variant::Xml => "a point of time in whole seconds of the years 1 to 9999; the binary form has microseconds",
        Variant::Binary => "a point of time in whole microseconds of the years 1 to 9999",
    };
    Error::mismatch(ErrorKind::Encode, expected, at.with_offset(offset).to_string())
}

#[cold]
pub(super) fn no_character(letter: char) -> Error {
    let found = format!("the character U+{:04X}", u32::from(letter));
    Error::mismatch(ErrorKind::Encode, "a character that XML has; the binary form has all", found)
}

#[cold]
pub(super) fn too_many() -> Error {
    Error::limit("the number of objects in a property list", u32::MAX)
}
