//! A database.

use crate::failure::refused;
use crate::function;
use crate::handle::Handle;
use crate::of_shape::TableOptions;
use crate::param::Param;
use crate::rows::Rows;
use crate::statement::Statement;
use crate::table::Table;
use core::fmt;
use demat_core::{Record, Result};
use rusqlite::ffi;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A database that is open. Clones are the same connection.
///
/// Foreign keys are enforced. Others that have the file locked are waited for, five seconds unless told otherwise.
///
/// ```
/// # fn main() -> demat_core::Result<()> {
/// use demat_sqlite::{Database, TableOptions};
/// let database = Database::memory()?;
/// let shape: demat_core::Shape = "id: int #sql:key, title: text".parse()?;
/// let record = demat_sqlite::row_of(&shape).expect("a record");
/// let table = database.table("tasks", &record.get(), &TableOptions::default())?;
/// assert_eq!(database.tables()?, ["tasks"]);
/// assert_eq!(table.rowid(), Some(0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Database {
    handle: Arc<Handle>,
    name: Arc<str>,
}

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenOptions {
    /// Whether nothing is to be changed.
    pub readonly: bool,
    /// Whether a file that is not there is made.
    pub create: bool,
    /// How long to wait for others that have the file locked.
    pub timeout: Duration,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { readonly: false, create: true, timeout: Duration::from_secs(5) }
    }
}

impl Database {
    /// Opens a file, which is made where it is not there.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, OpenOptions::default())
    }

    /// Opens a file.
    ///
    /// # Errors
    /// What SQLite says, also of a file that is no database.
    pub fn open_with(path: &Path, options: OpenOptions) -> Result<Self> {
        let create = if options.create { ffi::SQLITE_OPEN_CREATE } else { 0 };
        let flags = if options.readonly { ffi::SQLITE_OPEN_READONLY } else { ffi::SQLITE_OPEN_READWRITE | create };
        let database = Self { handle: Handle::open(path, flags)?, name: path.display().to_string().into() };
        database.handle.wait_for(options.timeout)?;
        database.with_connection(function::register)?;
        // The file may come from an untrusted party. So its triggers and views can't call functions with side effects,
        // and SQLite checks pages before it uses them.
        database.execute("PRAGMA trusted_schema = OFF")?;
        database.execute("PRAGMA cell_size_check = ON")?;
        // It is looked at only when it is first read: that it is none is better said now.
        database.execute("PRAGMA schema_version").map_err(|error| error.in_place(database.name.to_string()))?;
        Ok(database)
    }

    /// A database of its own in memory.
    ///
    /// # Errors
    /// Where there is none.
    pub fn memory() -> Result<Self> {
        Self::open(Path::new(":memory:"))
    }

    /// What errors call it: its path.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn handle(&self) -> &Arc<Handle> {
        &self.handle
    }

    /// The connection itself, for who has calls of SQLite's own to make.
    pub fn as_ptr(&self) -> *mut ffi::sqlite3 {
        self.handle.as_ptr()
    }

    /// Prepares a statement.
    ///
    /// # Errors
    /// What SQLite says; where the text is no statement, or more than one.
    pub fn statement(&self, sql: &str) -> Result<Statement> {
        Statement::prepare(&self.handle, sql, false)
    }

    /// A statement that is likely to be needed again: prepared, or one of this text that was put away. When it is dropped it
    /// is put away, among the 32 that were used last. The text is to name its columns: after a change of the schema those of
    /// a `*` would be called what they were.
    ///
    /// # Errors
    /// As [`statement`](Self::statement).
    pub fn kept(&self, sql: &str) -> Result<Statement> {
        Statement::kept(&self.handle, sql)
    }

    /// Runs a statement without values.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn execute(&self, sql: &str) -> Result<()> {
        self.statement(sql)?.run()
    }

    /// Runs a statement with values. Returns how many rows it changed directly, without those that triggers and foreign
    /// keys changed.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn change(&self, sql: &str, values: &[Param]) -> Result<u64> {
        let mut statement = self.statement(sql)?;
        statement.bind_all(values)?;
        self.run(&mut statement)
    }

    /// Runs a statement whose values are bound. Returns how many rows it changed, as [`change`](Self::change).
    ///
    /// # Errors
    /// What SQLite says.
    pub fn run(&self, statement: &mut Statement) -> Result<u64> {
        let before = self.handle.total_changes();
        statement.run()?;
        // If nothing changed, `sqlite3_changes` still has the previous statement's number.
        Ok(if self.handle.total_changes() == before { 0 } else { self.handle.changes() })
    }

    /// The first column of the first row, where it is a whole number.
    ///
    /// # Errors
    /// What SQLite says; where there is no row.
    pub fn number(&self, sql: &str, values: &[Param]) -> Result<i64> {
        let mut statement = self.statement(sql)?;
        statement.bind_all(values)?;
        if statement.step()? { Ok(statement.int(0)) } else { Err(refused("the statement gives no row")) }
    }

    /// Ends what other threads are doing on this connection, with an error for them.
    pub fn interrupt(&self) {
        self.handle.interrupt();
    }

    /// How many rows all statements have changed since it was opened.
    pub fn total_changes(&self) -> u64 {
        self.handle.total_changes()
    }

    /// The number of the row that was inserted last, by whichever statement.
    pub fn last_rowid(&self) -> i64 {
        self.handle.last_rowid()
    }

    /// Whether no transaction is open.
    pub fn is_idle(&self) -> bool {
        self.handle.is_idle()
    }

    /// The table for records of a shape: made where there is none of the name, else checked to be like it.
    ///
    /// # Errors
    /// As [`Table::of`]; where the table that is there differs, a list of the differences.
    pub fn table(&self, name: &str, record: &Record, options: &TableOptions) -> Result<Table> {
        let wanted = Table::of(name, record, options)?;
        if let Some(there) = self.find(name)? {
            wanted.check(&there).map_err(|error| error.in_place(self.name.to_string()))?;
            return Ok(there);
        }
        self.create(&wanted)?;
        self.existing(name)
    }

    /// Makes a table, with its indexes or not at all.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn create(&self, table: &Table) -> Result<()> {
        let transaction = self.transaction()?;
        for statement in table.create() {
            self.execute(&statement)?;
        }
        transaction.commit()
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Database").field(&self.name).finish()
    }
}
