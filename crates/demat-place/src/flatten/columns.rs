//! Maps the fields of nested records to columns.

use demat_core::{Error, ErrorKind, Field, Record, RecordRef, Result, Shape, Unknown};
use std::sync::Arc;

/// The columns for the fields of a record and its nested records.
#[derive(Debug)]
pub(crate) struct Columns {
    flat: Arc<Record>,
    /// The flat record as a shape.
    shape: Shape,
    /// The columns of each record's fields; the outermost record is first.
    records: Vec<Vec<Column>>,
}

/// The target of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// The column with this index.
    Cell(usize),
    /// The nested record with this number, with any number of columns.
    Record(usize),
}

impl Columns {
    /// The number of the outermost record.
    pub(super) const ROOT: usize = 0;

    /// Returns the columns of a record.
    ///
    /// # Errors
    /// If two columns have the same name, or a record keeps unknown fields.
    pub(crate) fn of(record: &RecordRef) -> Result<Self> {
        let mut making = Making::default();
        making.record(record, "", true)?;
        let flat = Arc::new(Record::new(record.get().name().to_string(), making.fields)?);
        let shape = Shape::Record(RecordRef::Shared(Arc::clone(&flat)));
        Ok(Self { flat, shape, records: making.records })
    }

    /// The record of all columns.
    pub(crate) fn flat(&self) -> &Record {
        &self.flat
    }

    /// The shape of a row.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(super) fn of_field(&self, record: usize, index: usize) -> Column {
        self.records[record][index]
    }
}

#[derive(Default)]
struct Making {
    fields: Vec<Field>,
    records: Vec<Vec<Column>>,
    /// The enclosing records. A recursive one becomes a cell.
    around: Vec<u64>,
}

impl Making {
    /// Adds a record, whose columns have this prefix. If the record is optional, its columns are, too.
    fn record(&mut self, record: &RecordRef, prefix: &str, required: bool) -> Result<usize> {
        let record = record.get();
        if let Unknown::Keep(_) = record.unknown() {
            let message = "a record that keeps fields which it does not have can't be flattened into columns";
            return Err(Error::new(ErrorKind::Encode, message));
        }
        let number = self.records.len();
        // Limits the number of columns: records that occur in several places may expand to exponentially many.
        if self.fields.len().max(number) > usize::from(u16::MAX) {
            return Err(Error::limit("the columns that records within records come to", u16::MAX));
        }
        self.records.push(Vec::new());
        self.around.push(record.identity());
        for field in record.fields() {
            let name = format!("{prefix}{}", field.key());
            let required = required && field.required();
            let column = match field.shape().inner() {
                Shape::Record(inner) if !self.around.contains(&inner.get().identity()) => {
                    let required = required && !field.shape().allows_null();
                    Column::Record(self.record(inner, &format!("{name}."), required)?)
                }
                inner => {
                    let shape = if inner.is_scalar() { field.shape().clone() } else { Shape::Any };
                    let number = self.fields.len() as u32 + 1;
                    self.fields.push(Field::new(name, number, shape).with_required(required));
                    Column::Cell(self.fields.len() - 1)
                }
            };
            self.records[number].push(column);
        }
        self.around.pop();
        Ok(number)
    }
}
