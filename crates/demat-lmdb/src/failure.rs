//! Converts LMDB's errors.

use core::fmt;
use demat_core::{Error, ErrorKind, Trouble};
use heed::MdbError;
use std::borrow::Cow;
use std::io;

/// The result code of LMDB, and its name. It is the [`std::error::Error::source`] of the error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LmdbFailure {
    /// The code: negative for LMDB's own, else the system's error number.
    pub code: i32,
    /// The name of the code, such as `MDB_MAP_FULL`.
    pub name: &'static str,
}

impl fmt::Display for LmdbFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.code > 0 {
            return io::Error::from_raw_os_error(self.code).fmt(f);
        }
        write!(f, "{} ({})", self.name, self.code)
    }
}

impl std::error::Error for LmdbFailure {
    /// The [`Trouble`] of the environment, or `None` for a request that it refuses.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self.name {
            "MDB_MAP_FULL" => &Trouble::Full,
            "MDB_READERS_FULL" | "MDB_MAP_RESIZED" => &Trouble::Busy,
            "MDB_KEYEXIST" | "MDB_NOTFOUND" | "MDB_BAD_VALSIZE" | "MDB_DBS_FULL" | "MDB_BAD_DBI" => return None,
            _ if is_full(self.code) => &Trouble::Full,
            _ => &Trouble::Broken,
        })
    }
}

fn is_full(code: i32) -> bool {
    let kind = |code| io::Error::from_raw_os_error(code).kind();
    code > 0 && matches!(kind(code), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Converts an error of LMDB.
#[cold]
#[allow(clippy::needless_pass_by_value)] // for `map_err`
pub(crate) fn failed(error: heed::Error) -> Error {
    let (code, kind, message) = match &error {
        heed::Error::Mdb(code) => explained(*code),
        heed::Error::Io(cause) => match cause.raw_os_error() {
            // LMDB's answer for a handle that the transaction does not know.
            Some(22) => (22, ErrorKind::Store, TOO_LATE),
            Some(code) if is_full(code) => (code, ErrorKind::Io, "the disk is full"),
            Some(code) => (code, ErrorKind::Io, "LMDB can't read or write its file"),
            None => return Error::new(ErrorKind::Io, format!("LMDB failed: {error}")),
        },
        other => return Error::new(ErrorKind::Internal, format!("LMDB failed: {other}")),
    };
    Error::new(kind, message).because(LmdbFailure { code, name: name(&error) })
}

const TOO_LATE: &str = "the transaction began before the collection was opened; begin a new one";

fn explained(code: MdbError) -> (i32, ErrorKind, &'static str) {
    let (kind, message) = match code {
        MdbError::MapFull => (ErrorKind::Io, "the map is full; open the environment with a larger `map_size`"),
        MdbError::ReadersFull => {
            (ErrorKind::Io, "too many readers; end some, or open the environment with more `max_readers`")
        }
        MdbError::DbsFull => {
            (ErrorKind::Store, "too many collections and indexes; open the environment with more `max_collections`")
        }
        MdbError::MapResized => (ErrorKind::Io, "another process made the map larger; end the open transactions first"),
        MdbError::BadTxn => (ErrorKind::Store, "the transaction has failed before, and can only be undone"),
        MdbError::BadDbi => (ErrorKind::Store, TOO_LATE),
        MdbError::Invalid => (ErrorKind::Io, "the file is not one of LMDB"),
        MdbError::VersionMismatch => (ErrorKind::Io, "the file has another version of LMDB's format"),
        MdbError::Corrupted | MdbError::PageNotFound => (ErrorKind::Io, "the file is damaged"),
        MdbError::KeyExist => (ErrorKind::Store, "the key exists"),
        MdbError::NotFound => (ErrorKind::Store, "the key does not exist"),
        MdbError::TxnFull => (ErrorKind::Limit, "the transaction has changed too many pages; commit in between"),
        MdbError::Other(code) if is_full(code) => (ErrorKind::Io, "the disk is full"),
        _ => (ErrorKind::Io, "LMDB failed"),
    };
    (code.to_err_code(), kind, message)
}

fn name(error: &heed::Error) -> &'static str {
    let heed::Error::Mdb(code) = error else { return "" };
    match code {
        MdbError::KeyExist => "MDB_KEYEXIST",
        MdbError::NotFound => "MDB_NOTFOUND",
        MdbError::PageNotFound => "MDB_PAGE_NOTFOUND",
        MdbError::Corrupted => "MDB_CORRUPTED",
        MdbError::Panic => "MDB_PANIC",
        MdbError::VersionMismatch => "MDB_VERSION_MISMATCH",
        MdbError::Invalid => "MDB_INVALID",
        MdbError::MapFull => "MDB_MAP_FULL",
        MdbError::DbsFull => "MDB_DBS_FULL",
        MdbError::ReadersFull => "MDB_READERS_FULL",
        MdbError::TlsFull => "MDB_TLS_FULL",
        MdbError::TxnFull => "MDB_TXN_FULL",
        MdbError::CursorFull => "MDB_CURSOR_FULL",
        MdbError::PageFull => "MDB_PAGE_FULL",
        MdbError::MapResized => "MDB_MAP_RESIZED",
        MdbError::Incompatible => "MDB_INCOMPATIBLE",
        MdbError::BadRslot => "MDB_BAD_RSLOT",
        MdbError::BadTxn => "MDB_BAD_TXN",
        MdbError::BadValSize => "MDB_BAD_VALSIZE",
        MdbError::BadDbi => "MDB_BAD_DBI",
        MdbError::Problem => "MDB_PROBLEM",
        MdbError::Other(_) => "",
    }
}

/// Returns the error for a request that can't be fulfilled.
#[cold]
pub(crate) fn refused(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Store, message)
}
