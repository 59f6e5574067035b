//! Typed records written to any place.

use crate::lift::lift;
use crate::out::Out;
use crate::read::format_of;
use crate::{Format, OnError, Place, WriteOptions, table};
use core::borrow::Borrow;
use demat_core::{Encode, Result};
use std::ffi::OsStr;

/// Writes typed records to a place, which is named as for the command: a file whose suffix says its format and
/// compression, `tasks.db#tasks`, `lmdb:dir#tasks`, or `-` for standard output in NDJSON. Returns their number.
///
/// A file appears complete, or not at all; rows are added to a table in one transaction.
///
/// ```
/// # fn main() -> demat_core::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("points.ndjson.gz");
/// let points = [(0.0, 1.0), (2.0, 3.0)];
/// assert_eq!(demat_place::write::<(f64, f64)>(&path, points)?, 2);
/// assert_eq!(demat_place::read::<(f64, f64)>(&path)?.count(), 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If the place can't be written, its name has no suffix of a format, or the format can't hold such records.
pub fn write<T: Encode>(name: impl AsRef<OsStr>, records: impl IntoIterator<Item: Borrow<T>>) -> Result<u64> {
    let place = Place::named(name.as_ref());
    let format = format_of(&place)?;
    write_as::<T>(&place, format, &WriteOptions::of(format), records)
}

/// As [`write()`], in a format that is not that of the name's suffix, or with options.
///
/// # Errors
/// As [`write()`], and if an option is invalid.
pub fn write_as<T: Encode>(
    place: &Place,
    format: Format,
    options: &WriteOptions,
    records: impl IntoIterator<Item: Borrow<T>>,
) -> Result<u64> {
    let place = place.clone().holding(format);
    let written = write_to::<T>(&place, format, options, records);
    written.map_err(|error| lift(error).in_place(place.name_as_target()))
}

fn write_to<T: Encode>(
    place: &Place,
    format: Format,
    options: &WriteOptions,
    records: impl IntoIterator<Item: Borrow<T>>,
) -> Result<u64> {
    let shape = T::SHAPE.clone().list();
    if let Some(row) = shape.row()
        && format.is_table()
    {
        table::check(&row.get())?;
    }
    let from = Place::Given("records".to_string());
    let mut out = Out::create(place, format, &from, place.compression(), (OnError::Stop, true))?;
    out.trust();
    let mut sink = out.sink((place, format, options), &shape, OnError::Stop, (None, None))?;
    sink.begin(&shape)?;
    sink.begin_list_of(T::SHAPE, None)?;
    let mut number = 0;
    for record in records {
        sink.item()?;
        record.borrow().encode(&mut *sink).map_err(|error| error.within_item(number))?;
        sink.commit()?;
        number += 1;
    }
    sink.end_list()?;
    sink.finish()?;
    drop(sink);
    out.complete(format)?;
    out.finish()?;
    Ok(number as u64)
}
