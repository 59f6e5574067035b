//! Rows, whoever has them.

use demat_core::Result;

/// What SQLite keeps a value as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// NULL.
    Null,
    /// A whole number of 64 bits.
    Int,
    /// A binary64 number.
    Real,
    /// Text.
    Text,
    /// Bytes.
    Blob,
}

/// Rows of the same columns, one after the other: a statement's, or a batch of them.
///
/// A value is asked for as what its class says.
pub trait Rows {
    /// The columns' names.
    fn columns(&self) -> &[String];
    /// Steps to the next row; false where there is none.
    ///
    /// # Errors
    /// What SQLite says.
    fn step(&mut self) -> Result<bool>;
    /// What the row has in a column.
    fn class(&self, column: usize) -> Class;
    /// A whole number.
    fn int(&self, column: usize) -> i64;
    /// A float.
    fn real(&self, column: usize) -> f64;
    /// Text or bytes, good until the next step.
    fn bytes(&self, column: usize) -> &[u8];
}

impl<R: Rows + ?Sized> Rows for &mut R {
    fn columns(&self) -> &[String] {
        (**self).columns()
    }

    #[inline]
    fn step(&mut self) -> Result<bool> {
        (**self).step()
    }

    #[inline]
    fn class(&self, column: usize) -> Class {
        (**self).class(column)
    }

    #[inline]
    fn int(&self, column: usize) -> i64 {
        (**self).int(column)
    }

    #[inline]
    fn real(&self, column: usize) -> f64 {
        (**self).real(column)
    }

    #[inline]
    fn bytes(&self, column: usize) -> &[u8] {
        (**self).bytes(column)
    }
}
