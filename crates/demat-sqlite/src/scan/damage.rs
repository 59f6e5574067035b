//! Errors for pages that are not what they should be.

use demat_core::{Error, ErrorKind};

/// A page does not hold what it should.
#[cold]
pub(super) fn damaged(page: u32, what: &str) -> Error {
    Error::new(ErrorKind::Syntax, format!("page {page} of the database is damaged: {what}"))
}
