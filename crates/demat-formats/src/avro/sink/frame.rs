//! The open containers, and what a sink writes next.

use super::super::schema::NodeId;
use super::run::Run;

/// An open container.
#[derive(Debug, Clone)]
pub(super) enum Frame {
    /// The values of the file.
    File,
    /// Items of this node.
    List {
        item: NodeId,
        run: Run,
    },
    /// Values of this node.
    Map {
        value: NodeId,
        run: Run,
    },
    Record(Fields),
    /// A variant of a union; `wrapped` if its content is in a record.
    Variant {
        wrapped: bool,
    },
}

/// An open record.
#[derive(Debug, Clone)]
pub(super) struct Fields {
    /// The index of the record.
    pub(super) record: u32,
    /// The first of its parts.
    pub(super) parts: usize,
    /// The last field that was written.
    pub(super) last: Option<usize>,
    /// Whether all fields came in order, without a gap.
    pub(super) ordered: bool,
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
    /// The whole.
    #[default]
    Start,
    Value(NodeId),
    /// The key of an entry of a map.
    MapKey,
    /// The key of a field of the innermost record.
    Key,
    Nothing,
}
