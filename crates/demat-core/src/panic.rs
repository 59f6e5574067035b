//! Turns panics into errors at the entry points.
//!
//! Demat and its dependencies should never panic. If one does, the entry point (the command, the Python package, a
//! server) catches the panic here and returns an [`Internal`](ErrorKind::Internal) error.

use crate::{Error, ErrorKind, Result};
use core::any::Any;
use core::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

#[cfg(test)]
mod tests;

thread_local! {
    /// The source location of this thread's last panic, stored by the hook.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Replaces the process's panic hook with one that prints nothing and stores the location for the error.
///
/// For programs that own their process; a library should leave the hook alone.
pub fn silence_panics() {
    set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        // During thread shutdown the thread-local may be gone, and then nobody reads it.
        let _ = PLACE.try_with(|own| *own.borrow_mut() = place);
    }));
}

/// Runs a function, and turns a panic into an [`Internal`](ErrorKind::Internal) error.
///
/// After a panic, data that the function borrowed may be half-changed: don't use it any more.
///
/// ```
/// use demat_core::{ErrorKind, caught};
/// assert_eq!(caught(|| Ok(1))?, 1);
/// let error = caught(|| -> demat_core::Result<()> { panic!("no such thing") }).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Internal);
/// assert!(error.to_string().contains("no such thing"));
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// Those of the function.
pub fn caught<T>(run: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// Returns the error for a panic payload, as [`catch_unwind`] or the `join` of a thread returns it.
#[cold]
pub fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
    let place = PLACE.try_with(|own| own.borrow_mut().take()).ok().flatten();
    let place = place.map_or_else(String::new, |place| format!(", in {place}"));
    let text = text.unwrap_or("unknown");
    Error::new(ErrorKind::Internal, format!("this is a fault of Demat; please report it: {text}{place}"))
}
