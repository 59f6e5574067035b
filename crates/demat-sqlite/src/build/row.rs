//! Encodes a row in place: at its position in the page.

use super::column::{Column, Take};
use super::number::Converter;
use crate::format::record::{Part, head_len};
use crate::format::{serial, varint};
use demat_core::{Error, ErrorKind, Result};

/// The longest record that SQLite reads.
const LONGEST: usize = 1_000_000_000;
/// The serial type of a value that is not written yet.
const UNTOLD: u64 = u64::MAX;
/// The values of the row come in another order than they are stored in.
const NO_ORDER: usize = usize::MAX;
/// The number of bytes that may be written beyond the reserved ones.
const ROOM: usize = 32;

/// The values of one row, behind the earlier cells of the page.
///
/// Values are written at once, behind a gap for the header that is as long as that of the last row: most rows of a
/// table have headers of equal length. At the end the header is written, and the body is moved if the gap does not fit.
#[derive(Debug)]
pub(super) struct Row {
    /// The earlier cells up to `base`, then this row.
    pub(super) bytes: Vec<u8>,
    base: usize,
    body: usize,
    at: usize,
    /// The values in storage order.
    slots: Vec<Slot>,
    /// Whether each slot is `NOT NULL`.
    required: Vec<bool>,
    /// Whether a `NOT NULL` value is null.
    lacks: bool,
    /// The bitwise or of all serial types.
    serials: u64,
    /// The next slot; [`NO_ORDER`] if the values come out of order.
    next: usize,
    /// The length of the last header.
    front: usize,
    pub(super) rowid: Option<i64>,
    scratch: Vec<u8>,
    converter: Converter,
}

/// A value: its serial type, and the position of its bytes.
#[derive(Debug, Clone, Copy)]
struct Slot {
    serial: u64,
    start: u32,
    len: u32,
}

/// The position of a record in [`Row::bytes`].
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordSpan {
    /// The start of the cell, which begins with the length of the record.
    pub(super) cell: usize,
    pub(super) record: usize,
    pub(super) end: usize,
}

impl Row {
    pub(super) fn new(columns: &[Column], page_size: usize) -> Self {
        let slots = columns.len();
        let mut required = vec![false; slots];
        for column in columns.iter().filter(|column| column.not_null && column.take != Take::Rowid) {
            required[column.slot] = true;
        }
        Self {
            bytes: vec![0; 2 * page_size + ROOM],
            base: 0,
            body: 0,
            at: 0,
            slots: vec![Slot { serial: UNTOLD, start: 0, len: 0 }; slots],
            required,
            lacks: false,
            serials: 0,
            next: 0,
            front: 2 + slots,
            rowid: None,
            scratch: Vec::new(),
            converter: Converter::default(),
        }
    }

    /// Begins a row behind the earlier cells.
    #[inline]
    pub(super) fn begin(&mut self, base: usize) {
        self.base = base;
        self.body = base + self.front;
        self.at = self.body;
        self.next = 0;
        self.lacks = false;
        self.serials = 0;
        self.rowid = None;
    }

    /// Reserves this many bytes, and [`ROOM`].
    #[inline(always)]
    fn reserve(&mut self, len: usize) -> Result<()> {
        if self.at + len + ROOM <= self.bytes.len() { Ok(()) } else { self.grow(len) }
    }

    #[cold]
    fn grow(&mut self, len: usize) -> Result<()> {
        if self.at - self.base + len > LONGEST {
            return Err(Error::limit("the length of a row", format!("{LONGEST} bytes")));
        }
        let needed = self.at + len + ROOM;
        self.bytes.resize(needed.max(2 * self.bytes.len()), 0);
        Ok(())
    }

    /// Ends a value, whose bytes have been written.
    #[inline(always)]
    fn took(&mut self, slot: usize, serial: u64, len: usize) {
        let start = self.at as u32;
        if slot != self.next {
            self.lose_order();
        }
        if let Some(own) = self.slots.get_mut(slot) {
            *own = Slot { serial, start, len: len as u32 };
        }
        self.serials |= serial;
        self.next = self.next.saturating_add(1);
        self.at += len;
    }

    /// Switches to values out of order.
    #[cold]
    fn lose_order(&mut self) {
        if self.next != NO_ORDER {
            let rest = self.next.min(self.slots.len());
            self.slots[rest..].iter_mut().for_each(|slot| slot.serial = UNTOLD);
            self.next = NO_ORDER;
        }
    }

    #[inline]
    pub(super) fn null(&mut self, column: &Column) {
        if column.take == Take::Rowid {
            self.rowid = None;
        } else {
            self.lacks |= column.not_null;
        }
        self.took(column.slot, serial::NULL, 0);
    }

    #[inline(always)]
    pub(super) fn int(&mut self, column: &Column, value: i64) -> Result<()> {
        match column.take {
            Take::Number | Take::AsIs => self.plain_int(column.slot, value),
            Take::Rowid => {
                self.rowid = Some(value);
                self.took(column.slot, serial::NULL, 0);
                Ok(())
            }
            _ => self.converted_int(column, value),
        }
    }

    #[inline(always)]
    fn plain_int(&mut self, slot: usize, value: i64) -> Result<()> {
        self.reserve(8)?;
        let (serial, len) = serial::of_int(value);
        if len > 0 {
            let bytes = (value << (64 - 8 * len)).to_be_bytes();
            self.bytes[self.at..self.at + 8].copy_from_slice(&bytes);
        }
        self.took(slot, serial, len);
        Ok(())
    }

    #[cold]
    #[allow(clippy::cast_precision_loss)] // as SQLite does
    fn converted_int(&mut self, column: &Column, value: i64) -> Result<()> {
        match column.take {
            // SQLite stores an integral float as an integer if that is shorter.
            Take::Real if serial::of_int(value).0 == 6 => self.plain_real(column.slot, value as f64),
            Take::Text => self.plain_text(column.slot, value.to_string().as_bytes()),
            Take::Blob => Err(refused("INTEGER", column)),
            _ => self.plain_int(column.slot, value),
        }
    }

    #[inline]
    pub(super) fn real(&mut self, column: &Column, value: f64) -> Result<()> {
        if value.is_nan() {
            self.null(column);
            return Ok(());
        }
        if column.take == Take::AsIs {
            return self.plain_real(column.slot, value);
        }
        if column.take == Take::Text {
            let text = self.converter.text_of(value)?;
            return self.plain_text(column.slot, text.as_bytes());
        }
        match whole(value) {
            _ if column.take == Take::Blob => Err(refused("REAL", column)),
            Some(int) => self.int(column, int),
            None if column.take == Take::Rowid || column.refuses_real => Err(refused("REAL", column)),
            None => self.plain_real(column.slot, value),
        }
    }

    fn plain_real(&mut self, slot: usize, value: f64) -> Result<()> {
        self.reserve(8)?;
        self.bytes[self.at..self.at + 8].copy_from_slice(&value.to_be_bytes());
        self.took(slot, serial::REAL, 8);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn text(&mut self, column: &Column, value: &str) -> Result<()> {
        match column.take {
            Take::Text | Take::AsIs => self.plain_text(column.slot, value.as_bytes()),
            _ => self.converted_text(column, value),
        }
    }

    #[inline(always)]
    fn plain_text(&mut self, slot: usize, value: &[u8]) -> Result<()> {
        self.reserve(value.len())?;
        copy(value, &mut self.bytes[self.at..self.at + value.len()]);
        self.took(slot, serial::of_text(value.len()), value.len());
        Ok(())
    }

    #[cold]
    fn converted_text(&mut self, column: &Column, value: &str) -> Result<()> {
        let number = if column.take == Take::Blob { None } else { self.converter.number_of(value)? };
        match number {
            Some(Part::Int(int)) => self.int(column, int),
            Some(Part::Real(real)) => self.real(column, real),
            _ if column.strict || column.take == Take::Rowid => Err(refused("TEXT", column)),
            _ => self.plain_text(column.slot, value.as_bytes()),
        }
    }

    pub(super) fn blob(&mut self, column: &Column, value: &[u8]) -> Result<()> {
        if column.take == Take::Rowid || (column.strict && !matches!(column.take, Take::Blob | Take::AsIs)) {
            return Err(refused("BLOB", column));
        }
        self.reserve(value.len())?;
        self.bytes[self.at..self.at + value.len()].copy_from_slice(value);
        self.took(column.slot, serial::of_blob(value.len()), value.len());
        Ok(())
    }

    /// Sets missing values to null, and checks `NOT NULL`.
    #[inline]
    pub(super) fn complete(&mut self, columns: &[Column]) -> Result<()> {
        if self.is_whole() && !self.lacks { Ok(()) } else { self.complete_rest(columns) }
    }

    /// Returns whether all values were written once, in storage order.
    #[inline(always)]
    fn is_whole(&self) -> bool {
        self.next == self.slots.len()
    }

    #[cold]
    fn complete_rest(&mut self, columns: &[Column]) -> Result<()> {
        if !self.is_whole() {
            self.lose_order();
        }
        for column in columns {
            if self.slots[column.slot].serial == UNTOLD {
                self.default(column)?;
            }
            if self.required[column.slot] && self.slots[column.slot].serial == serial::NULL {
                return Err(null_in(column));
            }
        }
        Ok(())
    }

    fn default(&mut self, column: &Column) -> Result<()> {
        use rusqlite::types::Value;
        match &column.default {
            Some(Value::Null) => self.null(column),
            Some(Value::Integer(value)) => self.int(column, *value)?,
            Some(Value::Real(value)) => self.real(column, *value)?,
            Some(Value::Text(value)) => self.text(column, value)?,
            Some(Value::Blob(value)) => self.blob(column, value)?,
            None => {
                let message = "is left out, and its default is an expression whose value is not always the same";
                return Err(Error::new(ErrorKind::Constraint, format!("the column `{}` {message}", column.name)));
            }
        }
        Ok(())
    }

    /// Writes the header in front of the values, and the rowid if there is one.
    #[inline]
    pub(super) fn close(&mut self, rowid: Option<i64>) -> Result<RecordSpan> {
        if !self.is_whole() {
            self.put_in_order();
        }
        // Most serial types take one byte.
        let short = self.serials < 0x80;
        let types = if short { self.slots.len() } else { self.slots.iter().map(|slot| varint::len(slot.serial)).sum() };
        let head = if types < 0x7f { types + 1 } else { head_len(types) };
        let body = self.at - self.body;
        let payload = head + body;
        let front = varint::len(payload as u64) + rowid.map_or(0, |rowid| varint::len(rowid.cast_unsigned()));
        let start = self.base + front + head;
        self.front = front + head;
        if start != self.body {
            self.move_body(start)?;
        }
        let bytes = &mut self.bytes[self.base..];
        let mut at = varint::write(payload as u64, bytes);
        if let Some(rowid) = rowid {
            at += varint::write(rowid.cast_unsigned(), &mut bytes[at..]);
        }
        let record = self.base + at;
        at += varint::write(head as u64, &mut bytes[at..]);
        if short {
            for (byte, slot) in bytes[at..].iter_mut().zip(&self.slots) {
                *byte = slot.serial as u8;
            }
        } else {
            // The values follow immediately.
            for slot in &self.slots {
                at += varint::write_exactly(slot.serial, &mut bytes[at..]);
            }
        }
        Ok(RecordSpan { cell: self.base, record, end: record + payload })
    }

    #[cold]
    fn move_body(&mut self, start: usize) -> Result<()> {
        let (from, to) = (self.body, self.at);
        if start > from {
            self.reserve(start - from + ROOM)?;
        }
        self.bytes.copy_within(from..to, start);
        for slot in &mut self.slots {
            slot.start = (slot.start as usize + start).wrapping_sub(from) as u32;
        }
        (self.body, self.at) = (start, start + (to - from));
        Ok(())
    }

    /// Reorders the values: they came out of order, or one came twice.
    #[cold]
    fn put_in_order(&mut self) {
        self.scratch.clear();
        for slot in &mut self.slots {
            let (start, len) = (slot.start as usize, slot.len as usize);
            slot.start = (self.body + self.scratch.len()) as u32;
            self.scratch.extend_from_slice(&self.bytes[start..start + len]);
        }
        self.at = self.body + self.scratch.len();
        self.bytes[self.body..self.at].copy_from_slice(&self.scratch);
    }

    /// Returns the encoded value of a slot.
    #[inline]
    pub(super) fn raw(&self, slot: usize) -> (u64, &[u8]) {
        let Slot { serial, start, len } = self.slots[slot];
        (serial, &self.bytes[start as usize..][..len as usize])
    }
}

/// Copies bytes, usually few: with two overlapping loads and stores, and without a call.
#[inline(always)]
fn copy(from: &[u8], to: &mut [u8]) {
    let len = from.len();
    if (8..=16).contains(&len) {
        copy_ends::<8>(from, to);
    } else if (4..8).contains(&len) {
        copy_ends::<4>(from, to);
    } else if (17..=32).contains(&len) {
        copy_ends::<16>(from, to);
    } else {
        to.copy_from_slice(from);
    }
}

#[inline(always)]
fn copy_ends<const N: usize>(from: &[u8], to: &mut [u8]) {
    if let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) {
        if let Some(to) = to.first_chunk_mut() {
            *to = *first;
        }
        if let Some(to) = to.last_chunk_mut() {
            *to = *last;
        }
    }
}

/// Returns the integer as which SQLite stores an integral float.
#[allow(clippy::cast_precision_loss, clippy::float_cmp)] // as SQLite does
fn whole(value: f64) -> Option<i64> {
    let int = value as i64;
    (int as f64 == value && int > i64::MIN && int < i64::MAX).then_some(int)
}

#[cold]
fn refused(found: &'static str, column: &Column) -> Error {
    let expected = if column.take == Take::Rowid { "INTEGER" } else { column.declared.as_str() };
    Error::mismatch(ErrorKind::Type, expected.to_string(), found)
}

#[cold]
fn null_in(column: &Column) -> Error {
    Error::mismatch(ErrorKind::Constraint, "a value, as the column is NOT NULL", "null")
        .within_field(column.name.clone())
}
