//! The open containers.

use super::super::schema::{Bits, NodeId, Presence};
use super::block::Block;

/// An open container.
#[derive(Debug, Clone)]
pub(super) enum Frame {
    /// Items of this node; `padded` if a zero byte stands behind each.
    List {
        item: NodeId,
        padded: bool,
        block: Block,
    },
    /// Items of the tuple at this node.
    Tuple {
        node: NodeId,
        next: usize,
    },
    /// Keys and values of these nodes.
    Map {
        key: NodeId,
        value: NodeId,
        padded: bool,
        at_value: bool,
        block: Block,
    },
    Record(Fields),
    /// A union.
    Variant,
}

/// An open record.
#[derive(Debug, Clone)]
pub(super) struct Fields {
    pub(super) node: NodeId,
    /// Where its bits are.
    pub(super) start: usize,
    pub(super) bits: Bits,
    /// The first of its parts.
    pub(super) parts: usize,
    /// The field that came last.
    pub(super) last: Option<usize>,
    /// Whether all came in order.
    pub(super) ordered: bool,
    /// Whether some of its bytes have left the memory.
    pub(super) flushed: bool,
    /// How many fields came that must.
    pub(super) always: usize,
    /// The entries that are no fields, once one came.
    pub(super) rest: Option<Block>,
}

/// Where a field of an open record begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) field: usize,
    pub(super) start: usize,
}

/// What is to be written next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stand {
    /// The fingerprint, and then the whole.
    #[default]
    Start,
    Value(NodeId),
    /// The value of a field of the innermost record.
    Field {
        node: NodeId,
        presence: Presence,
        bit: usize,
    },
    /// The key of a field of the innermost record.
    Key,
    Nothing,
}
