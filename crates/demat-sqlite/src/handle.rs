//! A connection of SQLite's, closed when the last that uses it is gone.

use crate::failure::{failed, failed_by_system};
use crate::statement_cache::StatementCache;
use core::ffi::{CStr, c_int};
use core::ptr::{self, NonNull};
use demat_core::{Error, ErrorKind, Result, interrupt};
use rusqlite::ffi;
use std::ffi::CString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A connection.
#[derive(Debug)]
pub(crate) struct Handle {
    raw: NonNull<ffi::sqlite3>,
    /// Statements hold the connection; these are held by it.
    pub(crate) statements: StatementCache,
}

// SAFETY: the connection is opened with `SQLITE_OPEN_FULLMUTEX`, and the library is built threadsafe, which `open` makes
// sure of: then every call on it takes its mutex, and any thread may make it. Statements that are put away belong to no
// thread, as those that are in use (see `Statement`).
unsafe impl Send for Handle {}
// SAFETY: as above; calls of several threads at once wait for each other, and what is put away has a lock of its own.
unsafe impl Sync for Handle {}

/// The number of SQLite's VM instructions between two calls of the progress handler.
const LOOK: c_int = 10_000;

/// Progress handler: returns nonzero if the statement on this thread should stop.
extern "C" fn stops(_: *mut core::ffi::c_void) -> c_int {
    c_int::from(interrupt::check_host().is_err())
}

impl Handle {
    /// Opens a file, with the library's flags.
    pub(crate) fn open(path: &Path, flags: c_int) -> Result<Arc<Self>> {
        // SAFETY: it says how the library was built, and touches nothing.
        if unsafe { ffi::sqlite3_threadsafe() } == 0 {
            return Err(Error::new(ErrorKind::Store, "SQLite was built without its mutexes"));
        }
        let name = c_path(path)?;
        let mut raw = ptr::null_mut();
        let flags = flags | ffi::SQLITE_OPEN_FULLMUTEX | ffi::SQLITE_OPEN_EXRESCODE;
        // SAFETY: the name ends with a zero byte and lives as long as the call; `raw` is written by it.
        let code = unsafe { ffi::sqlite3_open_v2(name.as_ptr(), &raw mut raw, flags, ptr::null()) };
        let Some(raw) = NonNull::new(raw) else { return Err(failed(ffi::SQLITE_NOMEM, None)) };
        // From here on it is closed whatever happens, as a connection that was not opened has to be, too.
        let handle = Self { raw, statements: StatementCache::default() };
        if code != ffi::SQLITE_OK {
            return Err(handle.error(code).in_place(path.display().to_string()));
        }
        // SAFETY: the connection is open, and the function uses no state.
        unsafe { ffi::sqlite3_progress_handler(handle.as_ptr(), LOOK, Some(stops), ptr::null_mut()) };
        Ok(Arc::new(handle))
    }

    /// The connection itself.
    pub(crate) fn as_ptr(&self) -> *mut ffi::sqlite3 {
        self.raw.as_ptr()
    }

    /// The error for a code that a call on this connection gave.
    #[cold]
    pub(crate) fn error(&self, code: c_int) -> Error {
        // SAFETY: the connection is open. The text is good until the next call on it, and copied at once; were another
        // thread to make that call, it waits at the mutex that is held here.
        let (said, errno) = unsafe {
            let mutex = ffi::sqlite3_db_mutex(self.as_ptr());
            ffi::sqlite3_mutex_enter(mutex);
            let about_this = ffi::sqlite3_extended_errcode(self.as_ptr()) == code;
            let text = ffi::sqlite3_errmsg(self.as_ptr());
            let said = (about_this && !text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned());
            let errno = about_this.then(|| ffi::sqlite3_system_errno(self.as_ptr()));
            ffi::sqlite3_mutex_leave(mutex);
            (said, errno)
        };
        failed_by_system(code, said, errno)
    }

    /// Says what a call came to.
    pub(crate) fn check(&self, code: c_int) -> Result<()> {
        if code == ffi::SQLITE_OK { Ok(()) } else { Err(self.error(code)) }
    }

    /// How long to wait for others that have the file locked.
    pub(crate) fn wait_for(&self, timeout: Duration) -> Result<()> {
        let millis = c_int::try_from(timeout.as_millis()).unwrap_or(c_int::MAX);
        // SAFETY: the connection is open.
        self.check(unsafe { ffi::sqlite3_busy_timeout(self.as_ptr(), millis) })
    }

    /// Whether no transaction is open.
    pub(crate) fn is_idle(&self) -> bool {
        // SAFETY: the connection is open.
        unsafe { ffi::sqlite3_get_autocommit(self.as_ptr()) != 0 }
    }

    /// Returns how many rows the last statement changed directly, without those that triggers and foreign keys changed.
    pub(crate) fn changes(&self) -> u64 {
        // SAFETY: the connection is open.
        u64::try_from(unsafe { ffi::sqlite3_changes64(self.as_ptr()) }).unwrap_or(0)
    }

    /// How many rows all statements have changed, also by foreign keys.
    pub(crate) fn total_changes(&self) -> u64 {
        // SAFETY: the connection is open.
        u64::try_from(unsafe { ffi::sqlite3_total_changes64(self.as_ptr()) }).unwrap_or(0)
    }

    /// The number of the row that was inserted last.
    pub(crate) fn last_rowid(&self) -> i64 {
        // SAFETY: the connection is open.
        unsafe { ffi::sqlite3_last_insert_rowid(self.as_ptr()) }
    }

    /// Ends what is being done on the connection by other threads, with an error for them.
    pub(crate) fn interrupt(&self) {
        // SAFETY: the connection is open, and this may be called by any thread.
        unsafe { ffi::sqlite3_interrupt(self.as_ptr()) }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        while let Some(statement) = self.statements.pop() {
            // SAFETY: it is there, and out of reach of everybody else now.
            unsafe { ffi::sqlite3_finalize(statement.raw.as_ptr()) };
        }
        // SAFETY: it is open, and nobody has it any more: statements hold their connection.
        unsafe { ffi::sqlite3_close(self.raw.as_ptr()) };
    }
}

/// A path as SQLite takes it, where nothing in it is an address or a name of SQLite's own.
fn c_path(path: &Path) -> Result<CString> {
    let own = path.as_os_str() == ":memory:";
    let address = path.as_os_str().as_encoded_bytes().get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"file:"));
    let path = if address && !own { Path::new(".").join(path) } else { path.to_path_buf() };
    let Ok(name) = CString::new(path.as_os_str().as_encoded_bytes()) else {
        return Err(Error::new(ErrorKind::Io, "a path has no zero byte").in_place(path.display().to_string()));
    };
    Ok(name)
}
