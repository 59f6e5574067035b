//! Reads pages from the file in advance, many at once.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{self, NonNull};
use rusqlite::{Connection, ffi};
use std::ffi::CString;

/// Reads ahead from the file that the connection has open.
///
/// A committed page in the file stays unchanged while the connection reads: no process may write before that ends. In
/// all other cases (a log, a write transaction, a database in memory or in a temporary file, a custom VFS), there is no
/// such reader, or it returns no more pages.
#[derive(Debug)]
pub(super) struct Ahead {
    file: NonNull<ffi::sqlite3_file>,
    schema: CString,
    page_size: usize,
    /// The number of pages in the database.
    count: u32,
    /// The buffered pages, from `first` on.
    bytes: Vec<u8>,
    first: u32,
    /// The page after the last one read.
    next: u32,
    /// The number of pages in the last read.
    many: usize,
}

/// The maximum number of bytes to read at once: they should stay in the CPU cache until they are processed.
const MOST: usize = 256 * 1024;

impl Ahead {
    /// Creates a reader for a connection with a read transaction, if the file contains all that it reads; `head` is the
    /// first page.
    pub(super) fn of(connection: &Connection, schema: &str, head: &[u8], count: u32) -> Option<Self> {
        // Journal modes with a log (WAL) have other version bytes.
        if head.get(18..20)? != [1, 1] {
            return None;
        }
        let schema = CString::new(schema).ok()?;
        // SAFETY: the connection is open, the name is NUL-terminated, and the result is a NUL-terminated text or null.
        let path = unsafe { ffi::sqlite3_db_filename(connection.handle(), schema.as_ptr()) };
        // SAFETY: as above. SQLite owns the text, which stays valid as long as the database is attached.
        if path.is_null() || unsafe { CStr::from_ptr(path) }.is_empty() || !is_of_the_system(connection, &schema) {
            return None;
        }
        let mut file: *mut ffi::sqlite3_file = ptr::null_mut();
        // SAFETY: as above; the result of this request is a pointer.
        let code = unsafe {
            let answer = (&raw mut file).cast();
            ffi::sqlite3_file_control(connection.handle(), schema.as_ptr(), ffi::SQLITE_FCNTL_FILE_POINTER, answer)
        };
        let file = NonNull::new(file).filter(|_| code == ffi::SQLITE_OK)?;
        let page_size = head.len();
        Some(Self { file, schema, page_size, count, bytes: Vec::new(), first: 0, next: 0, many: 1 })
    }

    /// Returns a page, if it can be read this way.
    pub(super) fn page(&mut self, connection: &Connection, number: u32) -> Option<&[u8]> {
        let read = u32::try_from(self.bytes.len() / self.page_size).ok()?;
        if !(self.first..self.first + read).contains(&number) {
            self.read(connection, number)?;
        }
        let start = (number - self.first) as usize * self.page_size;
        self.bytes.get(start..start + self.page_size)
    }

    /// Reads a page, and more behind it as long as pages are requested in order.
    fn read(&mut self, connection: &Connection, number: u32) -> Option<()> {
        let left = self.count.checked_sub(number.checked_sub(1)?)? as usize;
        // Between the leaves of a tree, there are occasionally pages of other kinds.
        let in_order = (self.next..self.next.saturating_add(3)).contains(&number);
        self.many = if in_order { (self.many * 2).min(MOST / self.page_size) } else { 1 };
        self.many = self.many.clamp(1, left.max(1));
        self.bytes.clear();
        self.bytes.resize(self.many * self.page_size, 0);
        let read = read(connection, &self.schema, self.file, &mut self.bytes, number, self.page_size);
        if read.is_none() {
            self.bytes.clear();
        }
        self.first = number;
        self.next = number.saturating_add(u32::try_from(self.many).ok()?);
        read
    }
}

/// Returns whether the VFS is one of the operating system's, with no other layer in between.
fn is_of_the_system(connection: &Connection, schema: &CStr) -> bool {
    let mut name: *mut c_char = ptr::null_mut();
    // SAFETY: the connection is open, the name is NUL-terminated, and the result of this request is an owned text or
    // null.
    unsafe {
        let answer = (&raw mut name).cast();
        ffi::sqlite3_file_control(connection.handle(), schema.as_ptr(), ffi::SQLITE_FCNTL_VFSNAME, answer);
        let found = !name.is_null() && {
            let name = CStr::from_ptr(name).to_bytes();
            name.starts_with(b"unix") || name.starts_with(b"win32")
        };
        ffi::sqlite3_free(name.cast());
        found
    }
}

/// Fills a buffer with pages. `None` if the connection's transaction does not only read, or the file is too short.
fn read(
    connection: &Connection,
    schema: &CStr,
    file: NonNull<ffi::sqlite3_file>,
    to: &mut [u8],
    number: u32,
    page_size: usize,
) -> Option<()> {
    let len = c_int::try_from(to.len()).ok()?;
    let offset = i64::from(number - 1).checked_mul(i64::try_from(page_size).ok()?)?;
    // SAFETY: the connection is open, and the file belongs to a database that it is reading, so that it can't be
    // detached. The connection's mutex (a null mutex has no effect) keeps other threads from using the file meanwhile.
    // The slice's length is that of the buffer.
    let code = unsafe {
        let mutex = ffi::sqlite3_db_mutex(connection.handle());
        ffi::sqlite3_mutex_enter(mutex);
        let reads = ffi::sqlite3_txn_state(connection.handle(), schema.as_ptr()) == ffi::SQLITE_TXN_READ;
        let methods = if reads { file.as_ref().pMethods.as_ref() } else { None };
        let code = methods
            .and_then(|methods| methods.xRead)
            .map(|read| read(file.as_ptr(), to.as_mut_ptr().cast::<c_void>(), len, offset));
        ffi::sqlite3_mutex_leave(mutex);
        code
    };
    (code == Some(ffi::SQLITE_OK)).then_some(())
}
