/// Where in its place a source stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Position {
    /// Bytes from the start of the place.
    pub offset: Option<u64>,
    /// Line, from 1.
    pub line: Option<u64>,
    /// Column in characters, from 1.
    pub column: Option<u64>,
    /// Number of the record, from 1, where the place is a sequence of records.
    pub record: Option<u64>,
}

/// A point that a source can go back to ([`Source::mark`](crate::Source::mark)).
///
/// It means something to the source that made it, or to one over a later window of the same place that was made to
/// go on from there; `offset` counts bytes from the start of that source's window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    /// Bytes (or columns, or rows) from the start of the source's window.
    pub offset: usize,
    /// Whatever else the source needs to stand there again.
    pub state: [u32; 4],
}
