//! Inserts built b-trees into an existing database.
//!
//! SQLite writes the pages, within a regular transaction. So its locks, its log and its crash safety work as for any
//! other write. It only omits parsing each record, as it would when it copies rows.

use super::refusal::check;
use crate::format::local::locked_page;
use crate::format::page::PageKind;
use crate::format::said;
use crate::format::table::Table;
use demat_core::{Error, ErrorKind, Result};
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Statement, ffi};
use std::ffi::{CString, c_int};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// A finished table with its indexes, in a file of their own.
#[derive(Debug)]
pub(super) struct BuiltTree {
    pub(super) file: File,
    pub(super) page_size: usize,
    pub(super) pages: u64,
    /// The first page of the rows. The pages before it are those of the empty database: the roots, and the schema,
    /// whose size depends on the SQL.
    pub(super) added: u64,
    /// The table in this file.
    pub(super) table: Table,
    /// The statements that create it.
    pub(super) sql: String,
    /// Whether a value has overflow pages, whose links are not relocated here.
    pub(super) spilled: bool,
}

/// Offsets of the header fields that are used here.
const RESERVED: usize = 20;
const PAGE_COUNT: usize = 28;
const LARGEST_ROOT: usize = 52;

impl BuiltTree {
    /// Replaces the empty trees of the table. Returns false if that is not possible, with nothing changed; the rows can
    /// be copied then.
    ///
    /// It uses a connection of its own: one that has cached these pages would use their old contents.
    ///
    /// # Errors
    /// Errors of SQLite; then nothing is changed.
    pub(super) fn graft(&mut self, user: &Connection, schema: &str, path: &Path) -> Result<bool> {
        if self.spilled || self.table.counts_up || has_moved(user, schema) {
            return Ok(false);
        }
        let Some(connection) = alike(user, path)? else { return Ok(false) };
        if connection.execute_batch("BEGIN IMMEDIATE").is_err() {
            // Another connection, perhaps the user's own, holds the lock. The fallback waits for it or reports it.
            return Ok(false);
        }
        let grafted = self.graft_within(&connection);
        // Other connections are reading, so the commit fails. The fallback waits for them or reports it.
        if matches!(grafted, Ok(true)) && connection.execute_batch("COMMIT").is_ok() {
            return grafted;
        }
        connection.execute_batch("ROLLBACK").map_err(said)?;
        grafted.map(|_| false)
    }

    fn graft_within(&mut self, connection: &Connection) -> Result<bool> {
        let now = Table::find(connection, "main", &self.table.name)?;
        let Some(now) = now.filter(|now| super::load::sql_of(now) == self.sql) else { return Ok(false) };
        check(connection, "main", &now)?;
        let mut get = connection.prepare("SELECT data FROM sqlite_dbpage('main') WHERE pgno = ?1").map_err(said)?;
        let mut first = page(&mut get, 1)?;
        let is_plain = first.len() == self.page_size
            && first.get(RESERVED) == Some(&0)
            && first.get(LARGEST_ROOT..LARGEST_ROOT + 4) == Some(&[0; 4]);
        let Some(roots) = self.roots(&now).filter(|_| is_plain) else { return Ok(false) };
        for (_, root) in &roots {
            if !is_empty_leaf(&page(&mut get, *root)?) {
                return Ok(false);
            }
        }
        let count: u32 = connection.query_row("PRAGMA main.page_count", [], |row| row.get(0)).map_err(said)?;
        let places =
            Places { roots: &roots, added: self.added, count: u64::from(count), locked: locked_page(self.page_size) };
        let sql = "INSERT INTO sqlite_dbpage(pgno, data, schema) VALUES(?1, ?2, 'main')";
        let mut put = Put(connection.prepare(sql).map_err(said)?);
        let last = self.put_pages(&places, &mut put)?;
        let last = u32::try_from(last).map_err(|_| Error::limit("the number of pages", u32::MAX))?;
        first[PAGE_COUNT..PAGE_COUNT + 4].copy_from_slice(&last.to_be_bytes());
        put.page(1, &first)?;
        Ok(true)
    }

    /// Returns pairs of root pages, in the built file and in the target; `None` if the indexes differ.
    fn roots(&self, there: &Table) -> Option<Vec<(u32, u32)>> {
        let mut roots = vec![(self.table.root, there.root)];
        for index in &self.table.indexes {
            let other = there.indexes.iter().find(|other| other.name == index.name)?;
            roots.push((index.root, other.root));
        }
        roots.sort_unstable();
        roots.dedup(); // in a table without rowid, the first index is the table itself
        let within = |(root, _): &(u32, u32)| (2..self.added).contains(&u64::from(*root));
        let once = |at: fn(&(u32, u32)) -> u32| {
            let mut all: Vec<_> = roots.iter().map(at).collect();
            all.sort_unstable();
            all.windows(2).all(|two| two[0] != two[1])
        };
        let same = self.table.indexes.len() == there.indexes.len() && roots.iter().all(within);
        (same && once(|root| root.0) && once(|root| root.1)).then_some(roots)
    }

    /// Copies all pages but the first; returns the number of the last page in the target.
    ///
    /// The roots are written last: before that, no pointer leads to the other pages. This also holds if the user has
    /// disabled the journal, and an interrupted write is not rolled back.
    fn put_pages(&mut self, places: &Places<'_>, put: &mut Put<'_>) -> Result<u64> {
        let size = self.page_size;
        self.file.seek(SeekFrom::Start(size as u64))?;
        let mut chunk = vec![0; size.max(1 << 18)];
        let (mut number, mut last) = (2, places.count);
        let mut roots = Vec::new();
        while number <= self.pages {
            let many = (chunk.len() / size).min((self.pages - number + 1) as usize); // at most what a chunk holds
            let read = &mut chunk[..many * size];
            self.file.read_exact(read)?;
            for page in read.chunks_exact_mut(size) {
                if let Some(to) = places.of(number) {
                    places.relink(page)?;
                    if number < places.added {
                        roots.push((to, page.to_vec()));
                    } else {
                        put.page(to, page)?;
                        last = last.max(to);
                    }
                }
                number += 1;
            }
        }
        for (to, page) in roots {
            put.page(to, &page)?;
        }
        Ok(last)
    }
}

/// Opens a connection to the same file, with the journal mode, timeout and sync mode of the user's connection; `None`
/// if that is not possible.
fn alike(user: &Connection, path: &Path) -> Result<Option<Connection>> {
    let of_user = |setting| user.pragma_query_value(None, setting, |row| row.get::<_, Value>(0)).map_err(said);
    if of_user("locking_mode")? != Value::Text("normal".to_string()) {
        return Ok(None); // the user's connection holds the lock permanently
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let Ok(connection) = Connection::open_with_flags(path, flags) else { return Ok(None) };
    for setting in ["busy_timeout", "synchronous", "fullfsync", "wal_autocheckpoint", "journal_mode"] {
        let value = of_user(setting)?;
        if value == Value::Text("wal".to_string()) {
            continue; // persistent in the file, and the same for all connections
        }
        // Some pragmas return their new value.
        match connection.pragma_update_and_check(None, setting, value, |_| Ok(())) {
            Ok(()) | Err(rusqlite::Error::QueryReturnedNoRows) => {}
            Err(_) => return Ok(None),
        }
    }
    let opened = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false);
    Ok(opened.is_ok().then_some(connection))
}

/// Returns whether the file was renamed or deleted. Its name may then belong to a file that the user has not opened.
fn has_moved(user: &Connection, schema: &str) -> bool {
    let Ok(schema) = CString::new(schema) else { return true };
    let mut moved: c_int = 0;
    // SAFETY: the borrow keeps the connection open, and the name is NUL-terminated and outlives the call, which writes
    // one int.
    let code = unsafe {
        let to = (&raw mut moved).cast();
        ffi::sqlite3_file_control(user.handle(), schema.as_ptr(), ffi::SQLITE_FCNTL_HAS_MOVED, to)
    };
    code != ffi::SQLITE_OK || moved != 0
}

fn page(get: &mut Statement<'_>, number: u32) -> Result<Vec<u8>> {
    get.query_row([number], |row| row.get(0)).map_err(said)
}

fn is_empty_leaf(page: &[u8]) -> bool {
    let kind = page.first().and_then(|kind| PageKind::of(*kind));
    kind.is_some_and(PageKind::is_leaf) && page.get(3..5) == Some(&[0; 2])
}

/// The statement that writes a page.
struct Put<'c>(Statement<'c>);

impl Put<'_> {
    fn page(&mut self, number: u64, bytes: &[u8]) -> Result<()> {
        self.0.raw_bind_parameter(1, number.cast_signed()).map_err(said)?;
        self.0.raw_bind_parameter(2, bytes).map_err(said)?;
        self.0.raw_execute().map(drop).map_err(said)
    }
}

/// Maps page numbers of the built file to those of the target.
pub(super) struct Places<'r> {
    /// Pairs of root pages, in the built file and in the target, sorted by the first.
    pub(super) roots: &'r [(u32, u32)],
    /// The first page after the empty database; from there on, all pages belong to the trees.
    pub(super) added: u64,
    /// The number of pages in the target before.
    pub(super) count: u64,
    /// The lock page, which holds no data in any file.
    pub(super) locked: u64,
}

impl Places<'_> {
    /// Returns a page's number in the target. `None` if it belongs to no tree: the schema's pages, and the lock page.
    pub(super) fn of(&self, number: u64) -> Option<u64> {
        if number < self.added {
            let at = self.roots.binary_search_by_key(&number, |(root, _)| u64::from(*root)).ok()?;
            return self.roots.get(at).map(|(_, root)| u64::from(*root));
        }
        if number == self.locked {
            return None;
        }
        let passed = u64::from(self.added <= self.locked && self.locked < number);
        let to = self.count + 1 + (number - self.added) - passed;
        Some(if self.count < self.locked && to >= self.locked { to + 1 } else { to })
    }

    /// Relocates the child pointers of a page.
    fn relink(&self, page: &mut [u8]) -> Result<()> {
        let kind = page.first().and_then(|kind| PageKind::of(*kind)).ok_or_else(damaged)?;
        if kind.is_leaf() {
            return Ok(());
        }
        let count = usize::from(u16::from_be_bytes([page[3], page[4]]));
        self.relink_at(page, 8)?;
        for cell in 0..count {
            let pointer = kind.head() + 2 * cell;
            let start = page.get(pointer..pointer + 2).ok_or_else(damaged)?;
            let start = usize::from(u16::from_be_bytes([start[0], start[1]]));
            self.relink_at(page, start)?;
        }
        Ok(())
    }

    fn relink_at(&self, page: &mut [u8], at: usize) -> Result<()> {
        let link = page.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<4>()).ok_or_else(damaged)?;
        let to = self.of(u64::from(u32::from_be_bytes(*link))).ok_or_else(damaged)?;
        *link = u32::try_from(to).map_err(|_| Error::limit("the number of pages", u32::MAX))?.to_be_bytes();
        Ok(())
    }
}

#[cold]
fn damaged() -> Error {
    Error::new(ErrorKind::Store, "a page that was built is not as it was written")
}
