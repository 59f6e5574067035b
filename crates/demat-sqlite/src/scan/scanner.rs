//! The scanner: the rows of a table, by its pages.

use super::damage::damaged;
use super::fetch::Fetch;
use super::overflow::Long;
use super::row::{Column, Places, Row};
use super::source::State;
use super::walk::Walk;
use crate::build::{Refusal, refuse};
use crate::format::affinity::Affinity;
use crate::format::table::{Table, default_of};
use demat_core::{Error, ErrorKind, Result};
use rusqlite::Connection;
use rusqlite::types::Value;

/// Reads the rows of a table, by its pages, in the order of their keys.
///
/// The pages come through SQLite, within a transaction: the one that is open, or one of the scanner's own, which ends when
/// it is dropped. So the rows are those that a `SELECT` in this place would give, whatever other connections do in the
/// meantime. This one must not change anything until the scan is over.
///
/// It is a [`Source`](demat_core::Source) of a list of records, whose fields are the columns by name; columns that are not
/// fields are not looked at. Or it is asked for row after row by [`next`](Self::next).
///
/// ```
/// use demat_sqlite::Cell;
/// use demat_sqlite::scan::Scan;
/// # let connection = rusqlite::Connection::open_in_memory().unwrap();
/// connection.execute_batch("CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 'one'), (2, 'two')").unwrap();
/// let mut scan = Scan::new(&connection, "main", "t")?.with_columns(&["b"])?;
/// let mut words = Vec::new();
/// while let Some(row) = scan.next()? {
///     if let Cell::Text(word) = row.get(0)? {
///         words.push(word.to_string());
///     }
/// }
/// assert_eq!(words, ["one", "two"]);
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Scan<'c> {
    pub(super) table: String,
    fetch: Fetch<'c>,
    walk: Walk,
    long: Long,
    pub(super) columns: Vec<Column>,
    /// The columns that are wanted.
    pub(super) wanted: Vec<usize>,
    /// Values beyond so many are not looked for.
    slots: usize,
    places: Places,
    /// How many rows were stepped to.
    pub(super) number: u64,
    pub(super) state: State,
}

impl<'c> Scan<'c> {
    /// Begins to read a table of a schema (`main`, or what a database was attached as).
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) where there is no such table, or it is [refused](Refusal): then statements can read it.
    pub fn new(connection: &'c Connection, schema: &str, table: &str) -> Result<Self> {
        let fetch = Fetch::new(connection, schema, table)?;
        let found = Table::find(connection, schema, table)?;
        let found = found.ok_or_else(|| Error::new(ErrorKind::Store, format!("there is no table `{table}`")))?;
        if let Some(column) = found.columns.iter().find(|column| column.generated) {
            return Err(refuse(&found.name, Refusal::GeneratedColumn(column.name.clone())));
        }
        let columns = columns(&found)?;
        let mut own = Self {
            fetch,
            walk: Walk::new(found.root, found.has_rowid),
            long: Long::default(),
            wanted: (0..columns.len()).collect(),
            columns,
            slots: 0,
            places: Places::default(),
            number: 0,
            state: State::default(),
            table: found.name,
        };
        own.want_slots();
        Ok(own)
    }

    /// Asks for these columns only, in this order.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) where the table has no such column.
    pub fn with_columns(mut self, names: &[&str]) -> Result<Self> {
        let column = |name: &&str| {
            let same = |column: &Column| column.name.eq_ignore_ascii_case(name);
            self.columns.iter().position(same).ok_or_else(|| {
                Error::new(ErrorKind::Store, format!("the table `{}` has no column `{name}`", self.table))
            })
        };
        self.wanted = names.iter().map(column).collect::<Result<_>>()?;
        self.want_slots();
        Ok(self)
    }

    /// The names of the columns that are wanted.
    pub fn columns(&self) -> Vec<&str> {
        self.wanted.iter().map(|column| self.columns[*column].name.as_str()).collect()
    }

    /// Finds out how far records must be looked into.
    pub(super) fn want_slots(&mut self) {
        let slots = self.wanted.iter().filter_map(|column| self.columns[*column].slot);
        self.slots = slots.max().map_or(0, |last| last + 1);
    }

    /// Steps to the next row.
    ///
    /// # Errors
    /// [`Syntax`](ErrorKind::Syntax) where a page is damaged; what SQLite says.
    #[allow(clippy::should_implement_trait)] // what it gives is good until the next call
    #[inline]
    pub fn next(&mut self) -> Result<Option<Row<'_>>> {
        if !self.step()? {
            return Ok(None);
        }
        self.look()?;
        Ok(Some(self.row()))
    }

    /// Steps to the next row, without a look at it.
    #[inline]
    pub(super) fn step(&mut self) -> Result<bool> {
        let more = self.walk.next(&mut self.fetch)?;
        self.number += u64::from(more);
        self.long.clear();
        Ok(more)
    }

    /// Finds the values of the row.
    #[inline]
    pub(super) fn look(&mut self) -> Result<()> {
        let cell = self.walk.cell;
        let record = self.walk.page().get(cell.start..cell.start + cell.stays).unwrap_or_default();
        if cell.stays as u64 == cell.len {
            return match self.places.find(record, self.slots) {
                Some(end) if end <= record.len() => Ok(()),
                _ => Err(self.damaged()),
            };
        }
        self.look_far()
    }

    #[cold]
    fn look_far(&mut self) -> Result<()> {
        // The head first, which may be long itself, and then as far as the values that are wanted.
        let mut reach = self.walk.cell.stays;
        loop {
            self.long.reach(reach, &self.walk, &mut self.fetch)?;
            match self.places.find(&self.long.bytes, self.slots) {
                Some(end) if end > self.long.bytes.len() && end > reach => reach = end,
                Some(end) if end <= self.long.bytes.len() => return Ok(()),
                _ => return Err(self.damaged()),
            }
        }
    }

    #[cold]
    fn damaged(&self) -> Error {
        damaged(self.walk.number(), "a record is not what its head says").in_record(self.number)
    }

    /// The row.
    #[inline(always)]
    pub(super) fn row(&self) -> Row<'_> {
        let cell = self.walk.cell;
        let record = if cell.stays as u64 == cell.len {
            self.walk.page().get(cell.start..cell.start + cell.stays).unwrap_or_default()
        } else {
            &self.long.bytes
        };
        Row {
            record,
            places: &self.places,
            columns: &self.columns,
            wanted: &self.wanted,
            rowid: cell.rowid,
            page: self.walk.number(),
            number: self.number,
        }
    }
}

fn columns(table: &Table) -> Result<Vec<Column>> {
    let kept = table.kept();
    let column = |(at, own): (usize, &crate::format::table::Column)| {
        let slot = kept.iter().position(|kept| *kept == at).filter(|_| table.rowid_column != Some(at));
        Ok(Column {
            name: own.name.clone(),
            slot,
            is_real: own.affinity == Affinity::Real,
            // What is not always the same can't have been the default of a column that was added.
            default: default_of(own, table.is_strict)?.unwrap_or(Value::Null),
        })
    };
    table.columns.iter().enumerate().map(column).collect()
}
