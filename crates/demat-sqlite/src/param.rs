//! Owned values for the parameters of a statement.

/// A value for a parameter (`?`) of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Param {
    /// NULL.
    Null,
    /// A whole number.
    Int(i64),
    /// A float; NaN is refused, since SQLite would store it as NULL.
    Real(f64),
    /// Text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

impl From<i64> for Param {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Param {
    fn from(value: &str) -> Self {
        Self::Text(value.to_string())
    }
}
