//! A source of rows.

mod cell;
mod json;
mod mended;
mod nested;
mod plain_rows;

use crate::moment;
use crate::rows::{Class, Rows};
use crate::stored::Stored;
use demat_core::excerpt;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{
    Borrowed, Enum, Error, ErrorKind, Kind, Mark, Position, Record, Result, Shape, Sink, Source, Text, Unknown,
};
pub use mended::{Instead, Mending, Replaced, copy_row};
use nested::Nested;
pub(crate) use plain_rows::Part;
pub use plain_rows::{PlainRows, RowSink, copy_rows, copy_rows_chosen, copy_rows_to};
use std::borrow::Cow;
use std::sync::Arc;

/// A source of rows: a list of records.
///
/// Converts values to the requested type: a date from text, a bool from 0 or 1, a list from JSON. Without a type, a
/// value has its storage class, except in [JSON columns](Self::new).
#[derive(Debug)]
pub struct RowSource<R> {
    rows: R,
    /// Which columns hold JSON.
    json: Box<[bool]>,
    /// The number of the current row, from 1.
    row: u64,
    stands: Stands,
    /// The current column.
    column: usize,
    /// Whether the next step returns the current row again.
    again: bool,
    /// Whether the rows have ended; they must not be stepped any more.
    ended: bool,
    fields: Fields,
    nested: Option<Nested>,
    /// A spare buffer for JSON text.
    spare: Vec<u8>,
    /// Scratch buffer for text in JSON.
    spoken: String,
    /// The fast path for a record, by its identity; `None` inside if there is none.
    plain: Option<(u64, Option<Arc<PlainRows>>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum Stands {
    /// Before the list.
    Before,
    /// Between two rows.
    Between,
    /// At a row, before entering it.
    AtRow,
    /// In the row, before a column.
    InRow,
    /// At the name of a column.
    AtKey,
    /// At the value of a column.
    AtValue,
    /// After the list.
    Behind,
}

/// The use of a column for the record that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnTarget {
    /// The field with this index.
    Field(usize),
    /// The same unless NULL: the field is optional, but not nullable.
    FieldUnlessNull(usize),
    /// An unknown field, kept in the field with this index.
    Kept(usize),
    /// Ignored.
    Ignored,
}

#[derive(Debug, Default)]
struct Fields {
    identity: Option<u64>,
    targets: Vec<ColumnTarget>,
}

impl<R: Rows> RowSource<R> {
    /// Returns a source of rows. `stored`: the storage class of each column. In columns that are not listed, JSON is
    /// read as text unless a list or a record is requested.
    pub fn new(rows: R, stored: &[Stored]) -> Self {
        let json = (0..rows.columns().len()).map(|column| stored.get(column) == Some(&Stored::Json)).collect();
        Self {
            rows,
            json,
            row: 0,
            stands: Stands::Before,
            column: 0,
            again: false,
            ended: false,
            fields: Fields::default(),
            nested: None,
            spare: Vec::new(),
            spoken: String::new(),
            plain: None,
        }
    }

    /// Continues the list after the rows have been refilled.
    pub fn go_on(&mut self) {
        self.stands = Stands::Between;
        self.again = false;
        self.ended = false;
        self.column = 0;
    }

    /// Returns the rows.
    pub fn into_rows(self) -> R {
        self.rows
    }

    /// Returns the rows.
    pub fn rows(&mut self) -> &mut R {
        &mut self.rows
    }

    /// Returns the number of the last row, from 1.
    pub fn row(&self) -> u64 {
        self.row
    }

    fn width(&self) -> usize {
        self.json.len()
    }

    fn at(&self) -> Position {
        Position { record: (self.row > 0).then_some(self.row), ..Position::default() }
    }

    #[inline]
    fn class(&self) -> Class {
        self.rows.class(self.column)
    }

    /// Moves past the current value.
    #[inline]
    fn taken(&mut self) {
        self.stands = Stands::InRow;
        self.column += 1;
    }

    /// Moves to the value of the column.
    #[inline]
    fn enter(&mut self) -> Result<()> {
        self.stands = Stands::AtValue;
        if self.json[self.column] && self.class() != Class::Null { self.open() } else { Ok(()) }
    }

    /// Opens the value of the column as JSON.
    fn open(&mut self) -> Result<()> {
        let mut text = core::mem::take(&mut self.spare);
        text.clear();
        match self.class() {
            Class::Text => text.extend_from_slice(self.rows.bytes(self.column)),
            // A column without text affinity converts numbers in JSON to its own.
            Class::Int => text.extend_from_slice(self.rows.int(self.column).to_string().as_bytes()),
            Class::Real => text.extend_from_slice(format!("{:?}", self.rows.real(self.column)).as_bytes()),
            Class::Null | Class::Blob => return Err(self.mismatch("json")),
        }
        self.nested = Some(Nested::new(text));
        Ok(())
    }

    /// Opens text as JSON, for a list or a record.
    fn open_container(&mut self, expected: &'static str) -> Result<()> {
        if self.stands == Stands::AtValue && self.class() == Class::Text {
            self.open()
        } else {
            Err(self.mismatch(expected))
        }
    }

    /// Reads from the JSON text, and closes it at its end.
    #[inline(never)]
    fn inside<T>(&mut self, ask: impl FnOnce(&mut Nested) -> Result<T>) -> Result<T> {
        let position = self.at();
        let Some(nested) = &mut self.nested else { return Err(self.mismatch("json")) };
        let answer = ask(nested).and_then(|answer| {
            let has_ended = nested.has_ended();
            if has_ended {
                nested.end()?;
            }
            Ok((answer, has_ended))
        });
        match answer {
            Ok((answer, has_ended)) => {
                if has_ended {
                    self.close();
                }
                Ok(answer)
            }
            Err(error) => Err(about(self.no_json(error), position)),
        }
    }

    /// Names the column if its text is not the JSON that it is declared to be, and says how to read it.
    #[cold]
    fn no_json(&self, error: Error) -> Error {
        if error.kind() != ErrorKind::Syntax || !self.json[self.column] {
            return error;
        }
        let column = &self.rows.columns()[self.column];
        let reason = error.reason();
        let said = format!(
            "{reason}: the column `{column}` is declared JSON, and this text is none; a type whose field `{column}` is text \
             reads it as it is"
        );
        Error::new(ErrorKind::Syntax, said).at(error.position())
    }

    fn close(&mut self) {
        if let Some(nested) = self.nested.take() {
            self.spare = nested.into_text();
        }
        self.taken();
    }

    /// Matches the columns with the fields of a record, once.
    #[inline]
    fn know(&mut self, record: &Record) -> Result<()> {
        if self.fields.identity == Some(record.identity()) { Ok(()) } else { self.learn(record) }
    }

    #[cold]
    fn learn(&mut self, record: &Record) -> Result<()> {
        self.fields.identity = None;
        self.fields.targets.clear();
        for (column, name) in self.rows.columns().iter().enumerate() {
            if self.rows.columns()[..column].contains(name) {
                let message = format!("two columns are called `{name}`; give one of them another name with AS");
                return Err(Error::new(demat_core::ErrorKind::Constraint, message));
            }
            let target = match record.index_of(name) {
                Some(index) => {
                    let field = &record.fields()[index];
                    let may_miss = !field.required() && field.default().is_none() && !field.shape().allows_null();
                    if may_miss { ColumnTarget::FieldUnlessNull(index) } else { ColumnTarget::Field(index) }
                }
                None => match record.unknown() {
                    Unknown::Keep(rest) => ColumnTarget::Kept(rest),
                    _ => record.unknown_key(name).map(|_| ColumnTarget::Ignored)?,
                },
            };
            self.fields.targets.push(target);
        }
        self.fields.identity = Some(record.identity());
        Ok(())
    }

    /// Returns the current text: a key or a value.
    fn here(&mut self, expected: &'static str) -> Result<&str> {
        if self.stands == Stands::AtKey {
            return Ok(&self.rows.columns()[self.column]);
        }
        if self.stands != Stands::AtValue || self.class() != Class::Text {
            return Err(self.mismatch(expected));
        }
        if core::str::from_utf8(self.rows.bytes(self.column)).is_err() {
            return Err(no_utf8(self.at()));
        }
        let text = self.rows.bytes(self.column);
        // Validated above. Checking again costs less than a second call of `rows`.
        Ok(core::str::from_utf8(text).unwrap_or_default())
    }
}

#[cold]
fn no_utf8(position: Position) -> Error {
    Error::mismatch(demat_core::ErrorKind::Syntax, "text in UTF-8", "other bytes").at(position)
}

/// Adds the number of the row to an error in JSON.
#[cold]
fn about(error: Error, position: Position) -> Error {
    match position.record {
        Some(record) => error.in_record(record),
        None => error,
    }
}

/// Reads from the JSON text of the column, if it is open.
macro_rules! inside {
    ($self:ident, $ask:expr) => {
        if $self.nested.is_some() {
            return $self.inside($ask);
        }
    };
}

/// A scalar that is read from text.
macro_rules! from_text {
    ($($name:ident($type:ident, $expected:literal);)*) => {$(
        fn $name(&mut self) -> Result<$type> {
            inside!(self, |nested| nested.scalar(|json| json.$name()));
            match $type::parse(self.here($expected)?) {
                Some(value) => {
                    self.taken();
                    Ok(value)
                }
                None => Err(self.other_text($expected)),
            }
        }
    )*};
}

impl<'a, R: Rows> Source<'a> for RowSource<R> {
    fn write_items<K: Sink + ?Sized>(&mut self, shape: &Shape, sink: &mut K) -> Result<u64> {
        self.write_plain(shape, sink)
    }
    fn peek(&mut self) -> Result<Kind> {
        inside!(self, Nested::peek);
        Ok(match self.stands {
            Stands::Before | Stands::Between | Stands::Behind => Kind::List,
            Stands::AtRow | Stands::InRow => Kind::Map,
            Stands::AtKey => Kind::Text,
            Stands::AtValue => self.kind(),
        })
    }

    #[inline]
    fn null(&mut self) -> Result<bool> {
        inside!(self, Nested::null);
        let null = self.stands == Stands::AtValue && self.class() == Class::Null;
        if null {
            self.taken();
        }
        Ok(null)
    }

    fn bool(&mut self) -> Result<bool> {
        inside!(self, |nested| nested.scalar(|json| json.bool()));
        match self.cell_int() {
            Some(value @ (0 | 1)) => {
                self.taken();
                Ok(value == 1)
            }
            _ => Err(self.mismatch("bool")),
        }
    }

    fn int(&mut self) -> Result<Int<'a>> {
        inside!(self, |nested| nested.scalar(|json| json.int().map(Int::into_owned)));
        if let Some(value) = self.cell_int() {
            self.taken();
            return Ok(Int::I64(value));
        }
        match self.here("int").ok().and_then(Int::from_digits).map(Int::into_owned) {
            Some(value) => {
                self.taken();
                Ok(value)
            }
            None => Err(self.mismatch("int")),
        }
    }

    #[inline]
    fn i64(&mut self) -> Result<i64> {
        if self.nested.is_none()
            && let Some(value) = self.cell_int()
        {
            self.taken();
            return Ok(value);
        }
        let int = self.int()?;
        int.to_i64().ok_or_else(|| Error::expected("int64", int.to_string()).at(self.at()))
    }

    fn float(&mut self) -> Result<f64> {
        inside!(self, |nested| nested.scalar(|json| json.float()));
        match self.cell_float() {
            Some(value) => {
                self.taken();
                Ok(value)
            }
            None => Err(self.mismatch("float")),
        }
    }

    #[inline]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        if self.nested.is_some() {
            return self.nested_text();
        }
        if self.stands == Stands::AtValue && self.class() == Class::Text {
            let (column, position) = (self.column, self.at());
            self.taken();
            // The row stays in place until the next step.
            return match core::str::from_utf8(self.rows.bytes(column)) {
                Ok(text) => Ok(Borrowed::Scratch(text)),
                Err(_) => Err(no_utf8(position)),
            };
        }
        self.here("text").map(Borrowed::Scratch)
    }

    fn list(&mut self) -> Result<Option<usize>> {
        if self.nested.is_none() {
            if self.stands == Stands::Before {
                self.stands = Stands::Between;
                return Ok(None);
            }
            self.open_container("list")?;
        }
        self.inside(Nested::list)
    }

    #[inline]
    fn item(&mut self) -> Result<bool> {
        inside!(self, Nested::item);
        if self.again {
            self.again = false;
        } else if !self.ended && self.rows.step().map_err(|error| error.in_record(self.row + 1))? {
            self.row += 1;
        } else {
            // A statement that is stepped again begins anew.
            self.ended = true;
            self.stands = Stands::Behind;
            return Ok(false);
        }
        self.stands = Stands::AtRow;
        self.column = 0;
        Ok(true)
    }

    fn map(&mut self) -> Result<Option<usize>> {
        if self.nested.is_none() {
            if self.stands == Stands::AtRow {
                self.stands = Stands::InRow;
                return Ok(Some(self.width()));
            }
            self.open_container("map")?;
        }
        self.inside(Nested::map)
    }

    fn entry(&mut self) -> Result<bool> {
        inside!(self, Nested::entry);
        if self.column == self.width() {
            self.stands = Stands::Between;
            return Ok(false);
        }
        self.stands = Stands::AtKey;
        Ok(true)
    }

    fn value(&mut self) -> Result<()> {
        inside!(self, Nested::value);
        self.enter()
    }

    #[inline]
    fn record(&mut self, _: &Record) -> Result<()> {
        if self.stands == Stands::AtRow && self.nested.is_none() {
            self.stands = Stands::InRow;
            return Ok(());
        }
        self.map().map(drop)
    }

    #[inline]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        inside!(self, |nested| nested.field(record, expected));
        self.know(record)?;
        while let Some(target) = self.fields.targets.get(self.column) {
            match *target {
                ColumnTarget::Field(index) => {
                    self.enter()?;
                    return Ok(Some(index));
                }
                ColumnTarget::FieldUnlessNull(index) if self.class() != Class::Null => {
                    self.enter()?;
                    return Ok(Some(index));
                }
                ColumnTarget::Kept(rest) => {
                    self.stands = Stands::AtKey;
                    return Ok(Some(rest));
                }
                ColumnTarget::FieldUnlessNull(_) | ColumnTarget::Ignored => self.column += 1,
            }
        }
        self.stands = Stands::Between;
        Ok(None)
    }

    fn skip(&mut self) -> Result<()> {
        inside!(self, Nested::skip);
        match self.stands {
            Stands::AtRow => self.stands = Stands::Between,
            // The step to the value skips the key.
            Stands::AtKey => {}
            _ => self.taken(),
        }
        Ok(())
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        inside!(self, Nested::span);
        let mut json = Vec::new();
        match self.stands {
            Stands::AtRow => self.row_json(&mut json)?,
            _ => self.cell_json(self.column, &mut json)?,
        }
        self.skip()?;
        Ok(Cow::Owned(json))
    }

    fn mark(&self) -> Mark {
        let [column, stands] = [self.column as u32, self.stands as u32];
        match &self.nested {
            Some(nested) => nested.mark(column),
            None => Mark { offset: self.row as usize, state: [column, stands, u32::from(self.again), 0] },
        }
    }

    fn reset(&mut self, mark: Mark) {
        if nested::is_inside(mark) {
            // The row is still current, so its text can be parsed again.
            self.column = nested::column(mark);
            self.stands = Stands::AtValue;
            if self.nested.is_none() && self.open().is_err() {
                return; // it was parsed before, at the same value
            }
            if let Some(nested) = &mut self.nested {
                nested.reset(mark);
            }
            return;
        }
        if let Some(nested) = self.nested.take() {
            self.spare = nested.into_text();
        }
        let [column, stands, again, _] = mark.state;
        self.column = column as usize;
        self.stands = [
            Stands::Before,
            Stands::Between,
            Stands::AtRow,
            Stands::InRow,
            Stands::AtKey,
            Stands::AtValue,
            Stands::Behind,
        ][stands as usize % 7];
        self.again = again != 0 || mark.offset as u64 != self.row;
    }

    fn position(&self) -> Position {
        self.at()
    }

    fn end(&mut self) -> Result<()> {
        if self.stands == Stands::Behind { Ok(()) } else { Err(self.mismatch("the end")) }
    }

    fn repeated(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        let position = self.at();
        if let Some(nested) = &mut self.nested {
            return about(nested.mismatch(expected), position);
        }
        let found = match self.stands {
            Stands::AtValue => self.kind().name(),
            Stands::AtKey => "text",
            Stands::AtRow | Stands::InRow => "record",
            Stands::Before | Stands::Between | Stands::Behind => "list",
        };
        let shown = excerpt::of(self).unwrap_or_default();
        Error::expected(expected, found).showing(shown).at(position)
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        inside!(self, |nested| nested.scalar(|json| json.bytes().map(|bytes| Cow::Owned(bytes.into_owned()))));
        if self.stands != Stands::AtValue || self.class() != Class::Blob {
            return Err(self.mismatch("bytes"));
        }
        let bytes = self.rows.bytes(self.column).to_vec();
        self.taken();
        Ok(Cow::Owned(bytes))
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        inside!(self, |nested| nested.scalar(|json| json.decimal().map(Decimal::into_owned)));
        match self.cell_decimal() {
            Some(value) => {
                self.taken();
                Ok(value)
            }
            None if self.stands == Stands::AtValue && self.class() == Class::Text => Err(self.other_text("decimal")),
            None => Err(self.mismatch("decimal")),
        }
    }

    from_text! {
        date(Date, "date as YYYY-MM-DD");
        time(Time, "time as HH:MM:SS");
        duration(Duration, "duration as ISO 8601");
    }

    /// Only text can be a datetime without an offset: a number is a time in UTC.
    fn date_time(&mut self) -> Result<DateTime> {
        inside!(self, |nested| nested.scalar(|json| json.date_time()));
        let text = self.here("datetime as YYYY-MM-DDTHH:MM:SS")?;
        match DateTime::parse(text) {
            Some(at) => {
                self.taken();
                Ok(at)
            }
            None if Instant::parse(text).is_some() => {
                let error = Error::no_date_time(text);
                Err(error.at(self.at()))
            }
            None => Err(self.other_text("datetime as YYYY-MM-DDTHH:MM:SS")),
        }
    }

    #[allow(clippy::cast_precision_loss)] // numbers of seconds and days that are dates are far below 2^53
    fn instant(&mut self) -> Result<Instant> {
        inside!(self, |nested| nested.scalar(|json| json.instant()));
        let number = match self.class() {
            _ if self.stands != Stands::AtValue => None,
            Class::Int => Some(self.rows.int(self.column) as f64),
            Class::Real => Some(self.rows.real(self.column)),
            _ => None,
        };
        let instant = match number {
            Some(number) => moment::of_number(number),
            None => Instant::parse(self.here("instant as RFC 3339")?),
        };
        match (instant, number) {
            (Some(instant), _) => {
                self.taken();
                Ok(instant)
            }
            (None, Some(number)) => {
                let expected = "instant as RFC 3339, a Julian day or seconds since 1970";
                Err(Error::expected(expected, format!("`{number:?}`")).at(self.at()))
            }
            (None, None) => Err(self.other_text("instant as RFC 3339")),
        }
    }

    fn uuid(&mut self) -> Result<Uuid> {
        inside!(self, |nested| nested.scalar(|json| json.uuid()));
        if self.stands == Stands::AtValue && self.class() == Class::Blob {
            let Ok(bytes) = <[u8; 16]>::try_from(self.rows.bytes(self.column)) else {
                return Err(self.mismatch("uuid"));
            };
            self.taken();
            return Ok(Uuid(bytes));
        }
        match Uuid::parse(self.here("uuid")?) {
            Some(value) => {
                self.taken();
                Ok(value)
            }
            None => Err(self.other_text("uuid")),
        }
    }

    fn variant(&mut self, names: &Enum) -> Result<usize> {
        inside!(self, |nested| nested.scalar(|json| json.variant(names)));
        let text = self.here("text")?;
        if let Some(index) = names.index_of(text) {
            self.taken();
            return Ok(index);
        }
        let found = excerpt::name(text);
        let error = Error::mismatch(demat_core::ErrorKind::Constraint, names.names(), found);
        Err(error.at(self.at()))
    }
}
