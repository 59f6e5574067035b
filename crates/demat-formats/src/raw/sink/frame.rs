//! The open containers.

use super::super::schema::{Bits, NodeId, Presence};
use super::block::Block;

/// An open container.
#[derive(Debug, Clone)]
pub(super) enum Frame {
    /// Items of this node; `padded` if a zero byte follows each.
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
    /// The offset of its presence bits.
    pub(super) start: usize,
    pub(super) bits: Bits,
    /// The first of its parts.
    pub(super) parts: usize,
    /// The last field that was written.
    pub(super) last: Option<usize>,
    /// Whether all fields came in order.
    pub(super) ordered: bool,
    /// Whether some of its bytes have left the memory.
    pub(super) flushed: bool,
    /// The number of required fields that came.
    pub(super) always: usize,
    /// The map of entries that are no fields, after the first of them.
    pub(super) rest: Option<Block>,
}

/// The start of a field of an open record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) field: usize,
    pub(super) start: usize,
}

/// What the sink writes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stand {
    /// The fingerprint, and then the whole value.
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
