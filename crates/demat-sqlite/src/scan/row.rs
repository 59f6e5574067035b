//! The current row of the scanner.

use super::damage::damaged;
use crate::Cell;
use crate::format::record::Part;
use crate::format::{serial, varint};
use demat_core::{Error, ErrorKind, Result};
use rusqlite::types::Value;

/// A column of the scanned table.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// Its index in the records; `None` for the rowid.
    pub(super) slot: Option<usize>,
    /// Whether its integers are stored floats.
    pub(super) is_real: bool,
    /// The value in records that are older than the column.
    pub(super) default: Value,
}

/// The decoded header of a record.
#[derive(Debug, Default)]
pub(super) struct RecordHeader {
    pub(super) values: Vec<ValueSlot>,
    /// The number of decoded values.
    pub(super) known: usize,
}

/// A value: its serial type, and the start of its bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ValueSlot {
    pub(super) serial: u64,
    pub(super) start: usize,
}

impl RecordHeader {
    /// Decodes the header, up to `wanted` values. Returns the number of bytes that hold these values. If `record` is
    /// shorter, call it again with that many bytes.
    #[inline]
    pub(super) fn find(&mut self, record: &[u8], wanted: usize) -> Option<usize> {
        let (head, mut at) = varint::read(record)?;
        let head = usize::try_from(head).ok()?;
        self.known = 0;
        if head > record.len() {
            return Some(head);
        }
        if self.values.len() < wanted {
            self.values.resize(wanted, ValueSlot::default());
        }
        let types = &record[..head];
        let mut body = head;
        for value in &mut self.values[..wanted] {
            if at >= head {
                break;
            }
            let (serial, len) = varint::read(&types[at..])?;
            at += len;
            *value = ValueSlot { serial, start: body };
            body = body.checked_add(usize::try_from(serial::size(serial)?).ok()?)?;
            self.known += 1;
        }
        Some(body)
    }
}

/// The current row of the scanner.
#[derive(Debug, Clone, Copy)]
pub struct Row<'s> {
    pub(super) record: &'s [u8],
    pub(super) header: &'s RecordHeader,
    pub(super) columns: &'s [Column],
    pub(super) wanted: &'s [usize],
    pub(super) rowid: i64,
    pub(super) page: u32,
    pub(super) number: u64,
}

impl<'s> Row<'s> {
    /// Returns the rowid; 0 in a table without rowids.
    pub fn rowid(&self) -> i64 {
        self.rowid
    }

    /// Returns the value of a column, by its index in the selected columns.
    ///
    /// # Errors
    /// [`Syntax`](ErrorKind::Syntax) if the page is damaged, or a text is not UTF-8.
    #[inline]
    pub fn get(&self, index: usize) -> Result<Cell<'s>> {
        match self.wanted.get(index) {
            Some(column) => self.column(*column),
            None => Err(Error::new(ErrorKind::Store, format!("there is no column {index}"))),
        }
    }

    #[inline(always)]
    pub(super) fn column(&self, column: usize) -> Result<Cell<'s>> {
        let column = &self.columns[column];
        let Some(slot) = column.slot else { return Ok(Cell::Int(self.rowid)) };
        if slot >= self.header.known {
            return Ok(column.default());
        }
        let ValueSlot { serial, start } = self.header.values[slot];
        let size = serial::size(serial).unwrap_or(0) as usize;
        let Some(part) = self.record.get(start..start + size).and_then(|bytes| Part::of(serial, bytes)) else {
            return Err(self.damaged());
        };
        match part {
            Part::Int(value) if column.is_real => Ok(real(value)),
            Part::Int(value) => Ok(Cell::Int(value)),
            Part::Text(text) => match core::str::from_utf8(text) {
                Ok(text) => Ok(Cell::Text(text)),
                Err(_) => Err(self.not_utf8(column)),
            },
            Part::Null => Ok(Cell::Null),
            // SQLite reads NaN as NULL.
            Part::Real(value) if value.is_nan() => Ok(Cell::Null),
            Part::Real(value) => Ok(Cell::Real(value)),
            Part::Blob(bytes) => Ok(Cell::Blob(bytes)),
        }
    }

    #[cold]
    fn damaged(&self) -> Error {
        damaged(self.page, "a record ends early").in_record(self.number)
    }

    #[cold]
    fn not_utf8(&self, column: &Column) -> Error {
        let error = Error::mismatch(ErrorKind::Syntax, "text in UTF-8", "other bytes");
        error.within_field(column.name.clone()).in_record(self.number)
    }
}

#[allow(clippy::cast_precision_loss)] // SQLite stores a float as an integer only if that is lossless
fn real<'a>(value: i64) -> Cell<'a> {
    Cell::Real(value as f64)
}

impl Column {
    fn default(&self) -> Cell<'_> {
        match &self.default {
            Value::Null => Cell::Null,
            Value::Integer(value) => Cell::Int(*value),
            Value::Real(value) => Cell::Real(*value),
            Value::Text(value) => Cell::Text(value),
            Value::Blob(value) => Cell::Blob(value),
        }
    }
}
