//! Places that are databases: what a name says of one, and its rows as source and target.

#[cfg(not(feature = "sqlite"))]
mod absent;
#[cfg(feature = "sqlite")]
mod source;
#[cfg(feature = "sqlite")]
mod target;

#[cfg(not(feature = "sqlite"))]
pub(crate) use absent::{Database, DatabaseSource, DatabaseTarget, tables};
#[cfg(feature = "sqlite")]
pub(crate) use demat_sqlite::Database;
#[cfg(feature = "sqlite")]
pub(crate) use {
    source::{DatabaseSource, tables},
    target::DatabaseTarget,
};

use crate::Format;
use core::fmt;
use demat_core::{Error, ErrorKind};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A database, and what of it.
///
/// ```
/// use demat_place::{Part, Place};
/// let Place::Database(place) = Place::named("a/tasks.db#tasks".as_ref()) else { panic!() };
/// assert_eq!(place.part, Part::Table("tasks".to_string()));
/// let Place::Database(place) = Place::named("tasks.sqlite?select 1 as a".as_ref()) else { panic!() };
/// assert_eq!(place.part, Part::Query("select 1 as a".to_string()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabasePlace {
    /// Its file.
    pub path: PathBuf,
    /// What of it.
    pub part: Part,
}

/// What of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// It is not said: the only table where it is read; where it is written, the one that is called as the source is.
    Whole,
    /// A table, or a view.
    Table(String),
    /// What a statement gives.
    Query(String),
}

impl DatabasePlace {
    /// What a name says, if it is one of a database by its suffix.
    pub fn named(name: &OsStr) -> Option<Self> {
        let name = name.to_str()?;
        if let Some(end) = name.find(['#', '?']).filter(|end| is_database(&name[..*end])) {
            let rest = name[end + 1..].to_string();
            let part = if name[end..].starts_with('#') { Part::Table(rest) } else { Part::Query(rest) };
            return Some(Self { path: name[..end].into(), part });
        }
        is_database(name).then(|| Self { path: name.into(), part: Part::Whole })
    }

    /// Whether there is a file that has all of the name.
    pub(crate) fn is_hidden_by_file(&self, name: &OsStr) -> bool {
        self.part != Part::Whole && !self.path.exists() && Path::new(name).exists()
    }
}

fn is_database(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let file = name.rsplit('/').next().unwrap_or_default();
    Format::SQLITE.suffixes().iter().any(|suffix| file.len() > suffix.len() && file.ends_with(*suffix))
}

impl fmt::Display for DatabasePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.part {
            Part::Whole => write!(f, "{path}"),
            Part::Table(table) => write!(f, "{path}#{table}"),
            Part::Query(query) => write!(f, "{path}?{query}"),
        }
    }
}

/// The error for a database that is to come or go as a stream.
#[cold]
pub(crate) fn no_stream() -> Error {
    Error::new(ErrorKind::Io, "a database is a file, and can't be read or written as a stream")
}

/// The name of a file without its suffixes.
pub(crate) fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let stem = name.split('.').find(|part| !part.is_empty())?;
    Some(stem.to_string())
}
