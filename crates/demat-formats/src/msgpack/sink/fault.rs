//! Errors of writing.

use demat_core::scalar::Int;
use demat_core::{Error, ErrorKind};

#[cold]
pub(super) fn too_large(value: &Int<'_>) -> Error {
    Error::mismatch(ErrorKind::Encode, "an int of at most 64 bits", value.to_string())
}

#[cold]
pub(super) fn too_long(kind: &'static str) -> Error {
    Error::new(ErrorKind::Encode, format!("{kind} is longer than 4,294,967,295, the limit of MessagePack"))
}

#[cold]
pub(super) fn no_container(kind: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a scalar as a key", kind)
}

/// Returns the error for a sequence with other items than maps, by which readers recognise it.
#[cold]
pub(super) fn no_record(kind: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a record, as every item of a sequence", kind)
}

/// Returns the error for a count that differs from one that has left the memory.
#[cold]
pub(super) fn wrong_count(announced: u32, count: u64) -> Error {
    let message =
        format!("{announced} items were announced and written so, but {count} came; write a sequence instead");
    Error::new(ErrorKind::Encode, message)
}

/// The record of an extension type has other fields or values.
#[cold]
pub(super) fn bad_ext(error: &Error) -> Error {
    let expected = "an extension type with `code` (int8) and `data` (bytes)";
    Error::mismatch(ErrorKind::Encode, expected, format!("another record: {}", error.reason()))
}

#[cold]
pub(super) fn no_timestamp() -> Error {
    Error::mismatch(ErrorKind::Encode, "an instant, which is written as the timestamp", "extension type -1")
}
