//! Errors for damaged pages.

use demat_core::{Error, ErrorKind};

/// Returns the error for a page with invalid contents.
#[cold]
pub(super) fn damaged(page: u32, what: &str) -> Error {
    Error::new(ErrorKind::Syntax, format!("page {page} of the database is damaged: {what}"))
}
