//! Converts SQLite's errors.

use core::ffi::{CStr, c_int};
use core::fmt;
use demat_core::{Error, ErrorKind, Trouble};
use rusqlite::ffi;
use std::io;

/// The result code of SQLite, and its name.
///
/// It is the [`std::error::Error::source`] of the error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SqliteFailure {
    /// The extended result code, such as 1555.
    pub code: i32,
    /// The name of the code, such as `SQLITE_CONSTRAINT_PRIMARYKEY`.
    pub name: &'static str,
    /// The system's error number, for an I/O error (`SQLITE_IOERR`) that the system caused.
    pub errno: Option<i32>,
}

impl fmt::Display for SqliteFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.code)?;
        match self.errno {
            Some(errno) => write!(f, ": {}", io::Error::from_raw_os_error(errno)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SqliteFailure {
    /// The [`Trouble`] of the database, or `None` for a value that it refuses.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self.code & PRIMARY {
            ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => &Trouble::Busy,
            ffi::SQLITE_FULL => &Trouble::Full,
            // SQLite knows a full disk only by `write`, and no quota.
            ffi::SQLITE_IOERR if self.errno.is_some_and(is_full) => &Trouble::Full,
            // A value that violates the table's constraints, or is too large for a row.
            ffi::SQLITE_CONSTRAINT | ffi::SQLITE_MISMATCH | ffi::SQLITE_TOOBIG => return None,
            _ => &Trouble::Broken,
        })
    }
}

/// The mask of the primary code within an extended result code.
const PRIMARY: i32 = 0xFF;

fn is_full(errno: i32) -> bool {
    matches!(io::Error::from_raw_os_error(errno).kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Returns the error for a code, with SQLite's message if it says more than the code.
#[cold]
pub(crate) fn failed(code: c_int, said: Option<String>) -> Error {
    failed_by_system(code, said, None)
}

/// Returns the error for a code, with the system's error number.
#[cold]
pub(crate) fn failed_by_system(code: c_int, said: Option<String>, errno: Option<c_int>) -> Error {
    let message = said.filter(|said| !said.is_empty()).unwrap_or_else(|| explained(code));
    let errno = errno.filter(|errno| *errno != 0 && code & PRIMARY == ffi::SQLITE_IOERR);
    Error::new(kind(code), message).because(SqliteFailure { code, name: name(code), errno })
}

/// Distinguishes errors of a statement or its values from failures of the file: the latter end a copy.
fn kind(code: c_int) -> ErrorKind {
    match code & PRIMARY {
        ffi::SQLITE_CONSTRAINT
        | ffi::SQLITE_MISMATCH
        | ffi::SQLITE_TOOBIG
        | ffi::SQLITE_ERROR
        | ffi::SQLITE_RANGE
        | ffi::SQLITE_MISUSE
        | ffi::SQLITE_AUTH
        | ffi::SQLITE_SCHEMA => ErrorKind::Store,
        _ => ErrorKind::Io,
    }
}

fn explained(code: c_int) -> String {
    // SAFETY: the function accepts any number, and returns a static text or null.
    let text = unsafe { ffi::sqlite3_errstr(code) };
    if text.is_null() {
        return format!("SQLite failed with the code {code}");
    }
    // SAFETY: not null, and NUL-terminated, as the function guarantees.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Returns the name of a code: of the extended one if it is a common one, else of the primary one.
fn name(code: c_int) -> &'static str {
    EXTENDED.iter().chain(KINDS).find(|(own, _)| *own == code).map_or_else(
        || KINDS.iter().find(|(own, _)| *own == code & PRIMARY).map_or("SQLITE_UNKNOWN", |(_, name)| name),
        |(_, name)| name,
    )
}

macro_rules! names {
    ($($name:ident)*) => { &[$((ffi::$name, stringify!($name))),*] };
}

const KINDS: &[(c_int, &str)] = names! {
    SQLITE_ERROR SQLITE_INTERNAL SQLITE_PERM SQLITE_ABORT SQLITE_BUSY SQLITE_LOCKED SQLITE_NOMEM SQLITE_READONLY
    SQLITE_INTERRUPT SQLITE_IOERR SQLITE_CORRUPT SQLITE_NOTFOUND SQLITE_FULL SQLITE_CANTOPEN SQLITE_PROTOCOL
    SQLITE_SCHEMA SQLITE_TOOBIG SQLITE_CONSTRAINT SQLITE_MISMATCH SQLITE_MISUSE SQLITE_NOLFS SQLITE_AUTH
    SQLITE_RANGE SQLITE_NOTADB
};

const EXTENDED: &[(c_int, &str)] = names! {
    SQLITE_CONSTRAINT_CHECK SQLITE_CONSTRAINT_DATATYPE SQLITE_CONSTRAINT_FOREIGNKEY SQLITE_CONSTRAINT_NOTNULL
    SQLITE_CONSTRAINT_PRIMARYKEY SQLITE_CONSTRAINT_ROWID SQLITE_CONSTRAINT_TRIGGER SQLITE_CONSTRAINT_UNIQUE
    SQLITE_BUSY_RECOVERY SQLITE_BUSY_SNAPSHOT SQLITE_BUSY_TIMEOUT SQLITE_LOCKED_SHAREDCACHE SQLITE_READONLY_DBMOVED
    SQLITE_READONLY_DIRECTORY SQLITE_READONLY_CANTINIT SQLITE_READONLY_CANTLOCK SQLITE_READONLY_RECOVERY
    SQLITE_READONLY_ROLLBACK SQLITE_IOERR_READ SQLITE_IOERR_SHORT_READ SQLITE_IOERR_WRITE SQLITE_IOERR_FSYNC
    SQLITE_IOERR_LOCK SQLITE_CORRUPT_INDEX SQLITE_CORRUPT_VTAB SQLITE_CANTOPEN_ISDIR SQLITE_CANTOPEN_FULLPATH
};

/// Returns an error about the database that SQLite did not report: a request that can't be fulfilled.
#[cold]
pub(crate) fn refused(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Store, message)
}
