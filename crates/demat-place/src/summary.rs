//! What a copy came to.

/// What a copy came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Records written; 1 for a single document.
    pub records: u64,
    /// Records refused.
    pub rejected: u64,
    /// Whether the target was written: not where [`OnError::All`](crate::OnError::All) met a refused record.
    pub written: bool,
    /// Bytes read, as they stand in the place.
    pub read: u64,
}
