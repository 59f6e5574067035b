//! The order of records in an index.

use super::collation::{Collation, trimmed};
use super::record::{Part, Parts};
use core::cmp::Ordering;

/// The order of an index's column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyColumn {
    pub(crate) collation: Collation,
    pub(crate) descending: bool,
}

/// Compares records by their first values, one per column.
pub(crate) fn compare(columns: &[KeyColumn], one: &[u8], other: &[u8]) -> Ordering {
    let (mut one, mut other) = (Parts::of(one), Parts::of(other));
    for column in columns {
        let order = match (one.next(), other.next()) {
            (Some(a), Some(b)) => compare_parts(a, b, column.collation),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        if order.is_ne() {
            return if column.descending { order.reverse() } else { order };
        }
    }
    Ordering::Equal
}

/// Returns whether one of the first `columns` values is null: such keys equal no other key.
pub(crate) fn has_null(columns: usize, record: &[u8]) -> bool {
    Parts::of(record).take(columns).any(|part| part == Part::Null)
}

fn compare_parts(one: Part<'_>, other: Part<'_>, collation: Collation) -> Ordering {
    match (one, other) {
        (Part::Text(a), Part::Text(b)) => collation.compare(a, b),
        (Part::Blob(a), Part::Blob(b)) => a.cmp(b),
        (Part::Int(a), Part::Int(b)) => a.cmp(&b),
        (Part::Real(a), Part::Real(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
        (Part::Int(a), Part::Real(b)) => int_to_real(a, b),
        (Part::Real(a), Part::Int(b)) => int_to_real(b, a).reverse(),
        _ => class(one).cmp(&class(other)),
    }
}

/// Null sorts first, then numbers, texts and blobs.
fn class(part: Part<'_>) -> u8 {
    match part {
        Part::Null => 0,
        Part::Int(_) | Part::Real(_) => 1,
        Part::Text(_) => 2,
        Part::Blob(_) => 3,
    }
}

/// Compares exactly: converting either value to the other's type might round.
#[allow(clippy::cast_precision_loss)] // values that rounding can't distinguish are compared separately
fn int_to_real(int: i64, real: f64) -> Ordering {
    const EDGE: f64 = 9_223_372_036_854_775_808.0;
    if real < -EDGE {
        return Ordering::Greater;
    }
    if real >= EDGE {
        return Ordering::Less;
    }
    int.cmp(&(real as i64)).then_with(|| (int as f64).partial_cmp(&real).unwrap_or(Ordering::Equal))
}

/// A prefix of a key with the same order as far as it goes: different fronts have the order of the keys. Equal fronts
/// decide nothing, unless they are [whole](Self::is_whole). Comparing fronts first avoids most accesses to the records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Front {
    /// The class of the value, and its first 62 bits.
    first: u64,
    /// The next bytes of a text, and a byte with its length, or [`MORE`].
    second: u64,
}

/// The last byte of a front that does not contain the whole value.
const MORE: u64 = 0xff;
/// The number of bytes of a text in a front.
const HELD: usize = 14;

impl Front {
    /// The front of a rowid, which contains its whole order.
    #[inline]
    pub(crate) fn of_rowid(rowid: u64) -> Self {
        Self { first: rowid, second: 0 }
    }

    /// The front of a record's first value.
    #[inline]
    pub(crate) fn of(column: KeyColumn, record: &[u8]) -> Self {
        let own = Parts::of(record)
            .next()
            .map_or(Self { first: 0, second: MORE }, |part| Self::of_part(part, column.collation));
        if column.descending { Self { first: !own.first, second: !own.second } } else { own }
    }

    /// Returns whether equal fronts of this column mean equal values.
    #[inline]
    pub(crate) fn is_whole(self, column: KeyColumn) -> bool {
        let second = if column.descending { !self.second } else { self.second };
        second & 0xff != MORE
    }

    #[inline]
    #[allow(clippy::cast_precision_loss)] // rounding keeps the order, and equal results are compared in full
    fn of_part(part: Part<'_>, collation: Collation) -> Self {
        let part_of = |first| Self { first, second: MORE };
        match part {
            Part::Null => Self::default(),
            Part::Int(value) => part_of(front_of_number(value as f64)),
            Part::Real(value) => part_of(front_of_number(value)),
            Part::Text(text) => match collation {
                Collation::Binary => Self::of_bytes(2 << 62, text),
                Collation::NoCase => part_of(2 << 62 | first_without_case(text) >> 2),
                Collation::RTrim => Self::of_bytes(2 << 62, trimmed(text)),
            },
            Part::Blob(bytes) => Self::of_bytes(3 << 62, bytes),
        }
    }

    /// The front of bytes in binary order. Shorter ones are padded with zeros; the length distinguishes them from bytes
    /// that end with zeros.
    #[inline]
    fn of_bytes(class: u64, bytes: &[u8]) -> Self {
        let mut held = [0; 16];
        let len = bytes.len().min(HELD);
        held[..len].copy_from_slice(&bytes[..len]);
        let all = u128::from_be_bytes(held);
        let rest = if bytes.len() > HELD { MORE } else { len as u64 };
        // The first word has only six bits of the eighth byte, so the second word begins with that byte.
        Self { first: class | (all >> 66) as u64, second: ((all >> 16) as u64) << 8 | rest }
    }
}

/// Maps floats to integers with the same order, by adjusting the sign; both zeros are equal.
fn front_of_number(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    let ordered = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
    1 << 62 | ordered >> 2
}

/// Returns the first eight bytes in lower case. After a NUL, only the lengths count.
fn first_without_case(text: &[u8]) -> u64 {
    let mut eight = [0; 8];
    for (to, from) in eight.iter_mut().zip(text.iter().take_while(|byte| **byte != 0)) {
        *to = from.to_ascii_lowercase();
    }
    u64::from_be_bytes(eight)
}

/// Returns the first values of a record as text, for errors.
pub(crate) fn shown(columns: usize, record: &[u8]) -> String {
    let parts = Parts::of(record).take(columns).map(|part| match part {
        Part::Null => "NULL".to_string(),
        Part::Int(value) => value.to_string(),
        Part::Real(value) => format!("{value:?}"),
        Part::Text(text) => {
            let text = String::from_utf8_lossy(text);
            let short: String = text.chars().take(60).collect();
            if short.len() < text.len() { format!("'{short}…'") } else { format!("'{short}'") }
        }
        Part::Blob(bytes) => format!("a blob of {} bytes", bytes.len()),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Returns the last value of a record, if it is an integer: in the index of a table with rowids, the rowid.
pub(crate) fn rowid(record: &[u8]) -> Option<i64> {
    match Parts::of(record).last()? {
        Part::Int(rowid) => Some(rowid),
        _ => None,
    }
}
