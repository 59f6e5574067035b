//! Changes to some items of a list.

use crate::given::Given;
use crate::verb::Verb;
use core::fmt;

/// What is done with each item that a query wants; see [`Store::change_each`](crate::Store::change_each).
pub enum Each<'v> {
    /// It is deleted.
    Delete,
    /// Those fields of it that are given get new values.
    Patch(&'v mut dyn Given),
}

impl Each<'_> {
    /// The verb that does the same to one value.
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
