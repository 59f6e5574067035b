//! Carries Demat's errors through readers and writers of the standard library, inside of [`io::Error`].

use demat_core::{Error, ErrorKind};
use std::io;

/// Wraps an error, so that it can pass through [`io::Read`].
pub(crate) fn lower(error: Error) -> io::Error {
    io::Error::other(error)
}

/// Whether this is one of Demat's errors, wrapped.
pub(crate) fn is_ours(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Error>)
}

/// Unwraps an error that passed through a reader; returns any other error unchanged.
///
/// [`Unpacked`](crate::Unpacked) reports damaged data in this way, as the cause of an I/O error, since
/// [`std::io::Read`] allows no other.
#[must_use]
pub fn lift(error: Error) -> Error {
    let lowered = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref());
    if error.kind() != ErrorKind::Io || !lowered.is_some_and(is_ours) {
        return error;
    }
    let position = error.position();
    // With its own cause, by which a closed pipe is known.
    let lowered = error.into_cause().and_then(|cause| cause.downcast::<io::Error>().ok());
    let own = lowered.and_then(|lowered| lowered.into_inner()).and_then(|inner| inner.downcast::<Error>().ok());
    own.map_or_else(|| Error::new(ErrorKind::Internal, "an error lost its cause"), |own| own.at(position))
}

/// Returns the error for an operation on this place that the system refused.
pub(crate) fn refused(what: &'static str, place: impl Into<String>, cause: io::Error) -> Error {
    if is_ours(&cause) {
        return lift(Error::from(cause));
    }
    Error::new(ErrorKind::Io, what).because(cause).in_place(place)
}
