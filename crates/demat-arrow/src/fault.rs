//! Converts errors of Arrow's readers and writers.

use arrow_schema::ArrowError;
use demat_core::{Error, ErrorKind};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Extracts an I/O error, or a Demat error inside one.
fn system(error: ArrowError) -> Result<io::Error, ArrowError> {
    match error {
        ArrowError::IoError(_, cause) => Ok(cause),
        ArrowError::ExternalError(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => Ok(*cause),
            Err(other) => Err(ArrowError::ExternalError(other)),
        },
        other => Err(other),
    }
}

/// Returns the error for a reader's error. `what`: the format of the data.
#[cold]
pub(crate) fn damaged(what: &'static str, error: ArrowError) -> Error {
    let cause: Box<dyn std::error::Error + Send + Sync> = match system(error) {
        Ok(cause) if !matches!(cause.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData) => {
            return cause.into();
        }
        Ok(cause) => cause.into(),
        Err(other) => other.into(),
    };
    Error::new(ErrorKind::Syntax, format!("the {what} data is damaged or cut off")).because(cause)
}

/// Returns the error for a writer's error.
#[cold]
pub(crate) fn unwritable(what: &'static str, error: ArrowError) -> Error {
    match system(error) {
        Ok(cause) => cause.into(),
        Err(other) => Error::new(ErrorKind::Encode, format!("the columns can't be written as {what}")).because(other),
    }
}

/// Runs a reader, and turns its panic into an error about damaged data.
///
/// The readers should return errors for damaged data, and usually do. This requires a program whose panics unwind.
pub(crate) fn guarded<T>(what: &'static str, read: impl FnOnce() -> demat_core::Result<T>) -> demat_core::Result<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(Error::new(ErrorKind::Syntax, format!("the {what} data is damaged: its reader could not go on")))
    })
}

/// Runs a writer, and turns its panic into an error: the library panics for column types that it does not support.
pub(crate) fn guarded_writing<T>(
    what: &'static str,
    write: impl FnOnce() -> demat_core::Result<T>,
) -> demat_core::Result<T> {
    catch_unwind(AssertUnwindSafe(write)).unwrap_or_else(|panic| {
        let error = Error::new(ErrorKind::Encode, format!("the columns can't be written as {what}"));
        Err(error.because(demat_core::panicked(&*panic)))
    })
}
