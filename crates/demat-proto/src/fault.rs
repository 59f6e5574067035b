use demat_core::{Error, ErrorKind};

/// Returns the error for a definition that is invalid or has no shape.
#[cold]
pub(crate) fn refused(message: impl core::fmt::Display) -> Error {
    Error::new(ErrorKind::Constraint, message.to_string())
}
