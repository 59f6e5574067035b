//! Converts scalars to the storage of their column, or refuses them.

use super::{Stands, TableSink};
use crate::Cell;
use crate::affinity::Affinity;
use crate::batch::too_big;
use crate::statement::nan;
use crate::stored::Stored;
use crate::write::RowWriter;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Error, ErrorKind, Result};

/// Integers up to this magnitude are exact as floats.
const EXACT: u64 = 1 << 53;

impl<T: RowWriter> TableSink<T> {
    /// Sets the value of the current column.
    #[inline]
    pub(super) fn put(&mut self, value: Cell<'_>) -> Result<()> {
        if self.stands != Stands::AtValue {
            return Err(self.misplaced());
        }
        if T::DIRECT {
            self.taker.put(self.column, value)?;
        } else {
            self.slots[self.column] = self.batch.add(value).ok_or_else(too_big)?;
        }
        self.stands = Stands::InRow;
        Ok(())
    }

    #[cold]
    fn misplaced(&self) -> Error {
        let table = &self.table.name;
        let message = format!("the rows of the table `{table}` are a list of records, and here is a single value");
        Error::new(ErrorKind::Encode, message)
    }

    #[cold]
    fn unfit(&self, found: &'static str) -> Error {
        if self.stands != Stands::AtValue {
            return self.misplaced();
        }
        Error::mismatch(ErrorKind::Encode, self.stored[self.column].name(), found)
    }

    #[inline]
    fn stored(&self) -> Stored {
        self.stored[self.column]
    }

    fn affinity(&self) -> Affinity {
        self.table.columns[self.column].affinity(self.table.strict)
    }

    pub(super) fn put_bool(&mut self, value: bool) -> Result<()> {
        match self.stored() {
            Stored::Bool | Stored::Any => self.put(Cell::Int(i64::from(value))),
            _ => Err(self.unfit("bool")),
        }
    }

    #[inline]
    pub(super) fn put_int(&mut self, value: i64) -> Result<()> {
        if self.stored() == Stored::Int {
            return self.put(Cell::Int(value));
        }
        self.put_int_elsewhere(value)
    }

    #[cold]
    fn put_int_elsewhere(&mut self, value: i64) -> Result<()> {
        match self.stored() {
            Stored::Any if self.affinity() == Affinity::Text => Err(self.unfit("int")),
            Stored::Any => self.put(Cell::Int(value)),
            Stored::Real if value.unsigned_abs() <= EXACT => self.put(Cell::Real(Int::I64(value).to_f64())),
            Stored::Digits if self.affinity() != Affinity::Text => self.put(Cell::Int(value)),
            Stored::Digits | Stored::Decimal => self.put_kept(&value.to_string()),
            _ => Err(self.unfit("int")),
        }
    }

    pub(super) fn put_big(&mut self, value: &Int<'_>) -> Result<()> {
        if let Some(value) = value.to_i64() {
            return self.put_int(value);
        }
        match self.stored() {
            Stored::Digits | Stored::Decimal => self.put_kept(&value.to_string()),
            Stored::Int | Stored::Any => {
                let hint = "a whole number of 64 bits; a field noted `sql: type TEXT` keeps larger ones";
                Err(Error::mismatch(ErrorKind::Encode, hint, value.to_string()))
            }
            _ => Err(self.unfit("int")),
        }
    }

    pub(super) fn put_float(&mut self, value: f64) -> Result<()> {
        match self.stored() {
            _ if value.is_nan() => Err(nan()),
            Stored::Any if self.affinity() == Affinity::Text => Err(self.unfit("float")),
            Stored::Real | Stored::Any => self.put(Cell::Real(value)),
            Stored::Decimal if value.is_finite() => self.put_kept(&format!("{value:?}")),
            _ => Err(self.unfit("float")),
        }
    }

    #[inline]
    pub(super) fn put_text(&mut self, value: &str) -> Result<()> {
        if self.stored() == Stored::Text {
            return self.put(Cell::Text(value));
        }
        self.put_text_elsewhere(value)
    }

    /// Writes text to a column that stores another type as text: the text must be valid for that type.
    #[inline(never)]
    fn put_text_elsewhere(&mut self, value: &str) -> Result<()> {
        let fits = match self.stored() {
            Stored::DateTime if DateTime::parse(value).is_none() => return Err(Error::no_date_time(value)),
            Stored::Any | Stored::DateTime => true,
            Stored::Date => Date::parse(value).is_some(),
            Stored::Time => Time::parse(value).is_some(),
            Stored::Instant => Instant::parse(value).is_some(),
            Stored::Duration => Duration::parse(value).is_some(),
            Stored::Uuid => Uuid::parse(value).is_some(),
            Stored::Decimal => Decimal::parse(value).is_some(),
            _ => false,
        };
        if fits { self.put_kept(value) } else { Err(self.unfit("text")) }
    }

    pub(super) fn put_bytes(&mut self, value: &[u8]) -> Result<()> {
        match self.stored() {
            Stored::Blob | Stored::Any => self.put(Cell::Blob(value)),
            _ => Err(self.unfit("bytes")),
        }
    }

    /// Writes a value of the type `kind` as text.
    pub(super) fn put_as(&mut self, text: &str, kind: Stored) -> Result<()> {
        match self.stored() {
            Stored::Text | Stored::Any => return self.put_kept(text),
            // Such a column accepts datetimes with an offset and without.
            Stored::Instant if kind == Stored::DateTime => return self.put_kept(text),
            own if own == kind => return self.put_kept(text),
            _ => {}
        }
        Err(self.unfit(kind.name()))
    }

    /// Writes text that must read back unchanged, despite the column's numeric affinity.
    fn put_kept(&mut self, text: &str) -> Result<()> {
        let affinity = self.affinity();
        let number = matches!(self.stored(), Stored::Decimal | Stored::Digits);
        if !(if number { affinity.keeps_number(text) } else { affinity.keeps(text) }) {
            let declared = &self.table.columns[self.column].declared;
            let message = format!("text that a column declared `{declared}` does not turn into another number");
            return Err(Error::mismatch(ErrorKind::Encode, message, text.to_string()));
        }
        self.put(Cell::Text(text))
    }

    /// Writes JSON as the whole value of a column.
    pub(super) fn put_json(&mut self, json: &[u8]) -> Result<()> {
        let text = core::str::from_utf8(json).map_err(|_| self.unfit("bytes"))?;
        self.put_kept(text)
    }
}
