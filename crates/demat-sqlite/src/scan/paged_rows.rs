//! Reads the rows of a statement that selects a whole table from the table's pages.

use super::vector::Kind;
use super::{Filled, Scan};
use crate::database::Database;
use crate::failure::refused;
use crate::name::{listed, quoted};
use crate::param::Param;
use crate::rows::{Class, Raw, Rows};
use crate::source::PlainRows;
use crate::statement::Statement;
use core::mem::ManuallyDrop;
use demat_core::{Result, Sink};
use rusqlite::Connection;

/// The rows of a statement; if it selects all rows of a table, they are read from the table's pages.
///
/// The rows and their order are the same either way. If the connection itself changes the database before the last row,
/// the remaining rows are read with a statement.
#[derive(Debug)]
pub struct PagedRows {
    statement: Statement,
    scan: Option<Scanning>,
}

/// A scan, with the objects that it borrows.
#[derive(Debug)]
struct Scanning {
    /// Dropped before the objects that it borrows.
    scan: ManuallyDrop<Scan<'static>>,
    connection: *mut Connection,
    database: Database,
    /// The SQL for the rows behind a rowid.
    rest: Option<String>,
    /// The rowid of the last row returned.
    given: Option<i64>,
}

// SAFETY: any thread may use the connection (see `Handle`), and so its statements. The `Connection` that points to it
// is only used by the owner of this.
unsafe impl Send for Scanning {}

impl Scanning {
    fn new(database: &Database, table: &str, columns: &[String]) -> Result<Self> {
        // In a statement, a temporary table of this name would be used instead.
        let sql = "SELECT count(*) FROM temp.sqlite_schema WHERE name = ? COLLATE NOCASE";
        if database.number(sql, &[Param::Text(table.to_string())])? > 0 {
            return Err(refused("there is a temporary table of the same name"));
        }
        let database = database.clone();
        // SAFETY: the connection is open as long as `database` exists, and a `rusqlite` connection created from a
        // handle does not close it.
        let connection = unsafe { Connection::from_handle(database.as_ptr()) };
        let connection = connection.map_err(crate::format::said)?;
        let connection = Box::into_raw(Box::new(connection));
        // SAFETY: allocated above, and freed in `drop`, after the scan.
        let own: &'static Connection = unsafe { &*connection };
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        let scan = Scan::new(own, "main", table).and_then(|scan| scan.with_columns(&names));
        match scan {
            Ok(scan) => {
                let rest = scan.rowid_name.as_ref().map(|rowid| {
                    let (columns, table) = (listed(names.iter().copied()), quoted(table));
                    format!("SELECT {columns} FROM main.{table} WHERE {rowid} > ? ORDER BY {rowid}")
                });
                Ok(Self { scan: ManuallyDrop::new(scan), connection, database, rest, given: None })
            }
            Err(error) => {
                // SAFETY: allocated above, and the scan that borrowed it is dropped.
                drop(unsafe { Box::from_raw(connection) });
                Err(error)
            }
        }
    }

    /// Returns the statement for the remaining rows; `None` if all rows remain.
    #[cold]
    fn rest(&self) -> Result<Option<Statement>> {
        let Some(given) = self.given else { return Ok(None) };
        let Some(sql) = &self.rest else {
            return Err(refused("the table was changed while it was read, and its rows have no numbers to go on by"));
        };
        let mut statement = self.database.statement(sql)?;
        statement.bind_all(&[Param::Int(given)])?;
        Ok(Some(statement))
    }
}

impl Drop for Scanning {
    fn drop(&mut self) {
        // SAFETY: neither is used again; the scan is dropped before its borrowed connection, which `new` has allocated.
        unsafe {
            ManuallyDrop::drop(&mut self.scan);
            drop(Box::from_raw(self.connection));
        }
    }
}

impl From<Statement> for PagedRows {
    fn from(statement: Statement) -> Self {
        Self { statement, scan: None }
    }
}

impl PagedRows {
    /// Returns the rows of a statement that selects these columns of all rows of a table, without an order.
    ///
    /// `at_once`: the connection is not used otherwise before the last row. If it may be, the statement is used in an
    /// open transaction, and for a table without rowids.
    pub fn of_table(statement: Statement, database: &Database, table: &str, columns: &[String], at_once: bool) -> Self {
        let scan = if at_once || database.is_idle() { Scanning::new(database, table, columns).ok() } else { None };
        // Errors are left to the statement, which reports them again.
        let scan = scan.filter(|scan| at_once || scan.rest.is_some());
        Self { statement, scan }
    }

    /// Ends the read transaction, so that it blocks no writers. No row can be read until [renewed](Self::renew).
    pub fn release(&mut self) {
        match &mut self.scan {
            Some(scanning) => scanning.scan.release(),
            None => self.statement.reset(),
        }
    }

    /// Begins again with the current rows; false if that is not possible, and the statement must be created anew.
    ///
    /// ```
    /// use demat_sqlite::scan::PagedRows;
    /// use demat_sqlite::{Database, Rows};
    /// # fn main() -> demat_core::Result<()> {
    /// let database = Database::memory()?;
    /// database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)")?;
    /// let statement = database.statement("SELECT a FROM t")?;
    /// let mut rows = PagedRows::of_table(statement, &database, "t", &["a".to_string()], true);
    /// assert!(!rows.step()?);
    /// rows.release();
    /// database.execute("INSERT INTO t VALUES (7)")?;
    /// assert!(rows.renew()? && rows.step()?);
    /// assert_eq!(rows.int(0), 7);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn renew(&mut self) -> Result<bool> {
        if let Some(scanning) = &mut self.scan {
            scanning.given = None;
            return scanning.scan.renew();
        }
        self.statement.reset();
        Ok(true)
    }

    /// Returns whether the rows are read from pages.
    pub fn is_scanned(&self) -> bool {
        self.scan.is_some()
    }

    /// Fills columns with the rows, up to the first irregular one, if they are read from pages.
    pub(crate) fn fill(
        &mut self,
        columns: &[(usize, Kind, bool)],
        threads: usize,
        room: fn(usize, usize),
    ) -> Option<Filled> {
        self.scan.as_mut()?.scan.fill(columns, threads, room)
    }

    /// Returns to the start; false if that is not possible any more.
    pub(crate) fn again(&mut self) -> bool {
        if let Some(scanning) = &mut self.scan {
            scanning.scan.again();
            scanning.given = None;
        }
        self.scan.is_some()
    }

    /// Returns the statement.
    pub fn statement(&self) -> &Statement {
        &self.statement
    }
}

impl Rows for PagedRows {
    #[inline]
    fn tell_near<K: Sink + ?Sized>(&mut self, straight: &PlainRows, sink: &mut K) -> Result<u64> {
        let Some(scanning) = &mut self.scan else { return Ok(0) };
        let told = scanning.scan.tell_near(straight, sink)?;
        scanning.given = Some(scanning.scan.rowid());
        Ok(told)
    }

    fn columns(&self) -> &[String] {
        self.statement.columns()
    }

    #[inline]
    fn step(&mut self) -> Result<bool> {
        let Some(scanning) = &mut self.scan else { return self.statement.step() };
        match Rows::step(&mut *scanning.scan) {
            Ok(more) => {
                scanning.given = Some(scanning.scan.rowid());
                Ok(more)
            }
            Err(_) if scanning.scan.was_overtaken() => {
                if let Some(rest) = scanning.rest()? {
                    self.statement = rest;
                }
                self.scan = None;
                self.statement.step()
            }
            Err(error) => Err(error),
        }
    }

    fn rowid(&self) -> Option<i64> {
        let scanning = self.scan.as_ref().filter(|scanning| scanning.rest.is_some())?;
        Some(scanning.scan.rowid())
    }

    #[inline]
    fn raw(&self, column: usize) -> Raw<'_> {
        match &self.scan {
            Some(scanning) => scanning.scan.raw(column),
            None => self.statement.raw(column),
        }
    }

    #[inline]
    fn class(&self, column: usize) -> Class {
        match &self.scan {
            Some(scanning) => scanning.scan.class(column),
            None => self.statement.class(column),
        }
    }

    #[inline]
    fn int(&self, column: usize) -> i64 {
        match &self.scan {
            Some(scanning) => scanning.scan.int(column),
            None => self.statement.int(column),
        }
    }

    #[inline]
    fn real(&self, column: usize) -> f64 {
        match &self.scan {
            Some(scanning) => scanning.scan.real(column),
            None => self.statement.real(column),
        }
    }

    #[inline]
    fn bytes(&self, column: usize) -> &[u8] {
        match &self.scan {
            Some(scanning) => scanning.scan.bytes(column),
            None => self.statement.bytes(column),
        }
    }
}
