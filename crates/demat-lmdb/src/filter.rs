//! Conditions on records, which a scan decides by the fields that they name.

use crate::collection::Collection;
use crate::encoding::ReadRecord;
use core::fmt;
use demat_core::{Error, Record, Result, Shape};
use demat_formats::codec::{Picker, Scalar};
use demat_formats::stream::Decide;

/// A condition on records.
///
/// A scan reads only its fields, from the bytes where the page is mapped.
pub trait Predicate: fmt::Debug + Send + Sync {
    /// The shape of the records that it looks at: fields of the collection's shape, in their order.
    fn shape(&self) -> &Shape;

    /// Returns a sink that decides about one record after the other.
    fn decide(&self) -> Box<dyn Decide>;
}

/// A predicate with readers of the fields that it looks at.
pub(crate) struct Filter {
    /// The predicate's fields.
    record: Record,
    /// Reads them from the bytes.
    picker: Option<Box<dyn Picker>>,
    /// Reads what the picker gives up.
    reader: Box<dyn ReadRecord>,
    decide: Box<dyn Decide>,
}

/// The most fields that a picker reads.
const MOST: usize = 4;

impl Filter {
    pub(crate) fn new(collection: &Collection, predicate: &dyn Predicate) -> Result<Self> {
        let definition = collection.definition();
        let wanted = match predicate.shape() {
            Shape::Record(record) => record.get().clone(),
            other => return Err(Error::expected("record", other.name())),
        };
        let reader = definition.encoding.reader(&Shape::record(wanted.clone()))?;
        let is_few = wanted.fields().len() <= MOST;
        let picker = if is_few { definition.encoding.picker(&wanted) } else { None };
        Ok(Self { record: wanted, picker, reader, decide: predicate.decide() })
    }

    /// Whether the condition holds for a record.
    #[inline]
    pub(crate) fn holds(&mut self, record: &[u8]) -> Result<bool> {
        if let Some(picker) = &self.picker {
            let mut values = [Scalar::Absent; MOST];
            if picker.pick(record, &mut values) {
                return self.decide.holds_for(&self.record, &values[..self.record.fields().len()]);
            }
        }
        self.holds_by_copy(record)
    }

    /// As [`holds`](Self::holds), by a copy of the fields from a source: the slow twin.
    #[inline(never)]
    pub(crate) fn holds_by_copy(&mut self, record: &[u8]) -> Result<bool> {
        self.reader.copy(record, &mut *self.decide)?;
        Ok(self.decide.holds())
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Filter").field(&self.reader).finish()
    }
}
