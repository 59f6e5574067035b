//! The sort order of entries.

use crate::format::key::{self, Front, KeyColumn};
use core::cmp::Ordering;

/// How entries compare. The sort is stable.
#[derive(Debug, Clone)]
pub(super) enum Order {
    /// Entries that begin with a rowid in eight bytes.
    Rowid,
    /// Records, by their first values.
    Columns(Vec<KeyColumn>),
}

impl Order {
    /// Returns the prefix of an entry, which orders entries as far as it goes.
    #[inline]
    pub(super) fn front(&self, entry: &[u8]) -> Front {
        match self {
            // With the sign bit inverted, the bytes have the order of the numbers.
            Self::Rowid => Front::of_rowid(entry.first_chunk().map_or(0, |rowid| u64::from_be_bytes(*rowid) ^ 1 << 63)),
            Self::Columns(columns) => columns.first().map_or(Front::default(), |column| Front::of(*column, entry)),
        }
    }

    /// Compares entries with equal fronts.
    #[inline]
    pub(super) fn rest<'e>(&self, front: Front, entries: impl FnOnce() -> (&'e [u8], &'e [u8])) -> Ordering {
        match self {
            Self::Rowid => Ordering::Equal,
            Self::Columns(columns) => match columns.as_slice() {
                [column] if front.is_whole(*column) => Ordering::Equal,
                columns => {
                    let (one, other) = entries();
                    key::compare(columns, one, other)
                }
            },
        }
    }
}
