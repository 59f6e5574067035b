//! Holds a read transaction.

use crate::failure::failed;
use crate::format::quoted;
use core::ffi::c_int;
use core::ptr;
use demat_core::{Error, ErrorKind, Result};
use rusqlite::{Connection, ffi};
use std::ffi::CString;

/// A statement that has begun and not ended: as long as it lives, the connection reads a snapshot of the database, as
/// during any `SELECT`. The connection can still commit changes of its own meanwhile.
#[derive(Debug)]
pub(super) struct Hold {
    statement: *mut ffi::sqlite3_stmt,
}

impl Hold {
    /// Begins a read transaction on a schema.
    pub(super) fn begin(connection: &Connection, schema: &str) -> Result<Self> {
        let sql = format!("SELECT 1 FROM {}.sqlite_schema", quoted(schema));
        let sql = CString::new(sql).map_err(|_| Error::new(ErrorKind::Store, "a name has no zero byte"))?;
        let mut statement = ptr::null_mut();
        // SAFETY: the connection is open as long as it is borrowed; the text is NUL-terminated.
        let code = unsafe {
            let database = connection.handle();
            ffi::sqlite3_prepare_v2(database, sql.as_ptr(), -1, &raw mut statement, ptr::null_mut())
        };
        let hold = Self { statement };
        if code != ffi::SQLITE_OK {
            return Err(refused(connection, code));
        }
        hold.hold(connection)?;
        Ok(hold)
    }

    /// Begins a read transaction at the current state; none must be held.
    pub(super) fn hold(&self, connection: &Connection) -> Result<()> {
        // SAFETY: a live statement. It returns a row, as the schema contains at least the scanned table; if it does
        // not, nothing needs to be read.
        match unsafe { ffi::sqlite3_step(self.statement) } {
            ffi::SQLITE_ROW | ffi::SQLITE_DONE => Ok(()),
            code => {
                self.let_go();
                Err(refused(connection, code))
            }
        }
    }

    /// Ends the read transaction.
    pub(super) fn let_go(&self) {
        // SAFETY: a live statement. The result repeats that of the last step.
        unsafe { ffi::sqlite3_reset(self.statement) };
    }
}

#[cold]
fn refused(connection: &Connection, code: c_int) -> Error {
    let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
    // SAFETY: the connection is open.
    let extended = unsafe { ffi::sqlite3_extended_errcode(connection.handle()) };
    failed(extended, None).because(error)
}

impl Drop for Hold {
    fn drop(&mut self) {
        // SAFETY: a statement or null, which is not used afterwards. The connection is open, as the owner of this has
        // borrowed it.
        unsafe { ffi::sqlite3_finalize(self.statement) };
    }
}

/// Returns a number that changes with each commit that is visible to this connection.
pub(super) fn version(connection: &Connection, schema: &str) -> Result<u32> {
    let name = CString::new(schema).map_err(|_| Error::new(ErrorKind::Store, "a name has no zero byte"))?;
    let mut version = 0u32;
    // SAFETY: the connection is open, the name is NUL-terminated, and the result is a 32-bit number.
    let code = unsafe {
        let answer = (&raw mut version).cast();
        ffi::sqlite3_file_control(connection.handle(), name.as_ptr(), ffi::SQLITE_FCNTL_DATA_VERSION, answer)
    };
    if code == ffi::SQLITE_OK { Ok(version) } else { Err(refused(connection, code)) }
}
