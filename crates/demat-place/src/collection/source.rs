//! Reads a collection.

use super::CollectionPlace;
use crate::Format;
use demat_core::{Error, ErrorKind, Record, Result, Shape};
use demat_lmdb::{Collection, Environment, Options, OwnDocument, Query, Wanted};

/// Opens an existing environment for reading.
fn environment(place: &CollectionPlace) -> Result<Environment> {
    let options = Options { readonly: true, create: false, ..Options::default() };
    Environment::open(&place.path, &options)
}

/// Returns the names of the collections of a place: the one that it names, or all.
fn names(environment: &Environment, place: &CollectionPlace) -> Result<Vec<String>> {
    match &place.name {
        Some(name) => Ok(vec![name.clone()]),
        None => environment.read().and_then(|snapshot| environment.collections(&snapshot)),
    }
}

/// Returns the only collection.
fn collection(place: &CollectionPlace) -> Result<Collection> {
    let environment = environment(place)?;
    let mut names = names(&environment, place)?;
    let located = |message: String| Error::new(ErrorKind::Store, message).in_place(place.to_string());
    match names.len() {
        1 => environment.collection(&names.swap_remove(0), &Wanted::default()),
        0 => Err(located("there is no collection in the environment".to_string())),
        _ => Err(located(format!(
            "which collection is not said: {place}#NAME, where NAME is one of {}",
            names.join(", ")
        ))),
    }
}

/// Opens a collection as a document: its reader, the shape of a record, and its format.
pub(crate) fn open(place: &CollectionPlace) -> Result<(OwnDocument, Shape, Format)> {
    let collection = collection(place)?;
    let definition = collection.definition();
    let document = OwnDocument::new(&collection, &Query::default())?;
    Ok((document, definition.shape, definition.encoding.format()))
}

/// Returns the format of the records of an existing collection.
pub(super) fn stored_format(place: &CollectionPlace) -> Option<Format> {
    collection(place).ok().map(|collection| collection.definition().encoding.format())
}

/// Returns the shapes of the records of all collections, or of the one that the place names. Each has its name.
pub(crate) fn shapes(place: &CollectionPlace) -> Result<Vec<Shape>> {
    let environment = environment(place)?;
    let mut shapes = Vec::new();
    for name in names(&environment, place)? {
        let shape = environment.collection(&name, &Wanted::default())?.definition().shape;
        let Some(row) = shape.row() else { continue };
        let row = row.get();
        let named = Record::new(name, row.fields().to_vec())?.with_unknown(row.unknown());
        shapes.push(Shape::record(named));
    }
    Ok(shapes)
}
