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
    /// A value that is read as a map of its number and its content: an extension type of MessagePack, or a tag of CBOR.
    /// The source counts the parts.
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
