//! Columns of places that hold columns: Arrow's and Parquet's.

use super::batch_validator::BatchValidator;
use super::stream::Stream;
use super::{ColumnStream, Columns, of_columns, raise};
use crate::format::Format;
use crate::plan::{self, Face, Program};
use crate::read::{self, Packed};
use crate::signals;
use crate::target::{name_of, path};
use arrow_array::RecordBatch;
use demat_arrow::{ArrowSource, ColumnsSink, Options};
use demat_core::{Error, Result, Shape, copy};
use demat_place::{ColumnBatches, Place, projected};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Reads a columnar place: all of it as [`Columns`], or a [`ColumnStream`] of batches of at most `rows` rows.
///
/// `fields` are the columns to read, in this order; others are not decompressed. With a type, the columns are those of
/// the type, and its rules hold for each row; so they are with `given` options, of the shape that the place has. Of a
/// type, and of records that are made of the columns `later`, only the columns are read that it has fields for.
///
/// # Errors
/// `TypeError` and `ValueError` for an object that is no place, and for a format that has no columns; `demat.Error` for
/// errors of the data or the place.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
#[pyo3(signature = (format, place, record, fields, rows, given, later=None))]
#[allow(clippy::too_many_arguments)] // one parameter per argument
pub(crate) fn stored_columns<'py>(
    format: &str,
    place: &Bound<'py, PyAny>,
    record: Option<&Bound<'py, PyAny>>,
    fields: Option<Vec<String>>,
    rows: Option<usize>,
    given: &Bound<'py, PyDict>,
    later: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = place.py();
    let format: Format =
        format.parse().map_err(|error: demat_place::UnknownFormat| PyValueError::new_err(error.to_string()))?;
    let options = of_columns(given)?;
    let mut target = record.map(|record| Target::of(record, fields.as_deref(), &options)).transpose()?;
    let (from, raised, reader) = match path(place)? {
        Some(path) => (Place::named(path.as_os_str()), read::Raised::default(), None),
        None => match read::open(place, Packed::Not)? {
            read::Opened::Now(open) => (Place::Given(name_of(place)), open.raised, Some(open.pipe)),
            read::Opened::Later(..) => {
                let message = "columns are not read of a place whose bytes are awaited: await them first";
                return Err(PyTypeError::new_err(message));
            }
        },
    };
    let opened = signals::detached(py, || {
        let reader = reader.map(|pipe| Box::new(pipe) as Box<dyn std::io::Read + Send>);
        ColumnBatches::open(&from, format, reader, fields.as_deref())
    })?;
    let mut batches = opened.map_err(|error| raised.take().unwrap_or_else(|| raise(py, error)))?;
    let needed = match (&target, later) {
        (Some(target), _) => Some(target.shape.clone()),
        // A type that no shape describes may see all fields.
        (None, Some(later)) => plan::plan_of(later)?.get().program.shape_read(py).ok(),
        (None, None) => None,
    };
    if let (Some(needed), None) = (needed, &fields) {
        batches.choose(&needed).map_err(|error| raise(py, error))?;
    }
    if target.is_none() && options != Options::default() {
        let shape = demat_arrow::shape(batches.schema()).map_err(|error| raise(py, error))?;
        target = Some(Target { shape, held: None });
    }
    let schema = match &target {
        Some(target) => demat_arrow::schema_with(&target.shape, &options).map_err(|error| raise(py, error))?.into(),
        None => batches.schema().clone(),
    };
    let (converted, held) = match target {
        Some(Target { shape, held }) => {
            let convert = Convert { batches, shape, options, rows: 0, ready: Vec::new() };
            (Box::new(convert) as Box<dyn Iterator<Item = Result<RecordBatch>> + Send>, held)
        }
        None => (Box::new(batches) as Box<dyn Iterator<Item = Result<RecordBatch>> + Send>, None),
    };
    let batches = Cut { batches: converted, rows: rows.unwrap_or(usize::MAX), rest: None };
    let name = Some(from.to_string());
    let mut stream = Stream { schema, batches: Box::new(batches), name, raised, held, pending: Vec::new() };
    if rows.is_some() {
        return Ok(Bound::new(py, ColumnStream::new(stream))?.into_any());
    }
    let schema = stream.schema.clone();
    let batches: Result<Vec<_>> = signals::detached(py, || core::iter::from_fn(|| stream.next_batch()).collect())?;
    let batches = batches.map_err(|error| stream.failed(py, error))?;
    Ok(Bound::new(py, Columns::new(schema, batches))?.into_any())
}

/// Checks that records can be objects of a type.
///
/// # Errors
/// `TypeError` for a type that can't be described.
#[pyfunction]
pub(crate) fn check_record(r#type: &Bound<'_, PyAny>) -> PyResult<()> {
    plan::plan_of(r#type).map(drop)
}

/// The type of the rows.
struct Target {
    shape: Shape,
    held: Option<BatchValidator>,
}

impl Target {
    fn of(record: &Bound<'_, PyAny>, fields: Option<&[String]>, options: &Options) -> PyResult<Self> {
        let py = record.py();
        let plan = plan::plan_of(record)?;
        plan.get().program.without_others()?;
        let shape = plan.get().program.shape_read(py)?;
        let shape = match fields {
            Some(fields) => projected(&shape, fields).map_err(|error| raise(py, error))?,
            None => shape,
        };
        let host = Program::host(&plan, Face::Columns)?;
        let held = BatchValidator::new(&shape, host, fields.is_some()).map_err(|error| raise(py, error))?;
        Ok(Self { shape, held: held.map(|held| held.with_options(options.clone())) })
    }
}

/// Batches whose rows become rows of another shape.
struct Convert {
    batches: ColumnBatches<'static>,
    shape: Shape,
    options: Options,
    /// The number of rows in earlier batches.
    rows: usize,
    /// Batches that came of the last one, in reverse order.
    ready: Vec<RecordBatch>,
}

impl Convert {
    fn converted(&mut self, batch: RecordBatch) -> Result<Vec<RecordBatch>> {
        let (first, count) = (self.rows, batch.num_rows());
        self.rows += count;
        let mut sink = ColumnsSink::new(Vec::<RecordBatch>::new()).with_options(self.options.clone());
        let list = match &self.shape {
            Shape::List(_) => self.shape.clone(),
            other => other.clone().list(),
        };
        let source = &mut ArrowSource::new([Ok(batch)]);
        copy(source, &list, &mut sink).map_err(|error: Error| error.behind_items(first))?;
        Ok(sink.into_drain())
    }
}

impl Iterator for Convert {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.ready.pop() {
                return Some(Ok(batch));
            }
            match self.batches.next()?.and_then(|batch| self.converted(batch)) {
                Ok(mut ready) => {
                    ready.reverse();
                    self.ready = ready;
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Batches of at most so many rows; larger ones are cut, without a copy.
struct Cut {
    batches: Box<dyn Iterator<Item = Result<RecordBatch>> + Send>,
    rows: usize,
    rest: Option<RecordBatch>,
}

impl Iterator for Cut {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = match self.rest.take() {
            Some(rest) => rest,
            None => match self.batches.next()? {
                Ok(batch) => batch,
                Err(error) => return Some(Err(error)),
            },
        };
        let rows = batch.num_rows();
        if rows > self.rows {
            self.rest = Some(batch.slice(self.rows, rows - self.rows));
            return Some(Ok(batch.slice(0, self.rows)));
        }
        Some(Ok(batch))
    }
}
