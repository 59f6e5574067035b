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

/// Returns the error for a count that differs from one that has left the memory.
#[cold]
pub(super) fn wrong_count(announced: u64, count: u64) -> Error {
    let message =
        format!("{announced} items were announced and written so, but {count} came; write a sequence instead");
    Error::new(ErrorKind::Encode, message)
}
