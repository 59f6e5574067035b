/// A position in a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Position {
    /// The offset in bytes from the start of the place.
    pub offset: Option<u64>,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column in characters, from 1.
    pub column: Option<u64>,
    /// The number of the record, from 1, if the place is a sequence of records.
    pub record: Option<u64>,
}

/// A position that a source can be reset to ([`Source::mark`](crate::Source::mark)).
///
/// It is valid for the source that made it, and for one over a later window of the same place that continues from
/// there. `offset` counts bytes from the start of that source's window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    /// The offset in bytes (or columns, or rows) from the start of the source's window.
    pub offset: usize,
    /// Any other state that the source needs to continue from there.
    pub state: [u32; 4],
}
