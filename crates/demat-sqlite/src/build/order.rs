//! The order that entries are sorted in.

use crate::format::key::{self, Front, KeyColumn};
use core::cmp::Ordering;

/// How entries compare. Those that are the same come in the order in which they were told.
#[derive(Debug, Clone)]
pub(super) enum Order {
    /// Entries that begin with a rowid in eight bytes.
    Rowid,
    /// Records, by their first values.
    Columns(Vec<KeyColumn>),
}

impl Order {
    /// What is in the same order as far as it goes.
    #[inline]
    pub(super) fn front(&self, entry: &[u8]) -> Front {
        match self {
            // With the sign turned round the bytes are in the order of the numbers.
            Self::Rowid => Front::of_rowid(entry.first_chunk().map_or(0, |rowid| u64::from_be_bytes(*rowid) ^ 1 << 63)),
            Self::Columns(columns) => columns.first().map_or(Front::default(), |column| Front::of(*column, entry)),
        }
    }

    /// Compares entries whose fronts are the same.
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
