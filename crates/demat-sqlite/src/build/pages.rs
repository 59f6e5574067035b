//! Writes pages to a file in their order.

use super::behind::Behind;
use crate::format::local::locked_page;
use demat_core::{Error, Result};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

/// The number of bytes to write at once: enough to amortize the call, and few enough to stay in the CPU cache.
const CHUNK: usize = 1 << 18;

/// Appends pages to a file. The last ones are buffered, and written many at once.
pub(super) struct Pages {
    file: File,
    page_size: usize,
    /// The buffered pages, and room for more; reused, as fresh memory is expensive.
    chunk: Vec<u8>,
    /// The number of the first buffered page.
    first: u64,
    /// The number of the next page.
    next: u64,
    /// The file's position, if it is known.
    at: Option<u64>,
    /// Writes chunks on a thread, from the second one on.
    behind: Option<Behind>,
    /// Whether a value has overflow pages.
    spilled: bool,
}

impl core::fmt::Debug for Pages {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Pages").field("next", &self.next).finish_non_exhaustive()
    }
}

impl Pages {
    /// Continues a file that begins with these pages.
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

    /// Returns the number of the next page, unless that is the lock page.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Notes that a value has overflow pages.
    pub(super) fn mark_spilled(&mut self) {
        self.spilled = true;
    }

    /// Returns whether any value had overflow pages, even if it was rolled back.
    pub(super) fn has_spilled(&self) -> bool {
        self.spilled
    }

    /// Returns the number of pages.
    pub(super) fn count(&self) -> u64 {
        self.next - 1
    }

    /// Adds a page; its contents are undefined.
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

    /// Returns the number of buffered bytes.
    fn waiting(&self) -> usize {
        (self.next - self.first) as usize * self.page_size
    }

    /// Passes the full chunk to the thread, which writes it while the next one is filled.
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

    /// Writes the buffered pages.
    fn write_waiting(&mut self) -> Result<()> {
        let len = self.waiting();
        self.seek((self.first - 1) * self.page_size as u64)?;
        self.file.write_all(&self.chunk[..len])?;
        self.at = None;
        self.first = self.next;
        Ok(())
    }

    /// Waits for the writing thread; needed before any other use of the file.
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

    /// Overwrites bytes of an earlier page.
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

    /// Reads an earlier page.
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

    /// Removes the pages from this one on.
    pub(super) fn cut(&mut self, next: u64) {
        self.next = next;
        self.first = self.first.min(next);
    }

    /// Writes the buffered pages and returns the file.
    pub(super) fn into_file(mut self) -> Result<File> {
        self.write_waiting()?;
        // The file may contain removed pages behind the last one.
        self.file.set_len(self.count() * self.page_size as u64)?;
        Ok(self.file)
    }
}
