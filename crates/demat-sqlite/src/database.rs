//! Database connections.

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

/// An open database. Clones share the connection.
///
/// Foreign keys are enforced. If the file is locked, statements wait, by default for five seconds.
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

/// How to open a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenOptions {
    /// Whether to open the file read-only.
    pub readonly: bool,
    /// Whether to create the file if it does not exist.
    pub create: bool,
    /// Whether nobody changes the file while it is open. Then SQLite neither locks it nor looks for changes, and needs no
    /// right to write in its folder. The file is opened read-only.
    pub immutable: bool,
    /// The time to wait while other connections have locked the file.
    pub timeout: Duration,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { readonly: false, create: true, immutable: false, timeout: Duration::from_secs(5) }
    }
}

/// Opens a file that nobody changes.
fn immutable(path: &Path) -> Result<Arc<Handle>> {
    // The files beside it stand where it is, and not where a link to it is.
    let path =
        path.canonicalize().map_err(|error| demat_core::Error::from(error).in_place(path.display().to_string()))?;
    let beside = |end: &str| {
        let mut name = path.as_os_str().to_os_string();
        name.push(end);
        std::path::PathBuf::from(name)
    };
    // SQLite would not see what is only there.
    if std::fs::metadata(beside("-wal")).is_ok_and(|log| log.len() > 0) {
        let message = "the file has changes in its write-ahead log, so it is not immutable";
        return Err(refused(message).in_place(path.display().to_string()));
    }
    // Nor would it undo a transaction that broke off. A journal that is not in use begins with a zero.
    let mut first = [0];
    let journal = std::fs::File::open(beside("-journal"));
    let is_read = journal.and_then(|mut file| std::io::Read::read_exact(&mut file, &mut first)).is_ok();
    if is_read && first != [0] {
        let message = "the file has a journal of a transaction that broke off; open it once to be written";
        return Err(refused(message).in_place(path.display().to_string()));
    }
    let escaped = path.as_os_str().as_encoded_bytes().iter().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => char::from(*byte).to_string(),
        other => format!("%{other:02X}"),
    });
    let uri = format!("file:{}?immutable=1", escaped.collect::<String>());
    Handle::open(Path::new(&uri), ffi::SQLITE_OPEN_READONLY | ffi::SQLITE_OPEN_URI)
}

impl Database {
    /// Opens a file; creates it if it does not exist.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, OpenOptions::default())
    }

    /// Opens a file.
    ///
    /// # Errors
    /// Errors of SQLite, also if the file is no database.
    pub fn open_with(path: &Path, options: OpenOptions) -> Result<Self> {
        let create = if options.create { ffi::SQLITE_OPEN_CREATE } else { 0 };
        let flags = if options.readonly { ffi::SQLITE_OPEN_READONLY } else { ffi::SQLITE_OPEN_READWRITE | create };
        let handle = if options.immutable { immutable(path)? } else { Handle::open(path, flags)? };
        let database = Self { handle, name: path.display().to_string().into() };
        database.handle.wait_for(options.timeout)?;
        database.with_connection(function::register)?;
        // The file may come from an untrusted party. So its triggers and views can't call functions with side effects,
        // and SQLite checks pages before it uses them.
        database.execute("PRAGMA trusted_schema = OFF")?;
        database.execute("PRAGMA cell_size_check = ON")?;
        // SQLite reads the file only at the first access: this reports a file that is no database at once.
        database.execute("PRAGMA schema_version").map_err(|error| error.in_place(database.name.to_string()))?;
        Ok(database)
    }

    /// Opens a private database in memory.
    ///
    /// # Errors
    /// If SQLite can't create one.
    pub fn memory() -> Result<Self> {
        Self::open(Path::new(":memory:"))
    }

    /// Returns the name for errors: the path.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn handle(&self) -> &Arc<Handle> {
        &self.handle
    }

    /// Returns the raw connection, for direct calls of SQLite.
    pub fn as_ptr(&self) -> *mut ffi::sqlite3 {
        self.handle.as_ptr()
    }

    /// Prepares a statement.
    ///
    /// # Errors
    /// Errors of SQLite; if the text is no statement, or more than one.
    pub fn statement(&self, sql: &str) -> Result<Statement> {
        Statement::prepare(&self.handle, sql, false)
    }

    /// Returns a statement that is likely to be used again: a cached one with this text, or a new one. When it is
    /// dropped, it returns to the cache of the 32 most recently used statements. The text should name its columns: the
    /// column names of a `*` would be outdated after a change of the schema.
    ///
    /// # Errors
    /// As [`statement`](Self::statement).
    pub fn kept(&self, sql: &str) -> Result<Statement> {
        Statement::kept(&self.handle, sql)
    }

    /// Executes a statement without values.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn execute(&self, sql: &str) -> Result<()> {
        self.statement(sql)?.run()
    }

    /// Executes a statement with values. Returns the number of rows that it changed directly, without those that
    /// triggers and foreign keys changed.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn change(&self, sql: &str, values: &[Param]) -> Result<u64> {
        let mut statement = self.statement(sql)?;
        statement.bind_all(values)?;
        self.run(&mut statement)
    }

    /// Executes a statement with bound values. Returns the number of changed rows, like [`change`](Self::change).
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn run(&self, statement: &mut Statement) -> Result<u64> {
        let before = self.handle.total_changes();
        statement.run()?;
        // If nothing changed, `sqlite3_changes` still has the previous statement's number.
        Ok(if self.handle.total_changes() == before { 0 } else { self.handle.changes() })
    }

    /// Returns the first column of the first row as an integer.
    ///
    /// # Errors
    /// Errors of SQLite; if there is no row.
    pub fn number(&self, sql: &str, values: &[Param]) -> Result<i64> {
        let mut statement = self.statement(sql)?;
        statement.bind_all(values)?;
        if statement.step()? { Ok(statement.int(0)) } else { Err(refused("the statement gives no row")) }
    }

    /// Interrupts the statements of other threads on this connection; they fail with an error.
    pub fn interrupt(&self) {
        self.handle.interrupt();
    }

    /// Returns the number of rows changed by all statements since the connection was opened.
    pub fn total_changes(&self) -> u64 {
        self.handle.total_changes()
    }

    /// Returns the rowid of the last inserted row.
    pub fn last_rowid(&self) -> i64 {
        self.handle.last_rowid()
    }

    /// Returns whether no transaction is open.
    pub fn is_idle(&self) -> bool {
        self.handle.is_idle()
    }

    /// Returns the table for records of a shape: creates it, or checks that an existing one matches.
    ///
    /// # Errors
    /// As [`Table::of`]; a list of the differences if the existing table differs.
    pub fn table(&self, name: &str, record: &Record, options: &TableOptions) -> Result<Table> {
        let wanted = Table::of(name, record, options)?;
        if let Some(there) = self.find(name)? {
            wanted.check(&there).map_err(|error| error.in_place(self.name.to_string()))?;
            return Ok(there);
        }
        self.create(&wanted)?;
        self.existing(name)
    }

    /// Creates a table and its indexes atomically.
    ///
    /// # Errors
    /// Errors of SQLite.
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
