//! Writes to a collection.

use super::CollectionPlace;
use crate::database::stem;
use crate::{Format, Place};
use demat_core::{Error, ErrorKind, Field, Record, Result, Shape, Sink};
use demat_lmdb::{Collection, CollectionSink, Encoding, Environment, Options, Put, Wanted, Writing};

/// A collection that gets all records or none.
#[derive(Debug)]
pub(crate) struct CollectionTarget {
    // An open transaction is dropped, and so undone, first.
    writing: Option<Writing>,
    environment: Environment,
    name: String,
    place: String,
    there: Option<Collection>,
    encoding: Encoding,
    /// The shape of the records, if what is written has another one: see [`define`](Self::define).
    defined: Option<Shape>,
    /// Whether the collection was made for these records, and is removed without them.
    made: bool,
}

impl CollectionTarget {
    /// Opens an environment for records of another place. `format`: that of the records, in a new collection.
    pub(crate) fn create(place: &CollectionPlace, from: &Place, format: Format) -> Result<Self> {
        let located = |error: Error| error.in_place(place.to_string());
        let name = match (&place.name, from) {
            (Some(name), _) | (None, Place::Collection(CollectionPlace { name: Some(name), .. })) => name.clone(),
            (None, from) => from.path().and_then(stem).ok_or_else(|| {
                located(Error::new(ErrorKind::Store, format!("which collection is not said: {place}#NAME")))
            })?,
        };
        let environment = Environment::open(&place.path, &Options::default())?;
        let is_there = environment.collections(&environment.read()?)?.contains(&name);
        let there = is_there.then(|| environment.collection(&name, &Wanted::default())).transpose()?;
        let encoding = Encoding::of(format).map_err(located)?;
        Ok(Self {
            writing: None,
            environment,
            name,
            place: place.to_string(),
            there,
            encoding,
            defined: None,
            made: false,
        })
    }

    /// The shape of the records of an existing collection.
    pub(crate) fn shape(&self) -> Option<Shape> {
        self.there.as_ref().map(|collection| collection.definition().shape)
    }

    /// Sets the shape of the records for a collection that finds fields and members of enums by their numbers: names in
    /// what is written may be others. It is not used if only some of its fields are written.
    pub(crate) fn define(&mut self, shape: &Shape) {
        self.defined = Some(shape.clone());
    }

    /// Returns the sink for records of a shape. Makes the collection if it does not exist.
    pub(crate) fn sink(&mut self, shape: &Shape) -> Result<Box<dyn Sink + '_>> {
        let place = self.place.clone();
        let located = |error: Error| error.in_place(place.clone());
        let row = shape.row().ok_or_else(|| {
            let message = format!("a collection holds records, and this is a {}", shape.name());
            located(Error::new(ErrorKind::Encode, message))
        })?;
        let encoding = self.there.is_none().then_some(self.encoding);
        let stored = self.there.as_ref().map_or(self.encoding, |there| there.definition().encoding);
        let defined = self.defined.as_ref().filter(|_| stored.is_numbered()).and_then(Shape::row);
        let defined = defined.filter(|own| have_same_keys(&own.get(), &row.get()));
        let defined = match defined {
            Some(own) => Shape::record(with_key_of(&own.get(), &row.get())?),
            None => Shape::Record(row.clone()),
        };
        let wanted = Wanted { shape: Some(defined), encoding, ..Wanted::default() };
        let collection = self.environment.collection(&self.name, &wanted).map_err(located)?;
        self.made = self.there.is_none();
        let writing = self.writing.insert(self.environment.write().map_err(located)?);
        let sink = CollectionSink::new(writing, &collection, shape, Put::Always).map_err(located)?;
        Ok(Box::new(sink))
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        let Some(mut writing) = self.writing.take() else { return Ok(()) };
        writing.commit().map_err(|error| error.in_place(self.place.clone()))?;
        self.made = false;
        Ok(())
    }
}

/// Whether records have fields with the same keys, in whatever order.
fn have_same_keys(one: &Record, other: &Record) -> bool {
    one.fields().len() == other.fields().len() && one.fields().iter().all(|field| other.index_of(field.key()).is_some())
}

/// Returns a record whose key is the one that another record notes.
fn with_key_of(own: &Record, other: &Record) -> Result<Record> {
    let is_key = |field: &Field| field.notes_for("sql").any(|note| note == "key");
    let fields = own.fields().iter().cloned().map(|field| {
        let noted = other.index_of(field.key()).is_some_and(|index| is_key(&other.fields()[index]));
        if noted && !is_key(&field) { field.with_note("sql", "key") } else { field }
    });
    Ok(Record::new(own.name().to_string(), fields.collect())?.with_unknown(own.unknown()))
}

impl Drop for CollectionTarget {
    fn drop(&mut self) {
        drop(self.writing.take());
        if self.made {
            // The error that ended the copy is the one to report.
            let _ = self.environment.drop_collection(&self.name);
        }
    }
}
