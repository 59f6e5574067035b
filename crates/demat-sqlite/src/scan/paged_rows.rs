//! The rows of a statement that asks for a whole table, by the table's pages.

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

/// The rows of a statement, which come from the pages of a table where the statement asks for all of that.
///
/// Rows and their order are the same either way. Where the connection itself changes something before the last row came,
/// those that are left are asked for by a statement.
#[derive(Debug)]
pub struct PagedRows {
    statement: Statement,
    scan: Option<Scanning>,
}

/// A scan, with all that it borrows.
#[derive(Debug)]
struct Scanning {
    /// Dropped before what it borrows.
    scan: ManuallyDrop<Scan<'static>>,
    connection: *mut Connection,
    database: Database,
    /// What asks for the rows behind a rowid.
    rest: Option<String>,
    /// The rowid of the row that was given last.
    given: Option<i64>,
}

// SAFETY: the connection is one that any thread may use (see `Handle`), and so are its statements. The `Connection` that
// points to it is used by whoever has this, and by nobody else.
unsafe impl Send for Scanning {}

impl Scanning {
    fn new(database: &Database, table: &str, columns: &[String]) -> Result<Self> {
        // To a statement, one of the connection's own is the table of that name.
        let sql = "SELECT count(*) FROM temp.sqlite_schema WHERE name = ? COLLATE NOCASE";
        if database.number(sql, &[Param::Text(table.to_string())])? > 0 {
            return Err(refused("there is a temporary table of the same name"));
        }
        let database = database.clone();
        // SAFETY: the connection is open as long as `database` is here, and one that is made so does not close it.
        let connection = unsafe { Connection::from_handle(database.as_ptr()) };
        let connection = connection.map_err(crate::format::said)?;
        let connection = Box::into_raw(Box::new(connection));
        // SAFETY: it was made here, and is freed in `drop`, after the scan.
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
                // SAFETY: it was made here, and the scan that borrowed it is gone.
                drop(unsafe { Box::from_raw(connection) });
                Err(error)
            }
        }
    }

    /// The statement for the rows that are left; none where that is all of them.
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
        // SAFETY: neither is used again, and the scan goes before what it borrows, which was made by `new`.
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
    /// The rows of a statement that asks for these columns of all rows of a table, and nothing else, in whatever order.
    ///
    /// `at_once` is whether nothing else is done with the connection before the last row came. Where it may be, a transaction
    /// that is open is left to the statement, and a table without rowids too.
    pub fn of_table(statement: Statement, database: &Database, table: &str, columns: &[String], at_once: bool) -> Self {
        let scan = if at_once || database.is_idle() { Scanning::new(database, table, columns).ok() } else { None };
        // What is refused, or damaged, is a matter for SQLite.
        let scan = scan.filter(|scan| at_once || scan.rest.is_some());
        Self { statement, scan }
    }

    /// Lets others write where that waits for who reads; no row is to be had before it is [renewed](Self::renew).
    pub fn release(&mut self) {
        match &mut self.scan {
            Some(scanning) => scanning.scan.release(),
            None => self.statement.reset(),
        }
    }

    /// Begins once more, with the rows that there are now; false where that can't be, and it has to be made anew.
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
    /// What SQLite says.
    pub fn renew(&mut self) -> Result<bool> {
        if let Some(scanning) = &mut self.scan {
            scanning.given = None;
            return scanning.scan.renew();
        }
        self.statement.reset();
        Ok(true)
    }

    /// Whether the rows come from pages.
    pub fn is_scanned(&self) -> bool {
        self.scan.is_some()
    }

    /// Fills columns with the rows, as far as these are plain, where they come from pages.
    pub(crate) fn fill(
        &mut self,
        columns: &[(usize, Kind, bool)],
        threads: usize,
        room: fn(usize, usize),
    ) -> Option<Filled> {
        self.scan.as_mut()?.scan.fill(columns, threads, room)
    }

    /// Goes back to before the first row; false where that can't be done any more.
    pub(crate) fn again(&mut self) -> bool {
        if let Some(scanning) = &mut self.scan {
            scanning.scan.again();
            scanning.given = None;
        }
        self.scan.is_some()
    }

    /// The statement.
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
