//! Holding on to what a connection reads.

use crate::failure::failed;
use crate::format::quoted;
use core::ffi::c_int;
use core::ptr;
use demat_core::{Error, ErrorKind, Result};
use rusqlite::{Connection, ffi};
use std::ffi::CString;

/// A statement that has begun and not ended: as long as it lasts, the connection reads the database as it was when that
/// began, as it does for any `SELECT`. What the connection itself changes in the meantime is committed as ever.
#[derive(Debug)]
pub(super) struct Hold {
    statement: *mut ffi::sqlite3_stmt,
}

impl Hold {
    /// Begins to read a schema.
    pub(super) fn begin(connection: &Connection, schema: &str) -> Result<Self> {
        let sql = format!("SELECT 1 FROM {}.sqlite_schema", quoted(schema));
        let sql = CString::new(sql).map_err(|_| Error::new(ErrorKind::Store, "a name has no zero byte"))?;
        let mut statement = ptr::null_mut();
        // SAFETY: the connection is open as long as it is borrowed; the text ends with a zero byte.
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

    /// Holds on to what there is now; nothing must be held.
    pub(super) fn hold(&self, connection: &Connection) -> Result<()> {
        // SAFETY: the statement is there. It has a row, as the table that is wanted is part of the schema; where that is
        // not, nothing is to be read.
        match unsafe { ffi::sqlite3_step(self.statement) } {
            ffi::SQLITE_ROW | ffi::SQLITE_DONE => Ok(()),
            code => {
                self.let_go();
                Err(refused(connection, code))
            }
        }
    }

    /// Lets go of it.
    pub(super) fn let_go(&self) {
        // SAFETY: the statement is there. What it says is what the last step has said.
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
        // SAFETY: it is a statement, or null, and this is the last that is done with it. The connection is open: whoever has
        // this has borrowed it.
        unsafe { ffi::sqlite3_finalize(self.statement) };
    }
}

/// A number that is another one after each commit of any connection that this one knows of.
pub(super) fn version(connection: &Connection, schema: &str) -> Result<u32> {
    let name = CString::new(schema).map_err(|_| Error::new(ErrorKind::Store, "a name has no zero byte"))?;
    let mut version = 0u32;
    // SAFETY: the connection is open, the name ends with a zero byte, and the answer is a number of 32 bits.
    let code = unsafe {
        let answer = (&raw mut version).cast();
        ffi::sqlite3_file_control(connection.handle(), name.as_ptr(), ffi::SQLITE_FCNTL_DATA_VERSION, answer)
    };
    if code == ffi::SQLITE_OK { Ok(version) } else { Err(refused(connection, code)) }
}
