//! Builds a table and its indexes.

use super::Options;
use super::column::{Column, columns};
use super::index::{IndexBuild, Unique};
use super::index_tree::IndexTree;
use super::order::Order;
use super::pages::Pages;
use super::row::{RecordSpan, Row};
use super::sorter::Sorter;
use super::table_tree::{TableTree, unreadable};
use crate::format::record::Parts;
use crate::format::table::Table;
use crate::format::varint;
use demat_core::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// Loads the rows of one table.
#[derive(Debug)]
pub(super) struct Loader {
    pub(super) table: Table,
    pub(super) columns: Vec<Column>,
    pub(super) row: Row,
    target: RowTarget,
    indexes: Vec<IndexBuild>,
    /// The table's first new page.
    begin: u64,
    memory: usize,
    folder: PathBuf,
    count: Count,
    saved: Count,
    unsaid: bool,
}

/// The destination of the rows.
#[derive(Debug)]
enum RowTarget {
    /// The tree itself: the rows come in the order of their rowids.
    Tree(TableTree),
    /// A sorter: the rows come in any order, or the table has no rowids.
    Sorter(Sorter),
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    rows: u64,
    greatest: Option<i64>,
}

impl Loader {
    pub(super) fn new(table: Table, pages: &Pages, options: &Options, folder: &Path) -> Result<Self> {
        let columns = columns(&table)?;
        // The indexes share the memory with the table, which may need sorting, too.
        let memory = options.sort_memory / (table.indexes.len() + 1);
        let skip = usize::from(!table.has_rowid);
        let index = |index| IndexBuild::new(&table, index, memory, folder);
        let indexes = table.indexes.iter().skip(skip).map(index).collect::<Result<_>>()?;
        let target = if table.has_rowid {
            RowTarget::Tree(TableTree::new(table.root, pages))
        } else {
            let order = own_order(&table)?;
            RowTarget::Sorter(Sorter::new(Order::Columns(order), memory, folder))
        };
        Ok(Self {
            row: Row::new(&columns, pages.page_size()),
            columns,
            target,
            indexes,
            begin: pages.next(),
            memory,
            folder: folder.to_path_buf(),
            count: Count { rows: 0, greatest: table.counts_up.then_some(0) },
            saved: Count { rows: 0, greatest: table.counts_up.then_some(0) },
            unsaid: false,
            table,
        })
    }

    /// Sets the last rowid; generated rowids continue from it.
    pub(super) fn after(mut self, counted: Option<i64>) -> Self {
        self.count.greatest = self.count.greatest.max(counted);
        self.saved = self.count;
        self
    }

    /// Returns the number of rows written.
    pub(super) fn rows(&self) -> u64 {
        self.count.rows
    }

    #[inline]
    pub(super) fn begin_row(&mut self) {
        let base = match &self.target {
            RowTarget::Tree(tree) => tree.end(),
            RowTarget::Sorter(_) => 0,
        };
        self.row.begin(base);
    }

    #[inline]
    pub(super) fn end_row(&mut self, pages: &mut Pages) -> Result<()> {
        self.row.complete(&self.columns)?;
        if !self.table.has_rowid {
            return self.end_keyed();
        }
        let rowid = match self.row.rowid {
            Some(rowid) => rowid,
            None => self.next_rowid()?,
        };
        if let RowTarget::Tree(tree) = &mut self.target
            && tree.last().is_none_or(|last| last < rowid)
        {
            let span = self.row.close(Some(rowid))?;
            for index in &mut self.indexes {
                index.add(|slot| self.row.raw(slot), rowid)?;
            }
            tree.add(pages, &mut self.row.bytes, span, rowid)?;
            self.count.greatest = self.count.greatest.max(Some(rowid));
        } else {
            self.end_unsorted(pages, rowid)?;
        }
        self.count.rows += 1;
        Ok(())
    }

    fn next_rowid(&self) -> Result<i64> {
        let Some(greatest) = self.count.greatest else { return Ok(1) };
        greatest.checked_add(1).ok_or_else(|| Error::limit("the rowid that follows the greatest", i64::MAX))
    }

    fn end_keyed(&mut self) -> Result<()> {
        let span = self.row.close(None)?;
        let record = &self.row.bytes[span.record..span.end];
        if let RowTarget::Sorter(sorter) = &mut self.target {
            sorter.add(record.len(), |to| to.extend_from_slice(record))?;
        }
        self.count.rows += 1;
        Ok(())
    }

    #[cold]
    fn end_unsorted(&mut self, pages: &mut Pages, rowid: i64) -> Result<()> {
        if let RowTarget::Tree(tree) = &self.target
            && tree.last() == Some(rowid)
        {
            return Err(self.again(rowid));
        }
        let span = self.row.close(Some(rowid))?;
        let record = self.row.bytes[span.record..span.end].to_vec();
        self.give_up_order(pages)?;
        if let RowTarget::Sorter(sorter) = &mut self.target {
            add_row(sorter, rowid, &record)?;
        }
        self.count.greatest = self.count.greatest.max(Some(rowid));
        Ok(())
    }

    #[cold]
    fn again(&self, rowid: i64) -> Error {
        let name = self.table.rowid_column.map_or("rowid", |column| self.table.columns[column].name.as_str());
        Error::new(ErrorKind::Constraint, format!("two rows have the same {name}: {rowid}"))
    }

    /// Switches to the sorter when a row is out of order, and moves all earlier rows into it.
    fn give_up_order(&mut self, pages: &mut Pages) -> Result<()> {
        let RowTarget::Tree(_) = &self.target else { return Ok(()) };
        let mut sorter = Sorter::new(Order::Rowid, self.memory, &self.folder);
        let root = self.table.root;
        let RowTarget::Tree(tree) = core::mem::replace(&mut self.target, RowTarget::Tree(TableTree::new(root, pages)))
        else {
            return Err(unreadable());
        };
        let (mut added, committed) = (0, tree.committed());
        tree.take_apart(pages, &self.row.bytes, self.begin, |rowid, record| {
            add_row(&mut sorter, rowid, record)?;
            added += 1;
            if added == committed {
                sorter.commit();
            }
            Ok(())
        })?;
        // The sorter will return these rows again.
        self.indexes.iter_mut().for_each(|index| index.sorter.clear());
        self.target = RowTarget::Sorter(sorter);
        Ok(())
    }

    /// Commits the rows: at once if pages were written, else lazily.
    #[inline]
    pub(super) fn settle(&mut self, pages: &mut Pages) -> Result<()> {
        self.unsaid = true;
        match &self.target {
            RowTarget::Tree(tree) if !tree.has_written() && self.indexes.is_empty() => Ok(()),
            _ => self.commit(pages),
        }
    }

    /// Returns whether a lazy commit is pending.
    #[inline]
    pub(super) fn is_unsaid(&self) -> bool {
        self.unsaid
    }

    #[inline]
    pub(super) fn commit(&mut self, pages: &mut Pages) -> Result<()> {
        match &mut self.target {
            RowTarget::Tree(tree) => tree.commit(pages)?,
            RowTarget::Sorter(sorter) => sorter.commit(),
        }
        self.indexes.iter_mut().for_each(|index| index.sorter.commit());
        self.saved = self.count;
        self.unsaid = false;
        Ok(())
    }

    pub(super) fn rollback(&mut self, pages: &mut Pages) -> Result<()> {
        if self.unsaid {
            return self.commit(pages);
        }
        match &mut self.target {
            RowTarget::Tree(tree) => tree.rollback(pages, &mut self.row.bytes)?,
            RowTarget::Sorter(sorter) => sorter.rollback(),
        }
        self.indexes.iter_mut().for_each(|index| index.sorter.rollback());
        self.count = self.saved;
        Ok(())
    }

    /// Builds the indexes, and the table if it needs sorting.
    pub(super) fn finish(self, pages: &mut Pages) -> Result<Built> {
        let counted = self.count.greatest.filter(|_| self.table.counts_up && self.count.rows > 0);
        let built = Built { table: self.table.name.clone(), counted, rows: self.count.rows };
        let indexes = match self.target {
            RowTarget::Tree(tree) => {
                tree.finish(pages, &self.row.bytes)?;
                self.indexes
            }
            RowTarget::Sorter(_) if self.table.has_rowid => self.finish_sorted(pages)?,
            RowTarget::Sorter(_) => self.finish_keyed(pages)?,
        };
        for index in indexes {
            index.finish(pages)?;
        }
        Ok(built)
    }

    fn finish_sorted(mut self, pages: &mut Pages) -> Result<Vec<IndexBuild>> {
        let tree = TableTree::new(self.table.root, pages);
        let RowTarget::Sorter(sorter) = core::mem::replace(&mut self.target, RowTarget::Tree(tree)) else {
            return Err(unreadable());
        };
        let mut bytes = Vec::new();
        sorter.for_each(|entry| {
            let (rowid, record) = entry.split_first_chunk().ok_or_else(unreadable)?;
            let rowid = i64::from_be_bytes(*rowid);
            add_to_indexes(&mut self.indexes, record, rowid)?;
            let RowTarget::Tree(tree) = &mut self.target else { return Err(unreadable()) };
            if tree.last() == Some(rowid) {
                return Err(self.again(rowid));
            }
            let cell = tree.end();
            bytes.truncate(cell);
            varint::push(record.len() as u64, &mut bytes);
            varint::push(rowid.cast_unsigned(), &mut bytes);
            let start = bytes.len();
            bytes.extend_from_slice(record);
            let span = RecordSpan { cell, record: start, end: bytes.len() };
            // Room for the number of an overflow page.
            bytes.extend_from_slice(&[0; 4]);
            tree.add(pages, &mut bytes, span, rowid)?;
            tree.commit(pages)
        })?;
        let RowTarget::Tree(tree) = self.target else { return Err(unreadable()) };
        tree.finish(pages, &bytes)?;
        Ok(self.indexes)
    }

    fn finish_keyed(self, pages: &mut Pages) -> Result<Vec<IndexBuild>> {
        let RowTarget::Sorter(sorter) = self.target else { return Err(unreadable()) };
        let mut indexes = self.indexes;
        let own = self.table.indexes.first().ok_or_else(unreadable)?;
        let mut unique = Unique::of(&self.table, own, &own_order(&self.table)?);
        let mut tree = IndexTree::new(self.table.root, pages.page_size());
        sorter.for_each(|record| {
            unique.check(record)?;
            add_to_indexes(&mut indexes, record, 0)?;
            tree.add(pages, record)
        })?;
        tree.end(pages)?;
        Ok(indexes)
    }
}

/// A finished table.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) table: String,
    /// The greatest rowid, if SQLite stores it (`AUTOINCREMENT`).
    pub(super) counted: Option<i64>,
    pub(super) rows: u64,
}

/// Returns the sort order of a table without rowids.
fn own_order(table: &Table) -> Result<Vec<crate::format::key::KeyColumn>> {
    let own = table.indexes.first().ok_or_else(unreadable)?;
    let mut order = own.order().map_err(|name| Error::new(ErrorKind::Store, format!("unknown collation `{name}`")))?;
    order.truncate(own.keys);
    Ok(order)
}

fn add_row(sorter: &mut Sorter, rowid: i64, record: &[u8]) -> Result<()> {
    sorter.add(8 + record.len(), |to| {
        to.extend_from_slice(&rowid.to_be_bytes());
        to.extend_from_slice(record);
    })
}

fn add_to_indexes(indexes: &mut [IndexBuild], record: &[u8], rowid: i64) -> Result<()> {
    if indexes.is_empty() {
        return Ok(());
    }
    let mut parts = Parts::of(record);
    let values: Vec<_> = core::iter::from_fn(|| parts.raw()).collect();
    indexes.iter_mut().try_for_each(|index| index.add(|slot| values[slot], rowid))
}
