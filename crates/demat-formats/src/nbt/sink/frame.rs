//! The open lists and compounds.

use super::super::Tag;
use super::expect::{Expect, Items};

/// An open container.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) within: Within,
    /// What is known about its items or values.
    pub(super) items: Items,
    /// The offset of the count, which follows the item tag of a list. `None` if the bytes were already passed to the
    /// drain.
    pub(super) at: Option<usize>,
    /// The number of bytes reserved for them.
    pub(super) reserved: usize,
    /// The tag of the items, once known.
    pub(super) tag: Option<Tag>,
    /// The count that was written at the beginning, if it was known.
    pub(super) announced: Option<u32>,
    pub(super) count: u64,
    /// Whether only the values decide which ints the items are. Then they are longs until the list ends.
    pub(super) is_loose: bool,
    /// Whether all ints so far fit 32 bits.
    pub(super) is_narrow: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    List,
    /// An array whose items have this tag.
    Array,
    Compound,
    /// A sequence of compounds.
    Sequence,
    /// The record with the outermost value as its only entry.
    Root,
}

impl Frame {
    pub(super) fn new(within: Within, items: Items) -> Self {
        Self {
            within,
            items,
            at: None,
            reserved: 0,
            tag: None,
            announced: None,
            count: 0,
            is_loose: false,
            is_narrow: true,
        }
    }

    pub(super) fn of_entries(within: Within, values: Expect) -> Self {
        Self::new(within, Items::All(values))
    }

    /// Returns whether its count or item tag can only be written when it ends.
    pub(super) fn is_pending(&self) -> bool {
        match self.within {
            Within::List => self.announced.is_none() || self.tag.is_none() || self.is_loose,
            Within::Array => self.announced.is_none(),
            Within::Compound | Within::Sequence | Within::Root => false,
        }
    }
}
