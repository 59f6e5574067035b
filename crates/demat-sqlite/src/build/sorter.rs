//! Sorting more than memory holds.

use super::merge::Merge;
use super::order::Order;
use super::run::{Run, Runs};
use crate::format::key::Front;
use crate::format::varint;
use demat_core::Result;
use std::path::Path;

/// Gathers entries; where they are more than memory may hold, sorts them and writes them to a file that has no name.
#[derive(Debug)]
pub(super) struct Sorter {
    order: Order,
    /// Each behind its length.
    entries: Vec<u8>,
    /// Of each its front and its place.
    places: Vec<(Front, u32)>,
    limit: usize,
    runs: Runs,
    saved: Saved,
}

/// How far it had come at the last commit.
#[derive(Debug, Clone, Copy, Default)]
struct Saved {
    runs: usize,
    entries: usize,
    places: usize,
}

/// What an entry takes besides itself: its place, and room to sort that.
const PLACE: usize = 36;

impl Sorter {
    /// A sorter that takes about so many bytes of memory, and beyond that a file in the folder.
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

    /// Adds an entry, which `write` puts behind what is there.
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

    /// Forgets what was added since the last commit.
    pub(super) fn rollback(&mut self) {
        self.runs.truncate(self.saved.runs);
        self.entries.truncate(self.saved.entries);
        self.places.truncate(self.saved.places);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.saved = Saved::default();
        self.rollback();
    }

    /// Writes what is in memory; what is not committed yet apart, so that it can be forgotten.
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

    /// Gives the entries one after the other, in order.
    pub(super) fn for_each(mut self, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        if self.runs.count() == 0 {
            sort(&mut self.places, &self.entries, &self.order);
            return self.places.iter().try_for_each(|(_, place)| each(entry(&self.entries, *place)));
        }
        self.saved = Saved::default();
        if !self.places.is_empty() {
            self.spill()?;
        }
        // Merging wants the memory.
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
    // Stable: those that are the same stay as they came, and many that are the same are sorted in no time.
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
