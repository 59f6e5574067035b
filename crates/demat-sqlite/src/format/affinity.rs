//! Column affinities, as far as building files needs them.

/// The affinity of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Affinity {
    /// Values stay unchanged.
    Blob,
    /// Numbers become text.
    Text,
    /// Text that is a number becomes one, and floats without a fraction become integers.
    Numeric,
    /// As [`Numeric`](Self::Numeric), for storing.
    Integer,
    /// As [`Numeric`](Self::Numeric), but all numbers are floats when read.
    Real,
}

impl Affinity {
    /// Returns the affinity of a declared type.
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
