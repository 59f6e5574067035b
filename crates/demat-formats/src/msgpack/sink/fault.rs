//! What can't be written.

use demat_core::scalar::Int;
use demat_core::{Error, ErrorKind};

#[cold]
pub(super) fn too_large(value: &Int<'_>) -> Error {
    Error::mismatch(ErrorKind::Encode, "an int of at most 64 bits", value.to_string())
}

#[cold]
pub(super) fn too_long(kind: &'static str) -> Error {
    Error::new(ErrorKind::Encode, format!("{kind} is longer than MessagePack can say: 4,294,967,295"))
}

#[cold]
pub(super) fn no_container(kind: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a scalar as a key", kind)
}

/// A sequence is read again by its maps.
#[cold]
pub(super) fn no_record(kind: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a record, as every item of a sequence", kind)
}

/// The header has left the memory, and says something else.
#[cold]
pub(super) fn wrong_count(announced: u32, count: u64) -> Error {
    let message =
        format!("{announced} items were announced and written so, but {count} came; write a sequence instead");
    Error::new(ErrorKind::Encode, message)
}
