//! The order that entries are sorted in.

use crate::format::key::{self, KeyColumn};
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
    /// A number that is in the same order as far as it goes.
    #[inline]
    pub(super) fn front(&self, entry: &[u8]) -> u64 {
        match self {
            // With the sign turned round the bytes are in the order of the numbers.
            Self::Rowid => entry.first_chunk().map_or(0, |rowid| u64::from_be_bytes(*rowid) ^ 1 << 63),
            Self::Columns(columns) => columns.first().map_or(0, |column| key::front(*column, entry)),
        }
    }

    /// Compares entries whose fronts are the same.
    #[inline]
    pub(super) fn rest(&self, one: &[u8], other: &[u8]) -> Ordering {
        match self {
            Self::Rowid => Ordering::Equal,
            Self::Columns(columns) => key::compare(columns, one, other),
        }
    }
}
