//! SQLite's file format, as far as tables and their indexes need it: pages, cells, records and numbers.

pub(crate) mod affinity;
pub(crate) mod collation;
pub(crate) mod key;
pub(crate) mod local;
pub(crate) mod page;
pub(crate) mod record;
pub(crate) mod serial;
pub(crate) mod sql;
pub(crate) mod table;
pub(crate) mod varint;

use demat_core::{Error, ErrorKind};

/// Converts an error of SQLite.
#[cold]
pub(crate) fn said(error: rusqlite::Error) -> Error {
    Error::new(ErrorKind::Store, "SQLite refuses").because(error)
}

/// Quotes a name for SQL.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
