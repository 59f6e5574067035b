//! Bulk changes to the items of a list.

use crate::given::Given;
use crate::verb::Verb;
use core::fmt;

/// The change to each item that matches a query; see [`Store::change_each`](crate::Store::change_each).
pub enum Each<'v> {
    /// Delete the item.
    Delete,
    /// Set the given fields of the item.
    Patch(&'v mut dyn Given),
}

impl Each<'_> {
    /// The verb for the same change to a single value.
    pub fn verb(&self) -> Verb {
        match self {
            Self::Delete => Verb::Delete,
            Self::Patch(_) => Verb::Patch,
        }
    }
}

impl fmt::Debug for Each<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "each {}", self.verb())
    }
}
