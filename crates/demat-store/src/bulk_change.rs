//! Bulk changes to the items of a list.

use crate::body::Body;
use crate::verb::Verb;
use core::fmt;

/// The change to each item that matches a query; see [`Store::change_each`](crate::Store::change_each).
pub enum BulkChange<'v> {
    /// Delete the item.
    Delete,
    /// Set the given fields of the item.
    Patch(&'v mut dyn Body),
}

impl BulkChange<'_> {
    /// The verb for the same change to a single value.
    pub fn verb(&self) -> Verb {
        match self {
            Self::Delete => Verb::Delete,
            Self::Patch(_) => Verb::Patch,
        }
    }
}

impl fmt::Debug for BulkChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "each {}", self.verb())
    }
}
