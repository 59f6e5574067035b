//! A source of batches.

mod cell;
mod column;
mod column_map;
mod fields;
mod scalars;
#[cfg(test)]
mod tests;

use arrow_array::RecordBatch;
use column::{Column, JSON, Values, columns_of};
use column_map::ColumnMap;
use demat_core::excerpt;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid, base64};
use demat_core::{Error, ErrorKind, Kind, Mark, Position, Record, Result, Source, Text};
use std::borrow::Cow;
use std::iter::Fuse;

/// A [`Source`] of the rows of Arrow batches: one list of records.
///
/// Or a list of the values of one column: [`of_values`](Self::of_values).
///
/// Reads batches one by one. [`shape`](crate::shape()) lists the shapes of column types. Borrowed text and bytes are in
/// scratch memory, since the source drops a batch when it reads the next one.
///
/// * Dictionaries and run-ends are decoded to their values.
/// * A map with a duplicate key is refused.
/// * Text of the extension type `arrow.json` is read as the JSON value.
/// * An instant in a named zone is read with the offset of UTC, since this crate has no time zone database. The point
///   in
///   time is the same.
/// * [`span`](Source::span) returns JSON, since a value has no bytes of its own.
///
/// ```
/// use arrow_array::{Int32Array, RecordBatch, StringViewArray};
/// use demat_arrow::ArrowSource;
/// use demat_core::Decode;
/// use std::sync::Arc;
///
/// let batch = RecordBatch::try_from_iter([
///     ("id", Arc::new(Int32Array::from(vec![1, 2])) as _),
///     ("title", Arc::new(StringViewArray::from(vec![Some("milk"), None])) as _),
/// ])?;
/// let mut source = ArrowSource::new([Ok(batch)]);
/// let shape = "[{id: int, title: text?}]".parse()?;
/// let tasks = demat_core::Value::decode_as(&mut source, &shape)?;
/// assert_eq!(tasks.to::<Vec<std::collections::BTreeMap<String, demat_core::Value>>>()?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArrowSource<I> {
    batches: Fuse<I>,
    /// The columns of the current batch; the last one is the struct of all.
    columns: Vec<Column>,
    /// Whether the rows are the values of the only column.
    values: bool,
    /// The rows in the batch, and in all batches before it.
    rows: usize,
    before: usize,
    /// The number of the current row, from 1, over all batches.
    row: usize,
    phase: Phase,
    frames: Vec<Frame>,
    stands: Stands,
    /// The position inside the JSON text of a value, if the source has entered it.
    json: Option<Mark>,
    column_maps: Vec<ColumnMap>,
    /// Scratch buffer for unescaped text of JSON.
    scratch: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    Inside,
    After,
}

/// An open container.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// `at`: the next item.
    List { item: usize, at: usize, end: usize },
    /// `at`: the next column. `rest`: the position in the column of unknown fields.
    Record { column: usize, row: usize, at: usize, rest: (usize, usize) },
    /// `at`: the next entry.
    Map { key: usize, value: usize, at: usize, end: usize },
}

/// The position in the innermost container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Between two children.
    Between,
    Key,
    Value,
}

/// The flag of marks inside JSON text.
const IN_JSON: u32 = 4;

impl<I: Iterator<Item = Result<RecordBatch>>> ArrowSource<I> {
    /// Returns a source of these batches.
    pub fn new(batches: impl IntoIterator<IntoIter = I>) -> Self {
        Self {
            batches: batches.into_iter().fuse(),
            columns: Vec::new(),
            values: false,
            rows: 0,
            before: 0,
            row: 0,
            phase: Phase::Before,
            frames: Vec::new(),
            stands: Stands::Between,
            json: None,
            column_maps: Vec::new(),
            scratch: String::new(),
        }
    }

    /// Returns a source of the values in these batches, which have one column: a list of values, in place of records.
    ///
    /// [`values_shape`](crate::values_shape) is its shape.
    ///
    /// ```
    /// use arrow_array::{Int32Array, RecordBatch};
    /// use demat_arrow::ArrowSource;
    /// use demat_core::Decode;
    /// use std::sync::Arc;
    ///
    /// let batch = RecordBatch::try_from_iter([("", Arc::new(Int32Array::from(vec![1, 2])) as _)])?;
    /// assert_eq!(Vec::<i64>::decode(&mut ArrowSource::of_values([Ok(batch)]))?, [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_values(batches: impl IntoIterator<IntoIter = I>) -> Self {
        Self { values: true, ..Self::new(batches) }
    }

    /// Returns the number of rows read so far.
    pub fn rows(&self) -> u64 {
        self.row as u64
    }

    /// Steps to the next row.
    fn next_row(&mut self) -> Result<bool> {
        while self.row == self.before + self.rows {
            match self.batches.next() {
                None => {
                    self.phase = Phase::After;
                    return Ok(false);
                }
                Some(batch) => {
                    let batch = batch?;
                    self.before += self.rows;
                    self.rows = batch.num_rows();
                    self.columns = columns_of(&batch)?;
                    if self.values {
                        // The only column is now the last one.
                        self.columns.pop();
                        if self.columns.is_empty() {
                            return Err(no_value());
                        }
                    }
                    self.column_maps.clear();
                }
            }
        }
        self.row += 1;
        self.stands = Stands::Value;
        Ok(true)
    }

    /// Returns the current column and row, and whether the value is null.
    #[inline]
    fn here(&self) -> Result<(usize, usize, bool)> {
        let (mut id, mut row) = match (self.stands, self.frames.last()) {
            (Stands::Value, None) if self.phase == Phase::Inside => {
                (self.columns.len() - 1, self.row - 1 - self.before)
            }
            (Stands::Value, Some(Frame::List { item, at, .. })) => (*item, at - 1),
            (Stands::Value, Some(Frame::Record { column, row, at, rest })) => match &self.columns[*column].values {
                Values::Struct { children, .. } if rest.0 == 0 => (children[at - 1], *row),
                Values::Struct { children, .. } => match &self.columns[children[at - 1]].values {
                    Values::Map { value, .. } => (*value, rest.0 - 1),
                    _ => return Err(no_value()),
                },
                _ => return Err(no_value()),
            },
            (Stands::Value, Some(Frame::Map { value, at, .. })) => (*value, at - 1),
            (Stands::Key, Some(Frame::Map { key, at, .. })) => (*key, at - 1),
            _ => return Err(no_value()),
        };
        loop {
            let column = &self.columns[id];
            if column.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
                return Ok((id, row, true));
            }
            match &column.values {
                Values::Dictionary(keys, child) => (id, row) = (*child, keys[row]),
                Values::Runs(runs, child) => (id, row) = (*child, runs.of(row)),
                Values::Null => return Ok((id, row, true)),
                _ => return Ok((id, row, false)),
            }
        }
    }

    /// Returns the name of the current column, or the current key of the unknown fields.
    fn name(&self) -> Option<&str> {
        let Some(Frame::Record { column, at, rest, .. }) = self.frames.last() else { return None };
        let Values::Struct { names, children } = &self.columns[*column].values else { return None };
        if self.stands != Stands::Key {
            return None;
        }
        if rest.0 == 0 {
            return names.get(at - 1).map(String::as_str);
        }
        match &self.columns[children[at - 1]].values {
            Values::Map { key, .. } => self.columns[*key].text(rest.0 - 1),
            _ => None,
        }
    }

    /// Returns whether the value is JSON text, and not null.
    #[inline]
    fn is_json(&self) -> bool {
        self.json.is_some()
            || self.stands == Stands::Value
                && self.here().is_ok_and(|(id, _, null)| !null && self.columns[id].kind == JSON)
    }

    /// Reads the value if it is of the requested type, and not null.
    #[inline]
    fn ask<T>(
        &mut self,
        expected: &'static str,
        answer: impl FnOnce(&Column, usize) -> Option<Result<T>>,
    ) -> Result<T> {
        let (id, row, null) = self.here()?;
        let column = &self.columns[id];
        match if null { None } else { answer(column, row) } {
            Some(Ok(value)) => {
                self.stands = Stands::Between;
                Ok(value)
            }
            Some(Err(error)) => Err(error.at(self.position_here())),
            None => Err(self.mismatch_here(expected)),
        }
    }

    #[cold]
    fn mismatch_here(&mut self, expected: &'static str) -> Error {
        let shown = excerpt::of(self).unwrap_or_default();
        if self.name().is_some() {
            return Error::expected(expected, "text").showing(shown).at(self.position_here());
        }
        if self.phase == Phase::Before {
            return Error::expected(expected, "list");
        }
        match self.here() {
            Ok((_, _, true)) => Error::expected(expected, "null").at(self.position_here()),
            Ok((id, ..)) => {
                Error::expected(expected, self.columns[id].kind.name()).showing(shown).at(self.position_here())
            }
            Err(error) => error.at(self.position_here()),
        }
    }

    fn position_here(&self) -> Position {
        Position { record: (self.row > 0).then_some(self.row as u64), ..Position::default() }
    }

    /// As [`ask`](Self::ask), or parses the value's text if it is text.
    #[inline]
    fn ask_or_parse<T>(
        &mut self,
        (expected, form): (&'static str, &'static str),
        answer: impl FnOnce(&Column, usize) -> Option<Result<T>>,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T> {
        self.ask_or_read(expected, answer, |text| parse(text).ok_or_else(|| Error::other_text(form, text)))
    }

    /// As [`ask_or_parse`](Self::ask_or_parse), with a parser that returns its own error.
    fn ask_or_read<T>(
        &mut self,
        expected: &'static str,
        answer: impl FnOnce(&Column, usize) -> Option<Result<T>>,
        read: impl FnOnce(&str) -> Result<T>,
    ) -> Result<T> {
        if let Some(name) = self.name() {
            let parsed = read(name).map_err(|error| error.at(self.position_here()))?;
            self.stands = Stands::Between;
            return Ok(parsed);
        }
        self.ask(expected, |column, row| match column.text(row) {
            Some(text) => Some(read(text)),
            None => answer(column, row),
        })
    }

    /// Returns the position of the current list's items.
    fn items(&mut self) -> Result<(usize, usize, usize)> {
        let (id, row, null) = self.here()?;
        Ok(match &self.columns[id].values {
            _ if null => return Err(self.mismatch_here("list")),
            Values::List(offsets, item) => (*item, offsets[row] as usize, offsets[row + 1] as usize),
            Values::LargeList(offsets, item) => (*item, offsets[row] as usize, offsets[row + 1] as usize),
            Values::ListView(views, item) => (*item, views[row].0, views[row].0 + views[row].1),
            Values::FixedList(size, item) => (*item, row * size, (row + 1) * size),
            _ => return Err(self.mismatch_here("list")),
        })
    }
}

#[cold]
fn no_value() -> Error {
    Error::mismatch(ErrorKind::Syntax, "a value", "none")
}

impl<'a, I: Iterator<Item = Result<RecordBatch>>> Source<'a> for ArrowSource<I> {
    fn peek(&mut self) -> Result<Kind> {
        if self.phase == Phase::Before {
            return Ok(Kind::List);
        }
        if self.name().is_some() {
            return Ok(Kind::Text);
        }
        if self.is_json() {
            return self.look_at_json(|source, _| source.peek());
        }
        let (id, _, null) = self.here()?;
        Ok(if null { Kind::Null } else { self.columns[id].kind })
    }

    #[inline]
    fn null(&mut self) -> Result<bool> {
        if self.json.is_some() {
            return self.json_null();
        }
        if self.phase == Phase::Before || self.name().is_some() {
            return Ok(false);
        }
        let (id, _, null) = self.here()?;
        if null {
            self.stands = Stands::Between;
            return Ok(true);
        }
        if self.columns[id].kind == JSON {
            return self.json_null();
        }
        Ok(false)
    }

    fn bool(&mut self) -> Result<bool> {
        if self.is_json() {
            return self.ask_json(|source, _| source.bool());
        }
        self.ask("bool", |column, row| match &column.values {
            Values::Bool(own) => Some(Ok(own.value(row))),
            _ => None,
        })
    }

    fn int(&mut self) -> Result<Int<'a>> {
        if self.is_json() {
            return self.ask_json(|source, _| source.int().map(Int::into_owned));
        }
        if self.name().is_some() {
            return self.ask_or_parse(("int", "int"), |_, _| None, |text| Int::from_digits(text).map(Int::into_owned));
        }
        self.ask("int", Column::int)
    }

    #[inline]
    fn i64(&mut self) -> Result<i64> {
        if self.json.is_none()
            && let Ok((id, row, false)) = self.here()
            && let Values::I64(own) = &self.columns[id].values
        {
            self.stands = Stands::Between;
            return Ok(own.value(row));
        }
        let int = self.int()?;
        int.to_i64().ok_or_else(|| Error::expected("int64", int.to_string()).at(self.position_here()))
    }

    fn float(&mut self) -> Result<f64> {
        if self.is_json() {
            return self.ask_json(|source, _| source.float());
        }
        if self.name().is_some() {
            return self.ask_or_parse(("float", "float"), |_, _| None, |text| Some(Decimal::parse(text)?.to_f64()));
        }
        self.ask("float", Column::float)
    }

    fn float32(&mut self) -> Result<f32> {
        if self.is_json() {
            return self.ask_json(|source, _| source.float32());
        }
        if let Ok((id, row, false)) = self.here()
            && let Values::F32(own) = &self.columns[id].values
        {
            self.stands = Stands::Between;
            return Ok(own.value(row));
        }
        let wide = self.float()?;
        #[allow(clippy::cast_possible_truncation)] // it rounds
        let narrow = wide as f32;
        if narrow.is_infinite() && wide.is_finite() {
            return Err(Error::expected("float32", wide.to_string()).at(self.position_here()));
        }
        Ok(narrow)
    }

    fn text(&mut self) -> Result<Text<'a, '_>> {
        if self.is_json() {
            self.ask_json(|source, scratch| {
                scratch.clear();
                scratch.push_str(&source.text()?);
                Ok(())
            })?;
            return Ok(Text::Scratch(&self.scratch));
        }
        if self.name().is_some() {
            let text = self.name().unwrap_or_default().to_string();
            self.scratch = text;
            self.stands = Stands::Between;
            return Ok(Text::Scratch(&self.scratch));
        }
        let (id, row, null) = self.here()?;
        if null || self.columns[id].text(row).is_none() {
            return Err(self.mismatch_here("text"));
        }
        self.stands = Stands::Between;
        Ok(Text::Scratch(self.columns[id].text(row).unwrap_or_default()))
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        if self.is_json() {
            return self.ask_json(|source, _| source.bytes().map(Cow::into_owned)).map(Cow::Owned);
        }
        let form = ("bytes", "bytes in base64");
        self.ask_or_parse(form, |column, row| column.bytes(row).map(|bytes| Ok(bytes.to_vec())), base64::decode)
            .map(Cow::Owned)
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        if self.is_json() {
            return self.ask_json(|source, _| source.decimal().map(Decimal::into_owned));
        }
        let parse = |text: &str| Decimal::parse(text).map(Decimal::into_owned);
        self.ask_or_parse(("decimal", "decimal"), Column::decimal, parse)
    }

    fn date(&mut self) -> Result<Date> {
        if self.is_json() {
            return self.ask_json(|source, _| source.date());
        }
        self.ask_or_parse(("date", "date as YYYY-MM-DD"), Column::date, Date::parse)
    }

    fn time(&mut self) -> Result<Time> {
        if self.is_json() {
            return self.ask_json(|source, _| source.time());
        }
        self.ask_or_parse(("time", "time as HH:MM:SS"), Column::time, Time::parse)
    }

    fn date_time(&mut self) -> Result<DateTime> {
        if self.is_json() {
            return self.ask_json(|source, _| source.date_time());
        }
        let read = |text: &str| DateTime::parse(text).ok_or_else(|| Error::no_date_time(text));
        self.ask_or_read("datetime", Column::date_time, read)
    }

    fn instant(&mut self) -> Result<Instant> {
        if self.is_json() {
            return self.ask_json(|source, _| source.instant());
        }
        self.ask_or_parse(("instant", "instant as RFC 3339"), Column::instant, Instant::parse)
    }

    fn duration(&mut self) -> Result<Duration> {
        if self.is_json() {
            return self.ask_json(|source, _| source.duration());
        }
        self.ask_or_parse(("duration", "duration as ISO 8601"), Column::duration, Duration::parse)
    }

    fn uuid(&mut self) -> Result<Uuid> {
        if self.is_json() {
            return self.ask_json(|source, _| source.uuid());
        }
        let of_bytes = |column: &Column, row| {
            let bytes = column.bytes(row)?;
            Some(bytes.try_into().map(Uuid).map_err(|_| Error::expected("16 bytes", bytes.len().to_string())))
        };
        self.ask_or_parse(("uuid", "uuid"), of_bytes, Uuid::parse)
    }

    fn list(&mut self) -> Result<Option<usize>> {
        if self.phase == Phase::Before {
            self.phase = Phase::Inside;
            self.stands = Stands::Between;
            return Ok(None);
        }
        if self.is_json() {
            return self.ask_json(|source, _| source.list());
        }
        if self.name().is_some() {
            return Err(self.mismatch_here("list"));
        }
        let (item, at, end) = self.items()?;
        self.frames.push(Frame::List { item, at, end });
        self.stands = Stands::Between;
        Ok(Some(end - at))
    }

    fn item(&mut self) -> Result<bool> {
        if self.json.is_some() {
            return self.ask_json(|source, _| source.item());
        }
        match self.frames.last_mut() {
            None if self.phase == Phase::Inside => self.next_row(),
            Some(Frame::List { at, end, .. }) => {
                if at == end {
                    self.frames.pop();
                    self.stands = Stands::Between;
                    return Ok(false);
                }
                *at += 1;
                self.stands = Stands::Value;
                Ok(true)
            }
            _ => Err(no_value()),
        }
    }

    fn map(&mut self) -> Result<Option<usize>> {
        if self.phase != Phase::Before && self.is_json() {
            return self.ask_json(|source, _| source.map());
        }
        if self.phase == Phase::Before || self.name().is_some() {
            return Err(self.mismatch_here("record"));
        }
        let (id, row, null) = self.here()?;
        let (frame, len) = match &self.columns[id].values {
            Values::Struct { children, .. } if !null => {
                (Frame::Record { column: id, row, at: 0, rest: (0, 0) }, children.len())
            }
            Values::Map { offsets, key, value } if !null => {
                let (at, end) = (offsets[row] as usize, offsets[row + 1] as usize);
                (Frame::Map { key: *key, value: *value, at, end }, end - at)
            }
            _ => return Err(self.mismatch_here("record")),
        };
        self.frames.push(frame);
        self.stands = Stands::Between;
        Ok(Some(len))
    }

    fn entry(&mut self) -> Result<bool> {
        if self.json.is_some() {
            return self.ask_json(|source, _| source.entry());
        }
        let more = match self.frames.last_mut() {
            Some(Frame::Record { column, at, .. }) => match &self.columns[*column].values {
                Values::Struct { children, .. } if *at < children.len() => {
                    *at += 1;
                    true
                }
                _ => false,
            },
            Some(Frame::Map { at, end, .. }) => {
                let more = *at < *end;
                *at += usize::from(more);
                more
            }
            _ => return Err(no_value()),
        };
        if !more {
            self.frames.pop();
        }
        self.stands = if more { Stands::Key } else { Stands::Between };
        Ok(more)
    }

    fn value(&mut self) -> Result<()> {
        if self.json.is_some() {
            return self.ask_json(|source, _| source.value());
        }
        self.stands = Stands::Value;
        Ok(())
    }

    fn record(&mut self, _: &Record) -> Result<()> {
        self.map().map(drop)
    }

    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        if self.json.is_some() {
            return self.ask_json(|source, _| source.field(record, expected));
        }
        self.next_field(record)
    }

    fn skip(&mut self) -> Result<()> {
        if self.phase == Phase::Before {
            self.list()?;
            while self.item()? {}
            return Ok(());
        }
        if self.json.is_some() {
            return self.ask_json(|source, _| source.skip());
        }
        if self.stands == Stands::Between {
            return Err(no_value());
        }
        self.stands = Stands::Between;
        Ok(())
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.json_of_value().map(Cow::Owned)
    }

    fn mark(&self) -> Mark {
        let depth = self.frames.len() as u32;
        if let Some(Mark { offset, state }) = self.json {
            return Mark { offset, state: [depth, state[0], state[1], IN_JSON] };
        }
        let stands = self.stands as u32;
        match self.frames.last() {
            None => Mark { offset: self.row, state: [0, self.phase as u32, 0, stands] },
            Some(Frame::List { at, .. } | Frame::Map { at, .. }) => Mark { offset: *at, state: [depth, 0, 0, stands] },
            Some(Frame::Record { at, rest, .. }) => {
                Mark { offset: *at, state: [depth, rest.0 as u32, (rest.0 as u64 >> 32) as u32, stands] }
            }
        }
    }

    fn reset(&mut self, mark: Mark) {
        let [depth, one, two, stands] = mark.state;
        self.frames.truncate(depth as usize);
        if stands == IN_JSON {
            self.json = Some(Mark { offset: mark.offset, state: [one, two, 0, 0] });
            self.stands = Stands::Value;
            return;
        }
        self.json = None;
        self.stands = match stands {
            0 => Stands::Between,
            1 => Stands::Key,
            _ => Stands::Value,
        };
        match self.frames.last_mut() {
            None => {
                self.row = mark.offset;
                self.phase = match one {
                    0 => Phase::Before,
                    1 => Phase::Inside,
                    _ => Phase::After,
                };
            }
            Some(Frame::List { at, .. } | Frame::Map { at, .. }) => *at = mark.offset,
            Some(Frame::Record { at, rest, column, row }) => {
                *at = mark.offset;
                rest.0 = (u64::from(one) | u64::from(two) << 32) as usize;
                if rest.0 > 0
                    && let Values::Struct { children, .. } = &self.columns[*column].values
                    && let Values::Map { offsets, .. } = &self.columns[children[*at - 1]].values
                {
                    rest.1 = offsets[*row + 1] as usize;
                }
            }
        }
    }

    fn position(&self) -> Position {
        self.position_here()
    }

    fn end(&mut self) -> Result<()> {
        match self.phase {
            Phase::After => Ok(()),
            Phase::Before => {
                self.list()?;
                self.end()
            }
            Phase::Inside => {
                if self.frames.is_empty() && self.json.is_none() && !self.next_row()? {
                    return Ok(());
                }
                Err(Error::mismatch(ErrorKind::Syntax, "end of input", "a row").at(self.position_here()))
            }
        }
    }

    /// Refuses a duplicate key in a map: Arrow allows it, but no target of a copy does. Within JSON text the last one
    /// wins, as in all JSON.
    fn repeated(&mut self, key: &str) -> Result<()> {
        if self.json.is_some() {
            return Ok(());
        }
        let error = Error::mismatch(ErrorKind::Constraint, "each key once", format!("`{key}` again"));
        Err(error.at(self.position_here()))
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        if self.is_json() {
            let error = self.look_at_json(|source, _| Err::<(), _>(source.mismatch(expected)));
            return error.err().unwrap_or_else(|| Error::expected(expected, "any"));
        }
        self.mismatch_here(expected)
    }
}
