//! Places: where data comes from or goes.

use crate::collection::CollectionPlace;
use crate::database::{DatabasePlace, Part};
use crate::server::ServerPlace;
use crate::{Compression, Format};
use core::fmt;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A file, a standard stream of the process (input for reading, output for writing), or a reader or writer of the
/// program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A file, or anything else with a path.
    File(PathBuf),
    /// Standard input or output.
    Standard,
    /// A table of a database, or the result of a statement.
    Database(DatabasePlace),
    /// A collection of an LMDB environment.
    Collection(CollectionPlace),
    /// A table of a PostgreSQL database, or the result of a statement.
    Server(ServerPlace),
    /// A reader or writer of the program, which is passed to the [job](crate::CopyJob) separately. The text is its name
    /// in errors.
    Given(String),
}

impl Place {
    /// Parses a place of a command line: `-` for the standard streams, `tasks.db#tasks` for a table,
    /// `tasks.db?select …` for the result of a statement, `lmdb:dir#tasks` for a collection,
    /// `postgresql://user@host/name#tasks` for a table of a server, else a path. An existing file with all of the text as
    /// its name takes precedence, except over a server.
    ///
    /// ```
    /// use demat_place::Place;
    /// assert_eq!(Place::named("-".as_ref()), Place::Standard);
    /// assert_eq!(Place::named("./-".as_ref()), Place::File("./-".into()));
    /// ```
    pub fn named(name: &OsStr) -> Self {
        if name == "-" {
            return Self::Standard;
        }
        if let Some(server) = ServerPlace::named(name) {
            return Self::Server(server);
        }
        if let Some(collection) = CollectionPlace::named(name)
            && !Path::new(name).exists()
        {
            return Self::Collection(collection);
        }
        match DatabasePlace::named(name) {
            Some(database) if !database.is_hidden_by_file(name) => Self::Database(database),
            _ => Self::File(name.into()),
        }
    }

    /// The path, if there is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Database(database) => Some(&database.path),
            Self::Standard | Self::Given(_) | Self::Collection(_) | Self::Server(_) => None,
        }
    }

    /// Returns the place for this format: with a database format, any file is a database; with another format, none is.
    pub(crate) fn holding(self, format: Format) -> Self {
        match self {
            Self::File(path) if !format.is_streamed() => Self::Database(DatabasePlace { path, part: Part::Whole }),
            Self::Database(database) if format.is_streamed() => Self::File(database.to_string().into()),
            other => other,
        }
    }

    /// The format that its suffix means.
    pub fn format(&self) -> Option<Format> {
        match self {
            // What holds for tables of any database: they are no bytes, and their rows have types.
            Self::Database(_) | Self::Server(_) => Some(Format::SQLITE),
            // How the records of a new collection are encoded; one that is there says it itself.
            Self::Collection(_) => Some(Format::PROTO),
            _ => Format::of_path(self.path()?),
        }
    }

    /// The compression that its suffix means.
    pub fn compression(&self) -> Option<Compression> {
        Compression::of_path(self.path()?)
    }

    /// Its name in errors when it is read.
    pub(crate) fn name_as_source(&self) -> String {
        match self {
            Self::Standard => "standard input".to_string(),
            other => other.to_string(),
        }
    }

    /// Its name in errors when it is written.
    pub(crate) fn name_as_target(&self) -> String {
        match self {
            Self::Standard => "standard output".to_string(),
            other => other.to_string(),
        }
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Place {
    fn from(path: &P) -> Self {
        Self::File(path.as_ref().to_path_buf())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Database(database) => database.fmt(f),
            Self::Collection(collection) => collection.fmt(f),
            Self::Server(server) => server.fmt(f),
            Self::Standard => f.write_str("-"),
            Self::Given(name) => f.write_str(name),
        }
    }
}
