//! Turns panics into errors at the faces.
//!
//! Neither data nor calls should make the house or the crates that it uses panic. Where one does all the same, a face (the
//! command, the Python package, a server) catches it here and answers with an [`Internal`](ErrorKind::Internal) error.

use crate::{Error, ErrorKind, Result};
use core::any::Any;
use core::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

#[cfg(test)]
mod tests;

thread_local! {
    /// Where the last panic of this thread was, as the hook saw it.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Replaces the panic hook of the process by one that prints nothing, and notes the place for the error.
///
/// For programs, which have a process of their own: a library leaves the hook alone.
pub fn silence_panics() {
    set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        // A thread that ends has nobody left to ask for it.
        let _ = PLACE.try_with(|own| *own.borrow_mut() = place);
    }));
}

/// Runs a function; where it panics, that is an [`Internal`](ErrorKind::Internal) error.
///
/// What the function has borrowed may be half changed after a panic: don't go on with it.
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
/// What the function returns.
pub fn caught<T>(run: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// The error for what a panic says: what [`catch_unwind`] or the `join` of a thread gives.
#[cold]
pub fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
    let place = PLACE.try_with(|own| own.borrow_mut().take()).ok().flatten();
    let place = place.map_or_else(String::new, |place| format!(", in {place}"));
    let text = text.unwrap_or("unknown");
    Error::new(ErrorKind::Internal, format!("this is a fault of Demat; please report it: {text}{place}"))
}
