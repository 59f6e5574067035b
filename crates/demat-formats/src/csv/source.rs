use super::columns::{END, Step, Wanted};
use super::identity::Identity;
use super::row::{Row, Rules};
use super::{Csv, Ragged, cell, fault};
use crate::scan::csv_short_text;
use crate::stream::{Counter, Part};
use crate::text;
use demat_core::scalar::Int;
use demat_core::{Error, ErrorKind, Kind, Mark, Position, Record, Result, Signal, Source, Text};
use std::borrow::Cow;
use std::sync::Arc;

mod float;

/// The position of a source in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum Stage {
    /// Before the table.
    Place,
    /// Between rows.
    Rows,
    /// At a row.
    Row,
    /// Within a row, at a cell or behind the last one.
    Cell,
    /// At the name of a column.
    Name,
    /// After the table.
    End,
    /// Invalid: the source was reset to a mark of another place.
    Lost,
}

impl Stage {
    const ALL: [Self; 7] = [Self::Place, Self::Rows, Self::Row, Self::Cell, Self::Name, Self::End, Self::Lost];
}

/// A [`Source`] over a table, or over a window on one: a list of rows. [`Csv`] makes it and lends it its buffers
/// (`'c`). Text from the input lives as long as the input (`'w`).
#[derive(Debug)]
pub struct CsvSource<'c, 'w> {
    csv: &'c mut Csv,
    part: Part<'w>,
    counter: Counter,
    rules: Rules,
    stage: Stage,
    row: Row,
    /// The number of the current row, from 1; between rows, the number of rows so far.
    number: u64,
    /// The column of the current cell.
    column: usize,
    /// The start of the last value that was read.
    asked: usize,
    /// The number of cells in the current row; 0 outside of rows. So one comparison decides whether there is a current
    /// cell.
    open: usize,
    /// The window from the row's origin on, which the row's marks are relative to.
    ahead: &'w [u8],
    /// The number of columns if it is known; otherwise more than any row has.
    columns: usize,
    /// The last record that was requested, and its columns.
    record: Identity,
    steps: Arc<[Step]>,
    /// The same record, if all columns map to its first fields in order.
    straight: Identity,
    /// The part of the window that was checked to be UTF-8, and its start.
    checked: &'w str,
    checked_from: usize,
    /// The end of the part of the window that was checked and found not to be all UTF-8.
    doubtful: usize,
}

impl<'c, 'w> CsvSource<'c, 'w> {
    pub(super) fn new(csv: &'c mut Csv, part: Part<'w>) -> Self {
        csv.index.begin(0);
        let columns = csv.columns.count().unwrap_or(usize::MAX);
        let rules = Rules { blank_rows: csv.columns.has_blank_rows(0), ..Rules::of(csv.dialect, part.last) };
        Self {
            csv,
            part,
            counter: Counter::default(),
            rules,
            stage: Stage::Place,
            row: Row::default(),
            number: 0,
            column: 0,
            asked: 0,
            open: 0,
            ahead: part.bytes,
            columns,
            record: Identity::NONE,
            steps: Arc::default(),
            straight: Identity::NONE,
            checked: "",
            checked_from: 0,
            doubtful: 0,
        }
    }

    /// Moves to another stage.
    #[inline(always)]
    fn stand(&mut self, stage: Stage) {
        self.stage = stage;
        self.open = if stage == Stage::Cell { self.row.cells } else { 0 };
    }

    /// Steps to the next row.
    #[inline(always)]
    fn next_row(&mut self) -> Result<bool> {
        if self.csv.columns.refused || !self.csv.index.plain_row(self.part.bytes, &mut self.row) {
            return self.other_row();
        }
        self.number += 1;
        self.asked = self.row.start;
        self.stand(Stage::Row);
        Ok(true)
    }

    /// Steps to a row that is not plain, or is in another chunk.
    #[cold]
    #[inline(never)]
    fn other_row(&mut self) -> Result<bool> {
        match self.csv.index.row(self.part.bytes, self.rules) {
            Ok(Some(row)) if !self.csv.columns.refused => {
                self.look_at(row);
                self.number += 1;
                self.asked = row.start;
                self.stand(Stage::Row);
                Ok(true)
            }
            other => self.no_row(other.map(|_| ())),
        }
    }

    /// Makes a row the current one; it may be in another chunk.
    fn look_at(&mut self, row: Row) {
        self.row = row;
        self.ahead = self.part.bytes.get(row.origin..).unwrap_or_default();
    }

    #[cold]
    fn no_row(&mut self, other: Result<(), fault::Stop>) -> Result<bool> {
        self.row.cells = 0; // its marks may no longer exist
        match other {
            Ok(()) if self.csv.columns.refused => {
                Err(Error::new(ErrorKind::Constraint, "the header of this table was refused"))
            }
            Ok(()) => {
                self.stand(Stage::End);
                self.asked = self.part.bytes.len();
                Ok(false)
            }
            Err(fault::Stop::Incomplete) => Err(Error::signalled(Signal::Incomplete)),
            Err(stop) => Err(stop.error(&self.part.base, self.part.bytes).in_record(self.number + 1)),
        }
    }

    /// Enters the current row, unless it is faulty.
    #[inline(always)]
    fn enter(&mut self, expected: &'static str) -> Result<()> {
        if self.stage != Stage::Row {
            return Err(self.mismatch(expected));
        }
        if self.row.cells != self.columns || self.row.fault.is_some() {
            self.look_closer()?;
        }
        self.column = 0;
        self.stand(Stage::Cell);
        Ok(())
    }

    /// Checks a row that may be faulty or of another length.
    #[cold]
    #[inline(never)]
    fn look_closer(&mut self) -> Result<()> {
        let columns = self.columns();
        if self.row.cells != columns || self.row.fault.is_some() {
            self.odd_row(columns)?;
        }
        Ok(())
    }

    /// Returns the number of columns. Without a header, the first row sets it.
    fn columns(&mut self) -> usize {
        if self.csv.columns.count().is_none() {
            self.csv.columns.set_count(self.row.cells);
            self.rules.blank_rows = self.csv.columns.has_blank_rows(self.number);
        }
        self.columns = self.csv.columns.count().unwrap_or(self.row.cells);
        self.columns
    }

    /// Selects the mapping of a record.
    #[cold]
    #[inline(never)]
    fn select(&mut self, record: &Record) -> Result<()> {
        // An error at the header has a position already. Without a header, the position is that of the current row.
        let here = || self.part.base.position(self.part.bytes, self.row.start);
        self.record = Identity::NONE;
        self.steps = self.csv.columns.steps(record).map_err(|error| error.at(here()))?;
        self.record = Identity::of(record);
        let straight = (0..self.columns).all(|column| self.steps.get(column).is_some_and(|step| step.is_plain(column)));
        self.straight = if straight { self.record } else { Identity::NONE };
        Ok(())
    }

    /// Refuses a faulty row. With [`Ragged::Pad`], it makes the row no longer than the columns.
    #[cold]
    fn odd_row(&mut self, columns: usize) -> Result<()> {
        if let Some(at) = self.row.fault {
            self.asked = at;
            return Err(fault::after_quote().at(self.position()));
        }
        let pads = self.csv.dialect.ragged == Ragged::Pad;
        let empty = |column| {
            let (start, end) = self.csv.index.cell(&self.row, column);
            start == end
        };
        if !pads || !(columns..self.row.cells).all(empty) {
            let error = match (&self.csv.columns, columns) {
                (named, 1) if named.is_named() => fault::ragged_under(named.name(0), self.row.cells),
                _ => fault::ragged(columns, self.row.cells),
            };
            return Err(error.at(self.position()));
        }
        self.row.cells = self.row.cells.min(columns);
        Ok(())
    }

    /// Returns start and end of the current cell, quotes included.
    #[inline(always)]
    fn cell(&self) -> Option<(usize, usize)> {
        if self.column >= self.open {
            return None;
        }
        Some(self.csv.index.cell(&self.row, self.column))
    }

    /// Takes the current cell. Returns its start and end, quotes included.
    #[inline(always)]
    fn take_cell(&mut self, expected: &'static str) -> Result<(usize, usize)> {
        match self.take_ahead() {
            Some((start, end)) => Ok(self.in_window(start, end)),
            None => Err(self.mismatch(expected)),
        }
    }

    /// As [`take_cell`](Self::take_cell), relative to [`ahead`](Self::ahead).
    #[inline(always)]
    fn take_ahead(&mut self) -> Option<(u32, u32)> {
        if self.column >= self.open {
            return None;
        }
        debug_assert_eq!(self.ahead.len(), self.part.bytes.len() - self.row.origin);
        let (start, end) = self.csv.index.place(&self.row, self.column as u32);
        self.asked = self.row.origin + start as usize;
        self.column += 1;
        Some((start, end))
    }

    /// Converts offsets in [`ahead`](Self::ahead) to offsets in the window.
    #[inline(always)]
    fn in_window(&self, start: u32, end: u32) -> (usize, usize) {
        (self.row.origin + start as usize, self.row.origin + end as usize)
    }

    /// Whether there is another cell, in a row that is read as a list.
    #[inline]
    fn next_cell(&mut self) -> Result<bool> {
        match self.stage {
            Stage::Cell if self.column < self.row.cells => Ok(true),
            Stage::Cell => {
                self.stand(Stage::Rows);
                Ok(false)
            }
            _ => Err(self.mismatch("a list")),
        }
    }

    /// Whether the current cell is empty: not quoted, or in a column whose values are no text.
    #[inline]
    fn stands_empty(&self) -> bool {
        self.cell().is_some_and(|(start, end)| self.is_empty(start, end))
    }

    #[inline]
    fn is_empty(&self, start: usize, end: usize) -> bool {
        start == end
            || end - start == 2 && self.is_quoted_nothing(start, end)
            || self.csv.dialect.null.is_some() && self.is_null_text(start, end)
    }

    /// Whether this current cell is the text for null.
    #[inline(never)]
    fn is_null_text(&self, start: usize, end: usize) -> bool {
        self.csv.dialect.null.is_some_and(|null| self.raw(start, end) == null.as_bytes())
    }

    /// Whether this current cell is quotes around nothing, in a column whose values are no text.
    #[inline(never)]
    fn is_quoted_nothing(&self, start: usize, end: usize) -> bool {
        let has_no_text = self.steps.get(self.column).is_some_and(|step| step.has_no_text(self.column));
        has_no_text && cell::quoted(self.raw(start, end), self.rules) == Some(b"")
    }

    #[inline]
    fn raw(&self, start: usize, end: usize) -> &'w [u8] {
        self.part.bytes.get(start..end).unwrap_or_default()
    }

    /// Returns start and end of a cell's content, without quotes.
    #[inline]
    fn inside(&self, start: usize, end: usize) -> (usize, usize) {
        let quoted = cell::quoted(self.raw(start, end), self.rules).is_some();
        if quoted { (start + 1, end - 1) } else { (start, end) }
    }

    /// Returns a cell's content without quotes, for numbers and bools. Doubled quotes stay doubled.
    #[inline]
    fn content(&self, start: usize, end: usize) -> &'w [u8] {
        let raw = self.raw(start, end);
        cell::quoted(raw, self.rules).unwrap_or(raw)
    }

    /// Returns bytes of the window as text.
    ///
    /// It checks a whole chunk at once, at many bytes per cycle. Then a cell is a slice of the checked text, which
    /// costs two looks at character boundaries.
    #[inline(always)]
    fn lasting(&mut self, start: usize, end: usize) -> Result<&'w str> {
        let (from, to) = (start.wrapping_sub(self.checked_from), end.wrapping_sub(self.checked_from));
        match self.checked.get(from..to) {
            Some(text) => Ok(text),
            None => self.check(start, end),
        }
    }

    #[cold]
    #[inline(never)]
    fn check(&mut self, start: usize, end: usize) -> Result<&'w str> {
        if start >= self.doubtful {
            let to = self.csv.index.swept().max(end);
            match simdutf8::basic::from_utf8(self.raw(start, to)) {
                Ok(text) => {
                    (self.checked, self.checked_from) = (text, start);
                    return Ok(text.get(..end - start).unwrap_or_default());
                }
                Err(_) => self.doubtful = to,
            }
        }
        match core::str::from_utf8(self.raw(start, end)) {
            Ok(text) => Ok(text),
            Err(error) => {
                self.asked = start + error.valid_up_to();
                Err(Error::mismatch(ErrorKind::Syntax, "UTF-8", "other bytes").at(self.position()))
            }
        }
    }

    /// Returns the text of a cell that is quoted, long, or not ASCII.
    #[inline(never)]
    fn other_text(&mut self, (start, end): (usize, usize)) -> Result<Text<'w, '_>> {
        if !self.part.bytes.get(start).is_some_and(|first| self.rules.quotes(*first)) || start == end {
            return self.lasting(start, end).map(Text::Input);
        }
        let (start, end) = (start + 1, end.saturating_sub(1).max(start + 1));
        if let Some(text) = csv_short_text(self.part.bytes, start, end, self.rules.quote) {
            return Ok(Text::Input(text));
        }
        let text = self.lasting(start, end)?;
        if memchr::memchr(self.rules.quote, text.as_bytes()).is_none() {
            return Ok(Text::Input(text));
        }
        let out = &mut self.csv.unescaped;
        out.clear();
        cell::unescape_text(text, self.rules.quote, out);
        Ok(Text::Scratch(out))
    }

    /// Returns the name of the current column.
    #[cold]
    fn name(&mut self) -> Result<Text<'w, '_>> {
        if self.stage != Stage::Name {
            return Err(self.mismatch("text"));
        }
        self.asked = self.row.start;
        Ok(Text::Scratch(self.csv.columns.name(self.column)))
    }

    /// Returns the error for a cell with content of another type.
    #[cold]
    fn refused(&self, expected: &'static str, content: &[u8]) -> Error {
        Error::expected(expected, fault::shown(content)).at(self.position())
    }

    /// Parses an integer that is not short: signed, quoted, longer, or invalid.
    #[inline(never)]
    fn int_with_care(&self, (start, end): (usize, usize)) -> Result<Int<'w>> {
        let (from, to) = self.inside(start, end);
        match cell::i64(self.part.bytes, from, to) {
            Some(int) => Ok(Int::I64(int)),
            None => self.int_of_content(start, end, "int"),
        }
    }

    /// As [`int_with_care`](Self::int_with_care), for a value that must fit 64 bits.
    #[inline(never)]
    fn i64_with_care(&self, (start, end): (usize, usize)) -> Result<i64> {
        let (from, to) = self.inside(start, end);
        if let Some(int) = cell::i64(self.part.bytes, from, to) {
            return Ok(int);
        }
        let int = self.int_of_content(start, end, "int64")?;
        int.to_i64().ok_or_else(|| Error::expected("int64", int.to_string()).at(self.position()))
    }

    #[inline(never)]
    fn u64_with_care(&self, (start, end): (usize, usize)) -> Result<u64> {
        let (from, to) = self.inside(start, end);
        if let Some(int) = cell::u64(self.part.bytes, from, to) {
            return Ok(int);
        }
        let int = self.int_of_content(start, end, "uint64")?;
        int.to_u64().ok_or_else(|| Error::expected("uint64", int.to_string()).at(self.position()))
    }

    /// Parses an integer that is not plain digits of an `i64`: quoted, larger, or invalid.
    #[cold]
    fn int_of_content(&self, start: usize, end: usize, expected: &'static str) -> Result<Int<'w>> {
        let content = self.content(start, end);
        let canonical = core::str::from_utf8(content).ok().and_then(cell::canonical);
        match canonical {
            Some(Cow::Borrowed(digits)) => Int::from_digits(digits),
            Some(Cow::Owned(digits)) => Int::from_digits(&digits).map(Int::into_owned),
            None => None,
        }
        .ok_or_else(|| self.refused(expected, content))
    }
}

impl<'w> Source<'w> for CsvSource<'_, 'w> {
    fn peek(&mut self) -> Result<Kind> {
        Ok(match self.stage {
            Stage::Row if self.csv.columns.is_named() => Kind::Map,
            Stage::Place | Stage::Rows | Stage::Row => Kind::List,
            Stage::Cell if self.stands_empty() => Kind::Null,
            Stage::Cell | Stage::Name => Kind::Text,
            Stage::End | Stage::Lost => return Err(self.mismatch("a value")),
        })
    }

    #[inline]
    fn null(&mut self) -> Result<bool> {
        match self.cell() {
            Some((start, end)) if self.is_empty(start, end) => {
                self.asked = start;
                self.column += 1;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    #[inline]
    fn bool(&mut self) -> Result<bool> {
        let (start, end) = self.take_cell("bool")?;
        let content = self.content(start, end);
        cell::bool(content).ok_or_else(|| self.refused("bool", content))
    }

    #[inline]
    fn int(&mut self) -> Result<Int<'w>> {
        let Some((start, end)) = self.take_ahead() else { return Err(self.mismatch("int")) };
        match cell::short_int(self.ahead, start, end) {
            Some(int) => Ok(Int::I64(int.into())),
            None => self.int_with_care(self.in_window(start, end)),
        }
    }

    #[inline(always)]
    fn i64(&mut self) -> Result<i64> {
        let Some((start, end)) = self.take_ahead() else { return Err(self.mismatch("int64")) };
        match cell::short_int(self.ahead, start, end) {
            Some(int) => Ok(int.into()),
            None => self.i64_with_care(self.in_window(start, end)),
        }
    }

    #[inline(always)]
    fn u64(&mut self) -> Result<u64> {
        let Some((start, end)) = self.take_ahead() else { return Err(self.mismatch("uint64")) };
        match cell::short_int(self.ahead, start, end) {
            Some(int) => Ok(int.into()),
            None => self.u64_with_care(self.in_window(start, end)),
        }
    }

    #[inline(always)]
    fn float(&mut self) -> Result<f64> {
        let Some((start, end)) = self.take_ahead() else { return Err(self.mismatch("float")) };
        if let Some(number) = cell::short_float(self.ahead, start, end) {
            return Ok(number);
        }
        self.longer_float(start, end)
    }

    #[inline]
    fn float32(&mut self) -> Result<f32> {
        let cell = self.take_cell("float32")?;
        self.float_of(cell, "float32", text::parse_f32, |named| named as f32, f32::is_finite)
    }

    #[inline(always)]
    fn text(&mut self) -> Result<Text<'w, '_>> {
        let Some((start, end)) = self.take_ahead() else { return self.name() };
        match csv_short_text(self.ahead, start as usize, end as usize, self.rules.quote) {
            Some(text) => Ok(Text::Input(text)),
            None => self.other_text(self.in_window(start, end)),
        }
    }

    fn list(&mut self) -> Result<Option<usize>> {
        match self.stage {
            Stage::Place => {
                self.csv.begin(self.part)?;
                self.rules.blank_rows = self.csv.columns.has_blank_rows(0);
                self.columns = self.csv.columns.count().unwrap_or(usize::MAX);
                (self.number, self.record, self.straight) = (0, Identity::NONE, Identity::NONE);
                // The header may come from the same chunk as the first rows.
                self.look_at(Row { origin: self.csv.index.from(), ..Row::default() });
                self.stand(Stage::Rows);
                Ok(None)
            }
            Stage::Row => {
                self.enter("list")?;
                Ok(Some(self.row.cells))
            }
            _ => Err(self.mismatch("list")),
        }
    }

    #[inline(always)]
    fn item(&mut self) -> Result<bool> {
        if self.stage == Stage::Rows { self.next_row() } else { self.next_cell() }
    }

    fn map(&mut self) -> Result<Option<usize>> {
        self.enter("record")?;
        self.csv.columns.name_all();
        Ok(Some(self.row.cells))
    }

    #[inline]
    fn entry(&mut self) -> Result<bool> {
        if self.stage != Stage::Cell {
            return Err(self.mismatch("a record"));
        }
        let more = self.column < self.row.cells;
        self.stand(if more { Stage::Name } else { Stage::Rows });
        Ok(more)
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        if self.stage != Stage::Name {
            return Err(self.mismatch("a column's name"));
        }
        self.stand(Stage::Cell);
        Ok(())
    }

    /// Skips a cell, but checks that it is UTF-8.
    #[inline]
    fn skip(&mut self) -> Result<()> {
        match self.stage {
            Stage::Cell => {
                let (start, end) = self.take_cell("a value")?;
                self.lasting(start, end).map(drop)
            }
            Stage::Name => Ok(()),
            Stage::Row => {
                self.enter("a row")?;
                self.stand(Stage::Rows);
                self.lasting(self.row.start, self.row.end).map(drop)
            }
            Stage::Place => {
                self.list()?;
                while self.item()? {
                    self.skip()?;
                }
                Ok(())
            }
            _ => Err(self.mismatch("a value")),
        }
    }

    /// At a row, returns its bytes without the line ending, whether the row is valid or not.
    fn span(&mut self) -> Result<Cow<'w, [u8]>> {
        match self.stage {
            Stage::Cell => {
                let (start, end) = self.take_cell("a value")?;
                Ok(Cow::Borrowed(self.raw(start, end)))
            }
            Stage::Name => Ok(Cow::Owned(self.csv.columns.name(self.column).as_bytes().to_vec())),
            Stage::Row => {
                // This may be the first row, which sets the number of columns.
                self.columns();
                self.stand(Stage::Rows);
                Ok(Cow::Borrowed(self.raw(self.row.start, self.row.end)))
            }
            Stage::Place => {
                self.skip()?;
                Ok(Cow::Borrowed(self.part.bytes))
            }
            _ => Err(self.mismatch("a value")),
        }
    }

    fn mark(&self) -> Mark {
        let offset = match self.stage {
            Stage::Row | Stage::Cell | Stage::Name => self.row.start,
            _ => self.csv.index.at(),
        };
        let number = self.number;
        Mark { offset, state: [self.stage as u32, number as u32, (number >> 32) as u32, self.column as u32] }
    }

    fn reset(&mut self, mark: Mark) {
        let [stage, low, high, column] = mark.state;
        self.stage = Stage::ALL.get(stage as usize).copied().unwrap_or(Stage::Lost);
        self.number = u64::from(high) << 32 | u64::from(low);
        self.column = column as usize;
        self.rules.blank_rows = self.csv.columns.has_blank_rows(self.number);
        match self.stage {
            Stage::Row | Stage::Cell | Stage::Name => self.return_to_row(mark.offset),
            _ => {
                self.row.cells = 0;
                self.csv.index.seek(mark.offset);
            }
        }
        self.stand(self.stage);
        self.asked = self.cell().map_or(mark.offset, |(start, _)| start);
    }

    fn position(&self) -> Position {
        let position = self.counter.position(&self.part.base, self.part.bytes, self.asked);
        Position { record: (self.number > 0).then_some(self.number), ..position }
    }

    fn end(&mut self) -> Result<()> {
        match self.stage {
            Stage::End => Ok(()),
            Stage::Rows => {
                if self.next_row()? {
                    return Err(self.mismatch("the end of the table"));
                }
                Ok(())
            }
            _ => Err(self.mismatch("the end of the table")),
        }
    }

    /// Columns have unique names and map to one field each, so only an unusual sequence of calls leads here.
    fn repeated(&mut self, key: &str) -> Result<()> {
        Err(Error::new(ErrorKind::Constraint, format!("repeated column `{key}`")).at(self.position()))
    }

    /// Checks that the header matches the record, for input without rows.
    fn no_records(&mut self, record: &Record) -> Result<()> {
        let columns = &mut self.csv.columns;
        // Input without a header is an empty list.
        if columns.is_named() && columns.count() != Some(0) { columns.steps(record).map(drop) } else { Ok(()) }
    }

    #[cold]
    fn mismatch(&mut self, expected: &'static str) -> Error {
        let found = match self.stage {
            Stage::Place => "a table",
            Stage::Rows => "a row or the end of the table",
            Stage::Row => "a row",
            Stage::Cell if self.column >= self.row.cells => "the end of the row",
            Stage::Cell if self.stands_empty() => "an empty cell",
            Stage::Cell => {
                let (start, end) = self.cell().unwrap_or_default();
                let raw = self.part.bytes.get(start..end).unwrap_or_default();
                self.asked = start;
                return self.refused(expected, cell::quoted(raw, self.rules).unwrap_or(raw));
            }
            Stage::Name => "a column's name",
            Stage::End => "the end of the table",
            Stage::Lost => "nothing",
        };
        if let Some((start, _)) = self.cell() {
            self.asked = start;
        }
        Error::expected(expected, found).at(self.position())
    }

    #[inline(always)]
    fn record(&mut self, record: &Record) -> Result<()> {
        self.enter("record")?;
        if self.record != Identity::of(record) {
            self.select(record)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        // Most tables have the columns in the order of the record's fields. Then the result equals the `expected`
        // argument, which is often a constant at the call.
        if self.straight == Identity::of(record) {
            if expected == self.column && expected < self.open {
                return Ok(Some(expected));
            }
            if self.column >= self.open && self.stage == Stage::Cell {
                self.stand(Stage::Rows);
                return Ok(None);
            }
        }
        self.other_field(record)
    }
}

impl CsvSource<'_, '_> {
    /// Returns the field of the next mapped column.
    #[inline(never)]
    fn other_field(&mut self, record: &Record) -> Result<Option<usize>> {
        if self.stage != Stage::Cell {
            return Err(self.mismatch("a record"));
        }
        // `enter` selected the record already.
        if self.record != Identity::of(record) {
            self.select(record)?;
        }
        loop {
            let step = self.steps.get(self.column).copied().unwrap_or(END);
            let column = (step.column as usize).min(self.row.cells);
            if self.column < column {
                self.pass_over_cells(column)?;
            }
            if column >= self.row.cells {
                self.stand(Stage::Rows);
                return Ok(None);
            }
            self.column = column;
            if let Some(field) = step.plain() {
                return Ok(Some(field));
            }
            match step.wanted() {
                Wanted::Field(field) => return Ok(Some(field)),
                Wanted::UnlessEmpty(field) if !self.stands_empty() => return Ok(Some(field)),
                Wanted::UnlessEmpty(_) => self.column += 1,
                Wanted::Kept(rest) => {
                    self.stand(Stage::Name);
                    return Ok(Some(rest));
                }
            }
        }
    }

    /// Skips the cells before a column, but checks that they are UTF-8.
    fn pass_over_cells(&mut self, column: usize) -> Result<()> {
        let (start, _) = self.csv.index.cell(&self.row, self.column);
        let (_, end) = self.csv.index.cell(&self.row, column - 1);
        self.lasting(start, end).map(drop)
    }

    /// Returns to a row that was split before, in this window or an earlier one.
    fn return_to_row(&mut self, start: usize) {
        if self.row.start == start && self.row.cells > 0 {
            return;
        }
        self.csv.index.seek(start);
        match self.csv.index.row(self.part.bytes, self.rules) {
            Ok(Some(row)) if row.start == start => {
                self.look_at(row);
                if let (Some(columns), Ragged::Pad) = (self.csv.columns.count(), self.csv.dialect.ragged) {
                    self.row.cells = row.cells.min(columns);
                }
            }
            _ => self.stage = Stage::Lost,
        }
    }
}
