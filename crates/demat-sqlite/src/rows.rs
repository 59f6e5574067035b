//! The interface to rows of any origin.

use crate::source::PlainRows;
use demat_core::{Result, Sink};

/// SQLite's storage class of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// NULL.
    Null,
    /// A 64-bit integer.
    Int,
    /// A binary64 number.
    Real,
    /// Text.
    Text,
    /// Bytes.
    Blob,
}

/// A value in its storage class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Raw<'r> {
    /// NULL.
    Null,
    /// An integer.
    Int(i64),
    /// A float.
    Real(f64),
    /// Text: UTF-8, unless a program has stored other bytes.
    Text(&'r [u8]),
    /// Bytes.
    Blob(&'r [u8]),
}

/// An iterator over rows with the same columns: those of a statement, or of a batch.
///
/// A value is read with the method for its class.
pub trait Rows {
    /// Returns the names of the columns.
    fn columns(&self) -> &[String];
    /// Advances to the next row; false if there is none.
    ///
    /// # Errors
    /// Errors of SQLite.
    fn step(&mut self) -> Result<bool>;
    /// Returns the class of a column's value.
    fn class(&self, column: usize) -> Class;
    /// Returns an integer.
    fn int(&self, column: usize) -> i64;
    /// Returns a float.
    fn real(&self, column: usize) -> f64;
    /// Returns text or bytes, valid until the next step.
    fn bytes(&self, column: usize) -> &[u8];
    /// Returns the rowid, if it is known.
    fn rowid(&self) -> Option<i64> {
        None
    }
    /// Returns the value in its class, valid until the next step.
    #[inline]
    fn raw(&self, column: usize) -> Raw<'_> {
        match self.class(column) {
            Class::Null => Raw::Null,
            Class::Int => Raw::Int(self.int(column)),
            Class::Real => Raw::Real(self.real(column)),
            Class::Text => Raw::Text(self.bytes(column)),
            Class::Blob => Raw::Blob(self.bytes(column)),
        }
    }

    /// Fast path: writes the rows that are in memory to the sink, each as a committed item of a list that has begun, as
    /// long as they match `straight`. Returns their number. The caller reads the following ones row by row.
    ///
    /// # Errors
    /// Errors of commits.
    #[inline]
    fn tell_near<K: Sink + ?Sized>(&mut self, straight: &PlainRows, sink: &mut K) -> Result<u64>
    where
        Self: Sized,
    {
        let _ = (straight, sink);
        Ok(0)
    }
}

impl<R: Rows> Rows for &mut R {
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

    fn rowid(&self) -> Option<i64> {
        (**self).rowid()
    }

    #[inline]
    fn raw(&self, column: usize) -> Raw<'_> {
        (**self).raw(column)
    }

    #[inline]
    fn tell_near<K: Sink + ?Sized>(&mut self, straight: &PlainRows, sink: &mut K) -> Result<u64> {
        (**self).tell_near(straight, sink)
    }
}
