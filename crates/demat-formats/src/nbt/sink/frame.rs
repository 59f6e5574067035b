//! The open lists and compounds.

use super::super::Tag;
use super::expect::{Expect, Items};

/// An open container.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) within: Within,
    /// What is known of its items or values.
    pub(super) items: Items,
    /// Where the count is, and the tag of a list's items before it; `None` if they have left the memory.
    pub(super) at: Option<usize>,
    /// How many bytes they have.
    pub(super) reserved: usize,
    /// The tag of the items, as soon as it is known.
    pub(super) tag: Option<Tag>,
    /// The count that was written, if one was known.
    pub(super) announced: Option<u32>,
    pub(super) count: u64,
    /// Whether the values alone decide which ints the items are. Then they are longs until the list ends.
    pub(super) is_loose: bool,
    /// Whether all of these fit 32 bits.
    pub(super) is_narrow: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    List,
    /// An array, whose items have the tag.
    Array,
    Compound,
    /// Compounds one behind the other.
    Sequence,
    /// The record of which the outermost value is the only entry.
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

    /// Whether its count or the tag of its items can't be written before it ends.
    pub(super) fn is_pending(&self) -> bool {
        match self.within {
            Within::List => self.announced.is_none() || self.tag.is_none() || self.is_loose,
            Within::Array => self.announced.is_none(),
            Within::Compound | Within::Sequence | Within::Root => false,
        }
    }
}
