//! The reasons why a table can't be built page by page.

use crate::format::table::{From, Index, Table};
use crate::format::{quoted, said};
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use rusqlite::Connection;

/// Why a table can't be built page by page, although rows can be inserted with statements.
///
/// It is the source of the error, for callers that then fall back to inserting:
///
/// ```
/// use demat_sqlite::build::{Builder, Options, Refusal};
/// let sql = "CREATE TABLE t(a); CREATE INDEX half ON t(a) WHERE a > 0";
/// let path = std::env::temp_dir().join("never.db");
/// let error = Builder::create(&path, sql, &Options::default())?.rows("t").unwrap_err();
/// assert!(matches!(Refusal::of(&error), Some(Refusal::PartialIndex(name)) if name == "half"));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// A trigger with this name would not run.
    Trigger(String),
    /// The column with this name is generated from others.
    GeneratedColumn(String),
    /// The index with this name covers only some of the rows.
    PartialIndex(String),
    /// The index with this name is on an expression.
    IndexOfExpression(String),
    /// The collation with this name is user-defined.
    Collation(String),
    /// The table has foreign keys, which would not be checked.
    ForeignKeys,
    /// The table is not empty.
    NotEmpty,
    /// The database stores text as UTF-16.
    Utf16,
    /// The database has pointer-map pages (`auto_vacuum`).
    AutoVacuum,
    /// A transaction is open, perhaps only a read transaction; databases can't be attached within one.
    InTransaction,
    /// It is a virtual table, or one of SQLite's or a module's own.
    NoTable(String),
}

impl Refusal {
    /// Returns the refusal that caused an error, if any.
    pub fn of(error: &Error) -> Option<&Self> {
        std::error::Error::source(error)?.downcast_ref()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trigger(name) => write!(f, "the trigger `{name}` would not run"),
            Self::GeneratedColumn(name) => write!(f, "the column `{name}` is generated"),
            Self::PartialIndex(name) => write!(f, "the index `{name}` is a partial one"),
            Self::IndexOfExpression(name) => write!(f, "the index `{name}` is of an expression"),
            Self::Collation(name) => write!(f, "the collation `{name}` is none of SQLite's own"),
            Self::ForeignKeys => f.write_str("its foreign keys would go unchecked"),
            Self::NotEmpty => f.write_str("it has rows already"),
            Self::Utf16 => f.write_str("the database keeps text as UTF-16"),
            Self::AutoVacuum => f.write_str("the database has `auto_vacuum`"),
            Self::InTransaction => f.write_str("a transaction is open, or rows are being read"),
            Self::NoTable(name) => write!(f, "`{name}` is no ordinary table"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Returns the error for a refusal.
#[cold]
pub(crate) fn refuse(table: &str, refusal: Refusal) -> Error {
    Error::new(ErrorKind::Store, format!("the table `{table}` can't be built as pages")).because(refusal)
}

/// Refuses a table for which building would differ from inserting the rows.
pub(super) fn check(connection: &Connection, schema: &str, table: &Table) -> Result<()> {
    let name = &table.name;
    if name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("sqlite_")) {
        return Err(refuse(name, Refusal::NoTable(name.clone())));
    }
    // The connection's temporary triggers may be on a table of any schema.
    let sql = format!(
        "SELECT name FROM (SELECT * FROM {}.sqlite_schema UNION ALL SELECT * FROM temp.sqlite_schema) \
         WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE",
        quoted(schema)
    );
    let mut triggers = connection.prepare(&sql).map_err(said)?;
    if let Some(row) = triggers.query([name]).map_err(said)?.next().map_err(said)? {
        return Err(refuse(name, Refusal::Trigger(row.get(0).map_err(said)?)));
    }
    if let Some(column) = table.columns.iter().find(|column| column.generated) {
        return Err(refuse(name, Refusal::GeneratedColumn(column.name.clone())));
    }
    for index in &table.indexes {
        check_index(index).map_err(|refusal| refuse(name, refusal))?;
    }
    let sql = format!("SELECT EXISTS (SELECT 1 FROM {}.{})", quoted(schema), quoted(name));
    if connection.query_row(&sql, [], |row| row.get(0)).map_err(said)? {
        return Err(refuse(name, Refusal::NotEmpty));
    }
    Ok(())
}

fn check_index(index: &Index) -> std::result::Result<(), Refusal> {
    if index.partial {
        return Err(Refusal::PartialIndex(index.name.clone()));
    }
    if index.parts.iter().any(|part| part.from == From::Expression) {
        return Err(Refusal::IndexOfExpression(index.name.clone()));
    }
    index.order().map(drop).map_err(Refusal::Collation)
}

/// Returns whether a table has foreign keys.
pub(super) fn has_foreign_keys(connection: &Connection, schema: &str, table: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM pragma_foreign_key_list(?1, ?2))";
    connection.query_row(sql, [table, schema], |row| row.get(0)).map_err(said)
}
