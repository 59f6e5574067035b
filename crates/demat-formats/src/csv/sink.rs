use super::write::Quoting;
use super::written_columns::WrittenColumns;
use super::{Dialect, Ragged, fault};
use crate::output::{Drain, Output};
use crate::text;
use demat_core::scalar::{Decimal, Duration, Int};
use demat_core::{Error, ErrorKind, Record, Result, Shape, Sink, Tag, Union, Unknown};
use std::fmt::Write as _;

/// A sink that writes a table.
///
/// Write a list of records, maps, tuples or lists: these are the rows. A single record or map is the only row.
///
/// * The columns are the fields of the record, or the keys of the first map. Later cells may come in any order. A later
///   row with an unknown key is refused.
/// * Records and maps get a header, if the dialect has one; lists do not. An empty list writes nothing, unless the sink
///   [knows](Self::with_record) the record.
/// * Variants of a tagged union have the columns of all variants, if [`Sink::begin`] announces the union.
/// * Nulls and missing fields are empty cells; empty text is `""`. A cell holds one scalar: lists, maps and records in
///   a
///   cell are refused.
/// * Non-finite floats are `NaN`, `inf` and `-inf`.
///
/// ```
/// use demat_core::{Encode, Sink};
/// use demat_formats::csv::{CsvSink, Dialect};
/// use demat_formats::{Keep, Output};
///
/// let mut sink = CsvSink::new(Dialect::default(), Output::new(Vec::new(), Keep))?;
/// vec![(1, "a, b"), (2, "")].encode(&mut sink)?;
/// sink.finish()?;
/// assert_eq!(sink.into_output().buffer, b"1,\"a, b\"\n2,\"\"\n");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct CsvSink<D> {
    output: Output<D>,
    dialect: Dialect,
    quoting: Quoting,
    columns: WrittenColumns,
    /// The bytes of cells that came out of order.
    aside: Vec<u8>,
    /// The column of each of these cells, and its end in `aside`.
    aside_cells: Vec<(usize, usize)>,
    cursor: Cursor,
    saved: Cursor,
}

/// The position in the table. It is small, since each commit saves it.
#[derive(Debug, Clone, Copy)]
struct Cursor {
    expected: Expected,
    row: Kind,
    /// Whether the table is a list; otherwise it is its only row.
    listed: bool,
    /// Whether the current row still adds columns.
    open: bool,
    header_written: bool,
    /// The number of complete rows.
    rows: u64,
    /// The number of columns, once known.
    width: usize,
    /// The next column to write to the output.
    next: usize,
    /// The start of this row's cells in `aside_cells` and `aside`.
    first_aside: (usize, usize),
    /// The lengths at the commit: of the names, of `aside_cells` and of `aside`.
    names: usize,
    aside: (usize, usize),
}

/// The next call that is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// The table.
    Table,
    /// The next row, or the end of the table.
    Rows,
    /// A row.
    Row,
    /// The next cell of a row, or the row's end.
    Cells,
    /// The name of a column.
    Name,
    /// The value behind the name of this column.
    Named(usize),
    /// A cell in order.
    Cell,
    /// The cell of this column, out of order.
    Aside(usize),
    /// Nothing.
    End,
}

/// The kind of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Record,
    Map,
    List,
}

const NEW: Cursor = Cursor {
    expected: Expected::Table,
    row: Kind::List,
    listed: false,
    open: false,
    header_written: false,
    rows: 0,
    width: 0,
    next: 0,
    first_aside: (0, 0),
    names: 0,
    aside: (0, 0),
};

impl<D: Drain> CsvSink<D> {
    /// Returns a sink to an output.
    ///
    /// # Errors
    /// If the [dialect](Dialect::check) is invalid.
    pub fn new(dialect: Dialect, output: Output<D>) -> Result<Self> {
        dialect.check_written()?;
        Ok(Self {
            output,
            dialect,
            quoting: Quoting::of(dialect),
            columns: WrittenColumns::default(),
            aside: Vec::new(),
            aside_cells: Vec::new(),
            cursor: NEW,
            saved: NEW,
        })
    }

    /// Sets the columns from a record, so a table without rows has a header.
    #[must_use]
    pub fn with_record(mut self, record: &Record) -> Self {
        self.take_columns(record);
        self
    }

    fn take_columns(&mut self, record: &Record) {
        self.columns.take_fields(record);
        self.cursor.width = self.columns.len();
        self.cursor.names = self.columns.len();
        self.saved = self.cursor;
    }

    /// Sets the columns from a tagged union: the tag and the fields of all variants. Each row leaves the cells of the
    /// other variants empty.
    fn take_columns_of_union(&mut self, union: &Union) {
        if !matches!(union.tag(), Tag::Field(_)) {
            return;
        }
        for variant in union.variants() {
            if let Shape::Record(record) = variant.shape().inner() {
                self.take_columns(&record.get());
            }
        }
    }

    /// Returns the output.
    pub fn into_output(self) -> Output<D> {
        self.output
    }

    /// Begins a row, if one is allowed here.
    #[inline]
    fn begin_row(&mut self, kind: Kind) -> Result<()> {
        match self.cursor.expected {
            Expected::Row | Expected::Table => {}
            Expected::Cell | Expected::Aside(_) => return Err(nested(kind)),
            _ => return Err(misplaced()),
        }
        (self.cursor.row, self.cursor.expected, self.cursor.next) = (kind, Expected::Cells, 0);
        self.cursor.first_aside = (self.aside_cells.len(), self.aside.len());
        Ok(())
    }

    /// Begins a row with names.
    #[inline]
    fn begin_named_row(&mut self, kind: Kind, record: Option<&Record>) -> Result<()> {
        self.begin_row(kind)?;
        if self.cursor.header_written { Ok(()) } else { self.begin_first_named_row(record) }
    }

    /// Begins a row without names. Refuses it behind a header.
    fn begin_nameless_row(&mut self) -> Result<()> {
        self.begin_row(Kind::List)?;
        if self.cursor.header_written && self.dialect.header {
            let found = "a row without names after rows with names";
            return Err(Error::mismatch(ErrorKind::Encode, "a record as a CSV row", found));
        }
        Ok(())
    }

    #[cold]
    fn begin_first_named_row(&mut self, record: Option<&Record>) -> Result<()> {
        if self.cursor.rows > 0 {
            let found = "a row with names after rows without";
            return Err(Error::mismatch(ErrorKind::Encode, "a list as a CSV row", found));
        }
        if self.cursor.width == 0 {
            if let Some(record) = record {
                self.columns.take_fields(record);
            }
            self.cursor.open = record.is_none_or(|record| matches!(record.unknown(), Unknown::Keep(_)));
        }
        if self.cursor.open { Ok(()) } else { self.write_header() }
    }

    /// Writes the header; the columns are final then.
    fn write_header(&mut self) -> Result<()> {
        self.cursor.open = false;
        self.cursor.header_written = true;
        self.cursor.width = self.columns.len();
        if !self.dialect.header || self.cursor.width == 0 {
            return Ok(());
        }
        for (column, name) in self.columns.names().iter().enumerate() {
            if column > 0 {
                self.output.buffer.push(self.dialect.delimiter);
            }
            // With several columns, an empty name needs no quotes: the delimiters show it.
            if !(name.is_empty() && self.dialect.quote.is_none() && self.cursor.width > 1) {
                self.quoting.text(&mut self.output.buffer, name)?;
            }
        }
        self.output.buffer.extend_from_slice(self.dialect.line_ending.bytes());
        Ok(())
    }

    /// Begins the cell of this column.
    #[inline]
    fn begin_cell(&mut self, column: usize) -> Result<()> {
        if column != self.cursor.next || self.cursor.open {
            return self.begin_cell_aside(column);
        }
        if column > 0 {
            self.output.buffer.push(self.dialect.delimiter);
        }
        self.cursor.next = column + 1;
        self.cursor.expected = Expected::Cell;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn begin_cell_aside(&mut self, column: usize) -> Result<()> {
        if column < self.cursor.next {
            return Err(self.told_twice(column));
        }
        self.cursor.expected = Expected::Aside(column);
        Ok(())
    }

    #[cold]
    fn told_twice(&self, column: usize) -> Error {
        let message = format!("a CSV row is told the column `{}` twice", self.columns.name(column));
        Error::new(ErrorKind::Encode, message)
    }

    /// Returns the buffer for the current cell.
    #[inline]
    fn cell(&mut self) -> Result<&mut Vec<u8>> {
        if self.cursor.expected != Expected::Cell {
            return self.cell_aside();
        }
        self.cursor.expected = Expected::Cells;
        Ok(&mut self.output.buffer)
    }

    #[cold]
    #[inline(never)]
    fn cell_aside(&mut self) -> Result<&mut Vec<u8>> {
        match self.cursor.expected {
            Expected::Aside(column) => {
                self.close_aside();
                self.aside_cells.push((column, usize::MAX));
                self.cursor.expected = Expected::Cells;
                Ok(&mut self.aside)
            }
            Expected::Row => {
                Err(Error::mismatch(ErrorKind::Encode, "a record, a map or a list as a CSV row", "one value"))
            }
            Expected::Table => {
                Err(Error::mismatch(ErrorKind::Encode, "a list of rows, or one row, as a CSV table", "one value"))
            }
            Expected::Name => {
                Err(Error::mismatch(ErrorKind::Encode, "text as the name of a CSV column", "another value"))
            }
            _ => Err(misplaced()),
        }
    }

    /// Ends the last cell in `aside`.
    fn close_aside(&mut self) {
        if let Some((_, end)) = self.aside_cells.last_mut()
            && *end == usize::MAX
        {
            *end = self.aside.len();
        }
    }

    /// Selects the column of a map key.
    fn name(&mut self, name: &str) -> Result<()> {
        let column = match self.columns.find(name, self.cursor.next) {
            Some(column) => column,
            None if self.cursor.open => self.columns.add(name),
            None => return Err(self.columns.unknown(name)),
        };
        self.cursor.expected = Expected::Named(column);
        Ok(())
    }

    /// Ends the row.
    #[inline]
    fn end_row(&mut self, kind: Kind) -> Result<()> {
        if self.cursor.expected != Expected::Cells || self.cursor.row != kind {
            return Err(misplaced());
        }
        let in_turn = self.cursor.next == self.cursor.width && self.aside_cells.len() == self.cursor.first_aside.0;
        if !in_turn || self.cursor.rows == 0 {
            self.rest_of_row()?;
        }
        self.output.buffer.extend_from_slice(self.dialect.line_ending.bytes());
        self.cursor.rows += 1;
        self.cursor.expected = if self.cursor.listed { Expected::Rows } else { Expected::End };
        Ok(())
    }

    /// Writes the cells from `aside` in order, and empty cells for missing ones. Before the first row it writes the
    /// header.
    #[cold]
    #[inline(never)]
    fn rest_of_row(&mut self) -> Result<()> {
        if self.cursor.row == Kind::List && self.cursor.rows == 0 && self.cursor.width == 0 {
            self.cursor.width = self.cursor.next;
        }
        if self.cursor.open {
            self.write_header()?;
        }
        let Cursor { width, next, .. } = self.cursor;
        if width == 0 {
            return Err(Error::mismatch(ErrorKind::Encode, "a CSV row of one cell or more", "one of none"));
        }
        if next > width || self.cursor.row == Kind::List && next < width && self.dialect.ragged == Ragged::Refuse {
            return Err(fault::ragged_out(width, next));
        }
        self.close_aside();
        let mut cells = self.take_aside();
        cells.sort_unstable();
        if let Some(pair) = cells.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(self.told_twice(pair[0].0));
        }
        if let Some(cell) = cells.first()
            && cell.0 < next
        {
            return Err(self.told_twice(cell.0));
        }
        let mut cells = cells.into_iter().peekable();
        for column in next..width {
            if column > 0 {
                self.output.buffer.push(self.dialect.delimiter);
            }
            if let Some((_, start, end)) = cells.next_if(|cell| cell.0 == column) {
                self.output.buffer.extend_from_slice(&self.aside[start..end]);
            } else if let Some(null) = &self.dialect.null {
                self.output.buffer.extend_from_slice(null.as_bytes());
            }
        }
        // Cells saved by a commit stay until the next commit, for a rollback.
        self.aside_cells.truncate(self.cursor.first_aside.0.max(self.saved.aside.0));
        self.aside.truncate(self.cursor.first_aside.1.max(self.saved.aside.1));
        let is_begin = self.output.offset_of(self.output.buffer.len()) == 0;
        if self.cursor.rows == 0 && is_begin && self.dialect.behind.is_none() {
            let message = "a CSV table without a header can't begin with a row that is one empty cell";
            return Err(Error::new(ErrorKind::Encode, message));
        }
        Ok(())
    }

    /// Returns the cells of this row in `aside`: column, start and end.
    fn take_aside(&self) -> Vec<(usize, usize, usize)> {
        let mut start = self.cursor.first_aside.1;
        let cells = &self.aside_cells[self.cursor.first_aside.0..];
        let place = |(column, end): &(usize, usize)| (*column, core::mem::replace(&mut start, *end), *end);
        cells.iter().map(place).collect()
    }

    /// Refuses text that needs quotes, except empty text in a column without nulls, which can't be mistaken for one.
    #[cold]
    fn unquotable(&self, expected: Expected, value: &str, refused: Error) -> Result<()> {
        let column = match expected {
            Expected::Aside(column) => column,
            _ => self.cursor.next.saturating_sub(1),
        };
        if value.is_empty() && self.cursor.row == Kind::Record && !self.columns.may_be_null(column) {
            return Ok(());
        }
        Err(refused)
    }

    /// Writes a value by its `Display`; it needs no quotes.
    fn displayed(&mut self, value: &dyn core::fmt::Display) -> Result<()> {
        let mut text = String::new();
        let _ = write!(text, "{value}"); // writing to a String cannot fail
        if self.cursor.expected == Expected::Name {
            return self.name(&text);
        }
        self.cell()?.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// Returns the error for a list, a map or a record in a cell.
#[cold]
fn nested(kind: Kind) -> Error {
    let what = match kind {
        Kind::Record => "a record",
        Kind::Map => "a map",
        Kind::List => "a list",
    };
    let message = format!("a CSV cell can't hold {what}; flatten it (`--flatten`) into columns of its own");
    Error::new(ErrorKind::Encode, message)
}

/// Returns the error for calls in an invalid order.
#[cold]
fn misplaced() -> Error {
    Error::new(ErrorKind::Encode, "a CSV table was told something that can't stand here")
}

impl<D: Drain> Sink for CsvSink<D> {
    /// Sets the columns from the record of a list, so a table without rows has a header; or from all variants of a
    /// tagged union.
    fn begin(&mut self, shape: &Shape) -> Result<()> {
        let row = match shape.inner() {
            Shape::List(item) => item.inner(),
            other => other,
        };
        if self.columns.len() > 0 {
            return Ok(());
        }
        match row {
            Shape::Record(record) if !matches!(record.get().unknown(), Unknown::Keep(_)) => {
                self.take_columns(&record.get());
            }
            Shape::Union(union) => self.take_columns_of_union(&union.get()),
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn null(&mut self) -> Result<()> {
        let null = self.dialect.null;
        let cell = self.cell()?;
        if let Some(null) = null {
            cell.extend_from_slice(null.as_bytes());
        }
        Ok(())
    }

    #[inline]
    fn bool(&mut self, value: bool) -> Result<()> {
        self.cell()?.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        match value {
            Int::I64(value) => self.i64(*value),
            other => self.displayed(other),
        }
    }

    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        if self.cursor.expected == Expected::Name {
            return self.displayed(&value);
        }
        text::write_i64(self.cell()?, value);
        Ok(())
    }

    fn float(&mut self, value: f64) -> Result<()> {
        let out = self.cell()?;
        if value.is_finite() {
            text::write_f64(out, value);
        } else {
            out.extend_from_slice(name_of(value));
        }
        Ok(())
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        if !value.is_finite() {
            return self.float(f64::from(value));
        }
        text::write_f32(self.cell()?, value);
        Ok(())
    }

    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        if self.cursor.expected == Expected::Name {
            return self.name(value);
        }
        let (quoting, at) = (self.quoting, self.cursor.expected);
        match quoting.text(self.cell()?, value) {
            Ok(()) => Ok(()),
            Err(refused) => self.unquotable(at, value, refused),
        }
    }

    /// Writes a number, which needs no quotes.
    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.displayed(value)
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        self.displayed(&value)
    }

    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        if self.cursor.expected != Expected::Table {
            return self.begin_nameless_row();
        }
        (self.cursor.expected, self.cursor.listed) = (Expected::Rows, true);
        if self.columns.len() > 0 { self.write_header() } else { Ok(()) }
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        match self.cursor.expected {
            Expected::Rows => {
                self.cursor.expected = Expected::Row;
                Ok(())
            }
            Expected::Cells if self.cursor.row == Kind::List => self.begin_cell(self.cursor.next),
            _ => Err(misplaced()),
        }
    }

    fn end_list(&mut self) -> Result<()> {
        if self.cursor.expected != Expected::Rows {
            return self.end_row(Kind::List);
        }
        self.cursor.expected = Expected::End;
        Ok(())
    }

    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.begin_named_row(Kind::Map, None)
    }

    fn entry(&mut self) -> Result<()> {
        if self.cursor.expected != Expected::Cells || self.cursor.row == Kind::List {
            return Err(misplaced());
        }
        self.cursor.expected = Expected::Name;
        Ok(())
    }

    #[inline]
    fn value(&mut self) -> Result<()> {
        match self.cursor.expected {
            Expected::Named(column) => self.begin_cell(column),
            _ => Err(misplaced()),
        }
    }

    fn end_map(&mut self) -> Result<()> {
        self.end_row(Kind::Map)
    }

    #[inline]
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.begin_named_row(Kind::Record, Some(record))
    }

    #[inline]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        if self.cursor.expected != Expected::Cells || self.cursor.row != Kind::Record {
            return Err(misplaced());
        }
        let column = self.columns.column(record, index)?;
        self.begin_cell(column)
    }

    fn rest(&mut self, _: &Record, key: &str) -> Result<()> {
        if self.cursor.expected != Expected::Cells || self.cursor.row != Kind::Record {
            return Err(misplaced());
        }
        self.name(key)?;
        self.value()
    }

    #[inline]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.end_row(Kind::Record)
    }

    #[inline]
    fn commit(&mut self) -> Result<()> {
        if matches!(self.cursor.expected, Expected::Rows | Expected::End) {
            self.aside_cells.clear();
            self.aside.clear();
        }
        self.close_aside();
        self.cursor.names = self.columns.len();
        self.cursor.aside = (self.aside_cells.len(), self.aside.len());
        self.output.commit()?;
        self.saved = self.cursor;
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.output.rollback();
        self.cursor = self.saved;
        self.columns.truncate(self.cursor.names);
        self.aside_cells.truncate(self.cursor.aside.0);
        self.aside.truncate(self.cursor.aside.1);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.output.finish()
    }
}

fn name_of(float: f64) -> &'static [u8] {
    if float.is_nan() {
        b"NaN"
    } else if float > 0.0 {
        b"inf"
    } else {
        b"-inf"
    }
}
