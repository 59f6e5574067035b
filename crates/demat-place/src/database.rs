//! What a name says of a database.

use core::fmt;
use demat_core::{Error, ErrorKind};
use demat_formats::codec::{About, Model};
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

/// Databases as a format.
pub(crate) static ABOUT: About = About {
    model: Model::Tables,
    needs_shape: true,
    ..About::new(
        "sqlite",
        &SUFFIXES,
        &["application/vnd.sqlite3"],
        "the tables of a database: file.db#table, 'file.db?select ...'",
    )
};

const SUFFIXES: [&str; 3] = [".db", ".sqlite", ".sqlite3"];

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
    SUFFIXES.iter().any(|suffix| file.len() > suffix.len() && file.ends_with(suffix))
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
