//! Opens a place whose records become columns.

use super::batch_validator::BatchValidator;
use super::loaded;
use super::options::ColumnOptions;
use super::raise;
use super::stream::Stream;
use crate::input::Input;
use crate::plan::{self, Face, Program};
use crate::read::{self, Packed, Raised};
use crate::signals;
use crate::target::{name_of, path};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use demat_arrow::{Batches, Columns, Options, columns_of};
use demat_core::{Error, InferenceOptions, Result, Shape};
use demat_formats::codec::{Model, Reader, Visitor};
use demat_formats::stream::{Bordered, Window};
use demat_place::{Input as PlaceInput, Place, Unpacked, learnt, projected};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// The input of `columns`.
pub(super) enum Held<'py> {
    /// Data in memory, which is read in place.
    Data(Input<'py>),
    /// A place that is read through a window.
    Place(Box<Open>),
}

/// An open place; no record has been read.
pub(super) struct Open {
    window: Window<PlaceInput<'static>>,
    name: Option<String>,
    /// The file, if it is not compressed.
    file: Option<PathBuf>,
    total: Option<u64>,
    raised: Raised,
}

impl<'py> Held<'py> {
    /// Opens a path, data in memory, or any other source of bytes. Data in memory is read through a window if batches
    /// are returned, as they may be read long after the call, or if it is compressed.
    ///
    /// # Errors
    /// `TypeError` for an object that is none of these; `demat.StoreError` if it can't be opened.
    pub(super) fn new(place: &Bound<'py, PyAny>, batches: bool) -> PyResult<Self> {
        let py = place.py();
        if !batches && is_buffer(place) {
            let data = Input::of(place, true)?;
            if !is_packed(data.bytes()) {
                return Ok(Self::Data(data));
            }
        }
        let open = match path(place)? {
            Some(path) => py.detach(|| Open::path(&path)).map_err(|error| raise(py, error))?,
            None => Open::object(place)?,
        };
        Ok(Self::Place(Box::new(open)))
    }

    /// Plans what to read: the shape of the type, or one inferred from the first records, with the chosen fields.
    pub(super) fn plan(
        &mut self,
        py: Python<'_>,
        record: Option<&Bound<'_, PyAny>>,
        options: &ColumnOptions,
    ) -> PyResult<Planned> {
        let mut written = None;
        let (shape, host) = match record {
            Some(record) => {
                let plan = plan::plan_of(record)?;
                let program = &plan.get().program;
                program.without_others()?;
                if options.decoding.manner.model == Model::Shaped {
                    written = Some(program.shape_written(py)?.clone().list());
                }
                let lists = plan::Lists::of_rows(options.decoding.manner.model);
                (program.shape_read_as(py, lists)?, Some(Program::host(&plan, Face::Columns)?))
            }
            None => (self.learnt(py, options)?, None),
        };
        let shape = match &options.fields {
            Some(fields) => projected(&shape, fields).map_err(|error| raise(py, error))?,
            None => shape,
        };
        let held = match host {
            Some(host) => {
                BatchValidator::new(&shape, host, options.fields.is_some()).map_err(|error| raise(py, error))?
            }
            None => None,
        };
        let options = options.arrow.clone();
        let held = held.map(|held| held.with_options(options.clone()));
        Ok(Planned { shape, written, options, held })
    }

    fn learnt(&mut self, py: Python<'_>, options: &ColumnOptions) -> PyResult<Shape> {
        match self {
            Self::Data(data) => {
                let most = usize::try_from(options.sample).unwrap_or(usize::MAX);
                let learnt = crate::shapes::of_bytes(data.bytes(), &options.decoding, most);
                learnt.map_err(|error| raise(py, error))
            }
            Self::Place(open) => {
                let learnt = signals::detached(py, || open.learnt(options))?;
                learnt.map_err(|error| open.failed(py, error))
            }
        }
    }
}

/// The shape to read, and the options of its columns.
#[derive(Debug)]
pub(super) struct Planned {
    shape: Shape,
    /// The shape that the whole was written with, for formats that must know it.
    written: Option<Shape>,
    options: Options,
    /// Validates the rows once they are read.
    held: Option<BatchValidator>,
}

/// Smaller files, in bytes, are read by one thread.
const WORTH_THREADS: u64 = 1 << 20;

impl Planned {
    fn columns(&self) -> Result<Columns> {
        Columns::with_options(&self.shape, &self.options)
    }

    /// A reader of the place.
    fn reader(&self, options: &ColumnOptions) -> Result<Reader> {
        let mut reader = options.decoding.reader()?;
        if let Some(written) = &self.written {
            reader.begin(written)?;
        }
        Ok(reader)
    }

    /// Reads all records of a document in memory.
    ///
    /// # Errors
    /// Errors of the data.
    pub(super) fn of_bytes(
        &self,
        bytes: &[u8],
        options: &ColumnOptions,
        threads: usize,
    ) -> Result<(SchemaRef, Vec<RecordBatch>)> {
        let batches = self.reader(options)?.visit(ReadBatches { bytes, planned: self, threads })?;
        let batches = match self.held.clone() {
            Some(mut held) => {
                let held = batches.into_iter().map(|batch| held.hold(batch)).collect::<Result<Vec<_>>>()?;
                held.into_iter().flatten().collect()
            }
            None => batches,
        };
        Ok((self.columns()?.schema().clone(), batches))
    }
}

impl Open {
    fn path(path: &Path) -> Result<Self> {
        let place = Place::named(path.as_os_str());
        let input = PlaceInput::open(&place)?;
        let plain = input.compression().is_none();
        let total = input.progress().total.filter(|_| plain);
        let file = total.and_then(|_| place.path().map(PathBuf::from));
        let name = Some(place.to_string());
        Ok(Self { window: Window::new(input), name, file, total, raised: Raised::default() })
    }

    fn object(place: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = place.py();
        let opened = match read::open(place, Packed::Not)? {
            read::Opened::Now(opened) => opened,
            read::Opened::Later(..) => {
                let message = "columns are not read of a place whose bytes are awaited: await them first";
                return Err(PyTypeError::new_err(message));
            }
        };
        let read::Open { pipe, total, raised, .. } = opened;
        let name = name_of(place);
        let input = py.detach(|| PlaceInput::over(pipe, name));
        let input = input.map_err(|error| raised.take().unwrap_or_else(|| raise(py, error)))?;
        let total = total.filter(|_| input.compression().is_none());
        Ok(Self { window: Window::new(input), name: None, file: None, total, raised })
    }

    fn learnt(&mut self, options: &ColumnOptions) -> Result<Shape> {
        let (window, most) = (&mut self.window, options.sample);
        if options.decoding.manner.format.needs_type() {
            return Err(crate::shapes::unsaid(options.decoding.manner.format));
        }
        options.decoding.reader()?.visit(LearnShape {
            window,
            most,
            inference: options.decoding.manner.model.inference(),
        })
    }

    fn failed(&self, py: Python<'_>, error: Error) -> PyErr {
        self.raised.take().unwrap_or_else(|| raise(py, named(error, self.name.as_deref())))
    }

    /// Reads the whole place: into memory if several threads can share the work, else through a window.
    ///
    /// # Errors
    /// Errors of the data or the place, or an exception that the place raised.
    pub(super) fn whole(
        self,
        py: Python<'_>,
        planned: &Planned,
        options: &ColumnOptions,
        threads: usize,
    ) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
        let large = self.file.as_ref().filter(|_| self.total >= Some(WORTH_THREADS));
        // Read, not mapped: if another process truncates a mapped file, the next access kills this process by SIGBUS.
        if let Some(file) = large.filter(|_| threads > 1) {
            let made = signals::detached(py, || {
                let bytes = loaded::file(file, threads)?;
                planned.of_bytes(&bytes, options, threads)
            })?;
            return made.map_err(|error| self.failed(py, error));
        }
        let mut stream = self.stream(py, planned, options, usize::MAX)?;
        let schema = stream.schema.clone();
        let batches: Result<Vec<_>> = signals::detached(py, || core::iter::from_fn(|| stream.next_batch()).collect())?;
        Ok((schema, batches.map_err(|error| stream.failed(py, error))?))
    }

    /// Starts reading batch by batch.
    ///
    /// # Errors
    /// If a shape can't be columns.
    pub(super) fn stream(
        self,
        py: Python<'_>,
        planned: &Planned,
        options: &ColumnOptions,
        rows: usize,
    ) -> PyResult<Stream> {
        let columns = planned.columns().map_err(|error| raise(py, error))?;
        let reader = planned.reader(options).map_err(|error| raise(py, error))?;
        let mut stream = reader.visit(MakeStream { open: self, columns, rows });
        stream.held.clone_from(&planned.held);
        Ok(stream)
    }
}

/// Reads all records of a document in memory.
struct ReadBatches<'w> {
    bytes: &'w [u8],
    planned: &'w Planned,
    threads: usize,
}

impl Visitor for ReadBatches<'_> {
    type Output = Result<Vec<RecordBatch>>;

    fn visit<F: Bordered + 'static>(self, reader: F) -> Self::Output {
        columns_of(self.bytes, &reader, &self.planned.shape, &self.planned.options, self.threads)
    }
}

/// Infers the shape of records from the first ones.
struct LearnShape<'w> {
    window: &'w mut Window<PlaceInput<'static>>,
    most: u64,
    inference: InferenceOptions,
}

impl Visitor for LearnShape<'_> {
    type Output = Result<Shape>;

    fn visit<F: Bordered + 'static>(self, mut reader: F) -> Result<Shape> {
        learnt(self.window, &mut reader, self.most, self.inference)
    }
}

/// Creates the stream of batches of `rows` rows.
struct MakeStream {
    open: Open,
    columns: Columns,
    rows: usize,
}

impl Visitor for MakeStream {
    type Output = Stream;

    fn visit<F: Bordered + 'static>(self, reader: F) -> Stream {
        let Self { open, columns, rows } = self;
        let bytes = if rows == usize::MAX { usize::MAX } else { Batches::<PlaceInput<'_>, F>::BYTES };
        let schema = columns.schema().clone();
        let batches = Batches::bordered(open.window, reader, columns).with_batches(rows, bytes).with_total(open.total);
        Stream {
            schema,
            batches: Box::new(batches),
            name: open.name,
            raised: open.raised,
            held: None,
            pending: Vec::new(),
        }
    }
}

/// Adds the place's name to an error.
pub(super) fn named(error: Error, place: Option<&str>) -> Error {
    let error = demat_place::lift(error);
    match place {
        Some(place) if error.place().is_none() => error.in_place(place),
        _ => error,
    }
}

fn is_buffer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a live object.
    unsafe { pyo3::ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

/// Returns whether the data starts like a compressed file.
fn is_packed(bytes: &[u8]) -> bool {
    Unpacked::new(&bytes[..bytes.len().min(16)]).sniff().is_ok_and(|found| found.is_some())
}
