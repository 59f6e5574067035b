//! Errors of writing.

use super::super::bignum;
use demat_core::{Error, ErrorKind};

#[cold]
pub(super) fn too_large(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("{what} is longer than {} bytes", bignum::MOST))
}

#[cold]
pub(super) fn wide_exponent() -> Error {
    Error::new(ErrorKind::Encode, "the exponent of a decimal is beyond 64 bits")
}

#[cold]
pub(super) fn no_container(kind: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a scalar as a key", kind)
}

/// Returns the error for a record that can't be a tag.
#[cold]
pub(super) fn bad_tag(found: &str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a tag of `tag` (uint64) and `value`", found.to_owned())
}

/// Returns the error for a tag whose content came first and is too long to wait for its number.
#[cold]
pub(super) fn late_tag() -> Error {
    Error::new(ErrorKind::Encode, "the `value` of a tag precedes its `tag`, and is too long to be held in memory")
}

/// Returns the error for a count that differs from one that has left the memory.
#[cold]
pub(super) fn wrong_count(announced: u64, count: u64) -> Error {
    let message =
        format!("{announced} items were announced and written so, but {count} came; write a sequence instead");
    Error::new(ErrorKind::Encode, message)
}
