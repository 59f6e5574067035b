//! Fields with other names in the target.

use crate::condition::found;
use demat_core::{Error, ErrorKind, Items, Record, RecordRef, Result, Shape, Sink, forward};

#[cfg(test)]
mod tests;

/// New names of fields: paths of names in the source, and their last names in the target.
pub(crate) type Renames = [(Vec<String>, String)];

/// A shape whose fields have other names in the target.
#[derive(Debug)]
pub(crate) struct Renaming {
    /// The shape for reading. Records with renamed fields are copies of their own, so that their identity tells them
    /// from other records of the same type.
    pub(crate) read: Shape,
    /// The shape for writing.
    pub(crate) written: Shape,
    /// Records that are read, by identity, as they are written.
    records: Vec<(u64, Record)>,
}

impl Renaming {
    /// Renames fields of a record, or of the records in a list.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if there is no such field, it is renamed twice, or another field has the
    /// name.
    pub(crate) fn new(shape: &Shape, renames: &Renames) -> Result<Self> {
        let mut records = Vec::new();
        let renames: Vec<_> = renames.iter().map(|(path, name)| (&**path, &**name)).collect();
        let (read, written) = renamed(shape, &renames, &mut records)?;
        Ok(Self { read, written, records })
    }

    /// Returns a sink that writes records with their new names.
    pub(crate) fn sink<'s>(&'s self, inner: &'s mut dyn Sink) -> Renamed<'s> {
        Renamed { inner, by: self }
    }

    /// Returns the record to write for one that is read.
    #[inline]
    fn of<'r>(&'r self, record: &'r Record) -> &'r Record {
        let identity = record.identity();
        self.records.iter().find(|(own, _)| *own == identity).map_or(record, |(_, record)| record)
    }

    /// Returns the shape to write for one that is read.
    fn shape_of(&self, shape: &Shape) -> Option<Shape> {
        match shape {
            Shape::Option(inner) => self.shape_of(inner).map(Shape::optional),
            Shape::List(inner) => self.shape_of(inner).map(Shape::list),
            Shape::Record(record) => {
                let identity = record.get().identity();
                let found = self.records.iter().find(|(own, _)| *own == identity);
                found.map(|(_, record)| Shape::record(record.clone()))
            }
            _ => None,
        }
    }
}

/// Returns the shape for reading and the one for writing.
fn renamed(shape: &Shape, renames: &[(&[String], &str)], records: &mut Vec<(u64, Record)>) -> Result<(Shape, Shape)> {
    Ok(match shape {
        Shape::Option(inner) => {
            let (read, written) = renamed(inner, renames, records)?;
            (read.optional(), written.optional())
        }
        Shape::List(item) => {
            let (read, written) = renamed(item, renames, records)?;
            (read.list(), written.list())
        }
        Shape::Record(record) => {
            let (read, written) = record_renamed(&record.get(), renames, records)?;
            (Shape::Record(RecordRef::new(read)), Shape::Record(RecordRef::new(written)))
        }
        other => {
            let message = format!("fields of records get new names, and this is a {}", other.name());
            return Err(Error::new(ErrorKind::Constraint, message));
        }
    })
}

fn record_renamed(
    record: &Record,
    renames: &[(&[String], &str)],
    records: &mut Vec<(u64, Record)>,
) -> Result<(Record, Record)> {
    let mut own: Vec<Option<&str>> = vec![None; record.fields().len()];
    let mut inner: Vec<Vec<(&[String], &str)>> = vec![Vec::new(); record.fields().len()];
    for (path, name) in renames {
        let (index, taken) = found(record, path)?;
        match &path[taken..] {
            [] if own[index].is_some() => {
                let message = format!("the field `{}` gets two new names", path.join("."));
                return Err(Error::new(ErrorKind::Constraint, message));
            }
            [] => own[index] = Some(*name),
            rest => inner[index].push((rest, *name)),
        }
    }
    if record.items().is_some_and(Items::is_written) && own.iter().any(Option::is_some) {
        let message = format!("`{}` is written as a list: its fields have no names to change", record.name());
        return Err(Error::new(ErrorKind::Constraint, message));
    }
    let (mut read, mut written) = (Vec::new(), Vec::new());
    for ((field, name), inner) in record.fields().iter().zip(own).zip(inner) {
        let (mut from, mut to) = (field.clone(), field.clone().with_aliases(Vec::new()));
        if !inner.is_empty() {
            let (read, written) = renamed(field.shape(), &inner, records)?;
            (from, to) = (from.with_inner(read), to.with_inner(written));
        }
        read.push(from);
        written.push(match name {
            Some(name) => to.with_key(name.to_string()),
            None => to,
        });
    }
    let made = |fields| -> Result<Record> {
        let made = Record::new(record.name().to_string(), fields)?.with_unknown(record.unknown());
        Ok(made.with_items(record.items().cloned()))
    };
    let (read, written) = (made(read)?, made(written)?);
    records.push((read.identity(), written.clone()));
    Ok((read, written))
}

/// A sink that writes records with the new names of their fields.
pub(crate) struct Renamed<'s> {
    inner: &'s mut dyn Sink,
    by: &'s Renaming,
}

impl Sink for Renamed<'_> {
    forward! { self => self.inner; scalars begin_list item end_list begin_map entry value end_map }
    forward! { self => self.inner; begin_variant end_variant keys marks }

    fn begin(&mut self, shape: &Shape) -> Result<()> {
        self.inner.begin(self.by.shape_of(shape).as_ref().unwrap_or(shape))
    }

    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        match self.by.shape_of(item) {
            Some(item) => self.inner.begin_list_of(&item, len),
            None => self.inner.begin_list_of(item, len),
        }
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        self.inner.begin_record(self.by.of(record))
    }

    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        self.inner.field(self.by.of(record), index)
    }

    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        self.inner.rest(self.by.of(record), key)
    }

    fn end_record(&mut self, record: &Record) -> Result<()> {
        self.inner.end_record(self.by.of(record))
    }
}
