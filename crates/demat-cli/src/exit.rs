//! What the command ends with.

use demat_core::ErrorKind;

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

impl Exit {
    /// The number that shells show.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Data => 1,
            Self::Usage => 2,
            Self::Io => 3,
            Self::Limit => 4,
            // What shells give for a process that ended of SIGPIPE, where that could not be.
            Self::Closed => 141,
        }
    }
}
