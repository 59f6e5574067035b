//! The open containers, and what a source reads next.

use super::super::schema::NodeId;

/// A container that the source has stepped into.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) within: Within,
    /// The node of its items or values; of a record, the index of the record.
    pub(super) node: NodeId,
    /// The number of children of the block that are left; of a map, twice that, plus 1 at a value. The next field of a
    /// record.
    pub(super) cursor: u32,
}

/// The kind of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Within {
    /// The values of the file.
    #[default]
    File,
    Array,
    Map,
    Record,
    /// A record that is read as a list.
    Fields,
    /// A variant of a union.
    Variant,
}

/// What a source reads next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stand {
    /// The header.
    Start,
    /// A value of this node.
    Value(NodeId),
    /// The key of this field of the innermost record, which has no bytes.
    Key(u32),
    /// The key of an entry of a map.
    MapKey,
    /// Nothing: a child has ended.
    Nothing,
}

const START: u32 = u32::MAX;
const NOTHING: u32 = u32::MAX - 1;
const MAP_KEY: u32 = u32::MAX - 2;
/// The schema's text limits the number of fields and nodes.
const KEY: u32 = 1 << 31;

impl Stand {
    /// Returns the word for a mark.
    pub(super) fn to_word(self) -> u32 {
        match self {
            Self::Start => START,
            Self::Nothing => NOTHING,
            Self::MapKey => MAP_KEY,
            Self::Key(field) => KEY | field,
            Self::Value(node) => node,
        }
    }

    pub(super) fn of_word(word: u32) -> Self {
        match word {
            START => Self::Start,
            NOTHING => Self::Nothing,
            MAP_KEY => Self::MapKey,
            word if word & KEY != 0 => Self::Key(word & !KEY),
            node => Self::Value(node),
        }
    }
}
