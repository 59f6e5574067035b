//! Merges sorted runs.

use super::order::Order;
use super::run::{Run, Runs};
use super::table_tree::unreadable;
use crate::format::key::Front;
use crate::format::varint;
use core::cmp::Ordering;
use demat_core::Result;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// A k-way merge: takes the smallest entry of all runs; among equal ones, that of the earlier run.
#[derive(Debug)]
pub(super) struct Merge<'r> {
    file: &'r mut File,
    order: &'r Order,
    readers: Vec<Reader>,
    /// A binary heap of the readers that have an entry: no reader precedes the one at half its index.
    heap: Vec<usize>,
    begun: bool,
}

/// A reader of a run, at its current entry.
#[derive(Debug)]
struct Reader {
    run: Run,
    bytes: Vec<u8>,
    room: usize,
    at: usize,
    len: usize,
    front: Front,
    /// The number of reads from the file; each moves the contents of `bytes`.
    fills: u64,
}

impl<'r> Merge<'r> {
    pub(super) fn new(runs: &'r mut Runs, some: &[Run], order: &'r Order, memory: usize) -> Result<Self> {
        let room = (memory / some.len().max(1)).clamp(1 << 12, 1 << 20);
        let file = runs.file.as_mut().ok_or_else(unreadable)?;
        let reader =
            |run: &Run| Reader { run: *run, bytes: Vec::new(), room, at: 0, len: 0, front: Front::default(), fills: 0 };
        let mut merge =
            Self { readers: some.iter().map(reader).collect(), file, order, heap: Vec::new(), begun: false };
        for index in 0..merge.readers.len() {
            if merge.readers[index].step(merge.file, order)? {
                merge.heap.push(index);
            }
        }
        for at in (0..merge.heap.len() / 2).rev() {
            merge.sink(at);
        }
        Ok(merge)
    }

    /// Returns the next entry.
    #[allow(clippy::should_implement_trait)] // the result is borrowed until the next call
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>> {
        if self.begun {
            let Some(first) = self.heap.first() else { return Ok(None) };
            let reader = &mut self.readers[*first];
            let (start, end, front, fills) = (reader.at, reader.at + reader.len, reader.front, reader.fills);
            let more = reader.step(self.file, self.order)?;
            // An entry equal to its predecessor, which was the smallest, is also the smallest: the heap need not
            // change.
            let same = more && reader.front == front && reader.fills == fills && {
                self.order.rest(front, || (&reader.bytes[start..end], reader.entry())).is_eq()
            };
            if !more {
                self.heap.swap_remove(0);
            }
            if !same {
                self.sink(0);
            }
        }
        self.begun = true;
        Ok(self.heap.first().map(|first| self.readers[*first].entry()))
    }

    /// Restores the heap's order by moving an element down.
    fn sink(&mut self, mut at: usize) {
        loop {
            let mut least = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < self.heap.len() && self.is_before(self.heap[child], self.heap[least]) {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            self.heap.swap(at, least);
            at = least;
        }
    }

    fn is_before(&self, one: usize, other: usize) -> bool {
        let (a, b) = (&self.readers[one], &self.readers[other]);
        let order = a.front.cmp(&b.front).then_with(|| self.order.rest(a.front, || (a.entry(), b.entry())));
        order.then(one.cmp(&other)) == Ordering::Less
    }
}

impl Reader {
    #[inline]
    fn entry(&self) -> &[u8] {
        &self.bytes[self.at..self.at + self.len]
    }

    /// Advances to the next entry, if there is one.
    fn step(&mut self, file: &mut File, order: &Order) -> Result<bool> {
        self.at += self.len;
        self.len = 0;
        loop {
            if let Some((len, head)) = varint::read(&self.bytes[self.at..]) {
                let len = len as usize;
                if self.bytes.len() - self.at - head >= len {
                    self.at += head;
                    self.len = len;
                    self.front = order.front(self.entry());
                    return Ok(true);
                }
                self.room = self.room.max(head + len);
            }
            if self.run.start == self.run.end {
                return if self.at == self.bytes.len() { Ok(false) } else { Err(unreadable()) };
            }
            self.fill(file)?;
        }
    }

    /// Reads more of the run.
    fn fill(&mut self, file: &mut File) -> Result<()> {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.fills += 1;
        let have = self.bytes.len();
        let left = usize::try_from(self.run.end - self.run.start).unwrap_or(usize::MAX);
        let take = left.min(self.room.max(have + varint::MOST) - have);
        self.bytes.resize(have + take, 0);
        file.seek(SeekFrom::Start(self.run.start))?;
        file.read_exact(&mut self.bytes[have..])?;
        self.run.start += take as u64;
        Ok(())
    }
}
