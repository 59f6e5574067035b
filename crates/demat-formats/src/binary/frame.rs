//! An open array or map of a source.

/// An array, a map or a sequence that the source has stepped into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) within: Within,
    pub(crate) left: Left,
}

/// The kind of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    Array,
    Map,
    /// Values one after another, to the end of the input.
    Sequence,
    /// An extension type of MessagePack that is read as a map of its code and its content. The source counts the parts.
    Parts,
}

/// How a container ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// After this number of children, not counting the current one.
    Count(u64),
    /// At a break, or at the end of the input.
    Mark,
}
