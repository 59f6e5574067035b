//! Typed records of any place, one after the other.

#[cfg(test)]
mod tests;

use crate::columnar::Columnar;
use crate::database::DatabaseSource;
use crate::lift::lift;
use crate::server::ServerSource;
use crate::{Format, Input, Place, ReadOptions, collection};
use core::fmt;
use demat_core::{Decode, Error, Result, Source};
use demat_formats::stream::{Records, Window};
use std::ffi::OsStr;
use std::io::Read;

/// Reads the typed records of a place, which is named as for the command: a file whose suffix says its format and
/// compression, `tasks.db#tasks`, `tasks.db?select …`, `lmdb:dir#tasks`,
/// `postgresql://host/name#tasks`, or `-` for standard input in NDJSON.
///
/// Records are decoded as they are read, so memory is bounded by the longest one.
///
/// ```
/// # fn main() -> demat_core::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("points.json");
/// # std::fs::write(&path, "[[0, 1], [2, 3]]")?;
/// let points = demat_place::read::<(f64, f64)>(&path)?;
/// assert_eq!(points.collect::<demat_core::Result<Vec<_>>>()?, [(0.0, 1.0), (2.0, 3.0)]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If the place can't be opened, or its name has no suffix of a format.
pub fn read<T: for<'a> Decode<'a> + 'static>(name: impl AsRef<OsStr>) -> Result<TypedRecords<T>> {
    let place = Place::named(name.as_ref());
    let format = format_of(&place)?;
    read_as(&place, format, &format.read_options())
}

/// As [`read`], in a format that is not that of the name's suffix, or with options. These are for files and streams of
/// text or messages; databases, collections and columns have none.
///
/// # Errors
/// As [`read`], and if an option is invalid.
pub fn read_as<T: for<'a> Decode<'a> + 'static>(
    place: &Place,
    format: Format,
    options: &ReadOptions,
) -> Result<TypedRecords<T>> {
    let name = place.name_as_source();
    let items = open(&place.clone().holding(format), format, options).map_err(|error| lift(error).in_place(&name))?;
    Ok(TypedRecords { items, name })
}

/// Returns the format of a place that is named only.
pub(crate) fn format_of(place: &Place) -> Result<Format> {
    let lines = (*place == Place::Standard).then_some(Format::LINES);
    place.format().or(lines).ok_or_else(|| {
        let message = "its suffix is that of no format";
        Error::new(demat_core::ErrorKind::Constraint, message).in_place(place.to_string())
    })
}

type Items<T> = Box<dyn Iterator<Item = Result<T>>>;

fn open<T: for<'a> Decode<'a> + 'static>(place: &Place, format: Format, options: &ReadOptions) -> Result<Items<T>> {
    match place {
        Place::Database(database) => Ok(Box::new(Listed::new(DatabaseSource::open(database, None)?.boxed(T::SHAPE)?))),
        Place::Collection(collection) => {
            let (reader, _, format) = collection::open(collection)?;
            of_bytes(reader, format, &format.read_options())
        }
        Place::Server(server) => Ok(Box::new(Listed::new(ServerSource::open(server)?.boxed(T::SHAPE)?))),
        _ if format.is_columnar() => Ok(Box::new(Listed::new(Columnar::open(place, format, None, None)?.boxed()))),
        _ => of_bytes(Input::open(place)?, format, options),
    }
}

fn of_bytes<T: for<'a> Decode<'a> + 'static>(
    reader: impl Read + 'static,
    format: Format,
    options: &ReadOptions,
) -> Result<Items<T>> {
    let Some(codec) = format.codec() else { return Err(crate::database::no_stream()) };
    let window = Window::new(reader).with_limit(options.window);
    Ok(Box::new(Records::new(window, codec.reader(options)?.boxed())))
}

/// The records of a place, in order. The first error is the last item.
pub struct TypedRecords<T> {
    items: Items<T>,
    /// The place, for errors.
    name: String,
}

impl<T> Iterator for TypedRecords<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        Some(self.items.next()?.map_err(|error| lift(error).in_place(&self.name)))
    }
}

impl<T> fmt::Debug for TypedRecords<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedRecords").field("place", &self.name).finish_non_exhaustive()
    }
}

/// The items of the list that a source has.
struct Listed<T> {
    source: Box<dyn Source<'static>>,
    /// The number of items so far; `None` before the list, and after its end.
    number: Option<usize>,
    has_ended: bool,
    item: core::marker::PhantomData<T>,
}

impl<T: Decode<'static>> Listed<T> {
    fn new(source: Box<dyn Source<'static>>) -> Self {
        Self { source, number: None, has_ended: false, item: core::marker::PhantomData }
    }

    fn step(&mut self) -> Result<Option<T>> {
        let number = if let Some(number) = self.number {
            number
        } else {
            self.source.list()?;
            0
        };
        if !self.source.item()? {
            self.source.end()?;
            return Ok(None);
        }
        self.number = Some(number + 1);
        T::decode(&mut self.source).map(Some).map_err(|error| error.within_item(number))
    }
}

impl<T: Decode<'static>> Iterator for Listed<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.has_ended {
            return None;
        }
        let next = self.step().transpose();
        self.has_ended = !matches!(next, Some(Ok(_)));
        next
    }
}
