//! The rows of a leaf of a table, all at once.

use crate::format::local::Local;
use crate::format::page::PageKind;
use crate::format::{serial, varint};

/// Where the values of a leaf's rows are.
///
/// Only of rows that are as nearly all are: whole in their page, with short heads, and with a value for every column.
#[derive(Debug, Default)]
pub(super) struct Leaf {
    pub(super) rowids: Vec<i64>,
    /// The values, column by column, each of which has room for so many.
    spots: Vec<Spot>,
    room: usize,
    /// Of each column a bit for each [class](Spot::class) of values that it has.
    seen: Vec<u32>,
}

/// A value: its type, and where its bytes begin.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spot {
    pub(super) serial: u32,
    pub(super) start: u32,
}

/// So many bytes are behind each page that is looked at, so that eight can be read from wherever a value may begin, and
/// sixteen wherever a text does.
pub(super) const BEHIND: usize = 32;

impl Spot {
    /// Its type, as long as that is a number's or null; that of bytes is 12, and that of text 13.
    #[inline(always)]
    pub(super) fn class(self) -> u32 {
        if self.serial < 12 { self.serial } else { 12 + self.serial % 2 }
    }
}

impl Leaf {
    /// Finds the first `slots` values of the rows of a page, up to the first one that is not as nearly all are; says
    /// whether there is none of these. Of a row the last values may be missing, so many: they are NULL then.
    pub(super) fn read(&mut self, page: &[u8], local: Local, slots: usize, missing: usize) -> bool {
        let len = page.len() - BEHIND;
        let count = usize::from(u16::from_be_bytes([page[3], page[4]]));
        let least = slots - missing.min(slots);
        self.rowids.clear();
        self.rowids.reserve(count);
        self.seen.clear();
        self.seen.resize(slots, 0);
        self.room = count.max(1);
        if self.spots.len() < self.room * slots {
            self.spots.resize(self.room * slots, Spot::default());
        }
        let pointers = &page[PageKind::TableLeaf.head()..];
        for (row, pointer) in pointers.chunks_exact(2).take(count).enumerate() {
            let start = usize::from(u16::from_be_bytes([pointer[0], pointer[1]]));
            let Some(cell) = cell(page, len, start, local) else { return false };
            if self.find(page, row, cell, least).is_none() {
                return false;
            }
            self.rowids.push(cell.rowid);
        }
        true
    }

    /// Finds the values of one row.
    #[inline(always)]
    fn find(&mut self, page: &[u8], row: usize, cell: Cell, least: usize) -> Option<()> {
        let slots = self.seen.len();
        let (mut at, mut value, mut slot) = (cell.types, cell.body, 0);
        while slot < slots && at < cell.body {
            // Types that have one byte, as nearly all have, eight at a time.
            let block = u64::from_le_bytes(*page.get(at..)?.first_chunk()?);
            let count = (cell.body - at).min(8).min(slots - slot);
            if block & (0x8080_8080_8080_8080 >> (64 - 8 * count)) != 0 {
                let (serial, width) = varint::read(page.get(at..cell.body)?)?;
                let spot = Spot { serial: u32::try_from(serial).ok()?, start: value as u32 };
                self.put(row, slot, spot, spot.class());
                at += width;
                value = value.checked_add(usize::try_from(serial::size(serial)?).ok()?)?;
                slot += 1;
                continue;
            }
            for index in 0..count {
                let serial = (block >> (8 * index)) as u8 & 0x7f;
                let (size, class) = SHORT[usize::from(serial)];
                self.put(row, slot + index, Spot { serial: u32::from(serial), start: value as u32 }, u32::from(class));
                value += size as usize;
            }
            at += count;
            slot += count;
        }
        // The record may be older than the last columns.
        (slot..slots).for_each(|slot| self.put(row, slot, Spot::default(), 0));
        (value <= cell.end && at <= cell.body && slot >= least).then_some(())
    }

    #[inline(always)]
    fn put(&mut self, row: usize, slot: usize, spot: Spot, class: u32) {
        self.spots[slot * self.room + row] = spot;
        self.seen[slot] |= 1 << class;
    }

    /// How many rows were found.
    pub(super) fn rows(&self) -> usize {
        self.rowids.len()
    }

    /// Forgets them.
    pub(super) fn clear(&mut self) {
        self.rowids.clear();
    }

    /// One value.
    #[inline(always)]
    pub(super) fn spot(&self, row: usize, slot: usize) -> Spot {
        self.spots.get(slot * self.room + row).copied().unwrap_or_default()
    }

    /// The values of a column, by its place in the records.
    pub(super) fn column(&self, slot: usize) -> &[Spot] {
        self.spots.get(slot * self.room..).and_then(|spots| spots.get(..self.rows())).unwrap_or_default()
    }

    /// The classes of all of them, as bits; there may be more bits than classes.
    pub(super) fn seen(&self, slot: usize) -> u32 {
        self.seen.get(slot).copied().unwrap_or(u32::MAX)
    }
}

/// The size and the class of a value whose type has one byte. Types that there are not have more than any page.
const SHORT: [(u32, u8); 128] = {
    let mut all = [(0, 0); 128];
    let mut serial = 0;
    while serial < 128 {
        all[serial] = match serial {
            10 | 11 => (1 << 20, serial as u8),
            0..12 => ([0, 1, 2, 3, 4, 6, 8, 8, 0, 0][serial], serial as u8),
            _ => ((serial as u32 - 12) / 2, 12 + serial as u8 % 2),
        };
        serial += 1;
    }
    all
};

/// Where the parts of a cell are.
#[derive(Debug, Clone, Copy)]
struct Cell {
    rowid: i64,
    types: usize,
    /// Behind the types, where the values begin.
    body: usize,
    end: usize,
}

/// Finds a cell that is whole in its page.
#[inline(always)]
fn cell(page: &[u8], len: usize, start: usize, local: Local) -> Option<Cell> {
    let head: &[u8; 2] = page.get(start..)?.first_chunk()?;
    let (size, at) = match *head {
        [one, _] if one < 0x80 => (usize::from(one), start + 1),
        [one, two] if two < 0x80 => (usize::from(one & 0x7f) << 7 | usize::from(two), start + 2),
        _ => return None,
    };
    let (rowid, width) = varint::read_eight(*page.get(at..)?.first_chunk()?)?;
    let record = at + width;
    let types = usize::from(*page.get(record)?);
    let (body, end) = (record + types, record + size);
    let is_whole = end <= len && size <= local.most() && (1..0x80).contains(&types) && body <= end;
    is_whole.then_some(Cell { rowid, types: record + 1, body, end })
}
