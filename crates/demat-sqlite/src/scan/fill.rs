//! Fills columns from whole pages.

use super::leaf::{BEHIND, Leaf};
use super::vector::{Filling, Vector};
use crate::format::local::Local;
use demat_core::Result;
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

/// Rows by column, as many as 32-bit offsets allow.
#[derive(Debug, Default)]
pub struct Vectors {
    /// The number of rows.
    pub rows: usize,
    /// The columns, in the order of the fields.
    pub columns: Vec<Vector>,
}

/// The rows of a table by column.
#[derive(Debug, Default)]
pub struct Filled {
    /// Batches, in the order of the rows.
    pub batches: Vec<Vectors>,
    /// Whether these are all rows. If not, the next row is irregular; it and the rows behind it must be read one by
    /// one.
    pub whole: bool,
}

impl Filled {
    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(|batch| batch.rows).sum()
    }
}

/// A group of leaves, passed from the thread that fetches them to the one that decodes them.
#[derive(Debug, Default)]
pub(super) struct Group {
    bytes: Vec<u8>,
    /// The length of a page with its padding.
    stride: usize,
}

/// The approximate size of a group in bytes: it should stay in the CPU cache.
const GROUP: usize = 256 * 1024;
/// The minimum number of leaves for which a second thread pays.
pub(super) const WORTH: usize = 256;

impl Group {
    fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Adds a page; returns whether another one fits.
    fn add(&mut self, page: &[u8]) -> bool {
        self.stride = page.len() + BEHIND;
        self.bytes.extend_from_slice(page);
        self.bytes.resize(self.bytes.len() + BEHIND, 0);
        self.bytes.len() + self.stride <= GROUP
    }

    fn pages(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.stride.max(1))
    }
}

/// Fills columns from leaves, until there are no more or a row is irregular.
#[derive(Debug)]
pub(super) struct ColumnFiller {
    pub(super) fillings: Vec<Filling>,
    pub(super) slots: usize,
    /// The number of columns at the end that may be missing in a record.
    pub(super) missing: usize,
    pub(super) local: Option<Local>,
    /// The estimated number of leaves.
    pub(super) leaves: usize,
    /// Called before memory is filled, with its address and length.
    pub(super) room: fn(usize, usize),
    leaf: Leaf,
    filled: Filled,
    now: Vectors,
}

impl ColumnFiller {
    pub(super) fn new(fillings: Vec<Filling>, slots: usize, missing: usize, room: fn(usize, usize)) -> Self {
        let (leaf, filled, now) = (Leaf::default(), Filled::default(), Vectors::default());
        Self { fillings, slots, missing, local: None, leaves: 0, room, leaf, filled, now }
    }

    /// Decodes the leaves of a group; false at an irregular row.
    fn take(&mut self, group: &Group) -> bool {
        group.pages().all(|page| self.page(page))
    }

    fn page(&mut self, page: &[u8]) -> bool {
        if self.now.columns.iter().any(|column| column.is_full(page.len())) {
            self.end();
        }
        if self.now.columns.is_empty() {
            self.now.columns = self.fillings.iter().map(|filling| Vector::new(*filling)).collect();
        }
        let local = *self.local.get_or_insert_with(|| Local::of_table(page.len() - BEHIND));
        let regular = self.leaf.read(page, local, self.slots, self.missing);
        let fitting = self.fillings.iter().map(|filling| filling.fitting(&self.leaf, page)).min();
        let mut rows = fitting.unwrap_or(self.leaf.rows());
        let whole = regular && rows == self.leaf.rows();
        let before = self.now.rows;
        let mut good = rows;
        for (column, filling) in self.now.columns.iter_mut().zip(&self.fillings) {
            good = good.min(column.fill(*filling, &self.leaf, page, rows));
        }
        if good < rows {
            self.now.columns.iter_mut().for_each(|column| column.truncate(before + good));
        }
        rows = good;
        self.now.rows += rows;
        if before == 0 && rows > 0 {
            // Reserves some more, as the first rows may have the shortest values.
            let times = self.leaves + self.leaves / 8;
            self.now.columns.iter_mut().for_each(|column| column.reserve(times, self.room));
        }
        whole && rows == self.leaf.rows()
    }

    fn end(&mut self) {
        if self.now.rows > 0 {
            self.filled.batches.push(core::mem::take(&mut self.now));
        }
    }

    pub(super) fn finish(mut self, whole: bool) -> Filled {
        self.end();
        self.filled.whole = whole;
        self.filled
    }
}

/// Fills columns from leaves, with a number of threads: one fetches the pages, and another one decodes them. `next`
/// passes a leaf to its argument, or returns false at the end. Its errors are ignored here: reading the rows one by one
/// reports them again.
pub(super) fn fill(
    mut filler: ColumnFiller,
    threads: usize,
    mut next: impl FnMut(&mut dyn FnMut(&[u8])) -> Result<bool>,
) -> Filled {
    let mut gather = |group: &mut Group| -> Result<bool> {
        group.clear();
        let mut room = true;
        while room {
            if !next(&mut |page| room = group.add(page))? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    if threads < 2 || filler.leaves < WORTH {
        let mut group = Group::default();
        loop {
            let more = gather(&mut group);
            if !filler.take(&group) {
                return filler.finish(false);
            }
            match more {
                Ok(true) => {}
                Ok(false) => return filler.finish(true),
                Err(_) => return filler.finish(false),
            }
        }
    }
    thread::scope(|scope| {
        let (full, groups) = sync_channel::<Group>(2);
        let (empty, spares) = channel();
        let reader = scope.spawn(move || {
            for group in groups {
                if !filler.take(&group) {
                    return filler.finish(false);
                }
                let _ = empty.send(group); // fails if the receiver is gone
            }
            filler.finish(true)
        });
        let mut whole = true;
        loop {
            let mut group = spares.try_recv().unwrap_or_default();
            let more = gather(&mut group);
            whole &= more.is_ok();
            if full.send(group).is_err() || !matches!(more, Ok(true)) {
                break;
            }
        }
        drop(full);
        let mut filled = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        filled.whole &= whole;
        filled
    })
}
