//! Writes values one by one to a place, as items of a list.

use super::EncodeOptions;
use super::chunks::Chunks;
use super::drained::Into;
use super::encode_sink::{AnySink, EncodeSink, Fields};
use super::engine::Engine;
use super::hint::{Anything, Hint};
use super::object_ref::ObjectRef;
use super::sinks;
use crate::columns::ArrowReader;
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::object::Object;
use crate::target::Opened;
use demat_core::{Error, ErrorKind, Result, Shape, Sink, Source, forward};
use demat_formats::Output;
use demat_formats::stream::{self, Stop};
use pyo3::prelude::*;

/// A list that is being written to a place.
pub(super) struct ListWriter {
    sink: Option<Box<dyn ListSink>>,
    /// The text after the end of the list.
    ending: &'static str,
    chunks: Chunks,
    opened: Opened,
    count: u64,
    stage: Stage,
    /// Whether the program holds the writer: it may go on after a value that is refused.
    held: bool,
    /// Whether what was written before an error is whole.
    is_whole: bool,
}

/// How far a list is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The first value says what all are, as the format must know it and nobody else says it.
    AwaitsShape,
    New,
    Begun,
    /// Columns were copied, which are the whole list.
    Copied,
}

/// The number of bytes from which on it pays to release the GIL for writing.
const WORTH_WRITING: usize = 256 * 1024;

impl ListWriter {
    /// Creates a list writer.
    ///
    /// # Errors
    /// If the sink refuses the options.
    pub(super) fn new(
        py: Python<'_>,
        format: Format,
        options: &EncodeOptions,
        opened: Opened,
        held: bool,
    ) -> PyResult<Self> {
        let can_patch = opened.target.can_patch();
        let on_demand = held && opened.target.is_prompt();
        let chunks = if on_demand { Chunks::on_demand(can_patch) } else { Chunks::new(can_patch) };
        let output = Output::new(Vec::new(), Into::Place(chunks.clone()));
        let sink = sinks::visit(format, options, output, MakeListSink);
        let sink = sink.map_err(|error| exception(py, Failure::from(error)))?;
        let ending = format.about().ending;
        let awaits_shape = format.is_written_by_shape() && !format.is_numbered() && options.shape.is_none();
        let stage = if awaits_shape { Stage::AwaitsShape } else { Stage::New };
        Ok(Self { sink: Some(sink), ending, chunks, opened, count: 0, stage, held, is_whole: false })
    }

    /// Begins the list. `len` is the number of its items, if known.
    ///
    /// # Errors
    /// If the sink refuses the shape.
    pub(super) fn begin(&mut self, py: Python<'_>, options: &EncodeOptions, len: Option<usize>) -> PyResult<()> {
        let Some(sink) = self.sink.as_mut().filter(|_| self.stage == Stage::New) else { return Ok(()) };
        let told = sink.sink();
        let mut begin = || {
            if let Some(shape) = &options.shape {
                told.begin(shape)?;
            }
            told.begin_list(len)?;
            told.commit()
        };
        self.stage = Stage::Begun;
        begin().map_err(|error| exception(py, Failure::from(error)))
    }

    /// Copies columns, which are the whole list, without creating objects and with the GIL released.
    ///
    /// # Errors
    /// If a value can't be encoded, with its path; exceptions of the columns or the place.
    pub(super) fn copy(&mut self, py: Python<'_>, options: &EncodeOptions, reader: ArrowReader) -> PyResult<()> {
        let Some(sink) = &mut self.sink else { return Ok(()) };
        self.stage = Stage::Copied;
        let shape = match options.program() {
            Some(program) => program.shape(py)?.list(),
            None => reader.shape().map_err(|error| exception(py, Failure::from(error)))?,
        };
        let (chunks, opened) = (&self.chunks, &mut self.opened);
        let copied = py.detach(|| {
            let mut sink = PassOn { sink: sink.sink(), chunks, opened };
            let mut source: Box<dyn Source<'_>> = Box::new(reader.into_source());
            stream::copy_from(&mut source, &shape, &mut sink as &mut dyn Sink, &mut Stop)
        });
        self.count = copied.map_err(|error| self.opened.failed(py, error))?.records;
        Ok(())
    }

    /// Writes all values that `next` returns.
    ///
    /// # Errors
    /// If a value can't be encoded, with its path; exceptions of `next` or the place. After an error, nothing more can
    /// be written.
    pub(super) fn tell<'py>(
        &mut self,
        py: Python<'py>,
        options: &EncodeOptions,
        mut next: impl FnMut() -> PyResult<Option<Bound<'py, PyAny>>>,
    ) -> PyResult<()> {
        let Some(sink) = self.sink.take() else { return Ok(()) };
        let (told, sink) = sink.tell(self, py, options, &mut next);
        self.sink = Some(sink);
        told
    }

    fn tell_to<'py, K: EncodeSink>(
        &mut self,
        py: Python<'py>,
        sink: K,
        options: &EncodeOptions,
        next: &mut Next<'_, 'py>,
    ) -> (PyResult<()>, K) {
        let mut engine = Engine::new(sink, options);
        engine.depth = 1;
        if self.held {
            engine.sink.keep_records_whole();
        }
        let told = match options.program() {
            Some(program) => {
                let hint = engine.at(&program.root, program);
                self.tell_each(py, &mut engine, hint, next)
            }
            None => self.tell_each(py, &mut engine, Anything, next),
        };
        (told, engine.sink)
    }

    fn tell_each<'e, 'py, K: EncodeSink>(
        &mut self,
        py: Python<'py>,
        engine: &mut Engine<'e, K>,
        hint: impl Hint<'e>,
        next: &mut Next<'_, 'py>,
    ) -> PyResult<()> {
        let plain = hint.leaves_scalars(engine.sink.tells_variants());
        loop {
            // What the program raises is no fault of the place.
            self.is_whole = self.held;
            let Some(value) = next()? else { return Ok(()) };
            self.is_whole = false;
            let value = Object::of(&value);
            if self.stage == Stage::AwaitsShape {
                let begun = engine.shape_of(ObjectRef::of(&value));
                self.is_whole = self.held && begun.is_err();
                if let Err(error) = begun.and_then(|shape| begin_as(&mut engine.sink, &shape.list())) {
                    let raised = engine.raised.take().map(|raised| *raised);
                    return Err(exception(py, Failure::one(error, raised)));
                }
                self.stage = Stage::Begun;
            }
            let index = usize::try_from(self.count).unwrap_or(usize::MAX);
            let held = self.held;
            engine.is_parted = false;
            let told = engine
                .item(plain, hint, ObjectRef::of(&value), index)
                .and_then(|()| if held { engine.sink.commit() } else { engine.sink.border(1) });
            if let Err(error) = told {
                self.is_whole = held && !engine.is_parted && engine.sink.rollback().is_ok();
                let raised = engine.raised.take().map(|raised| *raised);
                return Err(exception(py, Failure::one(error, raised)));
            }
            self.count += 1;
            // Here no Python object is borrowed, so the GIL can be released.
            if self.chunks.len() >= WORTH_WRITING {
                self.pass_on(py)?;
                py.check_signals()?;
            }
        }
    }

    /// Returns the number of items.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Returns whether the last error left a list to which more can be written.
    pub(super) fn goes_on(&self) -> bool {
        self.is_whole
    }

    /// Passes on what was written: if somebody sees it before the end, or, with `all`, in any case.
    ///
    /// # Errors
    /// Exceptions of the place.
    pub(super) fn deliver(&mut self, py: Python<'_>, all: bool) -> PyResult<()> {
        self.is_whole = false;
        // A file is seen at the end.
        if !self.opened.target.is_prompt() {
            return if all { self.pass_on(py) } else { Ok(()) };
        }
        if let Some(sink) = self.sink.as_mut().filter(|_| self.stage == Stage::Begun) {
            self.chunks.want(true);
            let passed = sink.sink().commit();
            self.chunks.want(false);
            passed.map_err(|error| exception(py, Failure::from(error)))?;
        }
        self.pass_on(py)?;
        if all || !self.opened.is_packed { self.opened.flush(py) } else { Ok(()) }
    }

    fn pass_on(&mut self, py: Python<'_>) -> PyResult<()> {
        let chunks = self.chunks.take();
        self.opened.write(py, &chunks)?;
        self.chunks.give(chunks);
        self.opened.patch(py, &self.chunks.take_patches())
    }

    /// Ends the list and commits the place. Returns the number of items.
    ///
    /// # Errors
    /// Exceptions of the place.
    pub(super) fn finish(mut self, py: Python<'_>, options: &EncodeOptions) -> PyResult<u64> {
        if self.stage == Stage::AwaitsShape {
            let error = Error::new(ErrorKind::Encode, "no value says what the list is of: give type=");
            return Err(exception(py, Failure::from(error)));
        }
        self.begin(py, options, None)?;
        if let Some(mut sink) = self.sink.take() {
            let told = sink.sink();
            let ended = if self.stage == Stage::Copied { Ok(()) } else { told.end_list() };
            ended.and_then(|()| told.finish()).map_err(|error: Error| exception(py, Failure::from(error)))?;
            self.pass_on(py)?;
            if !self.ending.is_empty() {
                self.opened.write(py, &[self.ending.as_bytes().to_vec()])?;
            }
        }
        self.opened.finish(py)?;
        Ok(self.count)
    }
}

/// Begins a list of this shape.
fn begin_as(sink: &mut impl Sink, shape: &Shape) -> Result<()> {
    sink.begin(shape)?;
    sink.begin_list(None)?;
    sink.commit()
}

/// Forwards to a sink, and writes its full buffers to the place at each commit. The caller finishes the sink.
struct PassOn<'w> {
    sink: &'w mut dyn Sink,
    chunks: &'w Chunks,
    opened: &'w mut Opened,
}

impl Sink for PassOn<'_> {
    forward! { self => self.sink; scalars containers keys begin stated as_is begin_list_of empty_list empty_map rollback }

    fn commit(&mut self) -> Result<()> {
        self.sink.commit()?;
        if self.chunks.len() >= WORTH_WRITING {
            let full = self.chunks.take();
            full.iter().try_for_each(|chunk| self.opened.target.write(chunk))?;
            self.chunks.give(full);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Returns the next value.
type Next<'n, 'py> = dyn FnMut() -> PyResult<Option<Bound<'py, PyAny>>> + 'n;

/// A sink of any format, to which values are written.
trait ListSink: Send {
    fn sink(&mut self) -> &mut dyn Sink;

    /// Writes all values that `next` returns, and returns the sink.
    fn tell<'py>(
        self: Box<Self>,
        told: &mut ListWriter,
        py: Python<'py>,
        options: &EncodeOptions,
        next: &mut Next<'_, 'py>,
    ) -> (PyResult<()>, Box<dyn ListSink>);
}

impl<K: EncodeSink + Send + 'static> ListSink for K {
    fn sink(&mut self) -> &mut dyn Sink {
        self
    }

    fn tell<'py>(
        self: Box<Self>,
        told: &mut ListWriter,
        py: Python<'py>,
        options: &EncodeOptions,
        next: &mut Next<'_, 'py>,
    ) -> (PyResult<()>, Box<dyn ListSink>) {
        let (told, sink) = told.tell_to(py, *self, options, next);
        (told, Box::new(sink))
    }
}

/// A sink without an engine of its own.
struct AnyListSink(Box<dyn Sink + Send>);

impl ListSink for AnyListSink {
    fn sink(&mut self) -> &mut dyn Sink {
        &mut *self.0
    }

    fn tell<'py>(
        mut self: Box<Self>,
        told: &mut ListWriter,
        py: Python<'py>,
        options: &EncodeOptions,
        next: &mut Next<'_, 'py>,
    ) -> (PyResult<()>, Box<dyn ListSink>) {
        let (told, _) = told.tell_to(py, AnySink::new(&mut *self.0), options, next);
        (told, self)
    }
}

/// A sink that has no engine of its own and writes the values of a shape alone.
struct ShapedListSink {
    sink: Box<dyn Sink + Send>,
    fields: Fields,
}

impl ListSink for ShapedListSink {
    fn sink(&mut self) -> &mut dyn Sink {
        &mut *self.sink
    }

    fn tell<'py>(
        mut self: Box<Self>,
        told: &mut ListWriter,
        py: Python<'py>,
        options: &EncodeOptions,
        next: &mut Next<'_, 'py>,
    ) -> (PyResult<()>, Box<dyn ListSink>) {
        let (told, _) = told.tell_to(py, AnySink::shaped(&mut *self.sink, self.fields), options, next);
        (told, self)
    }
}

struct MakeListSink;

impl sinks::Visitor<'static> for MakeListSink {
    type Output = Box<dyn ListSink>;

    fn visit<K: EncodeSink + Send + 'static>(self, sink: K) -> Box<dyn ListSink> {
        Box::new(sink)
    }

    fn visit_any(self, sink: Box<dyn Sink + Send>) -> Box<dyn ListSink> {
        Box::new(AnyListSink(sink))
    }

    fn visit_shaped(self, sink: Box<dyn Sink + Send>, fields: Fields) -> Box<dyn ListSink> {
        Box::new(ShapedListSink { sink, fields })
    }
}
