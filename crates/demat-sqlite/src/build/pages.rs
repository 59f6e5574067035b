//! The file that pages are written to, in their order.

use super::behind::Behind;
use crate::format::local::locked_page;
use demat_core::{Error, Result};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

/// So many bytes go to the file at once: enough that the call is no cost, and few enough to stay in the cache.
const CHUNK: usize = 1 << 18;

/// Pages that are added one after the other. The last ones wait in memory, to be written many at once.
pub(super) struct Pages {
    file: File,
    page_size: usize,
    /// The pages that wait, and room for others; used again and again, as fresh memory is dear.
    chunk: Vec<u8>,
    /// The number of the first page that waits.
    first: u64,
    /// The number of the page that is added next.
    next: u64,
    /// Where the file stands.
    at: Option<u64>,
    /// Writes chunks from the second on.
    behind: Option<Behind>,
    /// Whether a value went on in pages of its own.
    spilled: bool,
}

impl core::fmt::Debug for Pages {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Pages").field("next", &self.next).finish_non_exhaustive()
    }
}

impl Pages {
    /// Pages that follow those which the file begins with.
    pub(super) fn after(mut file: File, page_size: usize, begin: &[u8]) -> Result<Self> {
        file.write_all(begin)?;
        let next = (begin.len() / page_size) as u64 + 1;
        let chunk = vec![0; CHUNK.max(page_size)];
        Ok(Self {
            file,
            page_size,
            chunk,
            first: next,
            next,
            at: Some(begin.len() as u64),
            behind: None,
            spilled: false,
        })
    }

    pub(super) fn page_size(&self) -> usize {
        self.page_size
    }

    /// The number of the page that is added next, unless that one can't hold anything.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// A value goes on in pages of its own.
    pub(super) fn mark_spilled(&mut self) {
        self.spilled = true;
    }

    /// Whether one did, perhaps one that was taken back.
    pub(super) fn has_spilled(&self) -> bool {
        self.spilled
    }

    /// So many pages there are.
    pub(super) fn count(&self) -> u64 {
        self.next - 1
    }

    /// Adds a page; what it holds is whatever a page before it held.
    #[inline]
    pub(super) fn add(&mut self) -> Result<(u32, &mut [u8])> {
        if self.next == locked_page(self.page_size) {
            self.add_one()?.fill(0);
        }
        let number = u32::try_from(self.next).ok().filter(|number| *number < u32::MAX - 1);
        let number = number.ok_or_else(|| Error::limit("the number of pages", u32::MAX - 2))?;
        Ok((number, self.add_one()?))
    }

    fn add_one(&mut self) -> Result<&mut [u8]> {
        let mut start = self.waiting();
        if start + self.page_size > self.chunk.len() {
            self.write_chunk()?;
            start = 0;
        }
        self.next += 1;
        Ok(&mut self.chunk[start..start + self.page_size])
    }

    /// How many bytes wait.
    fn waiting(&self) -> usize {
        (self.next - self.first) as usize * self.page_size
    }

    /// The chunk is full: it is written while the next one fills.
    fn write_chunk(&mut self) -> Result<()> {
        let len = self.waiting();
        let start = (self.first - 1) * self.page_size as u64;
        let behind = match &mut self.behind {
            Some(behind) => behind,
            behind => behind.insert(Behind::new(&self.file)?),
        };
        behind.write(&mut self.chunk, len, start)?;
        self.at = None;
        self.first = self.next;
        Ok(())
    }

    /// Writes what waits.
    fn write_waiting(&mut self) -> Result<()> {
        let len = self.waiting();
        self.seek((self.first - 1) * self.page_size as u64)?;
        self.file.write_all(&self.chunk[..len])?;
        self.at = None;
        self.first = self.next;
        Ok(())
    }

    /// Before the file is used by anybody else than the thread that writes, that has to be done.
    fn settle(&mut self) -> Result<()> {
        self.behind.as_mut().map_or(Ok(()), Behind::settle)
    }

    fn seek(&mut self, to: u64) -> Result<()> {
        self.settle()?;
        if self.at.take() != Some(to) {
            self.file.seek(SeekFrom::Start(to))?;
        }
        Ok(())
    }

    /// Writes over bytes of a page that was added before.
    pub(super) fn write_over(&mut self, page: u32, at: usize, bytes: &[u8]) -> Result<()> {
        let (page, size) = (u64::from(page), self.page_size);
        if page >= self.first {
            let start = (page - self.first) as usize * size + at;
            self.chunk[start..start + bytes.len()].copy_from_slice(bytes);
            return Ok(());
        }
        self.seek((page - 1) * size as u64 + at as u64)?;
        self.file.write_all(bytes)?;
        Ok(())
    }

    /// Reads a page that was added before.
    pub(super) fn read(&mut self, page: u32, to: &mut Vec<u8>) -> Result<()> {
        let (page, size) = (u64::from(page), self.page_size);
        to.resize(size, 0);
        if page >= self.first {
            let start = (page - self.first) as usize * size;
            to.copy_from_slice(&self.chunk[start..start + size]);
            return Ok(());
        }
        self.seek((page - 1) * size as u64)?;
        self.file.read_exact(to)?;
        Ok(())
    }

    /// Forgets the pages from this one on.
    pub(super) fn cut(&mut self, next: u64) {
        self.next = next;
        self.first = self.first.min(next);
    }

    /// Writes what waits and gives the file.
    pub(super) fn into_file(mut self) -> Result<File> {
        self.write_waiting()?;
        // Pages that were cut off may stand behind the last one.
        self.file.set_len(self.count() * self.page_size as u64)?;
        Ok(self.file)
    }
}
