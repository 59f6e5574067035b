//! Rows of plain values, put where they belong without a look at what else they could be.

use super::{Stands, TableSink};
use crate::Cell;
use crate::stored::Stored;
use crate::write::RowWriter;
use demat_core::{Record, Result};

/// A plain value, of which a column keeps what it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Plain<'v> {
    /// NULL.
    Null,
    /// A bool.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A float.
    Float(f64),
    /// Text.
    Text(&'v str),
}

impl<T: RowWriter> TableSink<T> {
    /// Begins a row for a record whose fields are put one by one, where the taker is direct and the record is known: false
    /// where it has to be told as any other.
    ///
    /// # Errors
    /// Where the taker takes no more.
    #[inline(always)]
    pub fn open_straight(&mut self, record: &Record) -> Result<bool> {
        let known = self.fields.identity == Some(record.identity()) && !self.fields.plain.is_empty();
        let may = T::DIRECT && self.stands == Stands::InList && known;
        if may {
            self.taker.begin_row()?;
        }
        Ok(may)
    }

    /// Puts the value of a field of that row; false where it has to be told as any other. Then the row is begun again, and
    /// what was put is forgotten.
    ///
    /// # Errors
    /// Where it is refused.
    #[inline(always)]
    pub fn put_straight(&mut self, field: usize, value: Plain<'_>) -> Result<bool> {
        let Some((column, stored)) = self.fields.plain.get(field).copied() else { return Ok(false) };
        let cell = match value {
            Plain::Text(text) if stored == Stored::Text => Cell::Text(text),
            Plain::Int(value) if stored == Stored::Int => Cell::Int(value),
            Plain::Null => Cell::Null,
            Plain::Float(value) if stored == Stored::Real && !value.is_nan() => Cell::Real(value),
            Plain::Bool(value) if stored == Stored::Bool => Cell::Int(i64::from(value)),
            _ => return Ok(false),
        };
        self.taker.put(column, cell)?;
        Ok(true)
    }

    /// The row is whole.
    ///
    /// # Errors
    /// Where it is refused.
    #[inline(always)]
    pub fn close_straight(&mut self) -> Result<()> {
        self.taker.end_row()?;
        self.taken += 1;
        Ok(())
    }
}
