//! Builds the tree of a table with rowids, from sorted rows.

use super::interior::Interior;
use super::overflow::{gather, spill};
use super::pages::Pages;
use super::row::RecordSpan;
use crate::format::local::Local;
use crate::format::page::{PageKind, lay_out};
use crate::format::varint;
use demat_core::{Error, ErrorKind, Result};

/// Writes the pages of rows that come in the order of their rowids.
///
/// The cells of the current leaf are at the start of [`Row::bytes`](super::row::Row), so a row is encoded where it
/// belongs. The upper levels get the leaves written since the last commit only at the next commit, so a rollback can
/// remove them.
#[derive(Debug)]
pub(super) struct TableTree {
    root: u32,
    local: Local,
    /// The end of the cells of the leaf.
    end: usize,
    starts: Vec<u16>,
    last: Option<i64>,
    rows: u64,
    written: Vec<(u32, i64)>,
    interior: Interior,
    saved: Saved,
}

/// The state at the last commit.
#[derive(Debug, Clone, Copy)]
struct Saved {
    next: u64,
    end: usize,
    starts: usize,
    last: Option<i64>,
    rows: u64,
}

impl TableTree {
    pub(super) fn new(root: u32, pages: &Pages) -> Self {
        Self {
            root,
            local: Local::of_table(pages.page_size()),
            end: 0,
            starts: Vec::new(),
            last: None,
            rows: 0,
            written: Vec::new(),
            interior: Interior::new(PageKind::TableInterior),
            saved: Saved { next: pages.next(), end: 0, starts: 0, last: None, rows: 0 },
        }
    }

    /// Returns the start of the next row.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Returns the rowid of the last row.
    #[inline]
    pub(super) fn last(&self) -> Option<i64> {
        self.last
    }

    /// Returns the number of committed rows.
    pub(super) fn committed(&self) -> u64 {
        self.saved.rows
    }

    /// Returns whether leaves were written since the last commit.
    #[inline]
    pub(super) fn has_written(&self) -> bool {
        !self.written.is_empty()
    }

    /// Adds an encoded row. Its rowid must be greater than all earlier ones.
    #[inline]
    pub(super) fn add(&mut self, pages: &mut Pages, bytes: &mut [u8], span: RecordSpan, rowid: i64) -> Result<()> {
        let mut end = span.end;
        if end - span.record > self.local.most() {
            end = self.spill(pages, bytes, span)?;
        }
        let used = 8 + end + 2 * (self.starts.len() + 1);
        if used > pages.page_size() {
            let last = self.last.unwrap_or(rowid);
            let leaf = self.write_leaf(pages, bytes)?;
            self.written.push((leaf, last));
            bytes.copy_within(span.cell..end, 0);
            end -= span.cell;
        }
        self.starts.push(self.end as u16);
        self.end = end;
        self.last = Some(rowid);
        self.rows += 1;
        Ok(())
    }

    #[cold]
    fn spill(&mut self, pages: &mut Pages, bytes: &mut [u8], span: RecordSpan) -> Result<usize> {
        let stays = span.record + self.local.stays(span.end - span.record);
        let first = spill(pages, &bytes[stays..span.end])?;
        bytes[stays..stays + 4].copy_from_slice(&first.to_be_bytes());
        Ok(stays + 4)
    }

    fn write_leaf(&mut self, pages: &mut Pages, bytes: &[u8]) -> Result<u32> {
        let (number, page) = pages.add()?;
        lay_out(page, PageKind::TableLeaf, &bytes[..self.end], &self.starts, 0);
        self.starts.clear();
        self.end = 0;
        Ok(number)
    }

    /// Commits the rows added so far.
    #[inline]
    pub(super) fn commit(&mut self, pages: &mut Pages) -> Result<()> {
        if !self.written.is_empty() {
            self.tell_written(pages)?;
        }
        let next = pages.next();
        self.saved = Saved { next, end: self.end, starts: self.starts.len(), last: self.last, rows: self.rows };
        Ok(())
    }

    fn tell_written(&mut self, pages: &mut Pages) -> Result<()> {
        let mut key = [0; varint::MOST];
        for (leaf, last) in self.written.drain(..) {
            let len = varint::write(last.cast_unsigned(), &mut key);
            self.interior.add(pages, leaf, &key[..len])?;
        }
        Ok(())
    }

    /// Removes the rows added since the last commit.
    pub(super) fn rollback(&mut self, pages: &mut Pages, bytes: &mut [u8]) -> Result<()> {
        if let Some((first, _)) = self.written.first() {
            // The page begins with the cells of the commit.
            let mut page = Vec::new();
            pages.read(*first, &mut page)?;
            let starts = page[8..].chunks_exact(2).take(self.saved.starts);
            let starts = starts.map(|start| u16::from_be_bytes([start[0], start[1]]));
            self.starts.clear();
            self.starts.extend(starts);
            let cells = self.starts.first().map_or(page.len(), |first| usize::from(*first));
            self.starts.iter_mut().for_each(|start| *start -= cells as u16);
            bytes[..self.saved.end].copy_from_slice(&page[cells..cells + self.saved.end]);
        }
        self.written.clear();
        pages.cut(self.saved.next);
        self.end = self.saved.end;
        self.starts.truncate(self.saved.starts);
        self.last = self.saved.last;
        self.rows = self.saved.rows;
        Ok(())
    }

    /// Ends the tree.
    pub(super) fn finish(mut self, pages: &mut Pages, bytes: &[u8]) -> Result<()> {
        self.tell_written(pages)?;
        if self.interior.is_empty() {
            let mut page = vec![0; pages.page_size()];
            lay_out(&mut page, PageKind::TableLeaf, &bytes[..self.end], &self.starts, 0);
            return pages.write_over(self.root, 0, &page);
        }
        let last = self.write_leaf(pages, bytes)?;
        self.interior.end(pages, last, self.root)
    }

    /// Ends the tree, reads all rows back in order (rowid and record), and frees the pages.
    pub(super) fn take_apart(
        self,
        pages: &mut Pages,
        bytes: &[u8],
        begin: u64,
        mut each: impl FnMut(i64, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let (root, local) = (self.root, self.local);
        self.finish(pages, bytes)?;
        let (mut open, mut spare, mut record) = (vec![root], Vec::new(), Vec::new());
        let mut page = Vec::new();
        while let Some(number) = open.pop() {
            pages.read(number, &mut page)?;
            let kind = page.first().and_then(|kind| PageKind::of(*kind)).ok_or_else(unreadable)?;
            let count = usize::from(u16::from_be_bytes([page[3], page[4]]));
            let starts = page[kind.head()..].chunks_exact(2).take(count);
            let starts = starts.map(|start| usize::from(u16::from_be_bytes([start[0], start[1]])));
            if !kind.is_leaf() {
                let children = starts.filter_map(|start| page[start..].first_chunk()).chain(page[8..].first_chunk());
                let from = open.len();
                open.extend(children.map(|child| u32::from_be_bytes(*child)));
                open[from..].reverse();
                continue;
            }
            for start in starts {
                let (len, at) = varint::read(&page[start..]).ok_or_else(unreadable)?;
                let (rowid, more) = varint::read(&page[start + at..]).ok_or_else(unreadable)?;
                let at = start + at + more;
                let stays = local.stays(len as usize);
                record.clear();
                record.extend_from_slice(&page[at..at + stays]);
                if stays < len as usize {
                    let first = page[at + stays..].first_chunk().ok_or_else(unreadable)?;
                    gather(pages, u32::from_be_bytes(*first), len as usize - stays, &mut record, &mut spare)?;
                }
                each(rowid.cast_signed(), &record)?;
            }
        }
        pages.cut(begin);
        Ok(())
    }
}

#[cold]
pub(super) fn unreadable() -> Error {
    Error::new(ErrorKind::Store, "a page that was built can't be read again")
}
