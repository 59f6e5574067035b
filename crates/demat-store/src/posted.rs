//! Several records that are posted at once.

/// What to do with a record whose key is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplicates {
    /// Refuse all records.
    Refuse,
    /// Set the fields that the record has on the one that has its key.
    Merge,
}

/// The outcome of [`Store::post_all`](crate::Store::post_all).
///
/// ```
/// use demat_store::Posted;
/// let posted = Posted { names: vec!["3".into(), "7".into()], created: 1 };
/// assert_eq!(posted.names.len() as u64 - posted.created, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Posted {
    /// The names of the records, in the order in which they came.
    pub names: Vec<String>,
    /// How many of them are new.
    pub created: u64,
}
