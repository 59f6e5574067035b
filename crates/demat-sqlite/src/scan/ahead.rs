//! Pages as they are in the file, many of them at once.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{self, NonNull};
use rusqlite::{Connection, ffi};
use std::ffi::CString;

/// Reads pages ahead of who asks for them, from the file that the connection has open.
///
/// A page that was committed stands in the file, and stays as it is while the connection reads: nobody may write there
/// before that has ended. Where that is not so (a log, a transaction that writes, a database in memory or in a temporary
/// file, files that are not the system's own) there is no such reader, or it gives no page any more.
#[derive(Debug)]
pub(super) struct Ahead {
    file: NonNull<ffi::sqlite3_file>,
    schema: CString,
    page_size: usize,
    /// So many pages the database has.
    count: u32,
    /// The pages that were read, from this one on.
    bytes: Vec<u8>,
    first: u32,
    /// The page that follows what was read last.
    next: u32,
    /// So many were read at once.
    many: usize,
}

/// So many bytes are read at once: they are to stay in the processor's cache until they are looked at.
const MOST: usize = 256 * 1024;

impl Ahead {
    /// A reader of what a connection reads that has begun to, where the file has all of it; `head` is the first page.
    pub(super) fn of(connection: &Connection, schema: &str, head: &[u8], count: u32) -> Option<Self> {
        // Neither of the two ways of a log.
        if head.get(18..20)? != [1, 1] {
            return None;
        }
        let schema = CString::new(schema).ok()?;
        // SAFETY: the connection is open, the name ends with a zero byte, and the answer is such a text, or null.
        let path = unsafe { ffi::sqlite3_db_filename(connection.handle(), schema.as_ptr()) };
        // SAFETY: as above. The text is SQLite's, and stays as long as the database is attached.
        if path.is_null() || unsafe { CStr::from_ptr(path) }.is_empty() || !is_of_the_system(connection, &schema) {
            return None;
        }
        let mut file: *mut ffi::sqlite3_file = ptr::null_mut();
        // SAFETY: as above; the answer to this request is a pointer.
        let code = unsafe {
            let answer = (&raw mut file).cast();
            ffi::sqlite3_file_control(connection.handle(), schema.as_ptr(), ffi::SQLITE_FCNTL_FILE_POINTER, answer)
        };
        let file = NonNull::new(file).filter(|_| code == ffi::SQLITE_OK)?;
        let page_size = head.len();
        Some(Self { file, schema, page_size, count, bytes: Vec::new(), first: 0, next: 0, many: 1 })
    }

    /// A page, if it can be read so.
    pub(super) fn page(&mut self, connection: &Connection, number: u32) -> Option<&[u8]> {
        let read = u32::try_from(self.bytes.len() / self.page_size).ok()?;
        if !(self.first..self.first + read).contains(&number) {
            self.read(connection, number)?;
        }
        let start = (number - self.first) as usize * self.page_size;
        self.bytes.get(start..start + self.page_size)
    }

    /// Reads a page, and more behind it as long as they are asked for in their order.
    fn read(&mut self, connection: &Connection, number: u32) -> Option<()> {
        let left = self.count.checked_sub(number.checked_sub(1)?)? as usize;
        // Between the leaves of a tree stands a page of another kind now and then.
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

/// Whether the file is one of the system's own, and nothing stands between it and SQLite.
fn is_of_the_system(connection: &Connection, schema: &CStr) -> bool {
    let mut name: *mut c_char = ptr::null_mut();
    // SAFETY: the connection is open, the name ends with a zero byte, and the answer to this request is a text that is ours,
    // or null.
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

/// Fills a buffer from a page on; nothing where the connection does not just read, or there are not so many bytes.
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
    // SAFETY: the connection is open, and the file is what it has open for a database that it reads: so nobody can detach
    // that. Its mutex (which may be null, and is none then) keeps others from using the file at the same time. The buffer has
    // so many bytes.
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
