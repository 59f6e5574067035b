//! Decoding: an engine reads a source according to a plan and creates Python objects.
//!
//! There is one engine for all formats. It is instantiated for each source, so that a value goes from the input to its
//! slot without a call in between. The GIL is held throughout, and hooks may run any code: no borrow of the engine's
//! data spans a hook, and the engine owns all references that it holds.

mod alike;
mod any;
mod array;
mod cached;
mod check;
mod columns;
mod decoder;
mod each;
mod form;
mod growing;
mod hook;
mod ints;
mod keys;
mod lax;
mod lenient;
mod list;
mod map;
mod model;
mod named;
mod number;
mod options;
mod part;
mod record;
mod run;
mod scalars;
mod seen;
mod spare;
mod straight;
mod temporal;
mod text;
mod tried;
mod union;
mod uuid;
mod validate;
mod values;
mod wide;
mod zones;

pub(crate) use cached::Guarded;
pub(crate) use columns::{column, columns};
pub(crate) use decoder::{_rebuild, Decoder, be_quick, format_of};
pub(crate) use each::Stopped;
pub(crate) use form::Form;
pub(crate) use ints::Ints;
pub(crate) use number::MOST_BYTES;
pub(crate) use options::{DecodeOptions, character, flag, one_of, wrong};
pub(crate) use part::{keys_of_map, part};
pub(crate) use run::{
    by_program, bytes, decode, decode_quickly, given_type, has_fields, keyed_value, named_value, of_tape, of_value,
    one_field, planned, record_of_message, untyped,
};
pub(crate) use straight::{is_straight, is_utf8, straight};
pub(crate) use text::text_object;
pub(crate) use validate::{Known, validate};

use crate::error::Failure;
use crate::fresh::Fresh;
use crate::object::Object;
use crate::plan::{Node, Program, TagField, Times};
use demat_core::{Error, ErrorKind, Mark, Result, Source};
use demat_formats::codec::Model;
use pyo3::prelude::*;
use std::marker::PhantomData;

/// How to handle a repeated key in a map of undeclared type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// The last value counts.
    LastWins,
    /// The source decides whether to refuse it. The engine reads the map again, so that an error has the position of
    /// the key.
    ReadAgain,
    /// Like `ReadAgain`, for sources that can't return into a map that has ended.
    AtEnd,
}

/// The options of a decoder that concern the engine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DecodeMode {
    /// Values must have exactly their types; otherwise text with a number is also accepted as a number, and so on.
    pub(crate) strict: bool,
    /// The forms of datetimes that are accepted besides those of RFC 3339; `None`: none, or seconds if not strict.
    pub(crate) times: Option<Times>,
    /// The number of errors to gather before decoding ends.
    pub(crate) errors: usize,
    /// Whether instances are tracked by the cyclic collector.
    pub(crate) tracked: bool,
    pub(crate) repeats: Repeats,
    /// The format of raw values, which keep their input.
    pub(crate) format: crate::format::Format,
    /// The format's model. In `Cells`, a text may be a value of any kind; in `Numbered`, an absent field may have a
    /// default.
    pub(crate) model: Model,
}

/// Decodes a source according to a program.
///
/// With `ALL`, errors of values are gathered: the engine notes an error, skips the value, and continues.
pub(crate) struct Engine<'e, 'a, S, const ALL: bool> {
    py: Python<'e>,
    pub(crate) source: S,
    program: &'e Program,
    manner: &'e DecodeMode,
    /// Values must have exactly their types. Also true while a union's types are tried strictly before the lax
    /// conversions.
    strict: bool,
    /// The exception that a hook raised.
    raised: Option<PyErr>,
    /// The errors gathered so far.
    errors: Vec<Error>,
    /// The exceptions with which hooks refused a value, by the index of the resulting error.
    causes: Vec<(usize, PyErr)>,
    /// Created at the first union that may have to be decoded more than once.
    tries: Option<Box<tried::Tried>>,
    /// The tag that a union has read of the record which is decoded next.
    behind: Option<Behind<'e>>,
    /// The values of open untyped containers.
    values: Vec<Object>,
    /// Reusable memory for the frames of open untyped containers; empty while it is in use.
    frames: Vec<any::Frame>,
    /// The address below which the stack must not grow; before the limit is known, the address at which to find it out.
    floor: usize,
    /// Whether the limit is known.
    asked: bool,
    /// Counts containers; every [`LOOK`] of them, the decoder checks for signals.
    steps: u32,
    /// Whether it checks for signals. A signal handler may change a writable buffer.
    pub(crate) heeds: bool,
    fresh: Fresh,
    /// Int objects of refilled instances, for reuse.
    pub(crate) ints: Ints,
    lasts: PhantomData<&'a ()>,
}

/// A source within a record, behind the tag, which is its first field.
struct Behind<'e> {
    /// The start of the record.
    mark: Mark,
    field: &'e TagField,
}

/// The stack use in bytes from which on the limit is determined: that takes as long as decoding a field.
const UNASKED: usize = 4 * 1024;

/// The number of containers, items or entries between two checks for signals.
const LOOK: u32 = 1024;

/// The bytes of stack reserved for hooks, allocations and the end of the engine.
const RESERVE: usize = 40 * 1024;

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    /// Creates an engine at the start of a source.
    #[inline(always)]
    pub(crate) fn new(py: Python<'e>, source: S, program: &'e Program, manner: &'e DecodeMode) -> Self {
        // User code may decode recursively; so each of these engines has to check the limit from the start.
        let floor = if program.runs_code { usize::MAX } else { here().saturating_sub(UNASKED) };
        let (raised, errors, causes, tries) = (None, Vec::new(), Vec::new(), None);
        Self {
            behind: None,
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
    #[inline(always)]
    pub(crate) fn whole(&mut self) -> core::result::Result<Object, Failure> {
        self.root_up_to(true)
    }

    /// Decodes a value of the program. With `ends`, nothing may follow it.
    #[inline(always)]
    pub(crate) fn root_up_to(&mut self, ends: bool) -> core::result::Result<Object, Failure> {
        let program = self.program;
        let done = self.recovered(&program.root);
        let done = if ends { done.and_then(|value| self.source.end().map(|()| value)) } else { done };
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

    /// Reads the keys of the map that the source has entered.
    pub(crate) fn keys_of_map(&mut self) -> core::result::Result<(Object, Vec<Mark>), Failure> {
        self.keyed_marks().map_err(|error| {
            self.gather(error);
            self.failure()
        })
    }

    /// Decodes the only value of a source.
    pub(crate) fn of_node(&mut self, node: &'e Node) -> core::result::Result<Object, Failure> {
        let done = self.recovered(node).and_then(|value| self.source.end().map(|()| value));
        done.map_err(|error| {
            self.gather(error);
            self.failure()
        })
    }

    /// Decodes the field of a record with one field, from the message at the source's position. If the field is
    /// repeated, the last value counts.
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

    /// Decodes a record of the program.
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

    /// Decodes a value of any node.
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
            Node::Datetime(clock) => self.datetime(*clock),
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

    /// Decodes a value of a recursive alias.
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

    /// Decodes a value within a container. If errors are gathered, a value with an error becomes `None`.
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

    /// Notes an error and skips its value, if decoding can continue after that.
    #[cold]
    fn recover(&mut self, mark: Mark, error: Error) -> Result<Object> {
        if !self.can_go_on(&error) {
            return Err(error);
        }
        self.source.reset(mark);
        // The value may also be malformed further on, which ends decoding; this error came first.
        let passed = self.source.skip();
        self.gather(error);
        passed.map(|()| Object::none())
    }

    /// Notes an error of a value that was already skipped, if decoding can continue after that.
    #[cold]
    fn note(&mut self, error: Error) -> Result<()> {
        if !ALL || !self.can_go_on(&error) {
            return Err(error);
        }
        self.gather(error);
        Ok(())
    }

    /// Returns whether the error is about the value, and the maximum number of errors is not reached.
    fn can_go_on(&self, error: &Error) -> bool {
        let about_the_value = matches!(error.kind(), ErrorKind::Type | ErrorKind::Constraint);
        let own = self.raised.as_ref().is_some_and(|raised| !crate::error::is_about_the_value(self.py, raised));
        about_the_value && !own && self.errors.len() + 1 < self.manner.errors
    }

    /// Notes an error, with the hook's exception that caused it, if any.
    fn gather(&mut self, error: Error) {
        if let Some(raised) = self.raised.take() {
            self.causes.push((self.errors.len(), raised));
        }
        self.errors.push(error);
    }

    /// Returns the number of errors gathered so far. Later ones get the path of the caller's container.
    #[inline(always)]
    fn gathered(&self) -> usize {
        if ALL { self.errors.len() } else { 0 }
    }

    /// Adds a step to the paths of the errors gathered since `before`.
    #[inline(always)]
    fn within(&mut self, before: usize, step: impl Fn(Error) -> Error) {
        if ALL && self.errors.len() > before {
            let inner: Vec<Error> = self.errors.drain(before..).collect();
            self.errors.extend(inner.into_iter().map(step));
        }
    }

    /// Fails if the nesting is too deep for the thread's stack.
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
            // If unknown, assumes the smallest default stack of a thread on any system.
            let left = stacker::remaining_stack().unwrap_or(256 * 1024);
            self.floor = here().saturating_sub(left).saturating_add(RESERVE);
            self.asked = true;
        }
        if here() < self.floor { Err(too_deep()) } else { Ok(()) }
    }

    /// Wraps a new reference from the C API; a null pointer becomes the Python exception that is set.
    #[inline(always)]
    fn made(&mut self, pointer: *mut pyo3::ffi::PyObject) -> Result<Object> {
        if pointer.is_null() {
            return Err(self.raised(crate::object::fetch()));
        }
        // SAFETY: a new reference, and not null.
        Ok(unsafe { Object::owned(pointer) })
    }

    /// Converts a Python exception to an error, and keeps the exception.
    #[cold]
    #[inline(never)]
    fn raised(&mut self, raised: PyErr) -> Error {
        let text = raised.value(self.py).str().map(|text| text.to_string_lossy().into_owned());
        let text = text.ok().filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| raised.get_type(self.py).to_string());
        self.raised = Some(raised);
        Error::new(ErrorKind::Constraint, text)
    }

    /// Moves an error to the position of the value that starts at a mark.
    #[cold]
    #[inline(never)]
    fn about(&mut self, mark: Mark, error: Error) -> Error {
        self.source.reset(mark);
        let _ = self.source.peek(); // for the position only
        error.at(self.source.position())
    }
}

/// Returns the approximate stack pointer.
#[inline(always)]
fn here() -> usize {
    let mark = 0u8;
    &raw const mark as usize
}

#[cold]
fn too_deep() -> Error {
    Error::new(ErrorKind::Limit, "the depth of nesting exceeds what the thread's stack has room for")
}
