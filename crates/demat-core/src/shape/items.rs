//! Records whose values stand as lists.

use std::sync::Arc;

/// The items of the lists that a record stands as: which field each of them is.
///
/// A source of lists gives a [`Copier`](crate::Copier) the fields by their place. Items behind these are unknown fields,
/// and missing ones are missing fields.
///
/// ```
/// use demat_core::{Field, Items, Record, RecordRef, Shape, Value, ValueSink, ValueSource, copy};
/// let fields = vec![Field::new("id", 1, Shape::Any), Field::new("title", 2, Shape::Text)];
/// let record = Record::new("Task", fields)?.with_items(Items::in_order(2));
/// let row = Value::List(vec![Value::Bool(true), Value::Text("a".into())]);
/// let mut written = ValueSink::default();
/// copy(&mut ValueSource::new(&row), &Shape::Record(RecordRef::new(record)), &mut written)?;
/// let id = (Value::Text("id".into()), Value::Bool(true));
/// let title = (Value::Text("title".into()), Value::Text("a".into()));
/// assert_eq!(written.whole(), Value::Map(vec![id, title]));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Items {
    fields: Arc<[Option<u16>]>,
    named: bool,
    written: bool,
}

impl Items {
    /// Returns the items of lists that have this many fields in the record's order, and no other items.
    #[must_use]
    pub fn in_order(fields: usize) -> Self {
        let fields = (0..fields).map(|index| u16::try_from(index).ok()).collect();
        Self { fields, named: false, written: false }
    }

    /// Also reads the record from its named fields, where the source has no list.
    #[must_use]
    pub fn or_named(self) -> Self {
        Self { named: true, ..self }
    }

    /// Writes the record as such a list, too; without this, a copy writes its fields with their names.
    ///
    /// All fields have to stand [in order](Self::in_order).
    #[must_use]
    pub fn written(self) -> Self {
        Self { written: true, ..self }
    }

    /// Returns the items for a record of some of the fields, which are `kept`, by their index. It is not written as a
    /// list.
    #[must_use]
    pub fn of_some(&self, kept: &[usize]) -> Self {
        let place = |own: &Option<u16>| {
            let own = own.map(usize::from)?;
            kept.iter().position(|kept| *kept == own).and_then(|place| u16::try_from(place).ok())
        };
        Self { fields: self.fields.iter().map(place).collect(), named: self.named, written: false }
    }

    /// Whether the record is read from named fields, too.
    #[inline]
    pub fn allows_names(&self) -> bool {
        self.named
    }

    /// Whether the record is written as a list.
    #[inline]
    pub fn is_written(&self) -> bool {
        self.written
    }

    /// Returns the index of the field at a place of the list; `None` if the item is skipped.
    #[inline]
    pub fn field_at(&self, place: usize) -> Option<usize> {
        self.fields.get(place).copied().flatten().map(usize::from)
    }

    /// The number of items that the record knows.
    #[inline]
    pub fn count(&self) -> usize {
        self.fields.len()
    }
}
