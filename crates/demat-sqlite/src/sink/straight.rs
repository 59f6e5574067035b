//! Fast path for rows of plain values: writes them directly to their columns.

use super::{Stands, TableSink};
use crate::Cell;
use crate::stored::Stored;
use crate::write::RowWriter;
use demat_core::{Record, Result};

/// A plain value, whose type is that of its column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Plain<'v> {
    /// NULL.
    Null,
    /// A bool.
    Bool(bool),
    /// A 64-bit integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// Text.
    Text(&'v str),
}

impl<T: RowWriter> TableSink<T> {
    /// Begins a row whose fields are written directly, if the row writer is direct and the record's fields are known.
    /// Returns false if the record must be written through the sink.
    ///
    /// # Errors
    /// If the row writer accepts no more.
    #[inline(always)]
    pub fn open_straight(&mut self, record: &Record) -> Result<bool> {
        let known = self.fields.identity == Some(record.identity()) && !self.fields.plain.is_empty();
        let may = T::DIRECT && self.stands == Stands::InList && known;
        if may {
            self.taker.begin_row()?;
        }
        Ok(may)
    }

    /// Writes the value of a field of that row; false if the record must be written through the sink. Then the row is
    /// begun again, and its values so far are discarded.
    ///
    /// # Errors
    /// If the value is refused.
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

    /// Ends the row.
    ///
    /// # Errors
    /// If the row is refused.
    #[inline(always)]
    pub fn close_straight(&mut self) -> Result<()> {
        self.taker.end_row()?;
        self.taken += 1;
        Ok(())
    }
}
