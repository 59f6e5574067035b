//! A place whose records become columns.

use super::options::ColumnOptions;
use super::raise;
use crate::format::Format;
use crate::input::Input;
use crate::plan;
use crate::target::path;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use demat_arrow::{Batches, Bordered, Columns, Options, columns_of};
use demat_core::{Error, Result, Shape};
use demat_formats::csv::Csv;
use demat_formats::json::Json;
use demat_formats::ndjson::Ndjson;
use demat_formats::stream::Window;
use demat_place::{Input as PlaceInput, Place, ReadOptions, Sample, projected};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::io::{Cursor, Read};

/// What was given, held.
pub(super) enum Held<'py> {
    /// The data itself.
    Data(Input<'py>),
    Path(Place),
}

impl<'py> Held<'py> {
    /// A path, or a buffer that is the data itself.
    ///
    /// # Errors
    /// `TypeError` where it is neither.
    pub(super) fn new(place: &Bound<'py, PyAny>) -> PyResult<Self> {
        if is_buffer(place) {
            return Input::of(place, true).map(Self::Data);
        }
        let Some(path) = path(place)? else {
            let class = place.get_type().name()?;
            return Err(PyTypeError::new_err(format!("columns are read from a path or a buffer, not {class}")));
        };
        Ok(Self::Path(Place::named(path.as_os_str())))
    }
}

/// Where the records are.
pub(super) struct Opened<'h> {
    format: Format,
    place: At<'h>,
}

enum At<'h> {
    /// In memory.
    Data(&'h [u8]),
    Path(&'h Place),
}

/// What is read, and as what.
#[derive(Debug)]
pub(super) struct Planned {
    shape: Shape,
    options: Options,
}

/// A place that is read batch by batch.
pub(super) struct Stream {
    pub(super) schema: SchemaRef,
    pub(super) batches: Box<dyn Iterator<Item = Result<RecordBatch>> + Send>,
    name: Option<String>,
}

impl Stream {
    /// The next batch.
    pub(super) fn next(&mut self) -> Option<Result<RecordBatch>> {
        let batch = self.batches.next()?;
        Some(batch.map_err(|error| named(error, self.name.as_deref())))
    }
}

impl Iterator for Stream {
    type Item = core::result::Result<RecordBatch, ArrowError>;

    /// As other libraries take it, whose errors are texts.
    fn next(&mut self) -> Option<Self::Item> {
        Some(Stream::next(self)?.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

/// Of less nobody reads a part alone.
const WORTH_THREADS: u64 = 1 << 20;

impl<'h> Opened<'h> {
    /// What is held, as records of a format.
    pub(super) fn new(held: &'h Held<'_>, format: Format) -> Self {
        let place = match held {
            Held::Data(data) => At::Data(data.bytes()),
            Held::Path(place) => At::Path(place),
        };
        Self { format, place }
    }

    /// What is read: what the type says, or the first records look like; of that the fields that are wanted.
    pub(super) fn plan(
        &self,
        py: Python<'_>,
        record: Option<&Bound<'_, PyAny>>,
        options: &ColumnOptions,
    ) -> PyResult<Planned> {
        let (shape, naive) = match record {
            Some(record) => {
                let plan = plan::plan_of(record)?;
                let program = &plan.get().program;
                (program.shape_read(py)?, program.is_naive())
            }
            None => (self.learnt(py, options)?, false),
        };
        let shape = match &options.fields {
            Some(fields) => projected(&shape, fields).map_err(|error| raise(py, error))?,
            None => shape,
        };
        Ok(Planned { shape, options: Options { naive: naive || options.arrow.naive, ..options.arrow } })
    }

    fn learnt(&self, py: Python<'_>, options: &ColumnOptions) -> PyResult<Shape> {
        let learnt = match &self.place {
            At::Data(data) => {
                let most = usize::try_from(options.sample).unwrap_or(usize::MAX);
                crate::shapes::of_bytes(data, self.format, options.json, options.csv, most)
            }
            At::Path(place) => {
                let format = self.format.of_places();
                let reading = self.reading(options);
                py.detach(|| demat_place::schema(place, format, &reading, Sample::First(options.sample), true))
            }
        };
        learnt.map_err(|error| raise(py, error))
    }

    fn reading(&self, options: &ColumnOptions) -> ReadOptions {
        let mut reading = ReadOptions::of(self.format.of_places());
        (reading.json, reading.csv) = (options.json, options.csv);
        reading
    }

    /// All of it.
    pub(super) fn whole(
        &self,
        planned: &Planned,
        options: &ColumnOptions,
        threads: usize,
    ) -> Result<(SchemaRef, Vec<RecordBatch>)> {
        let columns = Columns::with_options(&planned.shape, planned.options)?;
        let schema = columns.schema().clone();
        let batches = match &self.place {
            At::Data(data) => self.of_bytes(data, planned, options, threads)?,
            At::Path(place) => self.of_file(place, planned, options, threads)?,
        };
        Ok((schema, batches))
    }

    /// All of a file: at once where several threads can share it, and through a window where not.
    fn of_file(
        &self,
        place: &Place,
        planned: &Planned,
        options: &ColumnOptions,
        threads: usize,
    ) -> Result<Vec<RecordBatch>> {
        let mut input = PlaceInput::open(place)?;
        let total = input.progress().total.filter(|total| *total >= WORTH_THREADS);
        if let (Some(total), None, true) = (total, input.compression(), threads > 1) {
            let mut bytes: Vec<u8> = Vec::with_capacity(usize::try_from(total).unwrap_or(0) + 1);
            crate::fresh::populate(bytes.as_ptr().addr(), bytes.capacity());
            input.read_to_end(&mut bytes).map_err(|cause| named(Error::from(cause), Some(&place.to_string())))?;
            let made = self.of_bytes(&bytes, planned, options, threads);
            return made.map_err(|error| named(error, Some(&place.to_string())));
        }
        drop(input);
        let mut stream = self.stream(planned, options, usize::MAX)?;
        core::iter::from_fn(|| Stream::next(&mut stream)).collect()
    }

    fn of_bytes(
        &self,
        bytes: &[u8],
        planned: &Planned,
        options: &ColumnOptions,
        threads: usize,
    ) -> Result<Vec<RecordBatch>> {
        fn of<F: Bordered>(bytes: &[u8], format: &F, planned: &Planned, threads: usize) -> Result<Vec<RecordBatch>> {
            columns_of(bytes, format, &planned.shape, planned.options, threads)
        }
        match self.format {
            Format::Json => of(bytes, &Json::new(options.json), planned, threads),
            Format::Ndjson => of(bytes, &Ndjson::new(options.json), planned, threads),
            Format::Csv => of(bytes, &Csv::new(options.csv)?, planned, threads),
        }
    }

    /// Batch by batch.
    pub(super) fn stream(&self, planned: &Planned, options: &ColumnOptions, rows: usize) -> Result<Stream> {
        let columns = Columns::with_options(&planned.shape, planned.options)?;
        let schema = columns.schema().clone();
        let bytes = if rows == usize::MAX { usize::MAX } else { Batches::<Cursor<Vec<u8>>, Json>::BYTES };
        macro_rules! batches {
            ($reader:expr) => {{
                let window = Window::new($reader);
                let made: Box<dyn Iterator<Item = Result<RecordBatch>> + Send> = match self.format {
                    Format::Json => {
                        Box::new(Batches::new(window, Json::new(options.json), columns).with_batches(rows, bytes))
                    }
                    Format::Ndjson => {
                        Box::new(Batches::new(window, Ndjson::new(options.json), columns).with_batches(rows, bytes))
                    }
                    Format::Csv => {
                        Box::new(Batches::new(window, Csv::new(options.csv)?, columns).with_batches(rows, bytes))
                    }
                };
                made
            }};
        }
        let (batches, name) = match &self.place {
            At::Data(data) => (batches!(Cursor::new(data.to_vec())), None),
            At::Path(place) => (batches!(PlaceInput::open(place)?), Some(place.to_string())),
        };
        Ok(Stream { schema, batches, name })
    }
}

fn named(error: Error, place: Option<&str>) -> Error {
    let error = demat_place::lift(error);
    match place {
        Some(place) if error.place().is_none() => error.in_place(place),
        _ => error,
    }
}

fn is_buffer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a living object.
    unsafe { pyo3::ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}
