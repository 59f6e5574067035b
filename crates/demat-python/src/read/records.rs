//! Records of a place, window by window.

use super::pipe::Pipe;
use super::ready::Ready;
use super::recycle_pool::RecyclePool;
use crate::collector::Paused;
use crate::decode::{DecodeOptions, Engine, Stopped};
use crate::error::Failure;
use crate::plan::Program;
use demat_core::{Error, ErrorKind, Signal, Source};
use demat_formats::codec::Model;
use demat_formats::stream::{RecordPath, Walk, Window, Windowed};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

/// The byte order mark, which some editors put in front of UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The records of a place, whatever its format.
pub(crate) trait Records: Send {
    /// Decodes up to so many records of what the window holds.
    fn decode(&mut self, py: Python<'_>, told: &Telling<'_>, ring: Option<&mut RecyclePool>, ready: &mut Ready)
    -> Came;
    /// Reads more of the place.
    ///
    /// # Errors
    /// What reading comes to.
    fn fill(&mut self, py: Python<'_>) -> demat_core::Result<()>;
    /// How many bytes of the place were read, as they stand in it.
    fn read(&self) -> u64;
    /// Shows the collector what is held.
    ///
    /// # Errors
    /// What it says.
    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError>;
}

/// What records are decoded as.
pub(crate) struct Telling<'t> {
    pub(crate) program: &'t Program,
    pub(crate) options: &'t DecodeOptions,
    /// How many records may be ready.
    pub(crate) most: usize,
    /// How many were given before those that are.
    pub(crate) given: u64,
    /// Whether the records are where they are if nothing is said.
    pub(crate) at_unsaid: bool,
}

/// How far decoding came.
pub(crate) enum Came {
    /// There are as many as may be.
    Full,
    /// The window holds no more.
    Empty,
    /// The place ends here.
    Ended,
    Failed(Failure),
}

/// The records of a format that is read through a window.
pub(crate) struct Windowing<F> {
    window: Window<Pipe>,
    format: F,
    walk: Walk,
    /// Whether the format was told the shape, if it has to know it.
    begun: bool,
    /// Whether nothing of the window could be let go of.
    stuck: bool,
}

impl<F: Windowed> Windowing<F> {
    pub(crate) fn new(pipe: Pipe, format: F, at: &RecordPath, limit: usize) -> Self {
        let window = Window::growing(pipe).with_end(format.end()).with_limit(limit);
        Self { window, format, walk: Walk::new(at), begun: false, stuck: false }
    }
}

impl<F: Windowed> Windowing<F> {
    /// Tells a format that has to know it the shape that the place was written with: a list of the type.
    fn begin(&mut self, py: Python<'_>, told: &Telling<'_>) -> Result<(), Failure> {
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
        told: &Telling<'_>,
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
                // A byte order mark may come in pieces.
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
            if !matches!(came, Came::Empty) || !self.stuck || !self.walk.deepen(self.window.part().bytes.len()) {
                return came;
            }
        }
    }

    fn fill(&mut self, py: Python<'_>) -> demat_core::Result<()> {
        let (window, stuck) = (&mut self.window, self.stuck);
        py.detach(|| window.fill(stuck)).map_err(demat_place::lift)
    }

    fn read(&self) -> u64 {
        self.window.reader().inner().map_or(0, |counted| counted.read)
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.window.reader().inner().map_or(Ok(()), |counted| counted.traverse(visit))
    }
}

/// Decodes what the window holds, up to so many records.
fn decode<'w, S: Source<'w>, const ALL: bool>(
    py: Python<'_>,
    source: S,
    walk: &mut Walk,
    told: &Telling<'_>,
    mut ring: Option<&mut RecyclePool>,
    ready: &mut Ready,
) -> Result<Came, Stopped> {
    let Telling { program, options, most, given, .. } = *told;
    // What is tried again must not be seen by anybody the first time, nor taken for another thing.
    let looks_ahead = program.runs_code || !options.manner.strict || ALL;
    let mut engine = Engine::<S, ALL>::new(py, source, program, &options.manner);
    while ready.len() < most {
        match walk.next(&mut engine.source) {
            Ok(true) => {}
            Ok(false) => {
                if given == 0 && ready.len() == 0 {
                    engine.none_came()?;
                }
                return Ok(Came::Ended);
            }
            Err(error) => return Err(engine.stopped(explained(walk, error, told, ready))),
        }
        if looks_ahead {
            engine.look_ahead()?;
        }
        let again = ring.as_deref_mut().and_then(|ring| ring.take(&mut engine.ints));
        match engine.each(again) {
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
                return Err(Stopped::Failed(failure));
            }
        }
        walk.taken(&engine.source);
    }
    Ok(Came::Full)
}

/// What is wrong on the way to a record.
#[cold]
fn explained(walk: &Walk, error: Error, told: &Telling<'_>, ready: &Ready) -> Error {
    if error.signal() == Some(Signal::Incomplete) {
        return error;
    }
    if told.at_unsaid && !walk.has_begun() && error.kind() == ErrorKind::Type {
        let found = error.found().unwrap_or("another value").to_string();
        return Error::expected("a list of records (`at=` says where they are, if not there)", found)
            .at(error.position());
    }
    let error = walk.within(error, false);
    if walk.is_among() && error.position().record.is_none() {
        return error.in_record(told.given + ready.len() as u64 + 1);
    }
    error
}
