//! An external merge sort.

use super::merge::Merge;
use super::order::Order;
use super::run::{Run, Runs};
use crate::format::key::Front;
use crate::format::varint;
use demat_core::Result;
use std::path::Path;

/// Collects entries. When they exceed the memory limit, sorts them and writes them to an unnamed file.
#[derive(Debug)]
pub(super) struct Sorter {
    order: Order,
    /// The entries, each with a length prefix.
    entries: Vec<u8>,
    /// The front and the offset of each entry.
    places: Vec<(Front, u32)>,
    limit: usize,
    runs: Runs,
    saved: Saved,
}

/// The sizes at the last commit.
#[derive(Debug, Clone, Copy, Default)]
struct Saved {
    runs: usize,
    entries: usize,
    places: usize,
}

/// The memory of an entry besides its bytes: its front and offset, and the space to sort them.
const PLACE: usize = 36;

impl Sorter {
    /// Creates a sorter with a memory limit in bytes; beyond it, it uses a file in the folder.
    pub(super) fn new(order: Order, limit: usize, folder: &Path) -> Self {
        Self {
            order,
            entries: Vec::new(),
            places: Vec::new(),
            limit: limit.clamp(1 << 12, 1 << 31),
            runs: Runs::new(folder),
            saved: Saved::default(),
        }
    }

    /// Adds an entry, which `write` appends.
    #[inline]
    pub(super) fn add(&mut self, len: usize, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        if self.entries.len() + len + PLACE * self.places.len() > self.limit && !self.places.is_empty() {
            self.spill()?;
        }
        let place = self.entries.len() as u32;
        varint::push(len as u64, &mut self.entries);
        let start = self.entries.len();
        write(&mut self.entries);
        debug_assert_eq!(self.entries.len() - start, len);
        self.places.push((self.order.front(&self.entries[start..]), place));
        Ok(())
    }

    pub(super) fn commit(&mut self) {
        self.saved = Saved { runs: self.runs.count(), entries: self.entries.len(), places: self.places.len() };
    }

    /// Removes the entries added since the last commit.
    pub(super) fn rollback(&mut self) {
        self.runs.truncate(self.saved.runs);
        self.entries.truncate(self.saved.entries);
        self.places.truncate(self.saved.places);
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        self.saved = Saved::default();
        self.rollback();
    }

    /// Writes the entries in memory to runs; uncommitted ones to a run of their own, so that it can be removed.
    fn spill(&mut self) -> Result<()> {
        let (committed, rest) = self.places.split_at_mut(self.saved.places);
        if !committed.is_empty() {
            sort(committed, &self.entries, &self.order);
            self.runs.write(committed.iter().map(|(_, place)| entry(&self.entries, *place)))?;
            self.saved.runs = self.runs.count();
        }
        if !rest.is_empty() {
            sort(rest, &self.entries, &self.order);
            self.runs.write(rest.iter().map(|(_, place)| entry(&self.entries, *place)))?;
        }
        (self.saved.entries, self.saved.places) = (0, 0);
        self.entries.clear();
        self.places.clear();
        Ok(())
    }

    /// Calls a function with each entry, in order.
    pub(super) fn for_each(mut self, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        if self.runs.count() == 0 {
            sort(&mut self.places, &self.entries, &self.order);
            return self.places.iter().try_for_each(|(_, place)| each(entry(&self.entries, *place)));
        }
        self.saved = Saved::default();
        if !self.places.is_empty() {
            self.spill()?;
        }
        // Frees the memory for merging.
        (self.entries, self.places) = (Vec::new(), Vec::new());
        self.runs.become_few(&self.order, self.limit)?;
        let runs: Vec<Run> = self.runs.all().to_vec();
        let mut merge = Merge::new(&mut self.runs, &runs, &self.order, self.limit)?;
        while let Some(entry) = merge.next()? {
            each(entry)?;
        }
        Ok(())
    }
}

fn sort(places: &mut [(Front, u32)], entries: &[u8], order: &Order) {
    // A stable sort: equal entries stay in the order in which they were added. It is fast if many are equal.
    places.sort_by(|one, other| {
        let rest = || order.rest(one.0, || (entry(entries, one.1), entry(entries, other.1)));
        one.0.cmp(&other.0).then_with(rest)
    });
}

#[inline]
fn entry(entries: &[u8], place: u32) -> &[u8] {
    let bytes = &entries[place as usize..];
    varint::read(bytes).map_or(&[], |(len, at)| &bytes[at..at + len as usize])
}
