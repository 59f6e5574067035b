//! Writes rows to a table.

mod cell;
mod nested;
mod straight;

use crate::batch::{Batch, Cell};
use crate::failure::refused;
use crate::stored::Stored;
use crate::table::Table;
use crate::write::RowWriter;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Enum, Error, KeyPattern, Record, Result, Shape, Sink, Tag, Union};
use demat_formats::Keep;
use demat_formats::json::JsonSink;
use nested::Nested;
use std::sync::Arc;
pub use straight::Plain;

/// A table as a sink: for a list of records, or for one record. Each record becomes a row.
///
/// The sink gathers rows and passes them to a [`RowWriter`] in batches. The caller owns the transaction: rolling it
/// back undoes what was written.
#[derive(Debug)]
pub struct TableSink<T> {
    table: Arc<Table>,
    taker: T,
    /// The storage of each column's values.
    stored: Box<[Stored]>,
    /// The cells of the current row.
    slots: Box<[Cell]>,
    batch: Batch,
    stands: Stands,
    /// The position at the last commit.
    stood: Stands,
    column: usize,
    /// The columns of the last record's fields.
    fields: Fields,
    nested: Option<Nested>,
    /// Whether each row is passed on immediately.
    at_once: bool,
    /// Whether a rollback also undoes such rows.
    in_units: bool,
    /// The numbers of committed rows and bytes in the batch.
    committed: (usize, usize),
    /// The number of rows passed on before the batch.
    taken: u64,
    /// If some uncommitted rows were passed on, the number of rows that were before them.
    marked: Option<u64>,
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

#[derive(Debug, Default)]
struct Fields {
    identity: Option<u64>,
    columns: Vec<Option<usize>>,
    /// The columns of fields that can be written directly, with their storage; empty if any can't.
    plain: Vec<(usize, Stored)>,
}

/// The number of uncommitted bytes at which they are passed on under a savepoint.
const HELD: usize = 4 * crate::batch::WORTH;

impl<T: RowWriter> TableSink<T> {
    /// Creates a sink for rows of a table; `record` adds to the table's own types.
    pub fn new(table: Arc<Table>, record: Option<&Record>, taker: T) -> Self {
        let stored = table.stored_as(record);
        Self {
            stored,
            slots: vec![Cell::Missing; table.columns.len()].into(),
            batch: Batch::new(table.names()),
            table,
            taker,
            stands: Stands::Before,
            stood: Stands::Before,
            column: 0,
            fields: Fields::default(),
            nested: None,
            at_once: false,
            in_units: false,
            committed: (0, 0),
            taken: 0,
            marked: None,
        }
    }

    /// Sets whether each row is passed on immediately, so that a refusal is reported at once.
    #[must_use]
    pub fn at_once(mut self, at_once: bool) -> Self {
        self.at_once = at_once;
        self
    }

    /// Sets whether a rollback also undoes rows that were passed on at once: a row that this table takes may be refused
    /// elsewhere.
    #[must_use]
    pub fn in_units(mut self, in_units: bool) -> Self {
        self.in_units = in_units;
        self
    }

    /// Returns the row writer.
    pub fn taker(&mut self) -> &mut T {
        &mut self.taker
    }

    /// Converts to the row writer.
    pub fn into_taker(self) -> T {
        self.taker
    }

    /// Returns the number of rows written and not rolled back.
    pub fn rows(&self) -> u64 {
        self.taken + self.batch.rows() as u64
    }

    /// Passes the batch on.
    ///
    /// # Errors
    /// Errors of the row writer.
    pub fn pass_on(&mut self) -> Result<()> {
        let rows = self.batch.rows();
        if rows == 0 {
            return Ok(());
        }
        self.taken += rows as u64;
        self.committed = (0, 0);
        let taken = self.taker.take(&mut self.batch);
        if taken.is_err() {
            self.taken -= rows as u64;
        }
        taken
    }

    /// Begins a row.
    fn open(&mut self) -> Result<()> {
        match self.stands {
            Stands::Before | Stands::InList => {
                if T::DIRECT {
                    self.taker.begin_row()?;
                } else {
                    self.slots.fill(Cell::Missing);
                }
                self.stands = Stands::InRow;
                Ok(())
            }
            _ => Err(refused("a row can't begin here")),
        }
    }

    #[inline]
    fn close(&mut self) -> Result<()> {
        if T::DIRECT {
            self.taker.end_row()?;
            self.taken += 1;
            self.stands = Stands::InList;
            return Ok(());
        }
        self.batch.push(&self.slots);
        self.stands = Stands::InList;
        if self.at_once {
            if self.in_units {
                self.mark()?;
            }
            self.pass_on()
        } else if self.batch.used() > HELD && self.batch.rows() > self.committed.0 {
            self.hold_less()
        } else {
            Ok(())
        }
    }

    /// Passes uncommitted rows on, so that memory stays bounded if all rows are one unit.
    #[cold]
    fn hold_less(&mut self) -> Result<()> {
        if self.marked.is_none() {
            if self.committed.0 > 0 {
                // Committed rows are passed on first, so that they are not rolled back with the others.
                let mut rest = self.batch.clone();
                self.batch.truncate(self.committed.0, self.batch.used());
                rest.remove_first(self.committed.0);
                self.pass_on()?;
                self.batch = rest;
            }
            self.mark()?;
        }
        self.pass_on()
    }

    /// Sets the savepoint to which a rollback goes back, if there is none.
    fn mark(&mut self) -> Result<()> {
        if self.marked.is_none() {
            self.taker.mark()?;
            self.marked = Some(self.taken);
        }
        Ok(())
    }

    /// Looks the columns of a record's fields up, once per record type.
    #[inline]
    fn know(&mut self, record: &Record) -> Result<()> {
        if self.fields.identity == Some(record.identity()) { Ok(()) } else { self.learn(record) }
    }

    #[cold]
    fn learn(&mut self, record: &Record) -> Result<()> {
        self.fields.identity = None;
        self.fields.columns = record.fields().iter().map(|field| self.table.column(field.key())).collect();
        for (field, column) in record.fields().iter().zip(&self.fields.columns) {
            // Computed columns are part of the rows that are read; the writer ignores them.
            if !column.is_some_and(|column| self.table.columns[column].generated) {
                self.writable(field.key(), *column)?;
            }
        }
        let plain = |column: &Option<usize>| {
            let column = column.filter(|column| !self.table.columns[*column].generated)?;
            let stored = self.stored[column];
            matches!(stored, Stored::Text | Stored::Int | Stored::Real | Stored::Bool).then_some((column, stored))
        };
        self.fields.plain = self.fields.columns.iter().map(plain).collect::<Option<_>>().unwrap_or_default();
        self.fields.identity = Some(record.identity());
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
        if self.stored[column] == Stored::Json {
            self.nested = Some(Nested::new());
        }
    }

    /// Writes a value within a column's JSON; stores the JSON if it is complete.
    #[inline(never)]
    fn inside(&mut self, tell: impl FnOnce(&mut JsonSink<Keep>) -> Result<()>, change: i32) -> Result<()> {
        let Some(nested) = &mut self.nested else { return Ok(()) };
        if nested.tell(tell, change)? {
            let json = self.nested.take().map(Nested::finish).transpose()?.unwrap_or_default();
            return self.put_json(&json);
        }
        Ok(())
    }

    /// Handles the start of a list or a map that is no row.
    #[cold]
    fn container(&mut self, what: &'static str) -> Result<()> {
        match self.stands {
            Stands::AtValue => {
                let column = &self.table.columns[self.column];
                let hint = if self.stored[self.column] == Stored::Any {
                    "; note it `sql: type JSON` to keep it as text"
                } else {
                    ""
                };
                let found = format!("a {what}");
                let message = format!(
                    "expected {}, found {found}: the column `{}` has one value{hint}",
                    self.stored[self.column].name(),
                    column.name
                );
                Err(Error::new(demat_core::ErrorKind::Encode, message))
            }
            _ => Err(Error::new(
                demat_core::ErrorKind::Encode,
                format!("the rows of the table `{}` are a list of records, and here is a {what}", self.table.name),
            )),
        }
    }
}

/// Writes a value within a column's JSON, if that is the current position.
macro_rules! inside {
    ($self:ident, $change:expr, $tell:expr) => {
        if $self.nested.is_some() {
            return $self.inside($tell, $change);
        }
    };
}

impl<T: RowWriter> Sink for TableSink<T> {
    fn null(&mut self) -> Result<()> {
        // For the column as a whole, null is NULL, also in a JSON column.
        if self.nested.as_ref().is_some_and(|nested| !nested.is_open()) {
            self.nested = None;
        }
        inside!(self, 0, demat_core::Sink::null);
        self.put(crate::Cell::Null)
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        inside!(self, 0, |sink| sink.bool(value));
        self.put_bool(value)
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        inside!(self, 0, |sink| sink.int(value));
        self.put_big(value)
    }

    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        inside!(self, 0, |sink| sink.i64(value));
        self.put_int(value)
    }

    fn float(&mut self, value: f64) -> Result<()> {
        inside!(self, 0, |sink| sink.float(value));
        self.put_float(value)
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        inside!(self, 0, |sink| sink.float32(value));
        self.put_float(f64::from(value))
    }

    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        inside!(self, 0, |sink| sink.text(value));
        if self.stands == Stands::AtKey {
            let column = self.table.column(value);
            self.column = self.writable(value, column)?;
            return Ok(());
        }
        self.put_text(value)
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        inside!(self, 0, |sink| sink.bytes(value));
        self.put_bytes(value)
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        inside!(self, 0, |sink| sink.decimal(value));
        self.put_as(value.as_str(), Stored::Decimal)
    }

    fn date(&mut self, value: Date) -> Result<()> {
        inside!(self, 0, |sink| sink.date(value));
        self.put_as(&value.to_string(), Stored::Date)
    }

    fn time(&mut self, value: Time) -> Result<()> {
        inside!(self, 0, |sink| sink.time(value));
        self.put_as(&value.to_string(), Stored::Time)
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        inside!(self, 0, |sink| sink.date_time(at));
        self.put_as(&at.to_string(), Stored::DateTime)
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        inside!(self, 0, |sink| sink.instant(at, offset));
        self.put_as(&at.with_offset(offset).to_string(), Stored::Instant)
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        inside!(self, 0, |sink| sink.duration(value));
        self.put_as(&value.to_string(), Stored::Duration)
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        inside!(self, 0, |sink| sink.uuid(value));
        self.put_as(&value.to_string(), Stored::Uuid)
    }

    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        inside!(self, 0, |sink| sink.variant(names, index));
        self.put_text(names.name_at(index))
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        inside!(self, 1, |sink| sink.begin_list(len));
        if self.stands != Stands::Before {
            return self.container("list");
        }
        self.stands = Stands::InList;
        Ok(())
    }

    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        inside!(self, 1, |sink| sink.begin_list_of(item, len));
        self.begin_list(len)
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        inside!(self, 0, demat_core::Sink::item);
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        inside!(self, -1, demat_core::Sink::end_list);
        Ok(())
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        inside!(self, 1, |sink| sink.begin_map(len));
        match self.stands {
            Stands::Before | Stands::InList => self.open(),
            _ => self.container("map"),
        }
    }

    fn entry(&mut self) -> Result<()> {
        inside!(self, 0, demat_core::Sink::entry);
        self.stands = Stands::AtKey;
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        inside!(self, 0, demat_core::Sink::value);
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
        inside!(self, -1, demat_core::Sink::end_map);
        self.close()
    }

    #[inline]
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        inside!(self, 1, |sink| sink.begin_record(record));
        match self.stands {
            Stands::Before | Stands::InList => self.open(),
            _ => self.container("record"),
        }
    }

    #[inline]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        inside!(self, 0, |sink| sink.field(record, index));
        self.know(record)?;
        match self.fields.columns[index] {
            Some(column) => {
                self.at(column);
                Ok(())
            }
            None => self.writable(record.fields()[index].key(), None).map(drop),
        }
    }

    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        inside!(self, 0, |sink| sink.rest(record, key));
        self.entry()?;
        self.text(key)?;
        self.value()
    }

    #[inline]
    fn end_record(&mut self, record: &Record) -> Result<()> {
        inside!(self, -1, |sink| sink.end_record(record));
        self.close()
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        match union.tag() {
            // The tag is part of the record that follows, or there is none.
            Tag::Field(_) | Tag::None => Ok(()),
            Tag::Key if *union.variants()[index].shape() == Shape::Null => self.text(union.variants()[index].name()),
            Tag::Key | Tag::Pair(_) => {
                inside!(self, 1, |sink| sink.begin_variant(union, index));
                self.container("union")
            }
        }
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let empty = *union.variants()[index].shape() == Shape::Null;
        match union.tag() {
            Tag::Key if empty => return Ok(()),
            Tag::Key | Tag::Pair(_) => {}
            _ => return Ok(()),
        }
        inside!(self, -1, |sink| sink.end_variant(union, index));
        Ok(())
    }

    #[inline]
    fn commit(&mut self) -> Result<()> {
        if T::DIRECT {
            self.committed.0 = self.taken as usize;
            self.stood = self.stands;
            return self.taker.settle();
        }
        if self.marked.is_some() {
            self.pass_on()?;
            self.taker.settle()?;
            self.marked = None;
        }
        if self.batch.is_full() {
            self.pass_on()?;
        }
        self.committed = (self.batch.rows(), self.batch.used());
        self.stood = self.stands;
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.nested = None;
        if T::DIRECT {
            self.taken = self.committed.0 as u64;
            self.stands = self.stood;
            return self.taker.undo();
        }
        self.batch.truncate(self.committed.0, self.committed.1);
        if let Some(taken) = self.marked.take() {
            self.batch.clear();
            self.taken = taken;
            self.taker.undo()?;
        }
        self.stands = self.stood;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.commit()?;
        self.pass_on()?;
        self.taker.end()
    }
}
