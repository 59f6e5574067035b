//! Memory that the GIL guards.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::{RefCell, RefMut};

/// A value that is used with the GIL held only, and by one call at a time.
pub(super) struct Held<T>(RefCell<T>);

// SAFETY: `get` and `take` need the token of the GIL, and the interpreter drops objects with the GIL held. So one thread
// at a time uses the value. Values that belong to one thread check that themselves.
unsafe impl<T> Sync for Held<T> {}
// SAFETY: as above.
unsafe impl<T> Send for Held<T> {}

impl<T> Held<T> {
    pub(super) fn new(value: T) -> Self {
        Self(RefCell::new(value))
    }

    /// Returns the value.
    ///
    /// # Errors
    /// `RuntimeError` while another call uses it: a function that this one has called.
    #[inline]
    pub(super) fn get(&self, _: Python<'_>) -> PyResult<RefMut<'_, T>> {
        self.0.try_borrow_mut().map_err(|_| {
            PyRuntimeError::new_err(
                "the transaction is in use by the call that runs this function, and can't be used in it",
            )
        })
    }

    /// Returns the value, for the collector and for `drop`.
    pub(super) fn peek(&self) -> Option<RefMut<'_, T>> {
        self.0.try_borrow_mut().ok()
    }
}
