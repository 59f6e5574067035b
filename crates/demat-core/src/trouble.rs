//! Failures of a storage.

use core::fmt;

/// A failure of the storage itself, which neither the request nor the data caused.
///
/// A crate for a database returns one as the [`source`](std::error::Error::source) of its own failure. A caller
/// finds it among the causes of an error without knowing the database.
///
/// ```
/// use core::fmt;
/// use demat_core::Trouble;
/// use std::error::Error;
/// #[derive(Debug)]
/// struct Locked;
/// impl fmt::Display for Locked {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         f.write_str("code 5")
///     }
/// }
/// impl Error for Locked {
///     fn source(&self) -> Option<&(dyn Error + 'static)> {
///         Some(&Trouble::Busy)
///     }
/// }
/// assert_eq!(Locked.source().unwrap().downcast_ref(), Some(&Trouble::Busy));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Another process holds a lock for longer than the timeout; try again later.
    Busy,
    /// The disk is full.
    Full,
    /// The storage is damaged, missing, or changed since it was opened.
    Broken,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Busy => "another process holds a lock",
            Self::Full => "the disk is full",
            Self::Broken => "the storage is damaged, missing or changed",
        })
    }
}

impl std::error::Error for Trouble {}
