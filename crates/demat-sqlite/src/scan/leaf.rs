//! Decodes all rows of a table's leaf at once.

use crate::format::local::Local;
use crate::format::page::PageKind;
use crate::format::{serial, varint};

/// The positions of the values in a leaf's rows.
///
/// Only for regular rows, which nearly all are: without overflow pages, with short headers, and with a value for every
/// column.
#[derive(Debug, Default)]
pub(super) struct Leaf {
    pub(super) rowids: Vec<i64>,
    /// The values, column by column; each column has room for `room` values.
    spots: Vec<Spot>,
    room: usize,
    /// Per column: a bit mask of the [classes](Spot::class) of its values.
    seen: Vec<u32>,
}

/// A value: its serial type, and the offset of its bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spot {
    pub(super) serial: u32,
    pub(super) start: u32,
}

/// The padding in bytes behind each page, so that eight bytes can be read from any value's start, and sixteen from any
/// text's.
pub(super) const BEHIND: usize = 32;

impl Spot {
    /// Returns the serial type of a number or null; 12 for all blobs, and 13 for all texts.
    #[inline(always)]
    pub(super) fn class(self) -> u32 {
        if self.serial < 12 { self.serial } else { 12 + self.serial % 2 }
    }
}

impl Leaf {
    /// Locates the first `slots` values of a page's rows, up to the first irregular row; returns whether there is no
    /// such row. Up to `missing` values may be missing at the end of a record, and are NULL.
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

    /// Locates the values of one row.
    #[inline(always)]
    fn find(&mut self, page: &[u8], row: usize, cell: Cell, least: usize) -> Option<()> {
        let slots = self.seen.len();
        let (mut at, mut value, mut slot) = (cell.types, cell.body, 0);
        while slot < slots && at < cell.body {
            // Reads one-byte serial types, which nearly all are, eight at a time.
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

    /// Returns the number of located rows.
    pub(super) fn rows(&self) -> usize {
        self.rowids.len()
    }

    /// Removes all rows.
    pub(super) fn clear(&mut self) {
        self.rowids.clear();
    }

    /// Returns a value.
    #[inline(always)]
    pub(super) fn spot(&self, row: usize, slot: usize) -> Spot {
        self.spots.get(slot * self.room + row).copied().unwrap_or_default()
    }

    /// Returns the values of a column, by its index in the records.
    pub(super) fn column(&self, slot: usize) -> &[Spot] {
        self.spots.get(slot * self.room..).and_then(|spots| spots.get(..self.rows())).unwrap_or_default()
    }

    /// Returns the mask of classes of all values; it may contain extra bits.
    pub(super) fn seen(&self, slot: usize) -> u32 {
        self.seen.get(slot).copied().unwrap_or(u32::MAX)
    }
}

/// The size and the class of a value with a one-byte serial type. Reserved types have a size beyond that of any page.
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

/// The positions of a cell's parts.
#[derive(Debug, Clone, Copy)]
struct Cell {
    rowid: i64,
    types: usize,
    /// The end of the serial types, where the values begin.
    body: usize,
    end: usize,
}

/// Locates a cell without overflow pages.
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
