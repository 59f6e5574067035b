//! Builds the b-tree of an index, or of a table without rowids, from sorted records.

use super::interior::Interior;
use super::overflow::spill;
use super::pages::Pages;
use crate::format::local::Local;
use crate::format::page::{PageKind, lay_out};
use crate::format::varint;
use demat_core::Result;

/// Takes sorted records and writes the pages.
///
/// Each record is stored in exactly one page: those between two leaves are in the interior page above.
#[derive(Debug)]
pub(super) struct IndexTree {
    root: u32,
    local: Local,
    cells: Vec<u8>,
    starts: Vec<u16>,
    /// The next cell, which did not fit into the current leaf.
    between: Option<Vec<u8>>,
    interior: Interior,
    cell: Vec<u8>,
}

/// The minimum size of a cell: that of a free block.
const LEAST: usize = 4;

impl IndexTree {
    pub(super) fn new(root: u32, page_size: usize) -> Self {
        Self {
            root,
            local: Local::of_index(page_size),
            cells: Vec::with_capacity(page_size),
            starts: Vec::new(),
            between: None,
            interior: Interior::new(PageKind::IndexInterior),
            cell: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn add(&mut self, pages: &mut Pages, record: &[u8]) -> Result<()> {
        let len = varint::len(record.len() as u64) + record.len();
        if len >= LEAST && record.len() <= self.local.most() && self.between.is_none() && self.fits(pages, len) {
            self.starts.push(self.cells.len() as u16);
            varint::push(record.len() as u64, &mut self.cells);
            self.cells.extend_from_slice(record);
            return Ok(());
        }
        self.add_slowly(pages, record)
    }

    /// Returns whether one more cell of this length fits.
    fn fits(&self, pages: &Pages, len: usize) -> bool {
        8 + self.cells.len() + len + 2 * (self.starts.len() + 1) <= pages.page_size()
    }

    /// Adds a record that is long or short, or that is between two pages.
    fn add_slowly(&mut self, pages: &mut Pages, record: &[u8]) -> Result<()> {
        self.cell.clear();
        varint::push(record.len() as u64, &mut self.cell);
        let stays = self.local.stays(record.len());
        self.cell.extend_from_slice(&record[..stays]);
        if stays < record.len() {
            let first = spill(pages, &record[stays..])?;
            self.cell.extend_from_slice(&first.to_be_bytes());
        }
        while self.cell.len() < LEAST {
            self.cell.push(0);
        }
        if let Some(between) = self.between.take() {
            let leaf = self.write_leaf(pages)?;
            self.interior.add(pages, leaf, &between)?;
        } else if !self.fits(pages, self.cell.len()) {
            self.between = Some(self.cell.clone());
            return Ok(());
        }
        self.starts.push(self.cells.len() as u16);
        self.cells.extend_from_slice(&self.cell);
        Ok(())
    }

    fn write_leaf(&mut self, pages: &mut Pages) -> Result<u32> {
        let (number, page) = pages.add()?;
        lay_out(page, PageKind::IndexLeaf, &self.cells, &self.starts, 0);
        self.cells.clear();
        self.starts.clear();
        Ok(number)
    }

    pub(super) fn end(mut self, pages: &mut Pages) -> Result<()> {
        if let Some(between) = self.between.take() {
            // The next leaf must not be empty, so the last cell of this one moves up instead.
            let start = self.starts.pop().map_or(0, usize::from);
            let up = self.cells.split_off(start);
            let leaf = self.write_leaf(pages)?;
            self.interior.add(pages, leaf, &up)?;
            self.starts.push(0);
            self.cells.extend_from_slice(&between);
        }
        if self.interior.is_empty() {
            let mut page = vec![0; pages.page_size()];
            lay_out(&mut page, PageKind::IndexLeaf, &self.cells, &self.starts, 0);
            return pages.write_over(self.root, 0, &page);
        }
        let last = self.write_leaf(pages)?;
        self.interior.end(pages, last, self.root)
    }
}
