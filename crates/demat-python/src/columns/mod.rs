//! Columns: records of a place as Arrow's arrays, with no objects made of them, and the way back.

mod capsule;
mod numpy;
mod open;
mod options;
mod stream;
mod table;
mod view;

pub(crate) use capsule::{ArrowReader, is_arrow, reader_of};
pub(crate) use options::of_columns;
pub(crate) use stream::ColumnStream;
pub(crate) use table::Columns;
pub(crate) use view::View;

use crate::error::{Failure, exception};
use crate::format::Format;
use open::{Held, Opened};
use options::ColumnOptions;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The columns of a place: a [`Columns`] of all of it, or a [`ColumnStream`] where batches are asked for.
///
/// # Errors
/// `TypeError` and `ValueError` for what is no place, no type and no option; `demat.Error` for what is wrong with the data
/// or the place.
pub(crate) fn columns<'py>(
    format: Format,
    place: &Bound<'py, PyAny>,
    record: Option<&Bound<'py, PyAny>>,
    given: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = place.py();
    let options = ColumnOptions::parse(format, given)?;
    let held = Held::new(place)?;
    let opened = Opened::new(&held, format);
    let planned = opened.plan(py, record, &options)?;
    if let Some(rows) = options.batch_size {
        let stream = opened.stream(&planned, &options, rows).map_err(|error| raise(py, error))?;
        return Ok(Bound::new(py, ColumnStream::new(stream))?.into_any());
    }
    let threads = options.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let made = py.detach(|| opened.whole(&planned, &options, threads));
    let (schema, batches) = made.map_err(|error| raise(py, error))?;
    Ok(Bound::new(py, Columns::new(schema, batches))?.into_any())
}

/// An error of the house as the exception that it is.
fn raise(py: Python<'_>, error: demat_core::Error) -> PyErr {
    exception(py, Failure::from(error))
}
