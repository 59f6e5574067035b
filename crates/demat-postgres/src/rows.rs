//! Rows in the binary format.

use crate::column_type::ColumnType;
use demat_core::Result;

/// A column of rows that are read.
#[derive(Debug, Clone, PartialEq)]
pub struct RowColumn {
    /// Its name.
    pub name: String,
    /// Its type.
    pub own: ColumnType,
}

/// Rows that are stepped through.
pub trait Rows {
    /// The columns.
    fn columns(&self) -> &[RowColumn];

    /// Steps to the next row. Returns false at the end.
    ///
    /// # Errors
    /// If the server reports one, or sends what is no row.
    fn step(&mut self) -> Result<bool>;

    /// The bytes of a cell; `None` for NULL.
    fn cell(&self, column: usize) -> Option<&[u8]>;

    /// Whether the next step may have to wait for the server. It is a guess.
    fn may_wait(&self) -> bool {
        false
    }
}

impl<R: Rows + ?Sized> Rows for Box<R> {
    fn columns(&self) -> &[RowColumn] {
        (**self).columns()
    }

    #[inline]
    fn step(&mut self) -> Result<bool> {
        (**self).step()
    }

    #[inline]
    fn cell(&self, column: usize) -> Option<&[u8]> {
        (**self).cell(column)
    }

    fn may_wait(&self) -> bool {
        (**self).may_wait()
    }
}
