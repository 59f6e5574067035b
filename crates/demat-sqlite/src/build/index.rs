//! Builds an index of a table under construction.

use super::index_tree::IndexTree;
use super::order::Order;
use super::pages::Pages;
use super::sorter::Sorter;
use crate::format::key::{self, KeyColumn};
use crate::format::record::head_len;
use crate::format::table::{From, Index, Table};
use crate::format::{serial, varint};
use demat_core::{Error, ErrorKind, Result};
use std::path::Path;

/// Collects the records of an index, sorts them and builds the b-tree.
#[derive(Debug)]
pub(super) struct IndexBuild {
    root: u32,
    /// The sources of a record's values.
    pieces: Vec<Piece>,
    pub(super) sorter: Sorter,
    unique: Option<Unique>,
}

/// The source of a value in an index's record.
#[derive(Debug, Clone, Copy)]
enum Piece {
    Slot(usize),
    Rowid,
}

/// A check for duplicate keys.
#[derive(Debug)]
pub(super) struct Unique {
    /// The columns, for error messages.
    what: String,
    keys: Vec<KeyColumn>,
    has_rowid: bool,
    /// The record before; empty before the first.
    before: Vec<u8>,
}

impl IndexBuild {
    pub(super) fn new(table: &Table, index: &Index, memory: usize, folder: &Path) -> Result<Self> {
        let kept = table.kept();
        let order =
            index.order().map_err(|name| Error::new(ErrorKind::Store, format!("unknown collation `{name}`")))?;
        let piece = |from| match from {
            From::Column(column) if table.rowid_column == Some(column) => Piece::Rowid,
            From::Column(column) => Piece::Slot(kept.iter().position(|kept| *kept == column).unwrap_or(0)),
            From::Rowid | From::Expression => Piece::Rowid,
        };
        // Rows come in the order of their rowids, and the sort is stable, so equal keys stay in that order.
        let columns = if table.has_rowid { &order[..index.keys] } else { &order[..] };
        Ok(Self {
            root: index.root,
            pieces: index.parts.iter().map(|part| piece(part.from)).collect(),
            sorter: Sorter::new(Order::Columns(columns.to_vec()), memory, folder),
            unique: index.unique.then(|| Unique::of(table, index, &order)),
        })
    }

    /// Adds the index record of a row with these values.
    #[inline]
    pub(super) fn add<'v>(&mut self, value: impl Fn(usize) -> (u64, &'v [u8]), rowid: i64) -> Result<()> {
        let (rowid_serial, rowid_len) = serial::of_int(rowid);
        let rowid_bytes = rowid.to_be_bytes();
        let piece = |piece: &Piece| match piece {
            Piece::Slot(slot) => {
                let (serial, bytes) = value(*slot);
                (serial, bytes)
            }
            Piece::Rowid => (rowid_serial, &rowid_bytes[8 - rowid_len..]),
        };
        let (mut types, mut body) = (0, 0);
        for (serial, bytes) in self.pieces.iter().map(piece) {
            types += varint::len(serial);
            body += bytes.len();
        }
        let head = head_len(types);
        self.sorter.add(head + body, |to| {
            varint::push(head as u64, to);
            self.pieces.iter().for_each(|own| varint::push(piece(own).0, to));
            self.pieces.iter().for_each(|own| to.extend_from_slice(piece(own).1));
        })
    }

    /// Builds the b-tree.
    pub(super) fn finish(self, pages: &mut Pages) -> Result<()> {
        let mut tree = IndexTree::new(self.root, pages.page_size());
        let mut unique = self.unique;
        self.sorter.for_each(|record| {
            if let Some(unique) = &mut unique {
                unique.check(record)?;
            }
            tree.add(pages, record)
        })?;
        tree.end(pages)
    }
}

impl Unique {
    pub(super) fn of(table: &Table, index: &Index, order: &[KeyColumn]) -> Self {
        let column = |from| match from {
            From::Column(column) => table.columns[column].name.as_str(),
            From::Rowid | From::Expression => "rowid",
        };
        let columns: Vec<_> = index.parts[..index.keys].iter().map(|part| column(part.from)).collect();
        Self {
            what: columns.join(", "),
            keys: order[..index.keys].to_vec(),
            has_rowid: table.has_rowid,
            before: Vec::new(),
        }
    }

    /// Refuses a record with the same key as the one before.
    pub(super) fn check(&mut self, record: &[u8]) -> Result<()> {
        let before = &mut self.before;
        let again = !before.is_empty() && key::compare(&self.keys, before, record).is_eq();
        if again && !key::has_null(self.keys.len(), record) {
            let key = key::shown(self.keys.len(), record);
            let rows = match (key::rowid(before), key::rowid(record)) {
                (Some(one), Some(other)) if self.has_rowid => format!("; the rowids are {one} and {other}"),
                _ => String::new(),
            };
            let message = format!("two rows have the same {}: {key}{rows}", self.what);
            return Err(Error::new(ErrorKind::Constraint, message));
        }
        before.clear();
        before.extend_from_slice(record);
        Ok(())
    }
}
