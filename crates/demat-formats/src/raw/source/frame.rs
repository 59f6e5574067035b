//! The open containers.

use super::super::schema::{Bits, NodeId};

/// A container that the source has stepped into.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Frame {
    pub(super) within: Within,
    /// The node of its items or keys; of a record or tuple, its own.
    pub(super) node: NodeId,
    /// The node of the values of a map.
    pub(super) value: NodeId,
    /// Whether a zero byte follows each child.
    pub(super) padded: bool,
    /// The presence bits of a record.
    pub(super) bits: Bits,
    pub(super) cursor: Cursor,
}

/// The part of a frame that changes with each child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cursor {
    /// The number of children of the block after the current one.
    pub(super) left: u32,
    /// The next field of a record or item of a tuple. In a map: 1 at a key, else 0.
    pub(super) next: u32,
    /// Whether another block follows.
    pub(super) more: bool,
    /// Whether a zero byte follows the current child.
    pub(super) owes: bool,
}

/// The kind of a container.
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
