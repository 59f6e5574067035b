//! Borrowed values of SQLite's storage classes.

/// A value of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// No value.
    Null,
    /// A whole number.
    Int(i64),
    /// A float.
    Real(f64),
    /// Text.
    Text(&'a str),
    /// Bytes.
    Blob(&'a [u8]),
}
