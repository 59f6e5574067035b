//! Builds the interior pages of a b-tree.

use super::pages::Pages;
use crate::format::page::{PageKind, lay_out};
use demat_core::Result;

/// The interior pages of a b-tree, from the lowest level up. Each is written as soon as it is full.
///
/// A cell is added together with the child page to its left. If the cell does not fit any more, it separates the full
/// page from the next one: the cell's child becomes the full page's right child, and the cell moves up a level. It does
/// so only when the next cell comes, since the next page must have at least one cell.
#[derive(Debug)]
pub(super) struct Interior {
    kind: PageKind,
    levels: Vec<Level>,
}

#[derive(Debug, Default)]
struct Level {
    cells: Vec<u8>,
    starts: Vec<u16>,
    /// The next cell, which did not fit into the current page.
    between: Option<Vec<u8>>,
}

impl Interior {
    pub(super) fn new(kind: PageKind) -> Self {
        Self { kind, levels: Vec::new() }
    }

    /// Returns whether nothing was added: the tree is a single leaf.
    pub(super) fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Adds a child page and the cell to its right.
    pub(super) fn add(&mut self, pages: &mut Pages, child: u32, rest: &[u8]) -> Result<()> {
        let mut cell = Vec::with_capacity(4 + rest.len());
        cell.extend_from_slice(&child.to_be_bytes());
        cell.extend_from_slice(rest);
        let mut at = 0;
        loop {
            if at == self.levels.len() {
                self.levels.push(Level::default());
            }
            let level = &mut self.levels[at];
            let Some(between) = level.between.take() else {
                if level.has_room(pages.page_size(), &cell) {
                    level.push(&cell);
                } else {
                    level.between = Some(cell);
                }
                return Ok(());
            };
            let page = level.write(pages, self.kind, child_of(&between))?;
            level.push(&cell);
            cell = between;
            cell[..4].copy_from_slice(&page.to_be_bytes());
            at += 1;
        }
    }

    /// Completes the tree with its last page; the top page is written to the root's number.
    pub(super) fn end(mut self, pages: &mut Pages, last: u32, root: u32) -> Result<()> {
        let mut right = last;
        let mut at = 0;
        loop {
            let level = &mut self.levels[at];
            if let Some(between) = level.between.take() {
                // The next page needs a cell, so the last one of this page moves up instead.
                let mut up = level.pop();
                let page = level.write(pages, self.kind, child_of(&up))?;
                level.push(&between);
                up[..4].copy_from_slice(&page.to_be_bytes());
                self.add_at(pages, at + 1, &up)?;
            }
            let is_top = at + 1 == self.levels.len();
            let level = &mut self.levels[at];
            if is_top {
                let mut page = vec![0; pages.page_size()];
                lay_out(&mut page, self.kind, &level.cells, &level.starts, right);
                return pages.write_over(root, 0, &page);
            }
            right = level.write(pages, self.kind, right)?;
            at += 1;
        }
    }

    /// Adds a cell with its child pointer to a level.
    fn add_at(&mut self, pages: &mut Pages, at: usize, cell: &[u8]) -> Result<()> {
        let mut upper = Self { kind: self.kind, levels: self.levels.split_off(at) };
        let added = upper.add(pages, child_of(cell), &cell[4..]);
        self.levels.append(&mut upper.levels);
        added
    }
}

fn child_of(cell: &[u8]) -> u32 {
    cell.first_chunk().map_or(0, |page| u32::from_be_bytes(*page))
}

impl Level {
    fn has_room(&self, page_size: usize, cell: &[u8]) -> bool {
        12 + self.cells.len() + cell.len() + 2 * (self.starts.len() + 1) <= page_size
    }

    fn push(&mut self, cell: &[u8]) {
        self.starts.push(self.cells.len() as u16);
        self.cells.extend_from_slice(cell);
    }

    fn pop(&mut self) -> Vec<u8> {
        let start = self.starts.pop().map_or(0, usize::from);
        self.cells.split_off(start)
    }

    /// Writes the page and clears the level.
    fn write(&mut self, pages: &mut Pages, kind: PageKind, right: u32) -> Result<u32> {
        let (number, page) = pages.add()?;
        lay_out(page, kind, &self.cells, &self.starts, right);
        self.cells.clear();
        self.starts.clear();
        Ok(number)
    }
}
