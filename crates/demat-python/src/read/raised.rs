//! Carries Python exceptions through Rust readers, which return I/O errors.

use pyo3::prelude::*;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// The exception that was raised while a place was read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Keeps an exception, and returns an I/O error in its place. It ends the reading, so there is never more than one.
    pub(crate) fn keep(&self, raised: PyErr) -> io::Error {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
        Self::stand_in()
    }

    /// Returns the I/O error again if an exception was raised, for callers that ignored it the first time.
    pub(crate) fn again(&self) -> io::Result<()> {
        let raised = self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if raised { Err(Self::stand_in()) } else { Ok(()) }
    }

    fn stand_in() -> io::Error {
        // One of our errors, so that it is not attributed to the data.
        io::Error::other(demat_core::Error::new(demat_core::ErrorKind::Io, "reading the place raised an exception"))
    }

    /// Takes the exception, if there is one.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
