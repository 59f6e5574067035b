//! Traverses a b-tree, from cell to cell in the order of the keys.

use super::damage::damaged;
use super::fetch::Fetch;
use crate::format::local::Local;
use crate::format::page::{FILE_HEAD, MOST_LEVELS, PageKind};
use crate::format::varint;
use demat_core::Result;

/// A traversal of a b-tree. The page of the current cell is the last level.
#[derive(Debug)]
pub(super) struct Walk {
    is_table: bool,
    root: Option<u32>,
    levels: Vec<Level>,
    /// Pages for reuse.
    spare: Vec<Vec<u8>>,
    local: Option<Local>,
    pub(super) cell: CellAt,
}

/// A page on the path from the root.
#[derive(Debug)]
struct Level {
    number: u32,
    page: Vec<u8>,
    kind: PageKind,
    /// The offset of the cell pointers.
    pointers: usize,
    count: usize,
    /// The next step. In a leaf: the index of the cell. In an interior page of a table: that of the child. In one of an
    /// index: children and cells alternate.
    at: usize,
}

/// The position of a record in its page.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CellAt {
    pub(super) rowid: i64,
    pub(super) start: usize,
    /// The number of the record's bytes in this page.
    pub(super) stays: usize,
    pub(super) len: u64,
}

impl Walk {
    pub(super) fn new(root: u32, is_table: bool) -> Self {
        let cell = CellAt::default();
        Self { is_table, root: Some(root), levels: Vec::new(), spare: Vec::new(), local: None, cell }
    }

    /// Returns the page of the current cell.
    #[inline(always)]
    pub(super) fn page(&self) -> &[u8] {
        self.levels.last().map_or(&[], |level| &level.page)
    }

    /// Returns the number of that page.
    #[inline(always)]
    pub(super) fn number(&self) -> u32 {
        self.levels.last().map_or(0, |level| level.number)
    }

    /// Advances to the next cell.
    #[inline]
    pub(super) fn next(&mut self, fetch: &mut Fetch<'_>) -> Result<bool> {
        if let Some(leaf) = self.levels.last_mut()
            && leaf.kind == PageKind::TableLeaf
            && leaf.at < leaf.count
        {
            let at = leaf.at;
            leaf.at += 1;
            return self.read_cell(fetch, at).map(|()| true);
        }
        self.next_page(fetch)
    }

    /// Returns whether the current cell is the first one of a table's leaf, other than the first page of the file.
    #[inline]
    pub(super) fn begins_leaf(&self) -> bool {
        self.levels.last().is_some_and(|leaf| leaf.kind == PageKind::TableLeaf && leaf.at == 1 && leaf.number > 1)
    }

    /// Skips the next cell of the leaf, which must exist.
    #[inline(always)]
    pub(super) fn pass(&mut self) {
        if let Some(leaf) = self.levels.last_mut() {
            leaf.at += 1;
        }
    }

    /// Locates the current cell, after [`pass`](Self::pass).
    pub(super) fn find(&mut self, fetch: &Fetch<'_>) -> Result<()> {
        let at = self.levels.last().map_or(0, |leaf| leaf.at.saturating_sub(1));
        self.read_cell(fetch, at)
    }

    /// Returns the sizes that fit into a cell.
    pub(super) fn local(&self) -> Option<Local> {
        self.local
    }

    fn next_page(&mut self, fetch: &mut Fetch<'_>) -> Result<bool> {
        if let Some(root) = self.root.take() {
            self.step_down(fetch, root)?;
        }
        while let Some(level) = self.levels.last_mut() {
            let at = level.at;
            level.at += 1;
            match level.kind {
                PageKind::TableLeaf | PageKind::IndexLeaf if at < level.count => {
                    return self.read_cell(fetch, at).map(|()| true);
                }
                PageKind::TableInterior if at <= level.count => {
                    let child = level.child(at)?;
                    self.step_down(fetch, child)?;
                }
                PageKind::IndexInterior if at % 2 == 1 && at < 2 * level.count => {
                    return self.read_cell(fetch, at / 2).map(|()| true);
                }
                PageKind::IndexInterior if at % 2 == 0 && at <= 2 * level.count => {
                    let child = level.child(at / 2)?;
                    self.step_down(fetch, child)?;
                }
                _ => self.spare.extend(self.levels.pop().map(|level| level.page)),
            }
        }
        Ok(false)
    }

    /// Advances to the next leaf of a table, as if all its cells were passed; false at the end.
    pub(super) fn next_leaf(&mut self, fetch: &mut Fetch<'_>) -> Result<bool> {
        if let Some(root) = self.root.take() {
            self.step_down(fetch, root)?;
        }
        while let Some(level) = self.levels.last_mut() {
            let at = level.at;
            match level.kind {
                PageKind::TableLeaf if at < level.count => {
                    level.at = level.count;
                    return Ok(true);
                }
                PageKind::TableInterior if at <= level.count => {
                    level.at += 1;
                    let child = level.child(at)?;
                    self.step_down(fetch, child)?;
                }
                _ => self.spare.extend(self.levels.pop().map(|level| level.page)),
            }
        }
        Ok(false)
    }

    /// Estimates the number of leaves, assuming that all pages of a level have equally many children.
    pub(super) fn leaves(&self) -> usize {
        let interior = self.levels.iter().filter(|level| !level.kind.is_leaf());
        interior.fold(1, |leaves: usize, level| leaves.saturating_mul(level.count + 1))
    }

    fn step_down(&mut self, fetch: &mut Fetch<'_>, number: u32) -> Result<()> {
        if self.levels.len() == MOST_LEVELS {
            return Err(damaged(number, "it is too deep in its tree"));
        }
        let mut page = self.spare.pop().unwrap_or_default();
        fetch.page(number, &mut page)?;
        let start = if number == 1 { FILE_HEAD } else { 0 };
        let kind = page.get(start).and_then(|kind| PageKind::of(*kind));
        let Some(kind) = kind.filter(|kind| kind.is_table() == self.is_table) else {
            return Err(damaged(number, "it is not of the kind of its tree"));
        };
        if self.local.is_none() {
            self.local = Some(if self.is_table { Local::of_table(page.len()) } else { Local::of_index(page.len()) });
        }
        let pointers = start + kind.head();
        let count = usize::from(u16::from_be_bytes([page[start + 3], page[start + 4]]));
        if pointers + 2 * count > page.len() {
            return Err(damaged(number, "it has more cells than it has room for"));
        }
        self.levels.push(Level { number, page, kind, pointers, count, at: 0 });
        Ok(())
    }

    #[inline(always)]
    fn read_cell(&mut self, fetch: &Fetch<'_>, at: usize) -> Result<()> {
        if let (Some(level), Some(local)) = (self.levels.last(), self.local)
            && let Some(cell) = level.cell(at, local)
            && (cell.stays as u64 == cell.len || cell.len <= fetch.most(&level.page))
        {
            self.cell = cell;
            return Ok(());
        }
        Err(damaged(self.number(), "a cell is outside of it"))
    }
}

impl Level {
    /// Returns the offset of a cell.
    #[inline(always)]
    fn start(&self, at: usize) -> Option<usize> {
        let pointer = self.page.get(self.pointers + 2 * at..)?.first_chunk()?;
        Some(usize::from(u16::from_be_bytes(*pointer)))
    }

    /// Returns the child page to the left of a cell, or the right child after the last cell.
    fn child(&self, at: usize) -> Result<u32> {
        let start = if at < self.count { self.start(at) } else { Some(self.pointers - 4) };
        let child = start.and_then(|start| self.page.get(start..)?.first_chunk());
        child.map(|child| u32::from_be_bytes(*child)).ok_or_else(|| damaged(self.number, "a cell is outside of it"))
    }

    #[inline(always)]
    fn cell(&self, at: usize, local: Local) -> Option<CellAt> {
        let mut start = self.start(at)?;
        if !self.kind.is_leaf() {
            start += 4;
        }
        let (len, size) = varint::read(self.page.get(start..)?)?;
        start += size;
        let mut rowid = 0;
        if self.kind.is_table() {
            let (value, size) = varint::read(&self.page[start..])?;
            rowid = value.cast_signed();
            start += size;
        }
        let stays = local.stays(usize::try_from(len).ok()?);
        // A part of a record is followed by the number of the overflow page.
        let link = if stays as u64 == len { 0 } else { 4 };
        (start + stays + link <= self.page.len()).then_some(CellAt { rowid, start, stays, len })
    }
}
