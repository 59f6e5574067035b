//! Runs of sorted entries in a temporary file.

use super::merge::Merge;
use super::order::Order;
use crate::format::varint;
use demat_core::Result;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The number of bytes to write at once.
const CHUNK: usize = 1 << 18;
/// The maximum number of runs to merge at once.
const FEW: usize = 64;

/// Runs of sorted, length-prefixed entries in an unnamed file.
#[derive(Debug)]
pub(super) struct Runs {
    folder: PathBuf,
    pub(super) file: Option<File>,
    all: Vec<Run>,
    chunk: Vec<u8>,
}

/// The range of a run in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Runs {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), file: None, all: Vec::new(), chunk: Vec::new() }
    }

    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    pub(super) fn all(&self) -> &[Run] {
        &self.all
    }

    /// Removes all runs but the first `count`.
    pub(super) fn truncate(&mut self, count: usize) {
        self.all.truncate(count);
    }

    /// Writes a run.
    pub(super) fn write<'a>(&mut self, mut entries: impl Iterator<Item = &'a [u8]>) -> Result<()> {
        let mut writer = self.begin()?;
        let written = entries.try_for_each(|entry| writer.add(entry));
        let run = written.and_then(|()| writer.end());
        self.all.push(run?);
        Ok(())
    }

    /// Begins a run behind the others.
    fn begin(&mut self) -> Result<RunWriter<'_>> {
        let start = self.all.last().map_or(0, |run| run.end);
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(&self.folder)?);
        }
        let Some(file) = &mut self.file else { return Err(super::table_tree::unreadable()) };
        file.seek(SeekFrom::Start(start))?;
        self.chunk.clear();
        Ok(RunWriter { file, chunk: &mut self.chunk, run: Run { start, end: start } })
    }

    /// Merges adjacent runs until there are few enough to read all at once.
    pub(super) fn become_few(&mut self, order: &Order, memory: usize) -> Result<()> {
        while self.all.len() > FEW {
            let mut fewer = Self::new(&self.folder);
            for group in self.all.clone().chunks(FEW) {
                let mut merge = Merge::new(self, group, order, memory)?;
                let mut writer = fewer.begin()?;
                while let Some(entry) = merge.next()? {
                    writer.add(entry)?;
                }
                let run = writer.end()?;
                fewer.all.push(run);
            }
            *self = fewer;
        }
        Ok(())
    }
}

struct RunWriter<'r> {
    file: &'r mut File,
    chunk: &'r mut Vec<u8>,
    run: Run,
}

impl RunWriter<'_> {
    fn add(&mut self, entry: &[u8]) -> Result<()> {
        varint::push(entry.len() as u64, self.chunk);
        self.chunk.extend_from_slice(entry);
        if self.chunk.len() >= CHUNK { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<()> {
        self.file.write_all(self.chunk)?;
        self.run.end += self.chunk.len() as u64;
        self.chunk.clear();
        Ok(())
    }

    fn end(mut self) -> Result<Run> {
        self.write()?;
        Ok(self.run)
    }
}
