//! Builds database files.

use super::graft::BuiltTree;
use super::loader::{Built, Loader};
use super::new_file::NewFile;
use super::pages::Pages;
use super::refusal::{check, has_foreign_keys};
use super::table_tree::unreadable;
use super::{Options, Rows};
use crate::Cell;
use crate::format::local::{LARGEST, SMALLEST};
use crate::format::table::Table;
use crate::format::{quoted, said, sql};
use demat_core::{Error, ErrorKind, Result};
use rusqlite::{Connection, MAIN_DB};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A database whose tables are built page by page, from the leaves up.
///
/// SQLite itself creates the empty database from the given statements. The builder adds the pages of one table after
/// the other, and writes their roots where SQLite has put the empty ones. Except for its rows, the file is SQLite's
/// own.
///
/// ```
/// use demat_sqlite::Cell;
/// use demat_sqlite::build::{Builder, Options};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("tasks.db");
/// let sql = "CREATE TABLE tasks(id INTEGER PRIMARY KEY, title TEXT NOT NULL, done INTEGER)";
/// let mut builder = Builder::create(&path, sql, &Options::default())?;
/// let mut rows = builder.rows("tasks")?;
/// rows.push(&[Cell::Int(1), Cell::Text("Clean Room"), Cell::Int(0)])?;
/// rows.push(&[Cell::Int(2), Cell::Text("Check Twitter"), Cell::Int(1)])?;
/// rows.finish()?;
/// builder.finish()?;
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    pages: Pages,
    /// What to do with the complete file.
    file: Destination,
    /// The database without rows.
    empty: Connection,
    /// The first page after those of the empty database.
    added: u64,
    options: Options,
    folder: PathBuf,
    begun: Vec<String>,
    built: Vec<Built>,
    checks: Vec<Check>,
}

/// A database that is complete, and has no name yet.
#[derive(Debug)]
pub struct Complete {
    done: File,
    file: Destination,
    durable: bool,
}

impl Complete {
    /// Lets the file appear.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io).
    pub fn commit(self) -> Result<()> {
        match self.file {
            Destination::Given => Ok(()),
            Destination::New(new) => new.commit(&self.done, self.durable),
        }
    }
}

#[derive(Debug)]
enum Destination {
    New(NewFile),
    /// The caller owns the file.
    Given,
}

/// The checks of a table that SQLite performs after it was built.
#[derive(Debug)]
struct Check {
    table: String,
    foreign_keys: bool,
    conditions: bool,
}

impl Builder {
    /// Begins a new database file; `sql` creates its tables.
    ///
    /// The file appears at [`finish`](Self::finish). If that is not reached, nothing is left of it.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io), also if the path exists already; SQLite's errors in the statements.
    pub fn create(path: &Path, sql: &str, options: &Options) -> Result<Self> {
        let (empty, begin) = empty(sql, options)?;
        let (new, file) = NewFile::create(path, options.replace)?;
        let folder = new.folder().to_path_buf();
        Self::over(file, Destination::New(new), folder, empty, &begin, options)
    }

    /// Begins a database in an empty file of the caller.
    pub(super) fn within(file: File, folder: &Path, sql: &str, options: &Options) -> Result<Self> {
        let (empty, begin) = empty(sql, options)?;
        Self::over(file, Destination::Given, folder.to_path_buf(), empty, &begin, options)
    }

    fn over(
        file: File,
        destination: Destination,
        folder: PathBuf,
        empty: Connection,
        begin: &[u8],
        options: &Options,
    ) -> Result<Self> {
        let pages = Pages::after(file, options.page_size, begin)?;
        Ok(Self {
            added: pages.count() + 1,
            pages,
            file: destination,
            empty,
            options: options.clone(),
            folder,
            begun: Vec::new(),
            built: Vec::new(),
            checks: Vec::new(),
        })
    }

    /// Begins a table. The next one can begin after this one is [finished](Rows::finish).
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if there is no such table, if it was begun before, or if it is
    /// [refused](super::Refusal).
    pub fn rows(&mut self, table: &str) -> Result<Rows<'_>> {
        self.rows_after(table, None)
    }

    /// As [`rows`](Self::rows), for a table whose last generated rowid is `counted`.
    pub(super) fn rows_after(&mut self, table: &str, counted: Option<i64>) -> Result<Rows<'_>> {
        let found = Table::find(&self.empty, "main", table)?;
        let table = found.ok_or_else(|| Error::new(ErrorKind::Store, format!("there is no table `{table}`")))?;
        if self.begun.contains(&table.name) {
            return Err(Error::new(ErrorKind::Store, format!("the table `{}` was begun before", table.name)));
        }
        check(&self.empty, "main", &table)?;
        let conditions = sql::has_word(&table.sql, "CHECK");
        let foreign_keys = has_foreign_keys(&self.empty, "main", &table.name)?;
        if conditions || foreign_keys {
            self.checks.push(Check { table: table.name.clone(), foreign_keys, conditions });
        }
        self.begun.push(table.name.clone());
        let loader = Loader::new(table, &self.pages, &self.options, &self.folder)?.after(counted);
        Ok(Rows::new(loader, self))
    }

    /// Returns whether a table has CHECK constraints, which only SQLite can evaluate.
    pub(super) fn has_conditions(&self) -> bool {
        self.checks.iter().any(|check| check.conditions)
    }

    pub(super) fn pages(&mut self) -> &mut Pages {
        &mut self.pages
    }

    pub(super) fn took(&mut self, built: Built) {
        self.built.push(built);
    }

    /// Completes the database; the file appears.
    ///
    /// SQLite checks the CHECK constraints and foreign keys before.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io); [`Constraint`](ErrorKind::Constraint) if a CHECK constraint or a foreign key is violated.
    pub fn finish(self) -> Result<()> {
        self.complete()?.commit()
    }

    /// Completes the database, on the disk if it is to be durable, but does not let the file appear yet.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn complete(mut self) -> Result<Complete> {
        self.end_tables()?;
        let Self { pages, mut file, checks, options, .. } = self;
        let done = pages.into_file()?;
        if let Destination::New(new) = &mut file {
            if !checks.is_empty() {
                verify(new.name(&done)?, &checks)?;
            }
            if options.durable {
                new.sync(&done)?;
            }
        }
        Ok(Complete { done, file, durable: options.durable })
    }

    /// Completes the database, and returns its only table and the number of rows. The caller must run the checks.
    pub(super) fn into_scion(mut self, sql: String) -> Result<(BuiltTree, u64)> {
        self.end_tables()?;
        let Some(Built { table, rows, .. }) = self.built.first() else { return Err(unreadable()) };
        let (found, rows) = (Table::find(&self.empty, "main", table)?, *rows);
        let table = found.ok_or_else(unreadable)?;
        let (spilled, pages, page_size) = (self.pages.has_spilled(), self.pages.count(), self.pages.page_size());
        let file = self.pages.into_file()?;
        Ok((BuiltTree { file, page_size, pages, added: self.added, table, sql, spilled }, rows))
    }

    fn end_tables(&mut self) -> Result<()> {
        if let Some(open) = self.begun.iter().find(|name| !self.built.iter().any(|built| built.table == **name)) {
            return Err(Error::new(ErrorKind::Store, format!("the table `{open}` is not finished")));
        }
        self.keep_sequences()?;
        // The file header: one change, the number of pages, and this version of SQLite.
        let count = u32::try_from(self.pages.count()).map_err(|_| Error::limit("the number of pages", u32::MAX))?;
        let version = rusqlite::version_number().unsigned_abs();
        self.pages.write_over(1, 24, &1u32.to_be_bytes())?;
        self.pages.write_over(1, 28, &count.to_be_bytes())?;
        self.pages.write_over(1, 92, &1u32.to_be_bytes())?;
        self.pages.write_over(1, 96, &version.to_be_bytes())
    }

    /// Tables with AUTOINCREMENT never reuse a rowid; SQLite stores the greatest one.
    fn keep_sequences(&mut self) -> Result<()> {
        let counting = |built: &Built| Some((built.table.clone(), built.counted?));
        let mut counting: Vec<_> = self.built.iter().filter_map(counting).collect();
        if counting.is_empty() {
            return Ok(());
        }
        let Some(table) = Table::find(&self.empty, "main", "sqlite_sequence")? else { return Ok(()) };
        for own in sequences(&self.empty)? {
            if !counting.iter().any(|(name, _)| *name == own.0) {
                counting.push(own);
            }
        }
        let loader = Loader::new(table, &self.pages, &self.options, &self.folder)?;
        let mut rows = Rows::new(loader, self);
        for (name, greatest) in counting {
            rows.push(&[Cell::Text(&name), Cell::Int(greatest)])?;
        }
        rows.finish()
    }
}

/// Returns the stored rowids of tables that have rows from the beginning.
fn sequences(empty: &Connection) -> Result<Vec<(String, i64)>> {
    let mut statement = empty.prepare("SELECT name, seq FROM sqlite_sequence").map_err(said)?;
    let sequences = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(said)?;
    sequences.collect::<rusqlite::Result<_>>().map_err(said)
}

/// Returns the database without rows: an open connection, and its file.
fn empty(sql: &str, options: &Options) -> Result<(Connection, Vec<u8>)> {
    if !options.page_size.is_power_of_two() || !(SMALLEST..=LARGEST).contains(&options.page_size) {
        let message =
            format!("a page can't have {} bytes; it can have 512, or twice that, up to 65536", options.page_size);
        return Err(Error::new(ErrorKind::Store, message));
    }
    let mut connection = Connection::open_in_memory().map_err(said)?;
    connection.execute_batch(&format!("PRAGMA page_size = {}", options.page_size)).map_err(said)?;
    connection.execute_batch(sql).map_err(said)?;
    let encoding: String = connection.query_row("PRAGMA encoding", [], |row| row.get(0)).map_err(said)?;
    if encoding != "UTF-8" {
        return Err(super::refusal::refuse("main", super::Refusal::Utf16));
    }
    let vacuum: i64 = connection.query_row("PRAGMA auto_vacuum", [], |row| row.get(0)).map_err(said)?;
    if vacuum != 0 {
        return Err(super::refusal::refuse("main", super::Refusal::AutoVacuum));
    }
    let size: u32 = connection.query_row("PRAGMA page_size", [], |row| row.get(0)).map_err(said)?;
    if size as usize != options.page_size {
        let message = format!("the statements set pages of {size} bytes, the options of {}", options.page_size);
        return Err(Error::new(ErrorKind::Store, message));
    }
    let bytes = connection.serialize(MAIN_DB).map_err(said)?.to_vec();
    Ok((connection, bytes))
}

/// Runs the checks that the builder can't perform.
fn verify(path: &Path, checks: &[Check]) -> Result<()> {
    let connection = open_to_verify(path)?;
    for check in checks {
        if check.conditions {
            verify_conditions(&connection, "main", &check.table)?;
        }
        if check.foreign_keys {
            verify_foreign_keys(&connection, &check.table)?;
        }
    }
    Ok(())
}

/// Opens a built file for SQLite's checks.
pub(super) fn open_to_verify(path: &Path) -> Result<Connection> {
    // Nothing is written, but SQLite skips CHECK constraints on a read-only connection.
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags).map_err(said)
}

/// Checks the CHECK constraints of a table.
pub(super) fn verify_conditions(connection: &Connection, schema: &str, table: &str) -> Result<()> {
    let sql = format!("PRAGMA {}.quick_check({})", quoted(schema), quoted(table));
    let said_of_it: String = connection.query_row(&sql, [], |row| row.get(0)).map_err(said)?;
    if said_of_it == "ok" { Ok(()) } else { Err(Error::new(ErrorKind::Constraint, said_of_it)) }
}

fn verify_foreign_keys(connection: &Connection, table: &str) -> Result<()> {
    let mut statement = connection.prepare("SELECT rowid, parent FROM pragma_foreign_key_check(?1)").map_err(said)?;
    let mut rows = statement.query([table]).map_err(said)?;
    let Some(row) = rows.next().map_err(said)? else { return Ok(()) };
    let (rowid, parent): (Option<i64>, String) = (row.get(0).map_err(said)?, row.get(1).map_err(said)?);
    let row = rowid.map_or("a row".to_string(), |rowid| format!("the row with rowid {rowid}"));
    let message = format!("{row} of `{table}` refers to a row of `{parent}` that is not there");
    Err(Error::new(ErrorKind::Constraint, message))
}
