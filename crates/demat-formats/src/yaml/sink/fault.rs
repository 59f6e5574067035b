//! Errors for values that YAML can't express.

use demat_core::{Error, ErrorKind};

#[cold]
pub(super) fn no_container(kind: &'static str) -> Error {
    Error::new(ErrorKind::Encode, format!("a {kind} can't be a key"))
}

#[cold]
pub(super) fn no_record(kind: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a record, as every one of several documents", kind)
}
