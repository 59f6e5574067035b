//! Writes rows in the binary format of `COPY`.

mod nested;
mod pending;
mod value;

use crate::column_type::ColumnType;
use crate::failure::refused;
use crate::table::Table;
use crate::value::Scalar;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Enum, Error, ErrorKind, KeyPattern, Record, Result, Shape, Sink, Tag, Union};
use demat_formats::Keep;
use demat_formats::json::JsonSink;
use pending::Pending;
use std::sync::Arc;
use value::ValueWriter;

/// Receives rows for a table.
pub trait RowWriter {
    /// Writes some rows in the binary format of `COPY`, without its header and trailer. They have values for the columns
    /// with these indices, in this order.
    ///
    /// # Errors
    /// If the server refuses a row, or can't be reached.
    fn write(&mut self, columns: &Arc<[usize]>, rows: &[u8], count: u64) -> Result<()>;

    /// Ends the rows, once the server took all of them.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    fn finish(&mut self) -> Result<()>;
}

/// A table as a sink: for a list of records, or for one record. Each record becomes a row.
///
/// The caller owns the transaction: rolling it back undoes what was written.
#[derive(Debug)]
pub struct TableSink<W> {
    table: Arc<Table>,
    writer: W,
    /// The cells of the current row, and where each column's is.
    row: Vec<u8>,
    cells: Box<[Option<(usize, usize)>]>,
    value: ValueWriter,
    pending: Pending,
    /// The columns of the last row.
    present: Arc<[usize]>,
    stands: Stands,
    /// The position at the last commit.
    stood: Stands,
    column: usize,
    /// The last record, and the columns of its fields.
    fields: (Option<u64>, Vec<Option<usize>>),
    /// The number of rows passed on, and whether some of them may still be rolled back.
    sent: u64,
    uncommitted: bool,
}

/// The current position in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    Before,
    InList,
    InRow,
    AtKey,
    AtValue,
}

/// The number of bytes at which committed rows are passed on.
const WORTH: usize = 1 << 16;

/// The number of bytes at which rows are passed on that are not committed.
const HELD: usize = 1 << 26;

impl<W: RowWriter> TableSink<W> {
    /// Creates a sink for rows of a table.
    pub fn new(table: Arc<Table>, writer: W) -> Self {
        Self {
            writer,
            row: Vec::new(),
            cells: vec![None; table.columns.len()].into(),
            value: ValueWriter::default(),
            pending: Pending::default(),
            present: Arc::from([]),
            stands: Stands::Before,
            stood: Stands::Before,
            column: 0,
            fields: (None, Vec::new()),
            sent: 0,
            uncommitted: false,
            table,
        }
    }

    /// Returns the number of rows written and not rolled back.
    pub fn rows(&self) -> u64 {
        self.sent + self.pending.rows()
    }

    /// Converts to the writer.
    pub fn into_writer(self) -> W {
        self.writer
    }

    /// Begins a row.
    fn open(&mut self) -> Result<()> {
        match self.stands {
            Stands::Before | Stands::InList => {
                self.row.clear();
                self.cells.fill(None);
                self.stands = Stands::InRow;
                Ok(())
            }
            _ => Err(refused("a row can't begin here")),
        }
    }

    /// Ends a row.
    fn close(&mut self) -> Result<()> {
        // COPY knows no default per row: a column with one that has no value is not in the list of columns.
        let is_left_out = |column: usize| self.cells[column].is_none() && self.table.columns[column].fills_itself();
        let writable = |column: &usize| !self.table.columns[*column].generated;
        let columns = (0..self.cells.len()).filter(writable).filter(|column| !is_left_out(*column));
        if !columns.clone().eq(self.present.iter().copied()) {
            self.present = columns.collect();
        }
        let present = Arc::clone(&self.present);
        let out = self.pending.row(&present);
        out.extend_from_slice(&(present.len() as u16).to_be_bytes());
        let mut next = 0;
        if present.iter().all(|column| {
            let follows = self.cells[*column].is_some_and(|(start, _)| start == next);
            next = self.cells[*column].map_or(next, |(_, end)| end);
            follows
        }) {
            out.extend_from_slice(&self.row[..next]);
        } else {
            for column in &*present {
                match self.cells[*column] {
                    Some((start, end)) => out.extend_from_slice(&self.row[start..end]),
                    None => out.extend_from_slice(&(-1_i32).to_be_bytes()),
                }
            }
        }
        self.stands = Stands::InList;
        if self.pending.len() > HELD {
            self.uncommitted |= !self.pending.is_final();
            return self.pass_on();
        }
        Ok(())
    }

    /// Passes the rows on.
    fn pass_on(&mut self) -> Result<()> {
        self.sent += self.pending.rows();
        let writer = &mut self.writer;
        self.pending.drain(|columns, rows, count| writer.write(columns, rows, count))
    }

    /// Looks the columns of a record's fields up, once per record type.
    #[inline]
    fn know(&mut self, record: &Record) -> Result<()> {
        if self.fields.0 == Some(record.identity()) { Ok(()) } else { self.learn(record) }
    }

    #[cold]
    fn learn(&mut self, record: &Record) -> Result<()> {
        let columns: Vec<_> = record.fields().iter().map(|field| self.table.column(field.key())).collect();
        for (field, column) in record.fields().iter().zip(&columns) {
            // Computed columns are part of the rows that are read; their values are not written.
            if !column.is_some_and(|column| self.table.columns[column].generated) {
                self.writable(field.key(), *column)?;
            }
        }
        self.fields = (Some(record.identity()), columns);
        Ok(())
    }

    fn writable(&self, key: &str, column: Option<usize>) -> Result<usize> {
        match column {
            None => Err(refused(format!("the table `{}` has no column `{key}`", self.table.name))),
            Some(column) if self.table.columns[column].generated => {
                Err(refused(format!("the column `{key}` is computed, and nothing can be put into it")))
            }
            Some(column) => Ok(column),
        }
    }

    /// Moves to the value of a column.
    #[inline]
    fn at(&mut self, column: usize) {
        self.column = column;
        self.stands = Stands::AtValue;
        self.cells[column] = Some((self.row.len(), self.row.len()));
        self.value.begin(&self.table.columns[column].own);
    }

    /// Writes a part of the current column's value.
    #[inline]
    fn within(
        &mut self,
        write: impl FnOnce(&mut ValueWriter, &ColumnType, &mut Vec<u8>) -> Result<bool>,
    ) -> Result<()> {
        if self.stands != Stands::AtValue {
            return Err(self.misplaced());
        }
        let own = &self.table.columns[self.column].own;
        if write(&mut self.value, own, &mut self.row)? {
            if let Some(cell) = &mut self.cells[self.column] {
                cell.1 = self.row.len();
            }
            self.stands = Stands::InRow;
        }
        Ok(())
    }

    #[inline]
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        self.within(|writer, own, out| writer.scalar(own, value, out))
    }

    /// Writes a part of JSON.
    fn json(&mut self, write: impl FnOnce(&mut JsonSink<Keep>) -> Result<()>, change: i32) -> Result<()> {
        self.within(|writer, own, out| writer.json(own, write, change, out))
    }

    #[cold]
    fn misplaced(&self) -> Error {
        let table = &self.table.name;
        Error::new(ErrorKind::Encode, format!("the rows of the table `{table}` are a list of records"))
    }

    /// Returns the error for the start of a list or a map that the column does not hold.
    #[cold]
    fn container(&self, what: &'static str) -> Error {
        if self.stands != Stands::AtValue {
            return self.misplaced();
        }
        Error::mismatch(ErrorKind::Encode, self.table.columns[self.column].own.class.name(), what)
    }
}

/// Writes a part to the JSON of a value, if that is where the sink stands.
macro_rules! inside {
    ($self:ident, $change:expr, $write:expr) => {
        if $self.value.is_json() {
            return $self.json($write, $change);
        }
    };
}

impl<W: RowWriter> Sink for TableSink<W> {
    fn null(&mut self) -> Result<()> {
        if self.stands != Stands::AtValue {
            return self.within(ValueWriter::null);
        }
        let column = &self.table.columns[self.column];
        if column.not_null && column.fills_itself() && !self.value.is_open() {
            // NULL can't be stored, so it means that there is no value, as for a key that the server makes.
            self.value.clear();
            self.cells[self.column] = None;
            self.stands = Stands::InRow;
            return Ok(());
        }
        self.within(ValueWriter::null)
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        self.scalar(Scalar::Bool(value))
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.scalar(Scalar::Int(value))
    }

    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        self.scalar(Scalar::I64(value))
    }

    fn float(&mut self, value: f64) -> Result<()> {
        self.scalar(Scalar::Float(value))
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        self.scalar(Scalar::Float32(value))
    }

    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        if self.stands == Stands::AtKey && !self.value.is_open() {
            self.column = self.writable(value, self.table.column(value))?;
            return Ok(());
        }
        self.scalar(Scalar::Text(value))
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.scalar(Scalar::Bytes(value))
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.scalar(Scalar::Decimal(value))
    }

    fn date(&mut self, value: Date) -> Result<()> {
        self.scalar(Scalar::Date(value))
    }

    fn time(&mut self, value: Time) -> Result<()> {
        self.scalar(Scalar::Time(value))
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.scalar(Scalar::DateTime(at))
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        self.scalar(Scalar::Instant(at, offset))
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        self.scalar(Scalar::Duration(value))
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.scalar(Scalar::Uuid(value))
    }

    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        inside!(self, 0, |sink| sink.variant(names, index));
        self.scalar(Scalar::Text(names.name_at(index)))
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        inside!(self, 1, |sink| sink.begin_list(len));
        if self.stands == Stands::Before {
            self.stands = Stands::InList;
            return Ok(());
        }
        if self.stands == Stands::AtValue && self.value.begin_list(&self.table.columns[self.column].own)? {
            return Ok(());
        }
        Err(self.container("list"))
    }

    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        inside!(self, 1, |sink| sink.begin_list_of(item, len));
        self.begin_list(len)
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        inside!(self, 0, Sink::item);
        if self.stands == Stands::AtValue {
            return self.value.item(&self.table.columns[self.column].own);
        }
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        inside!(self, -1, Sink::end_list);
        if self.stands == Stands::AtValue {
            return self.within(ValueWriter::end_list);
        }
        Ok(())
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        inside!(self, 1, |sink| sink.begin_map(len));
        match self.stands {
            Stands::Before | Stands::InList => self.open(),
            _ => Err(self.container("map")),
        }
    }

    fn entry(&mut self) -> Result<()> {
        inside!(self, 0, Sink::entry);
        self.stands = Stands::AtKey;
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        inside!(self, 0, Sink::value);
        self.at(self.column);
        Ok(())
    }

    fn key(&mut self, key: &str) -> Result<()> {
        inside!(self, 0, |sink| sink.key(key));
        self.entry()?;
        self.text(key)?;
        self.value()
    }

    fn key_with(&mut self, key: &str, token: &KeyPattern) -> Result<()> {
        inside!(self, 0, |sink| sink.key_with(key, token));
        self.key(key)
    }

    fn end_map(&mut self) -> Result<()> {
        inside!(self, -1, Sink::end_map);
        self.close()
    }

    #[inline]
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        inside!(self, 1, |sink| sink.begin_record(record));
        match self.stands {
            Stands::Before | Stands::InList => self.open(),
            _ => Err(self.container("record")),
        }
    }

    #[inline]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        inside!(self, 0, |sink| sink.field(record, index));
        self.know(record)?;
        match self.fields.1.get(index).copied().flatten() {
            Some(column) => {
                self.at(column);
                Ok(())
            }
            None => self.writable(record.fields()[index].key(), None).map(drop),
        }
    }

    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        inside!(self, 0, |sink| sink.rest(record, key));
        let column = self.writable(key, self.table.column(key))?;
        self.at(column);
        Ok(())
    }

    #[inline]
    fn end_record(&mut self, record: &Record) -> Result<()> {
        inside!(self, -1, |sink| sink.end_record(record));
        self.close()
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let variant = &union.variants()[index];
        let opens = match union.tag() {
            Tag::Key if *variant.shape() == Shape::Null => 0,
            Tag::Key | Tag::Pair(_) => 1,
            Tag::Field(_) | Tag::None => return Ok(()),
        };
        inside!(self, opens, |sink| sink.begin_variant(union, index));
        if matches!(union.tag(), Tag::Key) && opens == 0 {
            return self.text(variant.name());
        }
        Err(self.container("record"))
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let closes = match union.tag() {
            Tag::Key if *union.variants()[index].shape() == Shape::Null => return Ok(()),
            Tag::Key | Tag::Pair(_) => -1,
            Tag::Field(_) | Tag::None => return Ok(()),
        };
        inside!(self, closes, |sink| sink.end_variant(union, index));
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        self.stood = self.stands;
        self.uncommitted = false;
        self.pending.commit();
        if self.pending.len() > WORTH { self.pass_on() } else { Ok(()) }
    }

    fn rollback(&mut self) -> Result<()> {
        if self.uncommitted {
            return Err(refused("the rows were sent already and can't be left out; nothing is stored"));
        }
        self.value.clear();
        self.stands = self.stood;
        self.pending.rollback();
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.pass_on()?;
        self.writer.finish()
    }
}
