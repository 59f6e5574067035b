//! A place that is told one value after the other.

use super::EncodeOptions;
use super::chunks::Chunks;
use super::drained::Into;
use super::engine::Engine;
use super::hint::{Anything, Hint};
use super::lent::Lent;
use super::place::Place;
use crate::columns::ArrowReader;
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::object::Object;
use crate::target::Opened;
use demat_arrow::ArrowSource;
use demat_core::{Copier, Error, Progress, Sink, Source};
use demat_formats::Output;
use demat_formats::csv::CsvSink;
use demat_formats::json::JsonSink;
use demat_formats::ndjson::NdjsonSink;
use demat_formats::proto::ProtoSink;
use pyo3::prelude::*;

/// A list that is being written, its place, and how many items it has so far.
pub(super) struct Told {
    sink: Option<AnySink>,
    chunks: Chunks,
    opened: Opened,
    count: u64,
    /// Whether the list was begun.
    begun: bool,
    /// Whether columns were copied, which are a list of their own.
    copied: bool,
}

/// The sink of each format.
enum AnySink {
    Json(JsonSink<Into<'static>>),
    Ndjson(NdjsonSink<Into<'static>>),
    Csv(Box<CsvSink<Into<'static>>>),
    Proto(Box<ProtoSink<Into<'static>>>),
}

/// So many bytes are worth giving the interpreter's lock away for.
const WORTH_WRITING: usize = 256 * 1024;

impl Told {
    /// Begins the list.
    ///
    /// # Errors
    /// What the sink says of the options.
    pub(super) fn new(py: Python<'_>, format: Format, options: &EncodeOptions, opened: Opened) -> PyResult<Self> {
        let chunks = Chunks::default();
        let output = Output::new(Vec::new(), Into::Place(chunks.clone()));
        let sink = match format {
            Format::Json => AnySink::Json(JsonSink::new(output, options.json)),
            Format::Ndjson => AnySink::Ndjson(NdjsonSink::new(output, options.json)),
            Format::Csv => {
                let sink = CsvSink::new(options.dialect, output);
                AnySink::Csv(Box::new(sink.map_err(|error| exception(py, Failure::from(error)))?))
            }
            Format::Proto => AnySink::Proto(Box::new(ProtoSink::new(output))),
        };
        Ok(Self { sink: Some(sink), chunks, opened, count: 0, begun: false, copied: false })
    }

    /// Begins the list.
    ///
    /// # Errors
    /// What the sink says of the shape.
    pub(super) fn begin(&mut self, py: Python<'_>, options: &EncodeOptions) -> PyResult<()> {
        let Some(sink) = self.sink.as_mut().filter(|_| !self.begun) else { return Ok(()) };
        let told = sink.told();
        let mut begin = || {
            if let Some(shape) = &options.shape {
                told.begin(shape)?;
            }
            told.begin_list(None)?;
            told.commit()
        };
        self.begun = true;
        begin().map_err(|error| exception(py, Failure::from(error)))
    }

    /// Copies columns, which are the whole list; no object is made of them, and others have the interpreter meanwhile.
    ///
    /// # Errors
    /// Where a value can't be told, with its path; what the columns or the place raise.
    pub(super) fn copy(&mut self, py: Python<'_>, options: &EncodeOptions, reader: ArrowReader) -> PyResult<()> {
        let Some(sink) = &mut self.sink else { return Ok(()) };
        self.copied = true;
        let shape = match options.program() {
            Some(program) => program.shape(py)?.list(),
            None => demat_arrow::shape(&reader.schema).map_err(|error| exception(py, Failure::from(error)))?,
        };
        let (chunks, opened) = (&self.chunks, &mut self.opened);
        let copied = py.detach(|| {
            let sink = sink.told();
            let mut source = ArrowSource::new(reader);
            let mut copier = Copier::new(shape.clone());
            copier.open_list();
            copier.begin(&source);
            sink.begin(&shape)?;
            // When all is done the copier is in no list any more.
            let mut rows = 0;
            while copier.run(&mut source, sink)? == Progress::Unit {
                rows = copier.records().unwrap_or(rows);
                if chunks.len() >= WORTH_WRITING {
                    let full = chunks.take();
                    full.iter().try_for_each(|chunk| opened.target.write(chunk))?;
                    chunks.give(full);
                }
            }
            source.end()?;
            Ok(rows)
        });
        self.count = copied.map_err(|error| self.opened.failed(py, error))?;
        Ok(())
    }

    /// Tells all that `next` gives.
    ///
    /// # Errors
    /// Where a value can't be told, with its path; what `next`, or the place, raises. Nothing can be told after one.
    pub(super) fn tell<'py>(
        &mut self,
        py: Python<'py>,
        options: &EncodeOptions,
        next: impl FnMut() -> PyResult<Option<Bound<'py, PyAny>>>,
    ) -> PyResult<()> {
        let (told, sink) = match self.sink.take() {
            Some(AnySink::Json(sink)) => {
                let (told, sink) = self.tell_to(py, sink, options, next);
                (told, AnySink::Json(sink))
            }
            Some(AnySink::Ndjson(sink)) => {
                let (told, sink) = self.tell_to(py, sink, options, next);
                (told, AnySink::Ndjson(sink))
            }
            Some(AnySink::Csv(sink)) => {
                let (told, sink) = self.tell_to(py, *sink, options, next);
                (told, AnySink::Csv(Box::new(sink)))
            }
            Some(AnySink::Proto(sink)) => {
                let (told, sink) = self.tell_to(py, *sink, options, next);
                (told, AnySink::Proto(Box::new(sink)))
            }
            None => return Ok(()),
        };
        self.sink = Some(sink);
        told
    }

    fn tell_to<'py, K: Place>(
        &mut self,
        py: Python<'py>,
        sink: K,
        options: &EncodeOptions,
        mut next: impl FnMut() -> PyResult<Option<Bound<'py, PyAny>>>,
    ) -> (PyResult<()>, K) {
        let mut engine = Engine::new(sink, options);
        engine.depth = 1;
        let told = match options.program() {
            Some(program) => {
                let hint = engine.at(&program.root, program);
                self.tell_each(py, &mut engine, hint, &mut next)
            }
            None => self.tell_each(py, &mut engine, Anything, &mut next),
        };
        (told, engine.sink)
    }

    fn tell_each<'e, 'py, K: Place>(
        &mut self,
        py: Python<'py>,
        engine: &mut Engine<'e, K>,
        hint: impl Hint<'e>,
        next: &mut impl FnMut() -> PyResult<Option<Bound<'py, PyAny>>>,
    ) -> PyResult<()> {
        let plain = hint.leaves_scalars::<K>();
        while let Some(value) = next()? {
            let value = Object::of(&value);
            let index = usize::try_from(self.count).unwrap_or(usize::MAX);
            let told = engine.item(plain, hint, Lent::of(&value), index).and_then(|()| engine.sink.border(1));
            if let Err(error) = told {
                let raised = engine.raised.take().map(|raised| *raised);
                return Err(exception(py, Failure::one(error, raised)));
            }
            self.count += 1;
            // Here nothing of the interpreter's is borrowed, and others may have it.
            if self.chunks.len() >= WORTH_WRITING {
                self.pass_on(py)?;
                py.check_signals()?;
            }
        }
        Ok(())
    }

    fn pass_on(&mut self, py: Python<'_>) -> PyResult<()> {
        let chunks = self.chunks.take();
        self.opened.write(py, &chunks)?;
        self.chunks.give(chunks);
        Ok(())
    }

    /// Ends the list and lets the place appear; gives how many items it has.
    ///
    /// # Errors
    /// What the place raises.
    pub(super) fn finish(mut self, py: Python<'_>, options: &EncodeOptions) -> PyResult<u64> {
        if !self.copied {
            self.begin(py, options)?;
        }
        if let Some(mut sink) = self.sink.take() {
            let told = sink.told();
            let ended = if self.copied { Ok(()) } else { told.end_list() };
            ended.and_then(|()| told.finish()).map_err(|error: Error| exception(py, Failure::from(error)))?;
            self.pass_on(py)?;
            if matches!(sink, AnySink::Json(_)) {
                // So that the document ends as a line does.
                self.opened.write(py, &[b"\n".to_vec()])?;
            }
        }
        self.opened.finish(py)?;
        Ok(self.count)
    }
}

impl AnySink {
    fn told(&mut self) -> &mut dyn Sink {
        match self {
            Self::Json(sink) => sink,
            Self::Ndjson(sink) => sink,
            Self::Csv(sink) => &mut **sink,
            Self::Proto(sink) => &mut **sink,
        }
    }
}
