//! The file format, as far as tables and their indexes go: what a page, a cell, a record and a number look like.

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

/// What SQLite said.
#[cold]
pub(crate) fn said(error: rusqlite::Error) -> Error {
    Error::new(ErrorKind::Store, "SQLite refuses").because(error)
}

/// A name as it stands in SQL.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
