//! The open containers.

use super::super::schema::{Bits, NodeId};

/// A container that the source has stepped into.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Frame {
    pub(super) within: Within,
    /// The node of its items or keys; of a record, the record's own; in a tuple, the tuple's.
    pub(super) node: NodeId,
    /// The node of the values of a map.
    pub(super) value: NodeId,
    /// Whether a zero byte stands behind each child.
    pub(super) padded: bool,
    /// Which fields of the record are there.
    pub(super) bits: Bits,
    pub(super) cursor: Cursor,
}

/// What changes with each child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cursor {
    /// The children that the block still has, not counting the current one.
    pub(super) left: u32,
    /// The next field of a record or item of a tuple. In a map: 1 at a key, else 0.
    pub(super) next: u32,
    /// Whether another block follows.
    pub(super) more: bool,
    /// Whether a zero byte stands behind the current child.
    pub(super) owes: bool,
}

/// What was stepped into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Within {
    #[default]
    List,
    Tuple,
    Map,
    /// The map of a record that keeps unknown fields; its keys are read as if they were fields.
    Rest,
    Record,
    /// A value that is read as a list with this one item.
    Single,
    Variant,
}
