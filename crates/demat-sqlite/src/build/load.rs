//! Loads rows into a table of a database in use.

use super::builder::{Builder, open_to_verify, verify_conditions};
use super::new_file::NewFile;
use super::refusal::{Refusal, check, has_foreign_keys, refuse};
use super::{Options, Rows};
use crate::failure::failed;
use crate::format::table::Table;
use crate::format::{quoted, said};
use demat_core::{Error, ErrorKind, Result};
use rusqlite::{Connection, TransactionState, ffi};
use std::path::{Path, PathBuf};

/// Fills an empty table of a database in use.
///
/// The table and its indexes are built in a temporary file. Then SQLite takes the table over in one transaction: it
/// writes the pages unchanged, or copies the records if it can't. So locking, the log and crash safety stay SQLite's
/// own. Side effects of inserts that this would omit (triggers, foreign key checks) are [refused](Refusal) before the
/// first row is pushed.
///
/// ```
/// use demat_sqlite::Cell;
/// use demat_sqlite::build::{Load, Options};
/// # let connection = rusqlite::Connection::open_in_memory().unwrap();
/// connection.execute_batch("CREATE TABLE t(a INTEGER PRIMARY KEY, b UNIQUE)").unwrap();
/// let mut load = Load::new(&connection, "main", "t", &Options::default())?;
/// let mut rows = load.rows()?;
/// rows.push(&[Cell::Null, Cell::Text("one")])?;
/// rows.finish()?;
/// let loaded = load.finish()?;
/// assert_eq!((loaded.rows, loaded.raw), (1, true));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Load<'c> {
    connection: &'c Connection,
    schema: String,
    table: Table,
    file: NewFile,
    builder: Builder,
    /// The greatest rowid ever used, for a table with AUTOINCREMENT.
    counted: Option<i64>,
}

/// The result of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loaded {
    /// The number of rows in the table.
    pub rows: u64,
    /// Whether SQLite took pages or copied records unchanged, rather than inserting row by row.
    pub raw: bool,
}

impl<'c> Load<'c> {
    /// Begins to load a table of a schema (`main`, or the name of an attached database).
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if there is no such table, or if it is [refused](Refusal): then its rows can be
    /// inserted with statements.
    pub fn new(connection: &'c Connection, schema: &str, table: &str, options: &Options) -> Result<Self> {
        not_in_transaction(connection, table)?;
        may_write(connection, schema)?;
        let found = Table::find(connection, schema, table)?;
        let table = found.ok_or_else(|| Error::new(ErrorKind::Store, format!("there is no table `{table}`")))?;
        may_load(connection, schema, &table)?;
        let counted = if table.counts_up { counted(connection, schema, &table.name)? } else { None };
        let folder = folder(connection, schema)?;
        let (file, built) = NewFile::scratch(&folder)?;
        // Pages of another size could only be copied row by row.
        let page_size =
            connection.pragma_query_value(Some(schema), "page_size", |row| row.get::<_, u32>(0)).map_err(said)?;
        let options = Options { page_size: page_size as usize, ..options.clone() };
        let builder = Builder::within(built, &folder, &sql_of(&table), &options)?;
        Ok(Self { connection, schema: schema.to_string(), table, file, builder, counted })
    }

    /// Returns the writer of rows.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if this was called before.
    pub fn rows(&mut self) -> Result<Rows<'_>> {
        self.builder.rows_after(&self.table.name, self.counted)
    }

    /// Moves the built table into the database.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if the table has changed meanwhile, or SQLite fails; then nothing is changed.
    /// [`Constraint`](ErrorKind::Constraint) if a CHECK constraint is violated.
    pub fn finish(self) -> Result<Loaded> {
        let Self { connection, schema, table, mut file, builder, .. } = self;
        not_in_transaction(connection, &table.name)?;
        let mut conditions = builder.has_conditions();
        let (mut built, rows) = builder.into_scion(sql_of(&table))?;
        if let Some(database) = path_of(connection, &schema)? {
            if conditions {
                verify_conditions(&open_to_verify(file.name(&built.file)?)?, "main", &table.name)?;
                conditions = false;
            }
            may_load(connection, &schema, &table)?;
            if built.graft(connection, &schema, &database)? {
                return Ok(Loaded { rows, raw: true });
            }
        }
        let path = file.name(&built.file)?.to_string_lossy().into_owned();
        let name = free_name(connection)?;
        connection.execute(&format!("ATTACH ?1 AS {name}"), [path]).map_err(said)?;
        let taken = take_over(connection, &schema, &table, &name, conditions, file);
        // In any case, no statement uses it any more.
        let detached = connection.execute_batch(&format!("DETACH {name}")).map_err(said);
        taken.and_then(|loaded| detached.map(|()| loaded))
    }
}

/// Refuses a connection with a transaction: databases can't be attached or detached then.
fn not_in_transaction(connection: &Connection, table: &str) -> Result<()> {
    let reads = connection.transaction_state::<&str>(None).map_err(said)? != TransactionState::None;
    if reads || !connection.is_autocommit() { Err(refuse(table, Refusal::InTransaction)) } else { Ok(()) }
}

/// Refuses a read-only connection. The pages are written through another connection, which would not notice.
fn may_write(connection: &Connection, schema: &str) -> Result<()> {
    let only_reads: bool = connection.pragma_query_value(None, "query_only", |row| row.get(0)).map_err(said)?;
    if only_reads || connection.is_readonly(schema).map_err(said)? {
        return Err(failed(ffi::SQLITE_READONLY, None));
    }
    Ok(())
}

fn take_over(
    connection: &Connection,
    schema: &str,
    table: &Table,
    built: &str,
    conditions: bool,
    file: NewFile,
) -> Result<Loaded> {
    // From here on the file is open, and on Unix its name is not needed any more. Elsewhere it must be kept as long as
    // the file is open.
    let sql = format!("SELECT count(*) FROM {built}.sqlite_schema");
    connection.query_row(&sql, [], |_| Ok(())).map_err(said)?;
    let file = if cfg!(unix) {
        drop(file);
        None
    } else {
        Some(file)
    };
    if conditions {
        verify_conditions(connection, built, &table.name)?;
    }
    connection.execute_batch("BEGIN IMMEDIATE").map_err(said)?;
    let taken = transfer(connection, schema, table, built);
    let ended = match &taken {
        Ok(_) => connection.execute_batch("COMMIT").map_err(said),
        Err(_) => Ok(()),
    };
    if (taken.is_err() || ended.is_err()) && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK").map_err(said)?;
    }
    drop(file);
    taken.and_then(|loaded| ended.map(|()| loaded))
}

fn transfer(connection: &Connection, schema: &str, table: &Table, built: &str) -> Result<Loaded> {
    let now = Table::find(connection, schema, &table.name)?;
    let Some(now) = now.filter(|now| sql_of(now) == sql_of(table)) else {
        let message = format!("the table `{}` is not as it was when loading it began", table.name);
        return Err(Error::new(ErrorKind::Store, message));
    };
    may_load(connection, schema, &now)?;
    let name = quoted(&table.name);
    let sql = format!("INSERT INTO {}.{name} SELECT * FROM {built}.{name}", quoted(schema));
    let raw = is_raw(connection, &sql)?;
    let rows = connection.execute(&sql, []).map_err(said)?;
    Ok(Loaded { rows: rows as u64, raw })
}

/// Returns whether SQLite copies records unchanged: then the statement's program reads whole records.
fn is_raw(connection: &Connection, sql: &str) -> Result<bool> {
    let mut statement = connection.prepare(&format!("EXPLAIN {sql}")).map_err(said)?;
    let mut steps = statement.query([]).map_err(said)?;
    while let Some(step) = steps.next().map_err(said)? {
        let code: String = step.get("opcode").map_err(said)?;
        if code == "RowCell" || code == "RowData" {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Refuses a table for which loading would differ from inserting the rows.
fn may_load(connection: &Connection, schema: &str, table: &Table) -> Result<()> {
    let encoding: String = connection.pragma_query_value(Some(schema), "encoding", |row| row.get(0)).map_err(said)?;
    if encoding != "UTF-8" {
        return Err(refuse(&table.name, Refusal::Utf16));
    }
    check(connection, schema, table)?;
    let enforced: bool = connection.pragma_query_value(None, "foreign_keys", |row| row.get(0)).map_err(said)?;
    if enforced && has_foreign_keys(connection, schema, &table.name)? {
        return Err(refuse(&table.name, Refusal::ForeignKeys));
    }
    Ok(())
}

/// Returns the statements that create the table and its indexes.
pub(super) fn sql_of(table: &Table) -> String {
    let indexes = table.indexes.iter().filter_map(|index| index.sql.as_deref());
    let all: Vec<_> = core::iter::once(table.sql.as_str()).chain(indexes).collect();
    all.join(";\n")
}

fn counted(connection: &Connection, schema: &str, table: &str) -> Result<Option<i64>> {
    let sql = format!("SELECT max(seq) FROM {}.sqlite_sequence WHERE name = ?1", quoted(schema));
    connection.query_row(&sql, [table], |row| row.get(0)).map_err(said)
}

/// Returns the folder of the database, or that for temporary files.
fn folder(connection: &Connection, schema: &str) -> Result<PathBuf> {
    let file = path_of(connection, schema)?;
    Ok(file.and_then(|file| file.parent().map(Path::to_path_buf)).unwrap_or_else(std::env::temp_dir))
}

/// Returns the path of the database, if it is in a file.
fn path_of(connection: &Connection, schema: &str) -> Result<Option<PathBuf>> {
    let sql = "SELECT file FROM pragma_database_list WHERE name = ?1 COLLATE NOCASE";
    let file: Option<String> = connection.query_row(sql, [schema], |row| row.get(0)).map_err(said)?;
    Ok(file.filter(|file| !file.is_empty()).map(PathBuf::from))
}

/// Returns a schema name that no attached database has.
fn free_name(connection: &Connection) -> Result<String> {
    let sql = "SELECT name FROM pragma_database_list";
    let mut statement = connection.prepare(sql).map_err(said)?;
    let names = statement.query_map([], |row| row.get::<_, String>(0)).map_err(said)?;
    let names = names.collect::<rusqlite::Result<Vec<_>>>().map_err(said)?;
    // There are more candidates than attached databases, so one is free.
    let free = (0..=names.len()).map(|at| format!("demat_built_{at}")).find(|name| !names.contains(name));
    Ok(free.unwrap_or_default())
}
