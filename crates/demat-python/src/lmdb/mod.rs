//! LMDB environments, for the Python code of collections.
//!
//! | file | contents |
//! |---|---|
//! | `environment` | an open directory |
//! | `transaction` | what is read or written as a whole |
//! | `collection` | records of a class |
//! | `scan` | iterates over a range |
//! | `stream` | a range as bytes, for all other verbs |
//! | `key` | keys from objects, and objects from keys |
//! | `held` | memory that the GIL guards |

mod collection;
mod environment;
mod held;
mod key;
mod scan;
mod stream;
mod transaction;

pub(crate) use collection::Collection;
pub(crate) use environment::Environment;

use crate::error::{Failure, exception};
use demat_core::Error;
use pyo3::prelude::*;
use std::cell::Cell;

/// Adds the classes to the module.
///
/// # Errors
/// Never fails in practice.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<environment::Environment>()?;
    module.add_class::<transaction::Transaction>()?;
    module.add_class::<transaction::Keeper>()?;
    module.add_class::<collection::Collection>()?;
    module.add_class::<scan::Scan>()?;
    module.add_class::<stream::Stream>()?;
    scan::install(module.py());
    Ok(())
}

thread_local! {
    /// The exception of a function that makes the keys of an index.
    static RAISED: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// Keeps an exception that user code raised, and returns the error that stands for it.
fn raised(error: PyErr) -> Error {
    RAISED.set(Some(error));
    Error::new(demat_core::ErrorKind::Constraint, "the program raised an exception")
}

/// Converts an error, or returns the exception that it stands for.
fn failed(py: Python<'_>, error: Error) -> PyErr {
    RAISED.take().unwrap_or_else(|| exception(py, Failure::from(error)))
}
