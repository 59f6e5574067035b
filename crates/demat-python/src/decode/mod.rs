//! Decoding: a source is asked as a plan says, and what it answers becomes objects.
//!
//! One engine for all formats, instantiated for each source, so that a value goes from the input to its slot without a
//! call in between. The GIL is held throughout, and hooks may run any code: nothing of the engine's is borrowed over a hook,
//! and all that it holds are references of its own.

mod alike;
mod any;
mod cached;
mod check;
mod columns;
mod decoder;
mod each;
mod form;
mod hook;
mod ints;
mod keys;
mod lax;
mod list;
mod map;
mod named;
mod number;
mod options;
mod record;
mod run;
mod seen;
mod spare;
mod temporal;
mod text;
mod tried;
mod union;
mod values;
mod wide;

pub(crate) use cached::Guarded;
pub(crate) use columns::{column, columns};
pub(crate) use decoder::{_rebuild, Decoder, be_quick, format_of};
pub(crate) use each::Stopped;
pub(crate) use ints::Ints;
pub(crate) use options::{DecodeOptions, character, flag, one_of, wrong};
pub(crate) use run::{
    by_program, bytes, decode, decode_quickly, given_type, has_fields, json_value, one_field, planned,
    record_of_message, untyped,
};
pub(crate) use text::text_object;

use crate::error::Failure;
use crate::fresh::Fresh;
use crate::object::Object;
use crate::plan::{Node, Program};
use demat_core::{Error, ErrorKind, Mark, Result, Source};
use demat_formats::codec::Model;
use pyo3::prelude::*;
use std::marker::PhantomData;

/// What becomes of a key that a map of undeclared type has twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// The last value counts.
    LastWins,
    /// The source refuses it or not. The engine reads the map again, so that an error has the position of the key.
    ReadAgain,
    /// The same for sources that can't go back into a map that has ended.
    AtEnd,
}

/// How a decoder was asked to decode.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DecodeMode {
    /// Values must be of their types; else text that says a number is one, and so on.
    pub(crate) strict: bool,
    /// How many errors are gathered before decoding ends.
    pub(crate) errors: usize,
    /// Instances are tracked by the cyclic collector.
    pub(crate) tracked: bool,
    pub(crate) repeats: Repeats,
    /// Which format a span that is kept is of.
    pub(crate) format: crate::format::Format,
    /// How its values are represented: the text of a cell is of any kind, and a field with a number that is not there has a
    /// value of its kind.
    pub(crate) model: Model,
}

/// A source, being decoded as a program says.
///
/// `ALL` is whether errors of values are gathered: then an error is noted, its value passed over, and decoding goes on.
pub(crate) struct Engine<'e, 'a, S, const ALL: bool> {
    py: Python<'e>,
    pub(crate) source: S,
    program: &'e Program,
    manner: &'e DecodeMode,
    /// Values must be of their types; so it is as well while types of a union are tried that may be taken laxly later.
    strict: bool,
    /// What a hook raised.
    raised: Option<PyErr>,
    /// What was gathered.
    errors: Vec<Error>,
    /// What hooks raised to say that a value is bad, by the index of the error that it became.
    causes: Vec<(usize, PyErr)>,
    /// Made at the first union that may have to be gone through more than once.
    tries: Option<Box<tried::Tried>>,
    /// Values of untyped containers that are open.
    values: Vec<Object>,
    /// What untyped containers that are open keep, while none is.
    frames: Vec<any::Frame>,
    /// The address that the stack must not go below; before it was asked for, where to ask.
    floor: usize,
    /// Whether it was.
    asked: bool,
    /// Counts containers; every [`LOOK`] of them, the decoder checks for signals.
    steps: u32,
    /// Whether it checks for signals. A signal handler may change a writable buffer.
    pub(crate) heeds: bool,
    fresh: Fresh,
    /// What values of instances that are filled again were.
    pub(crate) ints: Ints,
    lasts: PhantomData<&'a ()>,
}

/// So many bytes of stack are used before it is asked how many there are: that takes as long as a field.
const UNASKED: usize = 4 * 1024;

/// The number of containers, items or entries between two checks for signals.
const LOOK: u32 = 1024;

/// So many bytes of stack are left for what a hook, an allocation or the end of the engine needs.
const RESERVE: usize = 40 * 1024;

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    /// An engine at the start of a source.
    #[inline(always)]
    pub(crate) fn new(py: Python<'e>, source: S, program: &'e Program, manner: &'e DecodeMode) -> Self {
        // Code of the user's may decode, too, and so on: that can only end where each asks.
        let floor = if program.runs_code { usize::MAX } else { here().saturating_sub(UNASKED) };
        let (raised, errors, causes, tries) = (None, Vec::new(), Vec::new(), None);
        Self {
            py,
            source,
            program,
            manner,
            strict: manner.strict,
            raised,
            errors,
            causes,
            tries,
            values: Vec::new(),
            frames: Vec::new(),
            floor,
            asked: false,
            steps: 0,
            heeds: false,
            fresh: Fresh::new(),
            ints: Ints::new(),
            lasts: PhantomData,
        }
    }

    /// Decodes the whole place.
    pub(crate) fn whole(&mut self) -> core::result::Result<Object, Failure> {
        let program = self.program;
        let done = self.recovered(&program.root).and_then(|value| self.source.end().map(|()| value));
        if self.values.capacity() > 0 {
            let (values, frames) = (std::mem::take(&mut self.values), std::mem::take(&mut self.frames));
            spare::Spare { values, frames }.leave();
        }
        match done {
            Ok(value) if self.errors.is_empty() => Ok(value),
            Ok(_) => Err(self.failure()),
            Err(error) => {
                self.gather(error);
                Err(self.failure())
            }
        }
    }

    /// The value that is the whole of what the source has.
    pub(crate) fn of_node(&mut self, node: &'e Node) -> core::result::Result<Object, Failure> {
        let done = self.recovered(node).and_then(|value| self.source.end().map(|()| value));
        done.map_err(|error| {
            self.gather(error);
            self.failure()
        })
    }

    /// The value of the field of a record that has no other, of the message that the source stands at: the last one that it
    /// has.
    pub(crate) fn of_field(
        &mut self,
        alone: &demat_core::Record,
        node: &'e Node,
        label: &str,
    ) -> core::result::Result<Option<Object>, Failure> {
        let mut found = None;
        let mut last = || {
            self.source.record(alone)?;
            while self.source.field(alone, 0)?.is_some() {
                let value = self.value(node);
                found = Some(value.map_err(|error| error.within_field(label.to_owned()))?);
            }
            Ok(())
        };
        let done: Result<()> = last();
        match done {
            Ok(()) => Ok(found),
            Err(error) => {
                self.gather(error);
                Err(self.failure())
            }
        }
    }

    /// A record of the program.
    pub(crate) fn of_record(&mut self, index: usize) -> core::result::Result<Object, Failure> {
        self.record(index).map_err(|error| {
            self.gather(error);
            self.failure()
        })
    }

    #[cold]
    fn failure(&mut self) -> Failure {
        Failure::of(std::mem::take(&mut self.errors), std::mem::take(&mut self.causes))
    }

    /// A value of whatever node.
    #[inline(always)]
    fn value(&mut self, node: &'e Node) -> Result<Object> {
        match node {
            Node::Int => self.int(),
            Node::Str => self.text(),
            Node::Record(index) => self.record(*index),
            other => self.other(other),
        }
    }

    #[inline(never)]
    fn other(&mut self, node: &'e Node) -> Result<Object> {
        match node {
            Node::Any => self.any(),
            Node::None => self.none(),
            Node::Bool => self.bool(),
            Node::Int => self.int(),
            Node::Float => self.float(),
            Node::Str => self.text(),
            Node::Record(index) => self.record(*index),
            Node::Named(index) => self.named_value(*index),
            Node::Optional(inner) => self.optional(inner),
            Node::List(list) => self.list(list),
            Node::Tuple(items) => self.tuple(items),
            Node::Map(map) => self.map(map),
            Node::Bytes(kind) => self.bytes(*kind),
            Node::Decimal => self.decimal(),
            Node::Datetime(zone) => self.datetime(*zone),
            Node::Date => self.date(),
            Node::Time(zone) => self.time(*zone),
            Node::Timedelta => self.timedelta(),
            Node::Uuid => self.uuid(),
            Node::Raw => self.raw(),
            Node::Enum(node) => self.enumeration(node),
            Node::Flag(class) => self.flag(class),
            Node::Literal(node) => self.literal(node),
            Node::Union(union) => self.union(union),
            Node::Hook(hook) => self.hook(hook),
            Node::Checked(checked) => self.checked(checked),
        }
    }

    /// A value of an alias that contains itself.
    fn named_value(&mut self, index: usize) -> Result<Object> {
        self.descend()?;
        let program = self.program;
        self.value(&program.aliases[index])
    }

    #[inline]
    fn optional(&mut self, inner: &'e Node) -> Result<Object> {
        if self.source.null()? {
            Ok(Object::none())
        } else if self.strict {
            self.value(inner)
        } else {
            self.lax_optional(inner)
        }
    }

    /// A value within a container: where errors are gathered and it has one, `None` in its place.
    #[inline(always)]
    fn recovered(&mut self, node: &'e Node) -> Result<Object> {
        if !ALL {
            return self.value(node);
        }
        let mark = self.source.mark();
        match self.value(node) {
            Ok(value) => Ok(value),
            Err(error) => self.recover(mark, error),
        }
    }

    /// Notes an error and passes over the value that it is about, if decoding can go on after that.
    #[cold]
    fn recover(&mut self, mark: Mark, error: Error) -> Result<Object> {
        if !self.can_go_on(&error) {
            return Err(error);
        }
        self.source.reset(mark);
        // The value may be broken in itself, further on: that is the end then, but this was first.
        let passed = self.source.skip();
        self.gather(error);
        passed.map(|()| Object::none())
    }

    /// Notes an error of a value that was passed, if decoding can go on after that.
    #[cold]
    fn note(&mut self, error: Error) -> Result<()> {
        if !ALL || !self.can_go_on(&error) {
            return Err(error);
        }
        self.gather(error);
        Ok(())
    }

    /// Whether an error is about the value, and not the last one that is asked for.
    fn can_go_on(&self, error: &Error) -> bool {
        let about_the_value = matches!(error.kind(), ErrorKind::Type | ErrorKind::Constraint);
        let own = self.raised.as_ref().is_some_and(|raised| !crate::error::is_about_the_value(self.py, raised));
        about_the_value && !own && self.errors.len() + 1 < self.manner.errors
    }

    /// Notes an error, with what a hook raised, if that is what it is about.
    fn gather(&mut self, error: Error) {
        if let Some(raised) = self.raised.take() {
            self.causes.push((self.errors.len(), raised));
        }
        self.errors.push(error);
    }

    /// So many errors were gathered so far: those after it get the path of the container that asked.
    #[inline(always)]
    fn gathered(&self) -> usize {
        if ALL { self.errors.len() } else { 0 }
    }

    /// Adds a step to the paths of the errors that were gathered since.
    #[inline(always)]
    fn within(&mut self, before: usize, step: impl Fn(Error) -> Error) {
        if ALL && self.errors.len() > before {
            let inner: Vec<Error> = self.errors.drain(before..).collect();
            self.errors.extend(inner.into_iter().map(step));
        }
    }

    /// Refuses what is nested deeper than the thread's stack goes.
    #[inline(always)]
    fn descend(&mut self) -> Result<()> {
        self.steps = self.steps.wrapping_add(1);
        if here() < self.floor || self.steps.is_multiple_of(LOOK) { self.look() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<()> {
        if self.steps.is_multiple_of(LOOK) {
            self.heed()?;
        }
        if here() < self.floor { self.ask_floor() } else { Ok(()) }
    }

    /// Checks for signals. Fails if a signal handler raises.
    #[cold]
    #[inline(never)]
    fn heed(&mut self) -> Result<()> {
        if !self.heeds {
            return Ok(());
        }
        self.py.check_signals().map_err(|raised| self.raised(raised))
    }

    #[cold]
    #[inline(never)]
    fn ask_floor(&mut self) -> Result<()> {
        if !self.asked {
            // Where it can't be known, as much as a thread has by default on any system.
            let left = stacker::remaining_stack().unwrap_or(256 * 1024);
            self.floor = here().saturating_sub(left).saturating_add(RESERVE);
            self.asked = true;
        }
        if here() < self.floor { Err(too_deep()) } else { Ok(()) }
    }

    /// An object that the interpreter made, or its exception.
    #[inline(always)]
    fn made(&mut self, pointer: *mut pyo3::ffi::PyObject) -> Result<Object> {
        if pointer.is_null() {
            return Err(self.raised(crate::object::fetch()));
        }
        // SAFETY: a new reference, and not null.
        Ok(unsafe { Object::owned(pointer) })
    }

    /// The error for an exception that was raised below.
    #[cold]
    #[inline(never)]
    fn raised(&mut self, raised: PyErr) -> Error {
        let text = raised.value(self.py).str().map(|text| text.to_string_lossy().into_owned());
        let text = text.ok().filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| raised.get_type(self.py).to_string());
        self.raised = Some(raised);
        Error::new(ErrorKind::Constraint, text)
    }

    /// An error about the value that begins at a mark.
    #[cold]
    #[inline(never)]
    fn about(&mut self, mark: Mark, error: Error) -> Error {
        self.source.reset(mark);
        let _ = self.source.peek(); // for the position only
        error.at(self.source.position())
    }
}

/// About where the stack is.
#[inline(always)]
fn here() -> usize {
    let mark = 0u8;
    &raw const mark as usize
}

#[cold]
fn too_deep() -> Error {
    Error::new(ErrorKind::Limit, "the depth of nesting exceeds what the thread's stack has room for")
}
