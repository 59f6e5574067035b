//! A field with the place that each record comes from.

use crate::Place;
use demat_core::{Error, ErrorKind, Field, Items, Record, RecordRef, Result, Shape, Sink, Union, forward};
use std::cell::RefCell;

#[cfg(test)]
mod tests;

/// Adds a field to the records of a copy: the place that they come from.
#[derive(Debug)]
pub(crate) struct PathField {
    name: String,
    /// The current place.
    place: RefCell<String>,
}

impl PathField {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_string(), place: RefCell::default() }
    }

    /// Sets the place of the next records.
    pub(crate) fn set(&self, place: &Place) {
        *self.place.borrow_mut() = place.to_string();
    }

    /// Returns the shape with the field.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if the field exists, or if there are no records to add it to.
    pub(crate) fn added_to(&self, shape: &Shape) -> Result<Shape> {
        Ok(match shape {
            Shape::Any => Shape::Any,
            Shape::Option(inner) => self.added_to(inner)?.optional(),
            Shape::List(item) => self.added_to(item)?.list(),
            Shape::Record(record) => Shape::Record(RecordRef::new(self.added_to_record(&record.get())?)),
            other => return Err(self.no_record(other.name())),
        })
    }

    fn added_to_record(&self, record: &Record) -> Result<Record> {
        if record.items().is_some_and(Items::is_written) {
            return Err(self.no_record("list"));
        }
        if record.index_of(&self.name).is_some() {
            return Err(self.is_there());
        }
        let mut fields = record.fields().to_vec();
        let number = fields.iter().map(Field::number).max().unwrap_or(0).saturating_add(1);
        fields.push(Field::new(self.name.clone(), number, Shape::Text));
        let added = Record::new(record.name().to_string(), fields)?.with_unknown(record.unknown());
        Ok(added.with_items(record.items().cloned()))
    }

    #[cold]
    fn is_there(&self) -> Error {
        let message = format!("there is a field `{}` already: give the path another name", self.name);
        Error::new(ErrorKind::Constraint, message)
    }

    #[cold]
    fn no_record(&self, found: &str) -> Error {
        let message = format!("only records get a field `{}`, and this is a {found}", self.name);
        Error::new(ErrorKind::Constraint, message)
    }

    /// Returns a sink that writes records with the field. `shape` is the one with the field.
    pub(crate) fn sink<'s>(&'s self, inner: &'s mut dyn Sink, shape: &'s Shape) -> WithPath<'s> {
        let record = shape.row().map(|record| record.get().clone());
        WithPath { inner, by: self, shape, record, state: State::default(), saved: State::default() }
    }
}

/// A sink that writes records with a field more.
pub(crate) struct WithPath<'s> {
    inner: &'s mut dyn Sink,
    by: &'s PathField,
    shape: &'s Shape,
    record: Option<Record>,
    state: State,
    saved: State,
}

#[derive(Debug, Clone, Copy, Default)]
struct State {
    /// The number of open containers.
    depth: usize,
    /// Whether the outermost one is a list of records.
    listed: bool,
    /// Whether the next text is the key of a map that is a record.
    key: bool,
}

impl State {
    /// The depth in a record.
    fn level(self) -> usize {
        if self.listed { 2 } else { 1 }
    }
}

impl WithPath<'_> {
    /// Writes a scalar.
    fn scalar(&mut self, write: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<()> {
        if self.state.depth < self.state.level() {
            return Err(self.by.no_record("scalar"));
        }
        write(&mut *self.inner)
    }

    fn list_begins(&mut self) -> Result<()> {
        match self.state.depth {
            0 => self.state.listed = true,
            1 if self.state.listed => return Err(self.by.no_record("list")),
            _ => {}
        }
        self.state.depth += 1;
        Ok(())
    }

    /// Whether the current container is a record that gets the field.
    fn is_record(&self) -> bool {
        self.state.depth == self.state.level()
    }

    fn path(&mut self) -> Result<()> {
        self.inner.text(&self.by.place.borrow())
    }
}

impl Sink for WithPath<'_> {
    forward! { self by scalar; null bool int i64 u64 float float32 bytes decimal }
    forward! { self by scalar; date time date_time instant duration uuid variant }
    forward! { self => self.inner; item finish }

    fn begin(&mut self, _: &Shape) -> Result<()> {
        self.inner.begin(self.shape)
    }

    fn text(&mut self, value: &str) -> Result<()> {
        if self.state.key && value == self.by.name {
            return Err(self.by.is_there());
        }
        self.scalar(|inner| inner.text(value))
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.list_begins()?;
        self.inner.begin_list(len)
    }

    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        self.list_begins()?;
        match self.shape.inner() {
            Shape::List(own) if self.state.depth == 1 => self.inner.begin_list_of(own, len),
            _ => self.inner.begin_list_of(item, len),
        }
    }

    fn end_list(&mut self) -> Result<()> {
        self.state.depth -= 1;
        self.inner.end_list()
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.state.depth += 1;
        let more = usize::from(self.is_record());
        self.inner.begin_map(len.map(|len| len.saturating_add(more)))
    }

    fn entry(&mut self) -> Result<()> {
        self.state.key = self.is_record();
        self.inner.entry()
    }

    fn value(&mut self) -> Result<()> {
        self.state.key = false;
        self.inner.value()
    }

    fn end_map(&mut self) -> Result<()> {
        if self.is_record() {
            self.inner.key(&self.by.name)?;
            self.path()?;
        }
        self.state.depth -= 1;
        self.inner.end_map()
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.state.depth += 1;
        match &self.record {
            Some(own) if self.is_record() => self.inner.begin_record(own),
            _ => self.inner.begin_record(record),
        }
    }

    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        match &self.record {
            Some(own) if self.is_record() => self.inner.field(own, index),
            _ => self.inner.field(record, index),
        }
    }

    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        if self.is_record() && key == self.by.name {
            return Err(self.by.is_there());
        }
        match &self.record {
            Some(own) if self.is_record() => self.inner.rest(own, key),
            _ => self.inner.rest(record, key),
        }
    }

    fn end_record(&mut self, record: &Record) -> Result<()> {
        let is_record = self.is_record();
        self.state.depth -= 1;
        match &self.record {
            Some(own) if is_record => {
                self.inner.field(own, own.fields().len() - 1)?;
                self.inner.text(&self.by.place.borrow())?;
                self.inner.end_record(own)
            }
            _ => self.inner.end_record(record),
        }
    }

    /// A variant is no record, whatever it holds.
    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        if self.state.depth < self.state.level() {
            return Err(self.by.no_record("union"));
        }
        self.inner.begin_variant(union, index)
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.inner.end_variant(union, index)
    }

    fn commit(&mut self) -> Result<()> {
        self.saved = self.state;
        self.inner.commit()
    }

    fn rollback(&mut self) -> Result<()> {
        self.state = self.saved;
        self.inner.rollback()
    }
}
