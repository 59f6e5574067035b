//! A source of rows.

mod cell;
mod mark;
mod nested;
mod row_json;

use crate::column_type::{ColumnType, TypeClass};
use crate::rows::Rows;
use crate::value::array::{ArrayCursor, Item};
use cell::Read;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Borrowed, Enum, Error, Kind, Mark, Position, Record, Result, Source, Text, Unknown, excerpt};
use nested::Nested;
use std::borrow::Cow;

/// A source of rows: a list of records.
///
/// Values have the types of their columns. Those of `json` and `jsonb` are read as what the JSON is.
#[derive(Debug)]
pub struct RowSource<R> {
    rows: R,
    /// The number of the current row, from 1.
    row: u64,
    stands: Stands,
    /// The current column.
    column: usize,
    /// Whether the next step returns the current row again.
    again: bool,
    /// Whether the rows have ended; they must not be stepped any more.
    ended: bool,
    /// The error of the step to the next row, which is reported when that is read.
    failed: Option<Error>,
    fields: (Option<u64>, Vec<ColumnTarget>),
    array: Option<ArrayCursor>,
    nested: Option<Nested>,
    /// A spare buffer for JSON text.
    spare: Vec<u8>,
    /// Scratch buffer for text.
    spoken: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Before the list.
    Before,
    /// Between two rows.
    Between,
    /// At a row, before entering it.
    AtRow,
    /// In the row, before a column; or in an array, before an item.
    InRow,
    /// At the name of a column.
    AtKey,
    /// At the value of a column, or of an item of an array.
    AtValue,
    /// After the list.
    Behind,
}

/// What a taker of rows does with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Take {
    /// It took the row, and takes others.
    Next,
    /// It took the row, and no others.
    Enough,
    /// It leaves the row to the source.
    Refuse,
}

/// Why no more rows are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowsTaken {
    /// The taker has enough.
    Enough,
    /// There are no others.
    All,
    /// The source must read the next row, or report its error.
    Refused,
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

impl<R: Rows> RowSource<R> {
    /// Returns a source of rows.
    pub fn new(rows: R) -> Self {
        Self {
            rows,
            row: 0,
            stands: Stands::Before,
            column: 0,
            again: false,
            ended: false,
            failed: None,
            fields: (None, Vec::new()),
            array: None,
            nested: None,
            spare: Vec::new(),
            spoken: String::new(),
        }
    }

    /// Goes on after the rows have been refilled.
    pub fn go_on(&mut self) {
        self.stands = Stands::Between;
        self.again = false;
        self.ended = false;
        self.column = 0;
    }

    /// Passes rows to a taker. The source reads the rows behind them, as a list of its own: it counts them from 1.
    pub(crate) fn take_rows(&mut self, mut take: impl FnMut(&R) -> Take) -> RowsTaken {
        if self.again {
            return RowsTaken::Refused;
        }
        while !self.ended {
            match self.rows.step() {
                Ok(true) => match take(&self.rows) {
                    Take::Next => {}
                    Take::Enough => return RowsTaken::Enough,
                    Take::Refuse => {
                        self.again = true;
                        self.row = 1;
                        return RowsTaken::Refused;
                    }
                },
                Ok(false) => self.ended = true,
                Err(error) => {
                    self.again = true;
                    self.failed = Some(about_row(error, 1));
                    return RowsTaken::Refused;
                }
            }
        }
        RowsTaken::All
    }

    /// Returns the rows.
    pub fn rows(&mut self) -> &mut R {
        &mut self.rows
    }

    /// Returns the number of the last row, from 1.
    pub fn row(&self) -> u64 {
        self.row
    }

    /// Returns the rows.
    pub fn into_rows(self) -> R {
        self.rows
    }

    fn width(&self) -> usize {
        self.rows.columns().len()
    }

    fn at(&self) -> Position {
        Position { record: (self.row > 0).then_some(self.row), ..Position::default() }
    }

    /// Returns the type of the current value and its bytes, which are none for NULL.
    #[inline]
    fn current(&self) -> Option<(&ColumnType, Option<&[u8]>)> {
        if self.stands != Stands::AtValue {
            return None;
        }
        let own = &self.rows.columns().get(self.column)?.own;
        let cell = self.rows.cell(self.column);
        match (&self.array, &own.class) {
            (Some(array), TypeClass::Array(item)) if !array.holds_lists() => match array.item {
                Item::None => None,
                Item::Null => Some((item, None)),
                Item::Bytes(start, len) => Some((item, cell?.get(start..start + len))),
            },
            // A cell, or a list in a list.
            _ => Some((own, cell)),
        }
    }

    #[inline]
    fn is_null(&self) -> bool {
        matches!(self.current(), Some((_, None)))
    }

    /// Moves past the current value.
    #[inline]
    fn taken(&mut self) {
        self.stands = Stands::InRow;
        match &mut self.array {
            Some(array) => array.taken(),
            None => self.column += 1,
        }
    }

    /// Moves to the value of the column, or of the item.
    #[inline]
    fn enter(&mut self) -> Result<()> {
        self.stands = Stands::AtValue;
        match self.current() {
            Some((own, Some(_))) if own.class.is_json() => self.open(),
            Some((own, Some(_))) if own.class == TypeClass::Other => {
                let error = crate::value::unknown(own);
                Err(error.at(self.at()))
            }
            _ => Ok(()),
        }
    }

    /// Opens the value as JSON.
    fn open(&mut self) -> Result<()> {
        let mut text = core::mem::take(&mut self.spare);
        text.clear();
        let is_whole = match self.current() {
            Some(
                (ColumnType { class: TypeClass::Jsonb, .. }, Some([1, json @ ..]))
                | (ColumnType { class: TypeClass::Json, .. }, Some(json)),
            ) => {
                text.extend_from_slice(json);
                true
            }
            _ => false,
        };
        if !is_whole {
            return Err(self.broken());
        }
        self.nested = Some(Nested::new(text));
        Ok(())
    }

    /// Reads from the JSON text, and closes it at its end.
    #[inline(never)]
    fn inside<T>(&mut self, ask: impl FnOnce(&mut Nested) -> Result<T>) -> Result<T> {
        let position = self.at();
        let Some(nested) = &mut self.nested else { return Err(self.mismatch("json")) };
        let answer = ask(nested).map_err(|error| about(error, position))?;
        if nested.has_ended() {
            nested.end().map_err(|error| about(error, position))?;
            self.close();
        }
        Ok(answer)
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
        if self.fields.0 == Some(record.identity()) { Ok(()) } else { self.learn(record) }
    }

    #[cold]
    fn learn(&mut self, record: &Record) -> Result<()> {
        let mut targets = Vec::new();
        for column in self.rows.columns() {
            let name = &column.name;
            targets.push(match record.index_of(name) {
                Some(index) => {
                    let field = &record.fields()[index];
                    let may_miss = !field.required() && field.default().is_none() && !field.shape().allows_null();
                    if may_miss { ColumnTarget::FieldUnlessNull(index) } else { ColumnTarget::Field(index) }
                }
                None => match record.unknown() {
                    Unknown::Keep(rest) => ColumnTarget::Kept(rest),
                    _ => record.unknown_key(name).map(|_| ColumnTarget::Ignored)?,
                },
            });
        }
        self.fields = (Some(record.identity()), targets);
        Ok(())
    }

    /// Steps to the next item of the array.
    fn array_item(&mut self) -> Result<bool> {
        let Self { rows, column, array: Some(array), .. } = self else { return Err(self.broken()) };
        let more = array.step(rows.cell(*column).unwrap_or_default());
        match more {
            Some(true) => {
                self.enter()?;
                Ok(true)
            }
            Some(false) => {
                if self.array.as_ref().is_some_and(|array| array.depth == 0) {
                    self.array = None;
                    self.taken();
                } else {
                    self.stands = Stands::InRow;
                }
                Ok(false)
            }
            None => {
                self.array = None;
                self.stands = Stands::AtValue;
                Err(self.broken())
            }
        }
    }

    /// Skips the value, which is no JSON.
    fn skip_value(&mut self) -> Result<()> {
        match &mut self.array {
            Some(array) if array.holds_lists() => {
                let skipped = array.skip_list(self.rows.cell(self.column).unwrap_or_default());
                self.stands = Stands::InRow;
                skipped.ok_or_else(|| self.broken())
            }
            _ => {
                self.taken();
                Ok(())
            }
        }
    }
}

/// Adds the number of the row to an error in JSON.
#[cold]
fn about(error: Error, position: Position) -> Error {
    match position.record {
        Some(record) => error.in_record(record),
        None => error,
    }
}

/// Reads from the JSON text of the value, if it is open.
macro_rules! inside {
    ($self:ident, $ask:expr) => {
        if $self.nested.is_some() {
            return $self.inside($ask);
        }
    };
}

/// A scalar that has a type of its own, and that a column may hold as text.
macro_rules! native {
    ($($name:ident($type:ident, $variant:ident, $expected:literal);)*) => {$(
        fn $name(&mut self) -> Result<$type> {
            inside!(self, |nested| nested.ask(|json| json.$name()));
            if self.kind() == Kind::Text {
                let Some(value) = $type::parse(self.here($expected)?) else { return Err(self.other_text($expected)) };
                self.taken();
                return Ok(value);
            }
            match self.read($expected)? {
                Read::$variant(Some(value)) => {
                    self.taken();
                    Ok(value)
                }
                Read::$variant(None) => Err(self.outside($expected)),
                _ => Err(self.mismatch($expected)),
            }
        }
    )*};
}

impl<'a, R: Rows> Source<'a> for RowSource<R> {
    fn peek(&mut self) -> Result<Kind> {
        inside!(self, Nested::peek);
        Ok(match self.stands {
            Stands::Before | Stands::Between | Stands::Behind => Kind::List,
            Stands::InRow if self.array.is_some() => Kind::List,
            Stands::AtRow | Stands::InRow => Kind::Map,
            Stands::AtKey => Kind::Text,
            Stands::AtValue => self.kind(),
        })
    }

    #[inline]
    fn null(&mut self) -> Result<bool> {
        inside!(self, Nested::null);
        let null = self.is_null();
        if null {
            self.taken();
        }
        Ok(null)
    }

    fn bool(&mut self) -> Result<bool> {
        inside!(self, |nested| nested.ask(|json| json.bool()));
        match self.read("bool")? {
            Read::Bool(value) => {
                self.taken();
                Ok(value)
            }
            _ => Err(self.mismatch("bool")),
        }
    }

    fn int(&mut self) -> Result<Int<'a>> {
        inside!(self, |nested| nested.ask(|json| json.int().map(Int::into_owned)));
        match self.whole()? {
            Some(value) => {
                self.taken();
                Ok(value)
            }
            None if self.kind() == Kind::Decimal => Err(self.outside("int")),
            None => Err(self.mismatch("int")),
        }
    }

    #[inline]
    fn i64(&mut self) -> Result<i64> {
        if self.nested.is_none()
            && let Some((own, Some(bytes))) = self.current()
            && own.class == TypeClass::Int(8)
            && let Ok(bytes) = bytes.try_into()
        {
            self.taken();
            return Ok(i64::from_be_bytes(bytes));
        }
        let int = self.int()?;
        int.to_i64().ok_or_else(|| Error::expected("int64", int.to_string()).at(self.at()))
    }

    fn float(&mut self) -> Result<f64> {
        inside!(self, |nested| nested.ask(|json| json.float()));
        match self.real()? {
            Some(value) => {
                self.taken();
                Ok(value)
            }
            None if self.kind() == Kind::Decimal => Err(self.outside("float64")),
            None => Err(self.mismatch("float")),
        }
    }

    fn float32(&mut self) -> Result<f32> {
        inside!(self, |nested| nested.ask(|json| json.float32()));
        if let Read::Float32(value) = self.read("float32")? {
            self.taken();
            return Ok(value);
        }
        let wide = self.float()?;
        let narrow = wide as f32;
        if narrow.is_infinite() && wide.is_finite() {
            return Err(Error::expected("float32", wide.to_string()).at(self.at()));
        }
        Ok(narrow)
    }

    #[inline]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        if self.nested.is_some() {
            let mut spoken = core::mem::take(&mut self.spoken);
            spoken.clear();
            let told = self.inside(|nested| nested.ask(|json| json.text().map(|text| spoken.push_str(&text))));
            self.spoken = spoken;
            return told.map(|()| Borrowed::Scratch(&*self.spoken));
        }
        if self.stands == Stands::AtValue
            && self.array.is_none()
            && let TypeClass::Text(_) | TypeClass::Char(_) = self.rows.columns()[self.column].own.class
            && self.rows.cell(self.column).is_some()
        {
            let column = self.column;
            if core::str::from_utf8(self.rows.cell(column).unwrap_or_default()).is_err() {
                return Err(self.broken());
            }
            self.taken();
            // The row stays in place until the next step.
            let text = core::str::from_utf8(self.rows.cell(column).unwrap_or_default());
            return Ok(Borrowed::Scratch(text.unwrap_or_default()));
        }
        let is_key = self.stands == Stands::AtKey;
        self.here("text")?;
        if is_key {
            return Ok(Borrowed::Scratch(&self.rows.columns()[self.column].name));
        }
        self.taken();
        Ok(Borrowed::Scratch(&self.spoken))
    }

    fn list(&mut self) -> Result<Option<usize>> {
        inside!(self, |nested| nested.ask(|json| json.list()));
        if self.stands == Stands::Before {
            self.stands = Stands::Between;
            return Ok(None);
        }
        if self.stands == Stands::AtValue {
            if let Some(array) = self.array.as_mut().filter(|array| array.holds_lists()) {
                self.stands = Stands::InRow;
                return Ok(Some(array.enter()));
            }
            if let Some((ColumnType { class: TypeClass::Array(item), .. }, Some(bytes))) = self.current() {
                let Some(mut array) = ArrayCursor::new(bytes, item) else { return Err(self.broken()) };
                let len = array.enter();
                self.array = Some(array);
                self.stands = Stands::InRow;
                return Ok(Some(len));
            }
        }
        Err(self.mismatch("list"))
    }

    #[inline]
    fn item(&mut self) -> Result<bool> {
        inside!(self, |nested| nested.ask(|json| json.item()));
        if self.array.is_some() {
            return self.array_item();
        }
        if self.again {
            self.again = false;
            if let Some(error) = self.failed.take() {
                self.ended = true;
                return Err(error);
            }
        } else if !self.ended && self.rows.step().map_err(|error| about_row(error, self.row + 1))? {
            self.row += 1;
        } else {
            self.ended = true;
            self.stands = Stands::Behind;
            return Ok(false);
        }
        self.stands = Stands::AtRow;
        self.column = 0;
        Ok(true)
    }

    fn map(&mut self) -> Result<Option<usize>> {
        inside!(self, |nested| nested.ask(|json| json.map()));
        if self.stands == Stands::AtRow {
            self.stands = Stands::InRow;
            return Ok(Some(self.width()));
        }
        Err(self.mismatch("record"))
    }

    fn entry(&mut self) -> Result<bool> {
        inside!(self, |nested| nested.ask(|json| json.entry()));
        if self.column == self.width() {
            self.stands = Stands::Between;
            return Ok(false);
        }
        self.stands = Stands::AtKey;
        Ok(true)
    }

    fn value(&mut self) -> Result<()> {
        inside!(self, |nested| nested.ask(|json| json.value()));
        self.enter()
    }

    #[inline]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        inside!(self, |nested| nested.field(record, expected));
        self.know(record)?;
        while let Some(target) = self.fields.1.get(self.column) {
            match *target {
                ColumnTarget::FieldUnlessNull(_) if self.rows.cell(self.column).is_none() => self.column += 1,
                ColumnTarget::Field(index) | ColumnTarget::FieldUnlessNull(index) => {
                    self.enter().map_err(|error| error.within_field(record.fields()[index].path_name()))?;
                    return Ok(Some(index));
                }
                ColumnTarget::Kept(rest) => {
                    self.stands = Stands::AtKey;
                    return Ok(Some(rest));
                }
                ColumnTarget::Ignored => self.column += 1,
            }
        }
        self.stands = Stands::Between;
        Ok(None)
    }

    fn skip(&mut self) -> Result<()> {
        inside!(self, |nested| nested.ask(|json| json.skip()));
        match self.stands {
            Stands::AtRow => self.stands = Stands::Between,
            // The step to the value skips the key.
            Stands::AtKey => {}
            _ => return self.skip_value(),
        }
        Ok(())
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        inside!(self, Nested::span);
        let json = if self.stands == Stands::AtRow { self.row_json() } else { self.value_json() };
        json.map(Cow::Owned)
    }

    fn mark(&self) -> Mark {
        self.marked()
    }

    fn reset(&mut self, mark: Mark) {
        self.go_to(mark);
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
        inside!(self, |nested| nested.ask(|json| json.bytes().map(|bytes| Cow::Owned(bytes.into_owned()))));
        let bytes = match self.current() {
            Some((ColumnType { class: TypeClass::Bytes, .. }, Some(bytes))) => bytes.to_vec(),
            _ => return Err(self.mismatch("bytes")),
        };
        self.taken();
        Ok(Cow::Owned(bytes))
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        inside!(self, |nested| nested.ask(|json| json.decimal().map(Decimal::into_owned)));
        match self.exact()? {
            Some(value) => {
                self.taken();
                Ok(value)
            }
            None if matches!(self.kind(), Kind::Decimal) => Err(self.outside("decimal")),
            None if self.kind() == Kind::Text => Err(self.other_text("decimal")),
            None => Err(self.mismatch("decimal")),
        }
    }

    native! {
        date(Date, Date, "date as YYYY-MM-DD");
        time(Time, Time, "time as HH:MM:SS");
        duration(Duration, Duration, "duration as ISO 8601");
    }

    fn date_time(&mut self) -> Result<DateTime> {
        const EXPECTED: &str = "datetime as YYYY-MM-DDTHH:MM:SS";
        inside!(self, |nested| nested.ask(|json| json.date_time()));
        if self.kind() == Kind::Text {
            let text = self.here(EXPECTED)?;
            let Some(at) = DateTime::parse(text) else {
                let error = Error::no_date_time(text);
                return Err(error.at(self.at()));
            };
            self.taken();
            return Ok(at);
        }
        match self.read(EXPECTED)? {
            Read::DateTime(Some(at)) => {
                self.taken();
                Ok(at)
            }
            Read::DateTime(None) => Err(self.outside(EXPECTED)),
            _ => Err(self.mismatch(EXPECTED)),
        }
    }

    fn instant(&mut self) -> Result<Instant> {
        const EXPECTED: &str = "instant as RFC 3339";
        inside!(self, |nested| nested.ask(|json| json.instant()));
        if self.kind() == Kind::Text {
            let Some(at) = Instant::parse(self.here(EXPECTED)?) else { return Err(self.other_text(EXPECTED)) };
            self.taken();
            return Ok(at);
        }
        let at = match self.read(EXPECTED)? {
            Read::Instant(at) => at,
            Read::DateTime(at) => at.map(|at| Instant::new(at.date, at.time, None)),
            _ => return Err(self.mismatch(EXPECTED)),
        };
        let at = at.ok_or_else(|| self.outside(EXPECTED))?;
        self.taken();
        Ok(at)
    }

    fn uuid(&mut self) -> Result<Uuid> {
        inside!(self, |nested| nested.ask(|json| json.uuid()));
        if self.kind() == Kind::Text {
            let Some(value) = Uuid::parse(self.here("uuid")?) else { return Err(self.other_text("uuid")) };
            self.taken();
            return Ok(value);
        }
        match self.read("uuid")? {
            Read::Uuid(value) => {
                self.taken();
                Ok(value)
            }
            _ => Err(self.mismatch("uuid")),
        }
    }

    fn variant(&mut self, names: &Enum) -> Result<usize> {
        inside!(self, |nested| nested.ask(|json| json.variant(names)));
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

/// Adds the number of the row, unless the error has one.
#[cold]
fn about_row(error: Error, row: u64) -> Error {
    if error.position().record.is_some() { error } else { error.in_record(row) }
}
