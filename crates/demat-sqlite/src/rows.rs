//! Rows, whoever has them.

use crate::source::PlainRows;
use demat_core::{Result, Sink};

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

/// A value as SQLite keeps it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Raw<'r> {
    /// NULL.
    Null,
    /// A whole number.
    Int(i64),
    /// A float.
    Real(f64),
    /// Text: UTF-8, unless somebody has put something else there.
    Text(&'r [u8]),
    /// Bytes.
    Blob(&'r [u8]),
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
    /// The row's rowid, if it is known.
    fn rowid(&self) -> Option<i64> {
        None
    }
    /// The value, whatever it is, good until the next step.
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

    /// Steps on through rows that are at hand together, and tells each as an item of a list that has begun, committed, as long
    /// as they are what `straight` says; gives how many. Who asks row by row gets those behind.
    ///
    /// # Errors
    /// What commits say.
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
