//! The rows of a leaf of a table, all at once.

use super::damage::damaged;
use crate::format::local::Local;
use crate::format::page::PageKind;
use crate::format::{serial, varint};
use demat_core::Result;

/// Where the values of a leaf's rows are.
///
/// Only of rows that are as nearly all are: whole in their page, with short heads, and with a value for every column.
#[derive(Debug, Default)]
pub(super) struct Leaf {
    pub(super) rowids: Vec<i64>,
    /// Of each row so many: the first values.
    spots: Vec<Spot>,
    slots: usize,
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

impl Leaf {
    /// Finds the first `slots` values of the rows of a page, up to the first one that is not as nearly all are; says
    /// whether there is one. `missing` are the columns, from the end, that a row may lack: they are NULL then.
    pub(super) fn read(&mut self, page: &[u8], local: Local, slots: usize, missing: usize) -> bool {
        let len = page.len() - BEHIND;
        let count = usize::from(u16::from_be_bytes([page[3], page[4]]));
        let least = slots - missing.min(slots);
        self.rowids.clear();
        self.rowids.reserve(count);
        self.slots = slots;
        if self.spots.len() < count * slots {
            self.spots.resize(count * slots, Spot::default());
        }
        let pointers = &page[PageKind::TableLeaf.head()..];
        for (row, pointer) in pointers.chunks_exact(2).take(count).enumerate() {
            let start = usize::from(u16::from_be_bytes([pointer[0], pointer[1]]));
            let spots = &mut self.spots[row * slots..][..slots];
            match cell(page, len, start, local, spots, least) {
                Some(rowid) => self.rowids.push(rowid),
                None => return false,
            }
        }
        true
    }

    /// How many rows were found.
    pub(super) fn rows(&self) -> usize {
        self.rowids.len()
    }

    /// The values of a column, by its place in the records.
    pub(super) fn column(&self, slot: usize) -> impl ExactSizeIterator<Item = Spot> {
        let spots = self.spots.get(slot..).unwrap_or_default();
        spots.iter().step_by(self.slots.max(1)).take(self.rows()).copied()
    }
}

/// Finds the values of one row; gives its rowid.
#[inline(always)]
fn cell(page: &[u8], len: usize, start: usize, local: Local, spots: &mut [Spot], least: usize) -> Option<i64> {
    let head: &[u8; 8] = page.get(start..)?.first_chunk()?;
    let (size, mut at) = match *head {
        [one, ..] if one < 0x80 => (usize::from(one), start + 1),
        [one, two, ..] if two < 0x80 => (usize::from(one & 0x7f) << 7 | usize::from(two), start + 2),
        _ => return None,
    };
    let (rowid, width) = varint::read_eight(*page.get(at..)?.first_chunk()?)?;
    at += width;
    let end = at + size;
    let types = usize::from(*page.get(at)?);
    let body = at + types;
    if end > len || size > local.most() || types >= 0x80 || body > end {
        return None;
    }
    let (mut at, mut value) = (at + 1, body);
    let mut found = 0;
    for spot in &mut *spots {
        if at >= body {
            break;
        }
        let (serial, width) = match page.get(at..)?.first_chunk()? {
            [one, ..] if *one < 0x80 => (u32::from(*one), 1),
            [one, two, _] if *two < 0x80 => (u32::from(*one & 0x7f) << 7 | u32::from(*two), 2),
            [one, two, three] if *three < 0x80 => {
                (u32::from(*one & 0x7f) << 14 | u32::from(*two & 0x7f) << 7 | u32::from(*three), 3)
            }
            _ => return None,
        };
        at += width;
        *spot = Spot { serial, start: value as u32 };
        value += serial::size(u64::from(serial))? as usize;
        found += 1;
    }
    if value > end || at > body || found < least {
        return None;
    }
    spots[found..].fill(Spot { serial: 0, start: 0 });
    Some(rowid)
}

/// Looks whether a page is a leaf of a table that has room for what it says.
pub(super) fn is_leaf(page: &[u8], number: u32) -> Result<bool> {
    let kind = page.first().and_then(|kind| PageKind::of(*kind));
    if kind != Some(PageKind::TableLeaf) {
        return Ok(false);
    }
    let count = page.get(3..5).map_or(0, |count| usize::from(u16::from_be_bytes([count[0], count[1]])));
    if PageKind::TableLeaf.head() + 2 * count > page.len() {
        return Err(damaged(number, "it has more cells than it has room for"));
    }
    Ok(true)
}
