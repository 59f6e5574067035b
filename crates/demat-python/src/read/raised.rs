//! Exceptions on their way through readers of Rust's, which know no other errors than their own.

use pyo3::prelude::*;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Where an exception waits that was raised while a place was read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Keeps an exception, and gives the error that stands for it. There is never more than one: it ends the reading.
    pub(crate) fn keep(&self, raised: PyErr) -> io::Error {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
        Self::stand_in()
    }

    /// The error that stands for the exception, once more, where one was raised: who passes over it the first time meets it
    /// again.
    pub(crate) fn again(&self) -> io::Result<()> {
        let raised = self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if raised { Err(Self::stand_in()) } else { Ok(()) }
    }

    fn stand_in() -> io::Error {
        // As an error of the house's, so that nobody takes it for one of the data's.
        io::Error::other(demat_core::Error::new(demat_core::ErrorKind::Io, "reading the place raised an exception"))
    }

    /// The exception that was raised, if one was.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
