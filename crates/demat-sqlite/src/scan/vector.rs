//! The values of a column in memory.

use super::leaf::{Leaf, Spot};
use crate::format::serial;

/// The values of a column, contiguous.
#[derive(Debug)]
pub struct Vector {
    /// The values; those at nulls are arbitrary.
    pub values: Values,
    /// Whether each value is not null; `None` if none is null.
    pub valid: Option<Vec<bool>>,
}

/// Values of one kind.
#[derive(Debug)]
pub enum Values {
    /// 64-bit integers.
    Ints(Vec<i64>),
    /// Floats.
    Floats(Vec<f64>),
    /// Bools.
    Bools(Vec<bool>),
    /// Texts: their offsets, and the concatenated bytes.
    Texts {
        /// One more than the number of texts: the start of each, and the end of the last.
        offsets: Vec<i32>,
        /// UTF-8.
        data: Vec<u8>,
    },
}

/// How to fill a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filling {
    /// The index in the records; `None` for the rowid.
    pub(super) slot: Option<usize>,
    pub(super) kind: Kind,
    pub(super) may_be_null: bool,
    /// Whether its integers are stored floats.
    pub(super) is_real: bool,
}

/// The kind of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Float,
    Bool,
    Text,
}

/// Masks of [classes](Spot::class): integers, floats, the integers 0 and 1 for bools, and texts.
const INTS: u32 = 0b11_0111_1110;
const REAL: u32 = 1 << serial::REAL;
const BOOLS: u32 = 0b11_0000_0000;
const TEXTS: u32 = 1 << 13;

impl Filling {
    /// Returns how many rows, from the first one on, have a suitable value for the column.
    pub(super) fn fitting(self, leaf: &Leaf, page: &[u8]) -> usize {
        let Some(slot) = self.slot else {
            return if self.kind == Kind::Int { leaf.rows() } else { 0 };
        };
        let own = match self.kind {
            Kind::Int => INTS,
            Kind::Bool => BOOLS,
            Kind::Text => TEXTS,
            Kind::Float if self.is_real => REAL | INTS,
            Kind::Float => REAL,
        };
        let classes = own | u32::from(self.may_be_null);
        // NaN is read as NULL, which this does not handle.
        let is_odd = |spot: &Spot| {
            classes >> spot.class() & 1 == 0
                || spot.class() == u32::from(serial::REAL as u8) && real(page, *spot).is_nan()
        };
        if leaf.seen(slot) & !classes == 0 && self.kind != Kind::Float {
            return leaf.rows();
        }
        leaf.column(slot).iter().position(is_odd).unwrap_or(leaf.rows())
    }
}

impl Vector {
    pub(super) fn new(filling: Filling) -> Self {
        let values = match filling.kind {
            Kind::Int => Values::Ints(Vec::new()),
            Kind::Float => Values::Floats(Vec::new()),
            Kind::Bool => Values::Bools(Vec::new()),
            Kind::Text => Values::Texts { offsets: vec![0], data: Vec::new() },
        };
        Self { values, valid: None }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Ints(values) => values.len(),
            Values::Floats(values) => values.len(),
            Values::Bools(values) => values.len(),
            Values::Texts { offsets, .. } => offsets.len() - 1,
        }
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether the texts of another page could exceed 32-bit offsets.
    pub(super) fn is_full(&self, page: usize) -> bool {
        matches!(&self.values, Values::Texts { data, .. } if data.len() > i32::MAX as usize - page)
    }

    /// Appends the values of the first rows of a page, which are [fitting](Filling::fitting). Returns how many are
    /// valid: a text may not be UTF-8.
    pub(super) fn fill(&mut self, filling: Filling, leaf: &Leaf, page: &[u8], rows: usize) -> usize {
        let Some(slot) = filling.slot else {
            if let Values::Ints(values) = &mut self.values {
                values.extend_from_slice(&leaf.rowids[..rows]);
            }
            return rows;
        };
        let spots = &leaf.column(slot)[..rows];
        if self.valid.is_some() || leaf.seen(slot) & 1 == 1 {
            self.fill_valid(spots);
        }
        match &mut self.values {
            Values::Ints(values) => values.extend(spots.iter().map(|spot| int(page, *spot))),
            Values::Bools(values) => values.extend(spots.iter().map(|spot| spot.serial == 9)),
            Values::Floats(values) => values.extend(spots.iter().map(|spot| float(page, *spot))),
            Values::Texts { offsets, data } => return texts(offsets, data, page, spots),
        }
        rows
    }

    fn fill_valid(&mut self, spots: &[Spot]) {
        let before = self.len();
        let valid = self.valid.get_or_insert_with(|| vec![true; before]);
        valid.extend(spots.iter().map(|spot| spot.serial != 0));
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        if let Some(valid) = &mut self.valid {
            valid.truncate(rows);
        }
        match &mut self.values {
            Values::Ints(values) => values.truncate(rows),
            Values::Floats(values) => values.truncate(rows),
            Values::Bools(values) => values.truncate(rows),
            Values::Texts { offsets, data } => {
                offsets.truncate(rows + 1);
                data.truncate(offsets.last().map_or(0, |end| end.cast_unsigned() as usize));
            }
        }
    }

    /// Reserves room for `times` as many values as there are, and passes the address and size to `room`.
    pub(super) fn reserve(&mut self, times: usize, room: fn(usize, usize)) {
        fn more<T>(values: &mut Vec<T>, times: usize, room: fn(usize, usize)) {
            let wanted = values.len().saturating_mul(times);
            // Untouched memory costs nothing; if the allocation fails, growing later reports it.
            if values.try_reserve_exact(wanted).is_ok() {
                room(values.as_ptr().addr(), values.capacity() * size_of::<T>());
            }
        }
        match &mut self.values {
            Values::Ints(values) => more(values, times, room),
            Values::Floats(values) => more(values, times, room),
            Values::Bools(values) => more(values, times, room),
            Values::Texts { offsets, data } => {
                more(offsets, times, room);
                more(data, times, room);
            }
        }
    }
}

/// Returns eight bytes from a value's start.
#[inline(always)]
fn eight(page: &[u8], spot: Spot) -> [u8; 8] {
    page.get(spot.start as usize..).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or_default()
}

#[inline(always)]
pub(super) fn real(page: &[u8], spot: Spot) -> f64 {
    f64::from_be_bytes(eight(page, spot))
}

/// Decodes an integer of any width without branches; 0 for null.
#[inline(always)]
pub(super) fn int(page: &[u8], spot: Spot) -> i64 {
    const SHIFTS: [u8; 16] = [0, 56, 48, 40, 32, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const MASKS: [i64; 16] = [0, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let serial = spot.serial as usize % 16;
    let wide = i64::from_be_bytes(eight(page, spot)) >> SHIFTS[serial];
    wide & MASKS[serial] | i64::from(serial == 9)
}

#[inline(always)]
#[allow(clippy::cast_precision_loss)] // SQLite stores a float as an integer only if that is lossless
pub(super) fn float(page: &[u8], spot: Spot) -> f64 {
    if u64::from(spot.serial) == serial::REAL { real(page, spot) } else { int(page, spot) as f64 }
}

/// Returns the offset and length of a text; the length is 0 for NULL.
#[inline(always)]
fn place(spot: Spot) -> (usize, usize) {
    (spot.start as usize, (spot.serial.max(13) as usize - 13) / 2)
}

/// The number of bytes to copy at once.
const BLOCK: usize = 16;

/// Appends texts; returns how many of them, from the first one on, are valid: UTF-8, and together no longer than the
/// page.
fn texts(offsets: &mut Vec<i32>, data: &mut Vec<u8>, page: &[u8], spots: &[Spot]) -> usize {
    let first = data.len();
    data.resize(first + page.len(), 0);
    let to = &mut data[first..];
    let mut end = 0;
    let mut fits = true;
    offsets.extend(spots.iter().map(|spot| {
        let (start, len) = place(*spot);
        let block = page.get(start..start + BLOCK).zip(to.get_mut(end..end + BLOCK));
        // Surplus bytes are overwritten by the next text, or truncated.
        if let Some((from, to)) = block.filter(|_| len <= BLOCK) {
            to.copy_from_slice(from);
        } else if let Some((from, to)) = page.get(start..start + len).zip(to.get_mut(end..end + len)) {
            to.copy_from_slice(from);
        } else {
            // In a damaged page, cells may overlap.
            fits = false;
            return ((first + end) as u32).cast_signed();
        }
        end += len;
        ((first + end) as u32).cast_signed() // below the limit, which was checked before
    }));
    data.truncate(first + end);
    if fits && data[first..].is_ascii() {
        return spots.len();
    }
    let mut all = 0;
    let mut is_good = |spot: &Spot| {
        let (start, len) = place(*spot);
        all += len;
        all <= end && core::str::from_utf8(&page[start..start + len]).is_ok()
    };
    spots.iter().position(|spot| !is_good(spot)).unwrap_or(spots.len())
}
