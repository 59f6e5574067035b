//! Why a store refuses.

use crate::reference::shown;
use crate::verb::Verb;
use core::fmt;
use demat_core::{Error, ErrorKind};

/// Why a store refuses, for whoever has to tell others by a code: the cause of its error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is there.
    NotFound,
    /// That is not done with it.
    NotAllowed(Verb),
    /// What is there is not as it [was to be](crate::When).
    Changed,
    /// It does not go with what else is there: a key that is taken.
    Conflict,
    /// The reference is none.
    BadReference,
    /// The query is none, or none for this store.
    BadQuery,
}

impl Fault {
    /// The error, about a reference.
    #[cold]
    pub fn about(self, at: &[String]) -> Error {
        let message = match self {
            Self::NotAllowed(verb) => format!("can't {verb} `{}`", shown(at)),
            _ => format!("`{}`", shown(at)),
        };
        self.because(message)
    }

    /// The error, with what there is to say.
    #[cold]
    pub fn because(self, message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::Store, message).because(self)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("nothing is there"),
            Self::NotAllowed(_) => f.write_str("this store does not do that"),
            Self::Changed => f.write_str("it is not as it was to be"),
            Self::Conflict => f.write_str("it does not go with what is there"),
            Self::BadReference => f.write_str("that is no reference"),
            Self::BadQuery => f.write_str("that can't be asked"),
        }
    }
}

impl std::error::Error for Fault {}

/// The fault that an error is about, if it is about one.
///
/// ```
/// use demat_store::{Fault, fault_of};
/// let error = Fault::NotFound.about(&["tasks".to_string(), "3".to_string()]);
/// assert_eq!(error.to_string(), "`/tasks/3`: nothing is there");
/// assert_eq!(fault_of(&error), Some(Fault::NotFound));
/// ```
pub fn fault_of(error: &Error) -> Option<Fault> {
    std::error::Error::source(error)?.downcast_ref().copied()
}
