//! Columns of the records that are not refused: what `columns` reads with `on_error`.

use super::options::ColumnOptions;
use super::raise;
use crate::copy::{Refused, write_options};
use crate::file_object::Raised;
use crate::format::Format;
use crate::plan::{self, Face, Program};
use crate::read::{self, Packed};
use crate::signals;
use crate::target::{name_of, path};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use demat_arrow::IpcBatches;
use demat_core::{Result, Shape, interrupt};
use demat_place::{CopyJob, Host, OnError, Place, Sample};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// What becomes of refused records.
#[derive(Debug)]
pub(super) struct Lenient<'py> {
    pub(super) rejects: Bound<'py, PyAny>,
}

/// Reads the columns of the records that are not refused, by one thread.
///
/// A copy writes them to memory as a stream of batches, which is then read: the copy has all that is needed to go on
/// after a refused record, for each format.
///
/// # Errors
/// As `columns`, but for errors of single records.
pub(super) fn columns<'py>(
    format: Format,
    place: &Bound<'py, PyAny>,
    record: Option<&Bound<'py, PyAny>>,
    options: &ColumnOptions,
    lenient: &Lenient<'py>,
) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let py = place.py();
    let raised = Raised::default();
    let (from, reader, failed) = match path(place)? {
        Some(path) => (Place::named(path.as_os_str()), None, read::Raised::default()),
        None => match read::open(place, Packed::Not)? {
            read::Opened::Now(open) => (Place::Given(name_of(place)), Some(open.pipe), open.raised),
            read::Opened::Later(..) => {
                let message = "columns are not read of a place whose bytes are awaited: await them first";
                return Err(PyTypeError::new_err(message));
            }
        },
    };
    let (shape, host) = match record {
        Some(record) => {
            let plan = plan::plan_of(record)?;
            let lists = plan::Lists::of_rows(format.about().model);
            let shape = match plan.get().program.shape_read_as(py, lists)? {
                shape @ Shape::List(_) => shape,
                other => other.list(),
            };
            let face = Face::of_copy(&shape);
            (Some(shape), Program::host(&plan, face)?)
        }
        None => (None, Host { patterns: Some(plan::pattern), ..Host::default() }),
    };
    let refused = Refused::new(OnError::Skip, &lenient.rejects, raised.clone())?;
    let writing = write_options(Format::BATCHES, Some(&options.of_written(py)?))?;
    let (reading, fields) = (options.decoding.read.clone(), options.fields.clone());
    let sample = if options.sample == u64::MAX { Sample::All } else { Sample::First(options.sample) };
    let done = signals::detached(py, || {
        let kept = Kept::default();
        let mut job = CopyJob::new(from, format, Place::Given("the columns".to_string()), Format::BATCHES)
            .read_options(reading)
            .write_options(writing)
            .infer(shape.is_none())
            .sample(sample)
            .host(host)
            .on_error(OnError::Skip)
            .on_reject(move |error, bytes| refused.tell(error, bytes))
            .on_progress(|_| interrupt::check())
            .writer(kept.clone());
        if let Some(shape) = shape {
            job = job.shape(shape);
        }
        if let Some(fields) = fields {
            job = job.fields(fields);
        }
        if let Some(reader) = reader {
            job = job.reader(reader);
        }
        job.run()?;
        let batches = IpcBatches::new(io::Cursor::new(kept.take()))?;
        let schema = batches.schema().clone();
        Ok((schema, batches.collect::<Result<Vec<_>>>()?))
    })?;
    if let Some(raised) = failed.take().or_else(|| raised.take()) {
        return Err(raised);
    }
    done.map_err(|error| raise(py, error))
}

/// Bytes in memory that a copy writes.
#[derive(Debug, Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn take(&self) -> Vec<u8> {
        core::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
