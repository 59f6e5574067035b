//! Scans the pages of a table.

use super::damage::damaged;
use super::fetch::Fetch;
use super::fill::{ColumnFiller, Filled, fill};
use super::leaf::{BEHIND, Leaf};
use super::overflow::Long;
use super::row::{Column, RecordHeader, Row};
use super::source::ScanCursor;
use super::vector::{Filling, Kind};
use super::walk::Walk;
use crate::build::{Refusal, refuse};
use crate::format::affinity::Affinity;
use crate::format::quoted;
use crate::format::table::{Table, default_of};
use demat_core::{Error, ErrorKind, Result};
use rusqlite::Connection;
use rusqlite::types::Value;

/// Reads the rows of a table directly from its pages, in key order.
///
/// SQLite supplies the pages, within the open transaction. Without one, the scan sees a snapshot, like a `SELECT` that
/// lasts until the scan is dropped. If the same connection changes the database meanwhile, the scan ends with an error.
///
/// It is a [`Source`](demat_core::Source) of a list of records. It reads only the columns that are fields of the
/// record.
/// [`next`](Self::next) reads rows one by one instead.
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
    /// The name of the rowid in SQL, if the table has rowids.
    pub(super) rowid_name: Option<String>,
    fetch: Fetch<'c>,
    walk: Walk,
    /// The root page, and whether the table has rowids.
    root: (u32, bool),
    long: Long,
    /// The regular rows of the current leaf, for callers that use [`Rows`](crate::Rows), and the index of the current
    /// one.
    pub(super) leaf: Leaf,
    pub(super) at: usize,
    /// The leaf, with padding behind it.
    pub(super) page: Vec<u8>,
    pub(super) columns: Vec<Column>,
    /// The selected columns.
    pub(super) wanted: Vec<usize>,
    /// The number of values to decode in each record.
    slots: usize,
    pub(super) header: RecordHeader,
    /// The names of the selected columns.
    pub(super) names: Vec<String>,
    /// The number of rows read so far.
    pub(super) number: u64,
    pub(super) cursor: ScanCursor,
}

impl<'c> Scan<'c> {
    /// Begins a scan of a table in a schema (`main`, or the name of an attached database).
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if the table does not exist, or can't be [scanned](Refusal). Use a statement then.
    pub fn new(connection: &'c Connection, schema: &str, table: &str) -> Result<Self> {
        let fetch = Fetch::new(connection, schema, table)?;
        let found = Table::find(connection, schema, table)?;
        let found = found.ok_or_else(|| Error::new(ErrorKind::Store, format!("there is no table `{table}`")))?;
        if let Some(column) = found.columns.iter().find(|column| column.generated) {
            return Err(refuse(&found.name, Refusal::GeneratedColumn(column.name.clone())));
        }
        let columns = columns(&found)?;
        let rowid_name = rowid_name(&found);
        let mut own = Self {
            fetch,
            walk: Walk::new(found.root, found.has_rowid),
            root: (found.root, found.has_rowid),
            long: Long::default(),
            leaf: Leaf::default(),
            at: 0,
            page: Vec::new(),
            wanted: (0..columns.len()).collect(),
            columns,
            slots: 0,
            header: RecordHeader::default(),
            names: Vec::new(),
            number: 0,
            cursor: ScanCursor::default(),
            table: found.name,
            rowid_name,
        };
        own.want_slots();
        Ok(own)
    }

    /// Selects these columns, in this order.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if the table lacks a column.
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

    /// Returns the names of the selected columns.
    pub fn columns(&self) -> Vec<&str> {
        self.wanted.iter().map(|column| self.columns[*column].name.as_str()).collect()
    }

    /// Computes the number of values to decode.
    pub(super) fn want_slots(&mut self) {
        let slots = self.wanted.iter().filter_map(|column| self.columns[*column].slot);
        self.slots = slots.max().map_or(0, |last| last + 1);
        self.names = self.wanted.iter().map(|column| self.columns[*column].name.clone()).collect();
    }

    /// Steps to the next row.
    ///
    /// # Errors
    /// [`Syntax`](ErrorKind::Syntax) if a page is damaged; what SQLite reports.
    #[allow(clippy::should_implement_trait)] // the result is borrowed until the next call
    #[inline]
    pub fn next(&mut self) -> Result<Option<Row<'_>>> {
        if !self.step()? {
            return Ok(None);
        }
        self.look()?;
        Ok(Some(self.row()))
    }

    /// Returns how many values may be missing at the end of a record: those of added columns without a default.
    fn missing(&self, slots: usize) -> usize {
        let is_null = |slot: &usize| {
            let own = self.columns.iter().find(|column| column.slot == Some(*slot));
            own.is_none_or(|column| column.default == Value::Null)
        };
        (0..slots).rev().take_while(is_null).count()
    }

    /// Advances to the next row and locates its values, for callers that use [`Rows`](crate::Rows).
    #[inline]
    pub(super) fn step_to_row(&mut self) -> Result<bool> {
        if self.at + 1 < self.leaf.rows() {
            self.at += 1;
            self.number += 1;
            self.walk.pass();
            return Ok(true);
        }
        self.step_to_leaf()
    }

    /// Skips this many rows of the leaf.
    pub(super) fn pass(&mut self, rows: usize) {
        self.at += rows;
        self.number += rows as u64;
        (0..rows).for_each(|_| self.walk.pass());
    }

    /// As [`step_to_row`](Self::step_to_row), if the rows of the leaf are not decoded or have ended.
    #[inline(never)]
    fn step_to_leaf(&mut self) -> Result<bool> {
        self.leaf.clear();
        if !self.step()? {
            return Ok(false);
        }
        if self.walk.begins_leaf()
            && let Some(local) = self.walk.local()
        {
            self.page.clear();
            self.page.extend_from_slice(self.walk.page());
            self.page.resize(self.page.len() + BEHIND, 0);
            self.leaf.read(&self.page, local, self.slots, self.missing(self.slots));
            self.at = 0;
            if self.leaf.rows() > 0 {
                return Ok(true);
            }
        }
        self.look().map(|()| true)
    }

    /// Ends the read transaction, so that it blocks no writers.
    pub(super) fn release(&mut self) {
        self.fetch.release();
    }

    /// Begins again with the current rows; false if the schema may have changed.
    pub(super) fn renew(&mut self) -> Result<bool> {
        let renewed = self.fetch.renew()?;
        self.again();
        Ok(renewed)
    }

    /// Restarts before the first row.
    pub(super) fn again(&mut self) {
        self.walk = Walk::new(self.root.0, self.root.1);
        self.fetch.again();
        self.long.clear();
        self.leaf.clear();
        self.number = 0;
        self.cursor = ScanCursor::default();
    }

    /// Fills columns, one per selected column, with values of its field's kind or null, until a row is irregular.
    /// `None` if the table is not suitable, or reading has begun.
    pub(super) fn fill(
        &mut self,
        columns: &[(usize, Kind, bool)],
        threads: usize,
        room: fn(usize, usize),
    ) -> Option<Filled> {
        // The first page begins with the file header.
        if !self.root.1 || self.root.0 == 1 || self.number > 0 {
            return None;
        }
        let filling = |(column, kind, may_be_null): &(usize, Kind, bool)| {
            let own = &self.columns[*self.wanted.get(*column)?];
            Some(Filling { slot: own.slot, kind: *kind, may_be_null: *may_be_null, is_real: own.is_real })
        };
        let fillings: Vec<Filling> = columns.iter().map(filling).collect::<Option<_>>()?;
        let slots = fillings.iter().filter_map(|filling| filling.slot).max().map_or(0, |last| last + 1);
        let missing = self.missing(slots);
        let mut filler = ColumnFiller::new(fillings, slots, missing, room);
        let (walk, fetch) = (&mut self.walk, &mut self.fetch);
        // The first leaf is needed to estimate their number.
        let mut first = Some(walk.next_leaf(fetch));
        filler.leaves = walk.leaves().min(fetch.count() as usize);
        Some(fill(filler, threads, |add| {
            let more = first.take().unwrap_or_else(|| walk.next_leaf(fetch))?;
            if more {
                add(walk.page());
            }
            Ok(more)
        }))
    }

    /// Returns whether the scan failed because the connection has changed the database.
    pub(super) fn was_overtaken(&self) -> bool {
        self.fetch.was_overtaken()
    }

    /// Steps to the next row, without decoding it.
    #[inline]
    pub(super) fn step(&mut self) -> Result<bool> {
        let more = self.walk.next(&mut self.fetch)?;
        self.leaf.clear();
        self.number += u64::from(more);
        self.long.clear();
        Ok(more)
    }

    /// Decodes the header of the row.
    #[inline]
    pub(super) fn look(&mut self) -> Result<()> {
        if self.leaf.rows() > 0 {
            self.leaf.clear();
            self.walk.find(&self.fetch)?;
        }
        let cell = self.walk.cell;
        let record = self.walk.page().get(cell.start..cell.start + cell.stays).unwrap_or_default();
        if cell.stays as u64 == cell.len {
            return match self.header.find(record, self.slots) {
                Some(end) if end <= record.len() => Ok(()),
                _ => Err(self.damaged()),
            };
        }
        self.look_far()
    }

    #[cold]
    fn look_far(&mut self) -> Result<()> {
        // First the header, which may be long itself; then the selected values.
        let mut reach = self.walk.cell.stays;
        loop {
            self.long.reach(reach, &self.walk, &mut self.fetch)?;
            match self.header.find(&self.long.bytes, self.slots) {
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

    /// Returns the part of the record that was read.
    #[inline(always)]
    pub(super) fn record(&self) -> &[u8] {
        let cell = self.walk.cell;
        if cell.stays as u64 == cell.len {
            self.walk.page().get(cell.start..cell.start + cell.stays).unwrap_or_default()
        } else {
            &self.long.bytes
        }
    }

    #[inline(always)]
    pub(super) fn rowid(&self) -> i64 {
        self.leaf.rowids.get(self.at).copied().unwrap_or(self.walk.cell.rowid)
    }

    /// Returns the current row.
    #[inline(always)]
    pub(super) fn row(&self) -> Row<'_> {
        let (record, rowid) = (self.record(), self.rowid());
        Row {
            record,
            header: &self.header,
            columns: &self.columns,
            wanted: &self.wanted,
            rowid,
            page: self.walk.number(),
            number: self.number,
        }
    }
}

/// Returns the SQL name of the rowid: that of its column, or one of SQLite's names that no column has.
fn rowid_name(table: &Table) -> Option<String> {
    if !table.has_rowid {
        return None;
    }
    if let Some(column) = table.rowid_column {
        return Some(quoted(&table.columns[column].name));
    }
    let is_column = |name: &&&str| table.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
    let free = ["rowid", "_rowid_", "oid"].iter().find(|name| !is_column(name));
    free.map(ToString::to_string)
}

fn columns(table: &Table) -> Result<Vec<Column>> {
    let kept = table.kept();
    let column = |(at, own): (usize, &crate::format::table::Column)| {
        let slot = kept.iter().position(|kept| *kept == at).filter(|_| table.rowid_column != Some(at));
        Ok(Column {
            name: own.name.clone(),
            slot,
            is_real: own.affinity == Affinity::Real,
            // A column with a default that is not constant can't have been added to existing records.
            default: default_of(own, table.is_strict)?.unwrap_or(Value::Null),
        })
    };
    table.columns.iter().enumerate().map(column).collect()
}
