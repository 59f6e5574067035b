//! Reads the records of a place through a window.

use super::header;
use super::on_error::{OnError, Refused};
use super::pipe::Pipe;
use super::ready::{Aside, Ready};
use super::recycle_pool::RecyclePool;
use crate::collector::Paused;
use crate::decode::{DecodeOptions, Engine, Stopped, untyped};
use crate::error::Failure;
use crate::object::Object;
use crate::plan::{Plan, Program};
use demat_core::{Error, ErrorKind, Mark, Signal, Source};
use demat_formats::codec::Model;
use demat_formats::stream::{End, Walk, Window, Windowed};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

/// The UTF-8 byte order mark, which some editors write.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The records of a place in any format.
pub(crate) trait Records: Send {
    /// Decodes records of the window, up to `most`.
    fn decode(
        &mut self,
        py: Python<'_>,
        told: &RecordDecoding<'_>,
        ring: Option<&mut RecyclePool>,
        ready: &mut Ready,
    ) -> Came;
    /// Reads more of the place into the window.
    ///
    /// # Errors
    /// Errors of reading.
    fn fill(&mut self, py: Python<'_>) -> demat_core::Result<()>;
    /// Returns whether `fill`, called again after it found no input, goes on to wait for the end of the record.
    /// Otherwise what arrived is to be decoded, to see whether it is complete.
    fn awaits_end(&mut self) -> bool;
    /// Returns the number of bytes read, before decompression.
    fn read(&self) -> u64;
    /// Visits the held objects for the collector.
    ///
    /// # Errors
    /// Errors of the visitor.
    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError>;
}

/// The parameters of decoding records.
pub(crate) struct RecordDecoding<'t> {
    pub(crate) program: &'t Program,
    /// The plans of the records of several paths; empty if there is one.
    pub(crate) several: &'t [Option<Py<Plan>>],
    pub(crate) options: &'t DecodeOptions,
    /// The maximum number of decoded records in the queue.
    pub(crate) most: usize,
    /// The number of records before those, returned or refused.
    pub(crate) given: u64,
    /// Whether the path of the records is the default.
    pub(crate) at_unsaid: bool,
    /// Whether each record comes with its key.
    pub(crate) keys: bool,
    pub(crate) on_error: &'t OnError,
}

impl<'t> RecordDecoding<'t> {
    /// Returns the program of the records of a path.
    #[inline(always)]
    fn program_of(&self, path: usize) -> &'t Program {
        match self.several.get(path) {
            None => self.program,
            Some(Some(plan)) => &plan.get().program,
            Some(None) => untyped(),
        }
    }

    /// Whether building a record may run user code.
    fn runs_code(&self) -> bool {
        self.program.runs_code || self.several.iter().flatten().any(|plan| plan.get().program.runs_code)
    }
}

/// Why decoding paused.
pub(crate) enum Came {
    /// The queue is full.
    Full,
    /// The window holds no more complete records.
    Empty,
    /// The place has ended.
    Ended,
    Failed(Failure),
}

/// The records of a format that is read through a window.
pub(crate) struct Windowing<F> {
    window: Window<Pipe>,
    format: F,
    walk: Walk,
    /// Whether [`Windowed::begin`] was called, for a format that needs the shape.
    begun: bool,
    /// Whether the last attempt consumed nothing of the window.
    stuck: bool,
    /// The number of bytes that were decoded in vain since something was consumed.
    tried: usize,
}

/// How many times the bytes that arrived may be decoded in vain, where only decoding shows whether a record is complete.
/// So the time stays linear in the size of the record, and one of up to some thirty pieces does not wait.
const TRIES: usize = 16;

impl<F: Windowed> Windowing<F> {
    pub(crate) fn new(pipe: Pipe, format: F, walk: Walk, limit: usize) -> Self {
        let window = Window::growing(pipe).with_end(format.end()).with_limit(limit);
        Self { window, format, walk, begun: false, stuck: false, tried: 0 }
    }
}

impl<F: Windowed> Windowing<F> {
    /// Tells a format that has to know it the shape that the place was written with: a list of the type.
    fn begin(&mut self, py: Python<'_>, told: &RecordDecoding<'_>) -> Result<(), Failure> {
        self.begun = true;
        if told.options.manner.model != Model::Shaped {
            return Ok(());
        }
        let shape = told
            .program
            .shape_written(py)
            .map_err(|raised| Failure::one(Error::new(ErrorKind::Type, "the type has no shape"), Some(raised)))?;
        Ok(self.format.begin(&shape.clone().list())?)
    }
}

impl<F: Windowed + Send> Records for Windowing<F> {
    fn decode(
        &mut self,
        py: Python<'_>,
        told: &RecordDecoding<'_>,
        mut ring: Option<&mut RecyclePool>,
        ready: &mut Ready,
    ) -> Came {
        if !self.begun
            && let Err(failure) = self.begin(py, told)
        {
            return Came::Failed(failure);
        }
        loop {
            let part = self.window.part();
            if !self.walk.has_begun() && part.bytes.len() < BOM.len() && BOM.starts_with(part.bytes) && !part.last {
                // The byte order mark may be split.
                self.stuck = true;
                return Came::Empty;
            }
            let paused = Paused::for_input(part.bytes.len());
            let mut source = self.format.source(part);
            if let Some(mark) = self.walk.mark() {
                source.reset(mark);
            }
            let ring = ring.as_deref_mut();
            let stopped = if told.options.manner.errors == 1 {
                decode::<_, false>(py, source, &mut self.walk, told, ring, ready)
            } else {
                // One engine for all sources, as in `decode`.
                let mut source = source;
                decode::<&mut dyn Source<'_>, true>(py, &mut source, &mut self.walk, told, ring, ready)
            };
            drop(paused);
            let came = match stopped {
                Ok(came) => came,
                Err(Stopped::Failed(failure)) => return Came::Failed(failure),
                Err(Stopped::Incomplete) => Came::Empty,
            };
            let passed = self.walk.passed();
            self.window.consume(passed);
            self.walk.moved(passed);
            self.stuck = passed == 0;
            self.tried = if self.stuck { self.tried + self.window.part().bytes.len() } else { 0 };
            if !matches!(came, Came::Empty) || !self.stuck || !self.walk.deepen(self.window.part().bytes.len()) {
                return came;
            }
        }
    }

    fn fill(&mut self, py: Python<'_>) -> demat_core::Result<()> {
        let (window, format, stuck) = (&mut self.window, &mut self.format, self.stuck);
        let mark = self.walk.mark().filter(|_| stuck && self.walk.is_among());
        let filled = py.detach(|| match mark {
            Some(mark) => window.fill_item(format, mark, false),
            None => window.fill(stuck),
        });
        filled.map_err(demat_place::lift)
    }

    fn awaits_end(&mut self) -> bool {
        // A quote within a cell without quotes can hide the ends of rows.
        if self.format.end().is_some_and(|end| !matches!(end, End::Row(Some(_)))) {
            return true;
        }
        let part = self.window.part();
        let unseen = self.tried > TRIES * part.bytes.len();
        match self.walk.mark().filter(|_| self.stuck && self.walk.is_among()) {
            Some(mark) => !self.format.holds_item(part, mark).unwrap_or(!unseen),
            None => unseen,
        }
    }

    fn read(&self) -> u64 {
        self.window.reader().inner().map_or(0, |counted| counted.read)
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.window.reader().inner().map_or(Ok(()), |counted| counted.traverse(visit))
    }
}

/// Decodes records of the window, up to `most`.
fn decode<'w, S: Source<'w>, const ALL: bool>(
    py: Python<'_>,
    source: S,
    walk: &mut Walk,
    told: &RecordDecoding<'_>,
    mut ring: Option<&mut RecyclePool>,
    ready: &mut Ready,
) -> Result<Came, Stopped> {
    let RecordDecoding { options, most, given, keys, on_error, .. } = *told;
    let mut program = told.program_of(walk.selected());
    let mut noted = 0;
    // A record that may be incomplete would be decoded again. That must have no side effects, and must not be mistaken
    // for a mismatch.
    let looks_ahead = told.runs_code() || !options.manner.strict || options.manner.times.is_some() || ALL;
    let mut engine = Engine::<S, ALL>::new(py, source, program, &options.manner);
    while ready.len() < most {
        let came = walk.next(&mut engine.source);
        if walk.has_header() && note_header(walk, ready, &mut noted) {
            return Ok(Came::Full);
        }
        match came {
            Ok(true) => {}
            Ok(false) => {
                if given == 0 && ready.len() == 0 {
                    engine.none_came()?;
                }
                return Ok(Came::Ended);
            }
            Err(error) => return Err(engine.stopped(explained(walk, error, told, ready))),
        }
        if !told.several.is_empty() {
            let selected = told.program_of(walk.selected());
            if !std::ptr::eq(selected, program) {
                program = selected;
                engine = Engine::new(py, engine.source, program, &options.manner);
            }
        }
        if looks_ahead {
            engine.look_ahead()?;
        }
        let mark = on_error.goes_on().then(|| engine.source.mark());
        let again = ring.as_deref_mut().and_then(|ring| ring.take(&mut engine.ints));
        let decoded = engine.each(again);
        let decoded =
            if keys { decoded.and_then(|object| with_key(py, walk, &engine.source, object)) } else { decoded };
        match decoded {
            Ok(object) => {
                if let Some(ring) = ring.as_deref_mut() {
                    ring.put(&object);
                }
                ready.push(object);
            }
            Err(Stopped::Incomplete) => return Err(Stopped::Incomplete),
            Err(Stopped::Failed(failure)) => {
                let record = given + ready.len() as u64 + 1;
                let failure = failure.map(|error| walk.within(error, true).in_record(record));
                let Some(mark) = mark.filter(|_| failure.is_about_the_data(py)) else {
                    return Err(Stopped::Failed(failure));
                };
                let keep = |failure, bytes: &[u8]| on_error.refused(py, failure, bytes);
                ready.push_aside(Aside::Refused(leave_out(&mut engine.source, mark, failure, keep)?));
                // What the value left in the engine goes with it.
                engine = Engine::new(py, engine.source, program, &options.manner);
            }
        }
        walk.taken(&engine.source);
    }
    Ok(Came::Full)
}

/// Queues what was passed of the header. Returns whether that is so much that it is to be used first.
#[cold]
fn note_header(walk: &mut Walk, ready: &mut Ready, noted: &mut usize) -> bool {
    for change in walk.header_changes() {
        *noted += change.length();
        ready.push_aside(Aside::Header(change));
    }
    *noted > header::LIMIT
}

/// Returns the pair of a record's key and the record.
fn with_key<'w, S: Source<'w>>(py: Python<'_>, walk: &Walk, source: &S, record: Object) -> Result<Object, Stopped> {
    let Some(key) = walk.key() else {
        let error = Error::expected("a key of text, for keys=True", "another one").at(source.position());
        return Err(Stopped::Failed(error.into()));
    };
    let pair = PyTuple::new(py, [PyString::new(py, key).into_any(), record.into_bound(py)]);
    match pair {
        Ok(pair) => Ok(Object::of(pair.as_any())),
        Err(raised) => Err(Stopped::Failed(Failure::one(Error::new(ErrorKind::Internal, "no pair"), Some(raised)))),
    }
}

/// Moves past a refused record, which begins at the mark.
///
/// # Errors
/// Its failure, if its syntax does not show where it ends.
#[cold]
fn leave_out<'w, S: Source<'w>>(
    source: &mut S,
    mark: Mark,
    failure: Failure,
    keep: impl FnOnce(Failure, &[u8]) -> Refused,
) -> Result<Refused, Stopped> {
    source.reset(mark);
    match source.span() {
        Ok(bytes) => Ok(keep(failure, &bytes)),
        Err(error) if error.signal() == Some(Signal::Incomplete) => Err(Stopped::Incomplete),
        Err(_) => Err(Stopped::Failed(failure)),
    }
}

/// Improves an error on the way to a record.
#[cold]
fn explained(walk: &Walk, error: Error, told: &RecordDecoding<'_>, ready: &Ready) -> Error {
    if error.signal() == Some(Signal::Incomplete) {
        return error;
    }
    if told.at_unsaid && !walk.has_begun() && error.kind() == ErrorKind::Type {
        return error.expecting("a list of records (`at=` says where they are, if not there)");
    }
    let error = walk.within(error, false);
    if walk.is_among() && error.position().record.is_none() {
        return error.in_record(told.given + ready.len() as u64 + 1);
    }
    error
}
