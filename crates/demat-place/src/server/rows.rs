//! The rows of a server, by COPY or by a statement with parameters.

use demat_core::Result;
use demat_postgres::{CopyOut, CopyRows, QueryRows, RowColumn, Rows};

/// Rows of either kind.
#[derive(Debug)]
pub(super) enum AnyRows {
    Copied(CopyRows<CopyOut>),
    Queried(QueryRows),
}

impl Rows for AnyRows {
    fn columns(&self) -> &[RowColumn] {
        match self {
            Self::Copied(rows) => rows.columns(),
            Self::Queried(rows) => rows.columns(),
        }
    }

    #[inline]
    fn step(&mut self) -> Result<bool> {
        match self {
            Self::Copied(rows) => rows.step(),
            Self::Queried(rows) => rows.step(),
        }
    }

    #[inline]
    fn cell(&self, column: usize) -> Option<&[u8]> {
        match self {
            Self::Copied(rows) => rows.cell(column),
            Self::Queried(rows) => rows.cell(column),
        }
    }
}
