//! The reasons for which a store refuses a request.

use crate::reference::shown;
use crate::verb::Verb;
use core::fmt;
use demat_core::{Error, ErrorKind, Trouble};
use std::io;

/// The reason of a refusal, as the cause of an error: for callers that map errors to codes, such as HTTP statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The value does not exist.
    NotFound,
    /// The operation is not supported.
    NotAllowed(Verb),
    /// The value does not meet the [condition](crate::When).
    Changed,
    /// The change conflicts with other values, such as a key that is taken.
    Conflict,
    /// The reference is invalid.
    BadReference,
    /// The query is invalid, or not supported by this store.
    BadQuery,
    /// The request is invalid for another reason, which the message tells.
    BadRequest,
    /// The client may not do that.
    Forbidden,
}

impl Fault {
    /// Returns the error about a reference.
    #[cold]
    pub fn about(self, at: &[String]) -> Error {
        let message = match self {
            Self::NotAllowed(verb) => format!("can't {verb} `{}`", shown(at)),
            _ => format!("`{}`", shown(at)),
        };
        self.because(message)
    }

    /// Returns the error with a message.
    #[cold]
    pub fn because(self, message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::Store, message).because(self)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("not found"),
            Self::NotAllowed(_) => f.write_str("this store does not support it"),
            Self::Changed => f.write_str("its version is not the expected one"),
            Self::Conflict => f.write_str("it conflicts with what is stored"),
            Self::BadReference => f.write_str("this is not a valid path"),
            Self::BadQuery => f.write_str("the query is not valid"),
            Self::BadRequest => f.write_str("the request is not valid"),
            Self::Forbidden => f.write_str("that is not allowed"),
        }
    }
}

impl std::error::Error for Fault {}

/// Returns the fault that caused an error, if one did.
///
/// ```
/// use demat_store::{Fault, fault_of};
/// let error = Fault::NotFound.about(&["tasks".to_string(), "3".to_string()]);
/// assert_eq!(error.to_string(), "`/tasks/3`: not found");
/// assert_eq!(fault_of(&error), Some(Fault::NotFound));
/// ```
pub fn fault_of(error: &Error) -> Option<Fault> {
    std::error::Error::source(error)?.downcast_ref().copied()
}

/// Returns the store's own failure, if that caused the error. `None` for errors in the request or the data.
///
/// ```
/// use demat_core::{Error, ErrorKind};
/// use demat_store::{Fault, Trouble, trouble_of};
/// let error = Error::new(ErrorKind::Store, "can't be written").because(Trouble::Busy);
/// assert_eq!(trouble_of(&error), Some(Trouble::Busy));
/// assert_eq!(trouble_of(&Fault::NotFound.about(&[])), None);
/// ```
pub fn trouble_of(error: &Error) -> Option<Trouble> {
    let mut cause = std::error::Error::source(error);
    while let Some(own) = cause {
        if own.is::<Fault>() {
            return None;
        }
        if let Some(trouble) = own.downcast_ref::<Trouble>() {
            return Some(*trouble);
        }
        if let Some(failure) = own.downcast_ref::<io::Error>()
            && is_full(failure)
        {
            return Some(Trouble::Full);
        }
        cause = own.source();
    }
    (error.kind() == ErrorKind::Io).then_some(Trouble::Broken)
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
