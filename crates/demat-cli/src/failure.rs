//! The failures of a command.

use demat_core::{Error, ErrorKind};
use demat_place::{Format, Place};
use std::io;

/// A failure of a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is invalid.
    Usage { message: String, hint: Option<String> },
    /// The command would read from a terminal; show the help of this command instead.
    Terminal(&'static str),
    /// The copy failed.
    Error { error: Error, about: About },
}

/// The source and target of the failed copy, for hints.
#[derive(Debug, Clone, Default)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub(crate) struct About {
    pub(crate) source: Option<(Place, Format)>,
    pub(crate) target: Option<Format>,
    pub(crate) flatten: bool,
    /// Whether the shape was given or inferred.
    pub(crate) typed: bool,
    /// Whether `--lax` would be possible, and was not set.
    pub(crate) strict: bool,
    /// Whether positions are those in decoded text.
    pub(crate) encoded: bool,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: None }
    }

    pub(crate) fn usage_with(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: Some(hint.into()) }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error { error, about: About::default() }
    }
}

/// Standard output could not be written.
impl From<io::Error> for Failure {
    fn from(cause: io::Error) -> Self {
        Error::new(ErrorKind::Io, "can't be written").because(cause).in_place("standard output").into()
    }
}

/// Returns whether the reader of standard output has closed it.
pub(crate) fn is_closed_pipe(error: &Error) -> bool {
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        next = match cause.downcast_ref::<io::Error>() {
            Some(cause) if cause.kind() == io::ErrorKind::BrokenPipe => return true,
            // An error within one of the system: its own `source` leaves that one out.
            Some(cause) => cause.get_ref().map(|inner| inner as &(dyn std::error::Error + 'static)),
            None => cause.source(),
        };
    }
    false
}
