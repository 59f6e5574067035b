//! Containers in deterministic encoding: maps are sorted, and counts precede the children.

use super::header::Major;
use super::sort::{Entry, sort};
use super::{CborSink, Frame};
use crate::Drain;

/// The entries of open maps, and the state that a rollback restores.
#[derive(Debug, Default)]
pub(super) struct Entries {
    all: Vec<Entry>,
    /// The number of entries at the last commit.
    committed: usize,
    /// Containers that were open at the last commit and have ended since, outermost last.
    ended: Vec<Ended>,
    /// The number of containers that have been open since before the last commit.
    untouched: usize,
}

/// A container as it was at the last commit.
#[derive(Debug)]
struct Ended {
    /// Its start.
    at: usize,
    bytes: Vec<u8>,
    /// The number of its first entry.
    first: usize,
    entries: Vec<Entry>,
}

impl Entries {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds an entry whose key begins at `at`.
    pub(super) fn key(&mut self, at: usize) {
        self.all.push(Entry { key: at, value: at });
    }

    /// Removes the last entry and returns the start of its key.
    pub(super) fn take_key(&mut self) -> Option<usize> {
        self.all.pop().map(|entry| entry.key)
    }

    /// Sets the start of the last entry's value.
    pub(super) fn value(&mut self, at: usize) {
        if let Some(last) = self.all.last_mut() {
            last.value = at;
        }
    }

    /// Commits all entries. `open` is the number of open containers.
    pub(super) fn commit(&mut self, open: usize) {
        (self.committed, self.untouched) = (self.all.len(), open);
        self.ended.clear();
    }

    /// Undoes everything since the last commit. The output is cut already. `open` is the number of open containers.
    pub(super) fn rollback(&mut self, buffer: &mut Vec<u8>, open: usize) {
        while let Some(Ended { at, bytes, first, entries }) = self.ended.pop() {
            buffer.truncate(at);
            buffer.extend_from_slice(&bytes);
            self.all.truncate(first);
            self.all.extend_from_slice(&entries);
        }
        self.all.truncate(self.committed);
        self.untouched = open;
    }

    /// Saves a container that is about to change, if it was open at the last commit.
    fn keep(&mut self, buffer: &[u8], committed: usize, at: usize, first: usize, depth: usize) {
        if depth < self.untouched {
            self.untouched = depth;
            // If an inner container has changed, its own copy restores the rest.
            let bytes = buffer.get(at..committed.min(buffer.len())).unwrap_or_default().to_vec();
            let entries = self.all.get(first..self.committed.min(self.all.len())).unwrap_or_default().to_vec();
            self.ended.push(Ended { at, bytes, first, entries });
        }
    }
}

impl<D: Drain> CborSink<D> {
    /// Ends a container whose header is in memory at `at`: sorts its entries, and writes its count.
    pub(super) fn close_deterministic(&mut self, frame: &Frame, of: Major, at: usize) {
        let committed = self.output.committed();
        self.entries.keep(&self.output.buffer, committed, at, frame.first, self.frames.len());
        let (buffer, entries) = (&mut self.output.buffer, &mut self.entries.all);
        let mut count = frame.count;
        if of == Major::Map {
            count = sort(buffer, entries.get(frame.first..).unwrap_or_default()) as u64;
            entries.truncate(frame.first);
        }
        let reserved = at + of.with(frame.announced.unwrap_or(0)).len();
        buffer.splice(at..reserved, of.with(count).as_bytes().iter().copied());
    }
}
