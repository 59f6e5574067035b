//! Exit codes.

use demat_core::ErrorKind;

/// The exit status of the command; the help lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Ok,
    /// Data was refused.
    Data,
    /// Two places differ.
    Differs,
    /// The command line was invalid.
    Usage,
    /// The system refused to read or write.
    Io,
    /// The input exceeds a limit.
    Limit,
    /// The reader of standard output has closed it.
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

impl Exit {
    /// Returns the number that shells show.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Data | Self::Differs => 1,
            Self::Usage => 2,
            Self::Io => 3,
            Self::Limit => 4,
            // The status that shells report for SIGPIPE, in case the process could not end by it.
            Self::Closed => 141,
        }
    }
}
