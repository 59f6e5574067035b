//! Reads the records of a place into Arrow arrays, without an object per record, and converts columns to records.

mod absent;
mod arrow_reader;
mod batch_validator;
mod capsule;
mod filled;
mod handed_out;
mod lenient;
mod loaded;
mod numpy;
mod open;
mod options;
mod server_rows;
mod stored;
mod stream;
mod table;
mod view;

pub(crate) use arrow_reader::{ArrowReader, reader_of, reader_of_any};
pub(crate) use capsule::{is_arrow, shape_of};
pub(crate) use options::of_columns;
pub(crate) use stored::{check_record, stored_columns};
pub(crate) use stream::ColumnStream;
pub(crate) use table::{Columns, records_behind};
pub(crate) use view::View;

use crate::encode;
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::plan::Program;
use crate::signals;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use demat_arrow::{ColumnsSink, Options};
use demat_core::{Result, Shape};
use demat_sqlite::scan::PagedRows;
use demat_sqlite::{RowSource, copy_rows};
use open::Held;
use options::ColumnOptions;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Reads the columns of a place: all of it as [`Columns`], or a [`ColumnStream`] if a batch size is set.
///
/// # Errors
/// `TypeError` and `ValueError` for an object that is no place, and for an unknown type or option. `demat.Error` for
/// errors of the data or the place.
pub(crate) fn columns<'py>(
    format: Format,
    place: &Bound<'py, PyAny>,
    record: Option<&Bound<'py, PyAny>>,
    given: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = place.py();
    let options = ColumnOptions::parse(format, given)?;
    if let Some(lenient) = options.lenient(given)? {
        let (schema, batches) = lenient::columns(format, place, record, &options, &lenient)?;
        return Ok(Bound::new(py, Columns::new(schema, batches))?.into_any());
    }
    let mut held = Held::new(place, options.batch_size.is_some())?;
    let planned = held.plan(py, record, &options)?;
    let threads = options.threads.unwrap_or_else(available);
    let (schema, batches) = match (held, options.batch_size) {
        (Held::Place(open), Some(rows)) => {
            let stream = open.stream(py, &planned, &options, rows)?;
            return Ok(Bound::new(py, ColumnStream::new(stream))?.into_any());
        }
        (Held::Place(open), None) => open.whole(py, &planned, &options, threads)?,
        (Held::Data(data), _) => {
            let bytes = data.bytes();
            let made = signals::detached(py, || planned.of_bytes(bytes, &options, threads))?;
            made.map_err(|error| raise(py, error))?
        }
    };
    Ok(Bound::new(py, Columns::new(schema, batches))?.into_any())
}

/// Converts objects to columns directly, without an intermediate format.
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
        let batches: Result<Vec<_>> = py.detach(|| reader.collect());
        return Ok(Columns::new(schema, batches.map_err(|error| raise(py, error))?));
    }
    let record = (!record.is_none()).then_some(record);
    let (schema, batches) = encode::columns_of(objects, record, options)?;
    Ok(Columns::new(schema, batches))
}

/// Returns empty columns with the schema of a description.
#[pyfunction]
pub(crate) fn described_columns(root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>) -> PyResult<Columns> {
    let py = root.py();
    let program = Program::compile(PyTuple::new(py, [root, records])?.as_any())?;
    let schema = demat_arrow::schema(&program.shape(py)?);
    let schema = schema.map_err(|error| PyTypeError::new_err(error.to_string()))?;
    Ok(Columns::new(schema.into(), Vec::new()))
}

/// Reads the rows of a database as columns, with a number of threads.
///
/// # Errors
/// If a row does not match the shape, or SQLite fails.
pub(crate) fn of_rows(
    py: Python<'_>,
    mut rows: RowSource<PagedRows>,
    shape: &Shape,
    threads: Option<usize>,
    options: &Options,
) -> PyResult<Columns> {
    let threads = threads.unwrap_or_else(available);
    let made = signals::detached(py, || {
        let schema = demat_arrow::Columns::with_options(shape, options)?.schema().clone();
        let batches = batches_of(&mut rows, shape, &schema, threads, options)?;
        Ok((schema, batches))
    })?;
    let (schema, batches) = made.map_err(|error| raise(py, error))?;
    Ok(Columns::new(schema, batches))
}

/// Reads rows by column while they are plain, and the rest one by one.
fn batches_of(
    rows: &mut RowSource<PagedRows>,
    shape: &Shape,
    schema: &SchemaRef,
    threads: usize,
    options: &Options,
) -> Result<Vec<RecordBatch>> {
    let Some(filled) = rows.fill(shape, threads, crate::fresh::in_large_pages) else {
        return one_by_one(rows, shape, options);
    };
    let (whole, count) = (filled.whole, filled.rows());
    let batches: Result<Vec<_>> = filled.batches.into_iter().map(|vectors| filled::batch(schema, vectors)).collect();
    let mut batches = match batches {
        // A number is beyond its narrow column. Only one by one is its row known.
        Err(_) if rows.again() => return one_by_one(rows, shape, options),
        batches => batches?,
    };
    if whole {
        return Ok(batches);
    }
    if !rows.again() {
        return one_by_one(rows, shape, options);
    }
    let others = rows.pass_over(count).and_then(|()| one_by_one(rows, shape, options));
    match others {
        Ok(others) => batches.extend(others),
        // Reads all rows again one by one: only then is the number of the invalid row known.
        Err(_) if rows.again() => return one_by_one(rows, shape, options),
        Err(error) => return Err(error),
    }
    Ok(batches)
}

fn one_by_one(rows: &mut RowSource<PagedRows>, shape: &Shape, options: &Options) -> Result<Vec<RecordBatch>> {
    let mut sink = ColumnsSink::new(Vec::<RecordBatch>::new()).with_options(options.clone());
    copy_rows(rows, shape, &mut sink)?;
    Ok(sink.into_drain())
}

/// Returns the rows of a server as columns of a shape.
///
/// # Errors
/// If a row does not match the shape, or the server fails.
pub(crate) fn of_source(
    py: Python<'_>,
    rows: &mut demat_postgres::RowSource<Box<dyn demat_postgres::Rows + Send>>,
    shape: &Shape,
    options: &Options,
) -> PyResult<Columns> {
    let made = signals::detached(py, || {
        let schema = demat_arrow::Columns::with_options(shape, options)?.schema().clone();
        let batches = server_rows::batches(rows, shape, &schema, options)?;
        Ok((schema, batches))
    })?;
    let (schema, batches) = made.map_err(|error| raise(py, error))?;
    Ok(Columns::new(schema, batches))
}

/// The default number of threads.
fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Converts an error to its exception.
fn raise(py: Python<'_>, error: demat_core::Error) -> PyErr {
    exception(py, Failure::from(error))
}
