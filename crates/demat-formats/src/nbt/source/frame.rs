//! The open lists and compounds.

use super::super::Tag;

/// A list, compound or sequence that the source has stepped into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(super) within: Within,
    /// The tag of the items.
    pub(super) tag: Tag,
    /// The number of items after the current one.
    pub(super) left: u32,
    /// A bit for each field seen, among the fields that may be null and have no default.
    pub(super) seen: u64,
}

/// The kind of container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    List,
    Compound,
    /// A compound whose end was read. Its omitted fields are null.
    Ended,
    /// A sequence of compounds up to the end of the input.
    Sequence,
    /// The record with the outermost value as its only entry.
    Root,
    /// An array. It does not count as a level.
    Array,
}

impl Frame {
    pub(super) const NOWHERE: Self = Self::new(Within::List, Tag::End, u32::MAX);

    pub(super) const fn new(within: Within, tag: Tag, left: u32) -> Self {
        Self { within, tag, left, seen: 0 }
    }

    /// Returns whether it counts the items that are left, as opposed to the fields seen.
    pub(super) fn is_counted(&self) -> bool {
        !matches!(self.within, Within::Compound | Within::Ended)
    }
}

impl Within {
    const ALL: [Self; 6] = [Self::List, Self::Compound, Self::Ended, Self::Sequence, Self::Root, Self::Array];

    pub(super) fn of(number: u32) -> Self {
        Self::ALL.get(number as usize).copied().unwrap_or(Self::List)
    }
}

/// The open containers of a source.
pub(crate) type Frames<'a> = crate::binary::Frames<'a, Frame>;
