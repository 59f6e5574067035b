//! Carrying the house's errors through readers and writers of the standard library, whose own error they have to pass
//! as.

use demat_core::{Error, ErrorKind};
use std::io;

/// An error on its way through [`io::Read`].
pub(crate) fn lower(error: Error) -> io::Error {
    io::Error::other(error)
}

/// Whether this is one of ours on its way.
pub(crate) fn is_ours(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Error>)
}

/// The error that was on its way through a reader, where this is about one; itself where it is not.
///
/// What [`Unpacked`](crate::Unpacked) has to say of damaged data comes as the cause of an error of reading, since
/// [`std::io::Read`] knows no other.
#[must_use]
pub fn lift(error: Error) -> Error {
    let Some(lowered) = cause(&error) else { return error };
    let Some(own) = lowered.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) else { return error };
    let lifted = Error::new(own.kind(), own.reason()).at(own.position()).at(error.position());
    match own.place() {
        Some(place) => lifted.in_place(place),
        None => lifted,
    }
}

/// What the system said.
fn cause(error: &Error) -> Option<&io::Error> {
    if error.kind() != ErrorKind::Io {
        return None;
    }
    std::error::Error::source(error)?.downcast_ref()
}

/// The system refused something to do with this place.
pub(crate) fn refused(what: &'static str, place: impl Into<String>, cause: io::Error) -> Error {
    if is_ours(&cause) {
        return lift(Error::from(cause));
    }
    Error::new(ErrorKind::Io, what).because(cause).in_place(place)
}
