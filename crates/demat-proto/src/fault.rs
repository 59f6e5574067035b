use demat_core::{Error, ErrorKind};

/// What a definition says that is wrong, or that has no shape.
#[cold]
pub(crate) fn refused(message: impl core::fmt::Display) -> Error {
    Error::new(ErrorKind::Constraint, message.to_string())
}
