//! The scanner as a source of a list of records.

use super::scanner::Scan;
use crate::Cell;
use demat_core::excerpt;
use demat_core::scalar::{Decimal, Int, Uuid, base64};
use demat_core::{Error, ErrorKind, Kind, Mark, Position, Record, Result, Source, Text, Unknown};
use std::borrow::Cow;

/// The position of the source.
#[derive(Debug, Default)]
pub(super) struct ScanCursor {
    position: ScanPosition,
    /// The next column.
    turn: usize,
    /// Whether the next step returns the current row again, after a reset.
    again: bool,
    /// Whether the source was reset to a row that is gone.
    lost: bool,
    /// The identity of the last record, and the field of each selected column.
    record: Option<u64>,
    fields: Vec<usize>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum ScanPosition {
    /// Before the list.
    #[default]
    Begin,
    /// In the list, between two rows.
    Rows,
    /// At a row.
    Row,
    /// In a row, between two values.
    Between,
    /// At a key.
    Key,
    /// After a key, or at a value.
    Value,
    /// After the list.
    End,
}

const POSITIONS: [ScanPosition; 7] = [
    ScanPosition::Begin,
    ScanPosition::Rows,
    ScanPosition::Row,
    ScanPosition::Between,
    ScanPosition::Key,
    ScanPosition::Value,
    ScanPosition::End,
];

impl Scan<'_> {
    /// Returns the current value.
    #[inline(always)]
    fn here(&self) -> Result<Cell<'_>> {
        if self.cursor.position != ScanPosition::Value {
            return self.name_here();
        }
        let column = self.wanted[self.cursor.turn - 1];
        let row = self.row();
        row.column(column)
    }

    #[cold]
    fn name_here(&self) -> Result<Cell<'_>> {
        match self.cursor.position {
            ScanPosition::Key => Ok(Cell::Text(&self.columns[self.wanted[self.cursor.turn - 1]].name)),
            _ => Err(self.wrong("a value")),
        }
    }

    /// Moves past the current value.
    #[inline(always)]
    fn taken(&mut self) {
        if self.cursor.position == ScanPosition::Value {
            self.cursor.position = ScanPosition::Between;
        }
    }

    #[cold]
    fn wrong(&self, expected: &'static str) -> Error {
        let found = self.kind_here().map_or("nothing", Kind::name);
        Error::expected(expected, found).showing(self.excerpt()).at(self.position())
    }

    /// Returns the excerpt of the value or key here.
    fn excerpt(&self) -> Option<String> {
        let cell = match self.cursor.position {
            ScanPosition::Key => self.name_here(),
            ScanPosition::Value => self.here(),
            _ => return None,
        };
        Some(match cell.ok()? {
            Cell::Null => return None,
            Cell::Int(value) => value.to_string(),
            Cell::Real(value) => format!("{value:?}"),
            Cell::Text(value) => excerpt::text(value),
            Cell::Blob(value) => excerpt::bytes(value),
        })
    }

    fn kind_here(&self) -> Option<Kind> {
        Some(match self.cursor.position {
            ScanPosition::Begin => Kind::List,
            ScanPosition::Row => Kind::Map,
            ScanPosition::Key => Kind::Text,
            ScanPosition::Value => match self.here().ok()? {
                Cell::Null => Kind::Null,
                Cell::Int(_) => Kind::Int,
                Cell::Real(_) => Kind::Float,
                Cell::Text(_) => Kind::Text,
                Cell::Blob(_) => Kind::Bytes,
            },
            ScanPosition::Rows | ScanPosition::Between | ScanPosition::End => return None,
        })
    }

    /// Matches the columns with the fields of a record, and selects them.
    #[cold]
    fn match_fields(&mut self, record: &Record) -> Result<()> {
        let field = |name: &str| {
            let same = |field: &demat_core::Field| field.key().eq_ignore_ascii_case(name);
            record.index_of(name).or_else(|| record.fields().iter().position(same))
        };
        let (mut wanted, mut fields) = (Vec::new(), Vec::new());
        for (at, column) in self.columns.iter().enumerate() {
            let known = match field(&column.name) {
                Some(index) if record.unknown() != Unknown::Keep(index) => Some(index),
                _ => record.unknown_key(&column.name).map_err(|error| error.at(self.position()))?,
            };
            if let Some(index) = known {
                wanted.push(at);
                fields.push(index);
            }
        }
        self.wanted = wanted;
        self.cursor.fields = fields;
        self.cursor.record = Some(record.identity());
        self.want_slots();
        Ok(())
    }

    #[inline]
    fn step_in(&mut self) -> Result<()> {
        if self.cursor.position != ScanPosition::Row {
            return Err(self.wrong("record"));
        }
        self.look()?;
        self.cursor.position = ScanPosition::Between;
        self.cursor.turn = 0;
        Ok(())
    }
}

impl<'a> Source<'a> for Scan<'_> {
    fn peek(&mut self) -> Result<Kind> {
        if self.cursor.position == ScanPosition::Value {
            self.here()?;
        }
        self.kind_here().ok_or_else(|| self.wrong("a value"))
    }
    #[inline]
    fn null(&mut self) -> Result<bool> {
        let null = self.cursor.position == ScanPosition::Value && self.here()? == Cell::Null;
        if null {
            self.taken();
        }
        Ok(null)
    }
    fn bool(&mut self) -> Result<bool> {
        let value = match self.here()? {
            Cell::Int(0) => false,
            Cell::Int(1) => true,
            _ => return Err(self.wrong("bool, as 0 or 1")),
        };
        self.taken();
        Ok(value)
    }
    fn int(&mut self) -> Result<Int<'a>> {
        self.i64().map(Int::I64)
    }
    #[inline]
    fn i64(&mut self) -> Result<i64> {
        let Cell::Int(value) = self.here()? else { return Err(self.wrong("int")) };
        self.taken();
        Ok(value)
    }
    #[inline]
    #[allow(clippy::cast_precision_loss)] // rounds to the nearest float
    fn float(&mut self) -> Result<f64> {
        let value = match self.here()? {
            Cell::Real(value) => value,
            Cell::Int(value) => value as f64,
            _ => return Err(self.wrong("float")),
        };
        self.taken();
        Ok(value)
    }
    #[inline]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        let at_value = self.cursor.position == ScanPosition::Value;
        // Change the position first: the borrow of the text would otherwise last too long.
        if !matches!(self.here()?, Cell::Text(_)) {
            return Err(self.wrong("text"));
        }
        self.taken();
        let column = self.wanted[self.cursor.turn - 1];
        if !at_value {
            return Ok(Text::Scratch(&self.columns[column].name));
        }
        match self.row().column(column)? {
            Cell::Text(text) => Ok(Text::Scratch(text)),
            _ => Err(self.wrong("text")),
        }
    }
    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        let bytes = match self.here()? {
            Cell::Blob(bytes) => Some(bytes.to_vec()),
            Cell::Text(text) => base64::decode(text),
            _ => None,
        };
        let bytes = bytes.ok_or_else(|| self.wrong("bytes"))?;
        self.taken();
        Ok(Cow::Owned(bytes))
    }
    fn decimal(&mut self) -> Result<Decimal<'a>> {
        let decimal = match self.here()? {
            Cell::Int(value) => Decimal::parse(&value.to_string()).map(Decimal::into_owned),
            Cell::Real(value) => Decimal::parse(&value.to_string()).map(Decimal::into_owned),
            Cell::Text(text) => Decimal::parse(text).map(Decimal::into_owned),
            _ => None,
        };
        let decimal = decimal.ok_or_else(|| self.wrong("decimal"))?;
        self.taken();
        Ok(decimal)
    }
    fn uuid(&mut self) -> Result<Uuid> {
        let uuid = match self.here()? {
            Cell::Blob(bytes) => bytes.try_into().ok().map(Uuid),
            Cell::Text(text) => Uuid::parse(text),
            _ => None,
        };
        let uuid = uuid.ok_or_else(|| self.wrong("uuid"))?;
        self.taken();
        Ok(uuid)
    }
    fn list(&mut self) -> Result<Option<usize>> {
        if self.cursor.position != ScanPosition::Begin {
            return Err(self.wrong("list"));
        }
        self.cursor.position = ScanPosition::Rows;
        Ok(None)
    }
    #[inline]
    fn item(&mut self) -> Result<bool> {
        if self.cursor.position != ScanPosition::Rows || self.cursor.lost {
            return Err(self.misplaced());
        }
        let more = core::mem::take(&mut self.cursor.again) || self.step()?;
        self.cursor.position = if more { ScanPosition::Row } else { ScanPosition::End };
        Ok(more)
    }
    fn map(&mut self) -> Result<Option<usize>> {
        if self.cursor.record.take().is_some() {
            self.wanted = (0..self.columns.len()).collect();
            self.want_slots();
        }
        self.step_in()?;
        Ok(Some(self.wanted.len()))
    }
    fn entry(&mut self) -> Result<bool> {
        let more = self.cursor.turn < self.wanted.len();
        self.cursor.turn += usize::from(more);
        self.cursor.position = if more { ScanPosition::Key } else { ScanPosition::Rows };
        Ok(more)
    }
    fn value(&mut self) -> Result<()> {
        self.cursor.position = ScanPosition::Value;
        Ok(())
    }
    #[inline]
    fn record(&mut self, record: &Record) -> Result<()> {
        if self.cursor.record != Some(record.identity()) {
            self.match_fields(record)?;
        }
        self.step_in()
    }
    #[inline]
    fn field(&mut self, record: &Record, _: usize) -> Result<Option<usize>> {
        if self.cursor.record != Some(record.identity()) {
            return self.field_by_key(record);
        }
        let Some(field) = self.cursor.fields.get(self.cursor.turn) else {
            self.cursor.position = ScanPosition::Rows;
            return Ok(None);
        };
        self.cursor.turn += 1;
        self.cursor.position =
            if record.unknown() == Unknown::Keep(*field) { ScanPosition::Key } else { ScanPosition::Value };
        Ok(Some(*field))
    }
    fn skip(&mut self) -> Result<()> {
        self.cursor.position = match self.cursor.position {
            ScanPosition::Value => ScanPosition::Between,
            ScanPosition::Row => ScanPosition::Rows,
            ScanPosition::Begin => ScanPosition::End,
            ScanPosition::Key => ScanPosition::Key,
            ScanPosition::Rows | ScanPosition::Between | ScanPosition::End => return Err(self.wrong("a value")),
        };
        Ok(())
    }
    /// Skips the value and returns no bytes: a row has none of its own.
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.skip()?;
        Ok(Cow::Borrowed(&[]))
    }
    #[inline]
    fn mark(&self) -> Mark {
        let before = self.cursor.again;
        let state = [self.cursor.position as u32, self.cursor.turn as u32, 0, 0];
        Mark { offset: self.number as usize - usize::from(before), state }
    }
    fn reset(&mut self, mark: Mark) {
        self.cursor.position = POSITIONS.get(mark.state[0] as usize).copied().unwrap_or_default();
        self.cursor.turn = mark.state[1] as usize;
        // A reset can only go back within the current row.
        self.cursor.again = mark.offset as u64 + 1 == self.number;
        self.cursor.lost = !self.cursor.again && mark.offset as u64 != self.number;
    }
    fn position(&self) -> Position {
        Position { record: Some(self.number).filter(|number| *number > 0), ..Position::default() }
    }
    fn end(&mut self) -> Result<()> {
        if self.cursor.position == ScanPosition::End { Ok(()) } else { Err(self.wrong("the end")) }
    }
    fn repeated(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
    fn mismatch(&mut self, expected: &'static str) -> Error {
        self.wrong(expected)
    }
}

impl Scan<'_> {
    #[cold]
    fn misplaced(&self) -> Error {
        let message = if self.cursor.lost {
            "a table can't be read again from a row that was passed"
        } else {
            "there is no list here"
        };
        Error::new(ErrorKind::Store, message).at(self.position())
    }

    /// Returns the error for a row that was not entered as this record.
    #[cold]
    fn field_by_key(&mut self, record: &Record) -> Result<Option<usize>> {
        while Source::entry(self)? {
            let name = self.columns[self.wanted[self.cursor.turn - 1]].name.clone();
            if let Some(index) = record.index_of(&name) {
                self.cursor.position = ScanPosition::Value;
                return Ok(Some(index));
            }
            if let Some(rest) = record.unknown_key(&name).map_err(|error| error.at(self.position()))? {
                return Ok(Some(rest));
            }
        }
        Ok(None)
    }
}
