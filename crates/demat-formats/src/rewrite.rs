//! Writes a record of a text anew, with the bytes of all that did not change.

/// A record that was read and changed, with how a sink writes it before and after the change.
#[derive(Debug, Clone, Copy)]
pub struct Rewrite<'r> {
    /// Its bytes in the text.
    pub old: &'r [u8],
    /// The names of the columns of the table that it is in; none without a header, and in other texts.
    pub columns: &'r [String],
    /// A whole document of the record as it was read.
    pub before: &'r [u8],
    /// A whole document of the record as it is now.
    pub after: &'r [u8],
}
