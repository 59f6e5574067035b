//! What a column makes of the values that are told to it.

/// The affinity of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Affinity {
    /// Values stay as they are.
    Blob,
    /// Numbers become text.
    Text,
    /// Text that is a number becomes one, and floats without a fraction become integers.
    Numeric,
    /// As [`Numeric`](Self::Numeric), as far as storing goes.
    Integer,
    /// As [`Numeric`](Self::Numeric), but all numbers are floats when read.
    Real,
}

impl Affinity {
    /// The affinity of a declared type.
    pub(crate) fn of(declared: &str) -> Self {
        let upper = declared.to_ascii_uppercase();
        let has = |words: &[&str]| words.iter().any(|word| upper.contains(word));
        if has(&["INT"]) {
            Self::Integer
        } else if has(&["CHAR", "CLOB", "TEXT"]) {
            Self::Text
        } else if upper.is_empty() || has(&["BLOB"]) {
            Self::Blob
        } else if has(&["REAL", "FLOA", "DOUB"]) {
            Self::Real
        } else {
            Self::Numeric
        }
    }
}
