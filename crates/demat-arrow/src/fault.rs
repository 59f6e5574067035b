//! Errors of Arrow's readers and writers.

use arrow_schema::ArrowError;
use demat_core::{Error, ErrorKind, Result};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The error for what a reader says of data that is to be `what`.
#[cold]
pub(crate) fn damaged(what: &'static str, error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, cause) if cause.kind() != io::ErrorKind::UnexpectedEof => cause.into(),
        ArrowError::ExternalError(cause) => match cause.downcast::<Error>() {
            Ok(own) => *own,
            Err(other) => Error::new(ErrorKind::Syntax, format!("the {what} data is damaged or cut off")).because(other),
        },
        other => Error::new(ErrorKind::Syntax, format!("the {what} data is damaged or cut off")).because(other),
    }
}

/// The error for what a writer says.
#[cold]
pub(crate) fn unwritable(what: &'static str, error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, cause) => cause.into(),
        other => Error::new(ErrorKind::Encode, format!("the columns can't be written as {what}")).because(other),
    }
}

/// Reads, and takes a panic of the reader for what it is: bytes that it did not expect.
///
/// The readers are written to answer damaged data with errors, and mostly do. Where panics abort the process this is
/// of no use, and the process ends.
pub(crate) fn guarded<T>(what: &'static str, read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(Error::new(ErrorKind::Syntax, format!("the {what} data is damaged: its reader could not go on")))
    })
}
