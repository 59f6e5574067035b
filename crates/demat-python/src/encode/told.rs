//! A place that is told one value after the other.

use super::EncodeOptions;
use super::chunks::Chunks;
use super::drained::Into;
use super::engine::Engine;
use super::hint::{Anything, Hint};
use super::lent::Lent;
use super::place::Place;
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::object::Object;
use crate::target::Opened;
use demat_core::{Error, Result, Sink};
use demat_formats::Output;
use demat_formats::csv::CsvSink;
use demat_formats::json::JsonSink;
use demat_formats::ndjson::NdjsonSink;
use pyo3::prelude::*;

/// A list that is being written, its place, and how many items it has so far.
pub(super) struct Told {
    sink: Option<AnySink>,
    chunks: Chunks,
    opened: Opened,
    count: u64,
}

/// The sink of each format.
enum AnySink {
    Json(JsonSink<Into<'static>>),
    Ndjson(NdjsonSink<Into<'static>>),
    Csv(Box<CsvSink<Into<'static>>>),
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
        let begin = || -> Result<AnySink> {
            let mut sink = match format {
                Format::Json => AnySink::Json(JsonSink::new(output, options.json)),
                Format::Ndjson => AnySink::Ndjson(NdjsonSink::new(output, options.json)),
                Format::Csv => AnySink::Csv(Box::new(CsvSink::new(options.dialect, output)?)),
            };
            let told = sink.told();
            if let Some(shape) = &options.shape {
                told.begin(shape)?;
            }
            told.begin_list(None)?;
            told.commit()?;
            Ok(sink)
        };
        let sink = begin().map_err(|error| exception(py, Failure::from(error)))?;
        Ok(Self { sink: Some(sink), chunks, opened, count: 0 })
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
        let plain = hint.leaves_scalars();
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
    pub(super) fn finish(mut self, py: Python<'_>) -> PyResult<u64> {
        if let Some(mut sink) = self.sink.take() {
            let told = sink.told();
            told.end_list().and_then(|()| told.finish()).map_err(|error: Error| exception(py, Failure::from(error)))?;
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
        }
    }
}
