//! Places in databases: their names, and their rows as source and target.

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
use std::io;
use std::path::{Path, PathBuf};

/// A database, and the part of it.
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
    /// The database file.
    pub path: PathBuf,
    /// The part of it.
    pub part: Part,
}

/// The part of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Not specified. For reading, the only table; for writing, the table with the name of the source.
    Whole,
    /// A table or a view.
    Table(String),
    /// The result of a statement.
    Query(String),
}

impl DatabasePlace {
    /// Parses a name, if its suffix is one of a database.
    pub fn named(name: &OsStr) -> Option<Self> {
        let name = name.to_str()?;
        if let Some(end) = name.find(['#', '?']).filter(|end| is_database(&name[..*end])) {
            let rest = name[end + 1..].to_string();
            let part = if name[end..].starts_with('#') { Part::Table(rest) } else { Part::Query(rest) };
            return Some(Self { path: name[..end].into(), part });
        }
        is_database(name).then(|| Self { path: name.into(), part: Part::Whole })
    }

    /// Whether a file exists whose name is all of the text.
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

/// Returns the error for a database as a stream.
#[cold]
pub(crate) fn no_stream() -> Error {
    Error::new(ErrorKind::Io, "a database is a file, and can't be read or written as a stream")
}

/// Whether two paths lead to one file.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let same = |one: &Path, other: &Path| -> io::Result<bool> { Ok(one.canonicalize()? == other.canonicalize()?) };
    same(one, other).unwrap_or(false)
}

/// As [`is_same`], for files that may not exist yet.
pub(crate) fn would_be_same(one: &Path, other: &Path) -> bool {
    fn whole(path: &Path) -> io::Result<PathBuf> {
        if let Ok(found) = path.canonicalize() {
            return Ok(found);
        }
        let path = &crate::atomic_file::followed(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(folder.canonicalize()?.join(path.file_name().unwrap_or_default()))
    }
    matches!((whole(one), whole(other)), (Ok(one), Ok(other)) if one == other)
}

/// Returns the name of a file without its suffixes.
pub(crate) fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let stem = name.split('.').find(|part| !part.is_empty())?;
    Some(stem.to_string())
}
