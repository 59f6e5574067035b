//! A raw SQLite connection, closed when its last user is dropped.

use crate::failure::{failed, failed_by_system};
use crate::statement_cache::StatementCache;
use core::ffi::{CStr, c_int};
use core::ptr::{self, NonNull};
use demat_core::{Error, ErrorKind, Result, interrupt};
use rusqlite::ffi;
use std::ffi::CString;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A connection.
#[derive(Debug)]
pub(crate) struct Handle {
    raw: NonNull<ffi::sqlite3>,
    /// The cached statements. They don't hold the connection, as statements in use do.
    pub(crate) statements: StatementCache,
    /// When all statements stop, if they may run for a limited time.
    deadline: OnceLock<Instant>,
}

// SAFETY: the connection is opened with `SQLITE_OPEN_FULLMUTEX`, and `open` verifies that the library is built
// threadsafe: then every call on it takes its mutex, and any thread may make it. Cached statements belong to no thread,
// just like those in use (see `Statement`).
unsafe impl Send for Handle {}
// SAFETY: as above; calls of several threads wait for each other, and the cache has its own lock.
unsafe impl Sync for Handle {}

/// The number of SQLite's VM instructions between two calls of the progress handler.
const LOOK: c_int = 10_000;

/// Progress handler: returns nonzero if the statement on this thread should stop.
extern "C" fn stops(deadline: *mut core::ffi::c_void) -> c_int {
    // SAFETY: `Handle::open` passes the cell of its own handle, which outlives the connection.
    let deadline = unsafe { &*deadline.cast::<OnceLock<Instant>>() };
    let is_over = deadline.get().is_some_and(|at| Instant::now() >= *at);
    c_int::from(is_over || interrupt::check_host().is_err())
}

impl Handle {
    /// Opens a file, with flags of `sqlite3_open_v2`.
    pub(crate) fn open(path: &Path, flags: c_int) -> Result<Arc<Self>> {
        // SAFETY: returns how the library was built, and has no side effects.
        if unsafe { ffi::sqlite3_threadsafe() } == 0 {
            return Err(Error::new(ErrorKind::Store, "SQLite was built without its mutexes"));
        }
        let name = c_path(path, flags & ffi::SQLITE_OPEN_URI != 0)?;
        let mut raw = ptr::null_mut();
        let flags = flags | ffi::SQLITE_OPEN_FULLMUTEX | ffi::SQLITE_OPEN_EXRESCODE;
        // SAFETY: the name is NUL-terminated and outlives the call, which writes `raw`.
        let code = unsafe { ffi::sqlite3_open_v2(name.as_ptr(), &raw mut raw, flags, ptr::null()) };
        let Some(raw) = NonNull::new(raw) else { return Err(failed(ffi::SQLITE_NOMEM, None)) };
        // From here on, dropping the handle closes it; a connection that failed to open must be closed, too.
        let handle = Arc::new(Self { raw, statements: StatementCache::default(), deadline: OnceLock::new() });
        if code != ffi::SQLITE_OK {
            return Err(handle.error(code).in_place(path.display().to_string()));
        }
        let deadline = (&raw const handle.deadline).cast_mut().cast();
        // SAFETY: the connection is open, and the cell stays in place until it is closed.
        unsafe { ffi::sqlite3_progress_handler(handle.as_ptr(), LOOK, Some(stops), deadline) };
        Ok(handle)
    }

    /// Lets all statements fail that run when the time is over; only the first call counts.
    pub(crate) fn stop_after(&self, time: Duration) {
        if let Some(at) = Instant::now().checked_add(time) {
            let _ = self.deadline.set(at);
        }
    }

    /// Returns the raw connection.
    pub(crate) fn as_ptr(&self) -> *mut ffi::sqlite3 {
        self.raw.as_ptr()
    }

    /// Returns the error for a code that a call on this connection returned.
    #[cold]
    pub(crate) fn error(&self, code: c_int) -> Error {
        // SAFETY: the connection is open. The text is valid until the next call on it, and copied at once; calls of
        // other threads wait for the mutex that is held here.
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

    /// Converts the result code of a call.
    pub(crate) fn check(&self, code: c_int) -> Result<()> {
        if code == ffi::SQLITE_OK { Ok(()) } else { Err(self.error(code)) }
    }

    /// Sets the time to wait while other connections have locked the file.
    pub(crate) fn wait_for(&self, timeout: Duration) -> Result<()> {
        let millis = c_int::try_from(timeout.as_millis()).unwrap_or(c_int::MAX);
        // SAFETY: the connection is open.
        self.check(unsafe { ffi::sqlite3_busy_timeout(self.as_ptr(), millis) })
    }

    /// Returns whether no transaction is open.
    pub(crate) fn is_idle(&self) -> bool {
        // SAFETY: the connection is open.
        unsafe { ffi::sqlite3_get_autocommit(self.as_ptr()) != 0 }
    }

    /// Returns how many rows the last statement changed directly, without those that triggers and foreign keys changed.
    pub(crate) fn changes(&self) -> u64 {
        // SAFETY: the connection is open.
        u64::try_from(unsafe { ffi::sqlite3_changes64(self.as_ptr()) }).unwrap_or(0)
    }

    /// Returns the number of rows changed by all statements, including those changed by foreign keys.
    pub(crate) fn total_changes(&self) -> u64 {
        // SAFETY: the connection is open.
        u64::try_from(unsafe { ffi::sqlite3_total_changes64(self.as_ptr()) }).unwrap_or(0)
    }

    /// Returns the rowid of the last inserted row.
    pub(crate) fn last_rowid(&self) -> i64 {
        // SAFETY: the connection is open.
        unsafe { ffi::sqlite3_last_insert_rowid(self.as_ptr()) }
    }

    /// Interrupts the statements of other threads on this connection; they fail with an error.
    pub(crate) fn interrupt(&self) {
        // SAFETY: the connection is open, and this may be called by any thread.
        unsafe { ffi::sqlite3_interrupt(self.as_ptr()) }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        while let Some(statement) = self.statements.pop() {
            // SAFETY: a live statement, which was removed from the cache.
            unsafe { ffi::sqlite3_finalize(statement.raw.as_ptr()) };
        }
        // SAFETY: it is open and has no users: statements hold their connection.
        unsafe { ffi::sqlite3_close(self.raw.as_ptr()) };
    }
}

/// Converts a path for SQLite, so that nothing in it is taken for a URI or a special name, unless it is a URI.
fn c_path(path: &Path, is_uri: bool) -> Result<CString> {
    let own = is_uri || path.as_os_str() == ":memory:";
    let address = path.as_os_str().as_encoded_bytes().get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"file:"));
    let path = if address && !own { Path::new(".").join(path) } else { path.to_path_buf() };
    let Ok(name) = CString::new(path.as_os_str().as_encoded_bytes()) else {
        return Err(Error::new(ErrorKind::Io, "a path has no zero byte").in_place(path.display().to_string()));
    };
    Ok(name)
}
