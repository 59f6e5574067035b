//! Places in LMDB environments: their names, and their records as source and target.

#[cfg(not(feature = "lmdb"))]
mod absent;
#[cfg(feature = "lmdb")]
mod source;
#[cfg(feature = "lmdb")]
mod target;

#[cfg(not(feature = "lmdb"))]
pub(crate) use absent::{CollectionTarget, open, shapes};
#[cfg(feature = "lmdb")]
pub(crate) use {
    source::{open, shapes},
    target::CollectionTarget,
};

use crate::Format;
use core::fmt;
use std::ffi::OsStr;
use std::path::PathBuf;

/// A collection of an LMDB environment: `lmdb:DIRECTORY#NAME`.
///
/// ```
/// use demat_place::Place;
/// let Place::Collection(place) = Place::named("lmdb:a/tasks#open".as_ref()) else { panic!() };
/// assert_eq!((place.path.to_str(), place.name.as_deref()), (Some("a/tasks"), Some("open")));
/// let Place::Collection(place) = Place::named("lmdb:a/tasks".as_ref()) else { panic!() };
/// assert_eq!(place.name, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionPlace {
    /// The directory.
    pub path: PathBuf,
    /// The collection. `None`: for reading, the only one; for writing, the one with the name of the source.
    pub name: Option<String>,
}

const SCHEME: &str = "lmdb:";

impl CollectionPlace {
    /// Parses a name, if it has the scheme.
    pub fn named(name: &OsStr) -> Option<Self> {
        let rest = name.to_str()?.strip_prefix(SCHEME)?;
        let (path, name) = match rest.rsplit_once('#') {
            Some((path, name)) => (path, Some(name.to_string())),
            None => (rest, None),
        };
        (!path.is_empty()).then(|| Self { path: path.into(), name })
    }

    /// Returns the format of the collection's records; `None` if it does not exist or can't be opened.
    pub fn stored_format(&self) -> Option<Format> {
        #[cfg(not(feature = "lmdb"))]
        return absent::stored_format(self);
        #[cfg(feature = "lmdb")]
        source::stored_format(self)
    }
}

impl fmt::Display for CollectionPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", self.path.display())?;
        match &self.name {
            Some(name) => write!(f, "#{name}"),
            None => Ok(()),
        }
    }
}
