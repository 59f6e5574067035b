//! Columns: records of a place as Arrow's arrays, with no objects made of them, and the way back.

mod capsule;
mod handed_out;
mod loaded;
mod numpy;
mod open;
mod options;
mod stream;
mod table;
mod view;

pub(crate) use capsule::{ArrowReader, is_arrow, reader_of, shape_of};
pub(crate) use options::of_columns;
pub(crate) use stream::ColumnStream;
pub(crate) use table::Columns;
pub(crate) use view::View;

use crate::encode;
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::plan::Program;
use arrow_array::RecordBatch;
use demat_arrow::ColumnsSink;
use demat_core::Shape;
use demat_sqlite::scan::Selected;
use demat_sqlite::{RowSource, copy_rows};
use open::Held;
use options::ColumnOptions;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

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
    let mut held = Held::new(place, options.batch_size.is_some())?;
    let planned = held.plan(py, format, record, &options)?;
    let threads = options.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let (schema, batches) = match (held, options.batch_size) {
        (Held::Place(open), Some(rows)) => {
            let stream = open.stream(py, &planned, &options, rows)?;
            return Ok(Bound::new(py, ColumnStream::new(stream))?.into_any());
        }
        (Held::Place(open), None) => open.whole(py, &planned, &options, threads)?,
        (Held::Data(data), _) => {
            let bytes = data.bytes();
            let made = py.detach(|| planned.of_bytes(bytes, &options, threads));
            made.map_err(|error| raise(py, error))?
        }
    };
    Ok(Bound::new(py, Columns::new(schema, batches))?.into_any())
}

/// The columns of objects, with no text in between.
///
/// # Errors
/// As [`encode::columns_of`].
#[pyfunction]
#[pyo3(signature = (objects, record, given))]
pub(crate) fn columns_of(
    objects: &Bound<'_, PyAny>,
    record: &Bound<'_, PyAny>,
    given: &Bound<'_, PyDict>,
) -> PyResult<Columns> {
    let options = of_columns(given)?;
    if record.is_none() && is_arrow(objects)? {
        let reader = reader_of(objects)?;
        let (py, schema) = (objects.py(), reader.schema.clone());
        let batches: demat_core::Result<Vec<_>> = py.detach(|| reader.collect());
        return Ok(Columns::new(schema, batches.map_err(|error| raise(py, error))?));
    }
    let record = (!record.is_none()).then_some(record);
    let (schema, batches) = encode::columns_of(objects, record, options)?;
    Ok(Columns::new(schema, batches))
}

/// The columns of no records, of a description: what they would be.
#[pyfunction]
pub(crate) fn described_columns(root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>) -> PyResult<Columns> {
    let py = root.py();
    let program = Program::compile(PyTuple::new(py, [root, records])?.as_any())?;
    let options = demat_arrow::Options { naive: program.is_naive(), ..demat_arrow::Options::default() };
    let schema = demat_arrow::schema_with(&program.shape(py)?, options);
    let schema = schema.map_err(|error| PyTypeError::new_err(error.to_string()))?;
    Ok(Columns::new(schema.into(), Vec::new()))
}

/// The columns of a database's rows, of a shape.
///
/// # Errors
/// Where a row is not of the shape; what SQLite says.
pub(crate) fn of_rows(py: Python<'_>, rows: &mut RowSource<Selected>, shape: &Shape) -> PyResult<Columns> {
    let made = py.detach(|| {
        let schema = demat_arrow::Columns::with_options(shape, demat_arrow::Options::default())?.schema().clone();
        let mut sink = ColumnsSink::new(Vec::<RecordBatch>::new());
        copy_rows(rows, shape, &mut sink)?;
        Ok((schema, sink.into_drain()))
    });
    let (schema, batches) = made.map_err(|error| raise(py, error))?;
    Ok(Columns::new(schema, batches))
}

/// An error of the house as the exception that it is.
fn raise(py: Python<'_>, error: demat_core::Error) -> PyErr {
    exception(py, Failure::from(error))
}
