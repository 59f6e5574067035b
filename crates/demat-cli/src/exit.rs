//! What the command ends with.

use demat_core::ErrorKind;
use std::process::ExitCode;

/// What the command ends with; the help tells of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Ok,
    /// Data was refused.
    Data,
    /// The command line was.
    Usage,
    /// The system refused to read or write.
    Io,
    /// The input asks for more than the limits allow.
    Limit,
    /// Nobody reads standard output any more.
    Closed,
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Io => Self::Io,
            ErrorKind::Limit => Self::Limit,
            _ => Self::Data,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Ok => 0,
            Exit::Data => 1,
            Exit::Usage => 2,
            Exit::Io => 3,
            Exit::Limit => 4,
            // What shells give for a process that ended of SIGPIPE, where that could not be.
            Exit::Closed => 141,
        })
    }
}
