//! The result of a copy.

/// The result of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// The number of records written; 1 for a single document.
    pub records: u64,
    /// The number of records refused.
    pub rejected: u64,
    /// Whether the target was written: not if [`OnError::All`](crate::OnError::All) found a refused record.
    pub written: bool,
    /// The number of bytes read from the place, before decompression.
    pub read: u64,
}
