//! Scalars: shared if they are immutable and need no change, else left to the engine.

use super::Straight;
use crate::decode::Engine;
use crate::encode::{ObjectRef, bool_class, float_class, int_class, record, small_int, text_class};
use crate::known;
use crate::object::Object;
use crate::plan::{BytesKind, Clock, Node, Zone};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Time, Uuid};
use demat_core::{Mark, Source};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The start of a source without values.
const START: Mark = Mark { offset: 0, state: [0; 4] };

impl<'e> Straight<'e, '_, '_> {
    #[inline(always)]
    pub(super) fn int(&mut self, node: &'e Node, value: ObjectRef) -> Option<Object> {
        if value.is_exactly(int_class()) {
            // SAFETY: a live `int`.
            if unsafe { small_int(value.as_ptr()) } {
                return Some(value.hold());
            }
            return self.scalar(node, value);
        }
        None
    }

    #[inline(always)]
    pub(super) fn float(&mut self, node: &'e Node, value: ObjectRef) -> Option<Object> {
        if value.is_exactly(float_class()) { Some(value.hold()) } else { self.scalar(node, value) }
    }

    #[inline(always)]
    #[allow(clippy::unused_self, reason = "as the other kinds")]
    pub(super) fn bool(&mut self, value: ObjectRef) -> Option<Object> {
        value.is_exactly(bool_class()).then(|| value.hold())
    }

    /// Shares a text that has a UTF-8 form.
    #[inline(always)]
    #[allow(clippy::unused_self, reason = "as the other kinds")]
    pub(super) fn text(&mut self, value: ObjectRef) -> Option<Object> {
        (value.is_exactly(text_class()) && is_utf8(value)).then(|| value.hold())
    }

    /// Converts a value of an enum or a literal.
    pub(super) fn named(&mut self, node: &'e Node, value: ObjectRef) -> Option<Object> {
        let (is_text, is_int) = (value.is_exactly(text_class()), value.is_exactly(int_class()));
        let found = match node {
            Node::Enum(node) if (is_text && node.any_text) || (is_int && node.any_int && !node.any_text) => {
                self.looked_up(&node.members, value)
            }
            Node::Literal(node) if is_text => self.looked_up(&node.texts, value),
            Node::Literal(node) if is_int => self.looked_up(&node.ints, value),
            _ => None,
        };
        found.or_else(|| self.scalar(node, value))
    }

    fn looked_up(&mut self, table: &'e Py<PyDict>, value: ObjectRef) -> Option<Object> {
        self.engine.looked_up(table, &value.hold()).ok().flatten()
    }

    /// Converts a scalar that many formats write as text.
    #[inline(never)]
    pub(super) fn leaf(&mut self, node: &'e Node, value: ObjectRef) -> Option<Object> {
        if !value.is_exactly(text_class()) {
            return if is_leaf_of(node, value) { Some(value.hold()) } else { self.scalar(node, value) };
        }
        let text = text_of(&value)?;
        let engine = &mut self.engine;
        let made = match node {
            // What has to be cut, or is in another form, goes the slower way.
            Node::Datetime(Clock { zone: Zone::Naive, .. }) => {
                engine.instant(Instant::from(DateTime::parse(text)?), Zone::Naive, false, START)
            }
            Node::Datetime(clock) => engine.instant(Instant::parse(text)?, clock.zone, false, START),
            Node::Date => engine.date_object(Date::parse(text)?, START),
            Node::Time(Zone::Either | Zone::Naive) => engine.time_object(Time::parse(text)?, None, false, START),
            Node::Timedelta => engine.duration(Duration::parse(text)?.total_nanos(), START),
            Node::Uuid => engine.uuid_object(Uuid::parse(text)?.0),
            Node::Decimal => engine.decimal_object(&Decimal::parse(text)?),
            _ => return self.scalar(node, value),
        };
        made.ok()
    }

    /// Shares or copies a scalar of undeclared type.
    #[inline(always)]
    pub(super) fn any_scalar(&mut self, value: ObjectRef) -> Option<Object> {
        if value.is_exactly(text_class()) {
            return self.text(value);
        }
        if value.is_exactly(int_class()) {
            return self.int(&Node::Int, value);
        }
        if value.is_none() || value.is_exactly(bool_class()) || value.is_exactly(float_class()) || is_unchanged(value) {
            return Some(value.hold());
        }
        self.scalar(&Node::Any, value)
    }

    /// Converts a scalar of a builtin class by the slower way: recorded, and read by an engine of its own.
    #[inline(never)]
    pub(super) fn scalar(&mut self, node: &'e Node, value: ObjectRef) -> Option<Object> {
        if !is_scalar(self.engine.py, value) {
            return None;
        }
        let (py, program, manner) = (self.engine.py, self.engine.program, self.engine.manner);
        let tape = record(&value.hold().into_bound(py), self.writing).ok()?;
        let source: &mut dyn Source<'_> = &mut tape.source();
        let mut engine: Engine<'_, '_, &mut dyn Source<'_>, false> = Engine::new(py, source, program, manner);
        engine.of_node(node).ok()
    }
}

/// Whether a text has a UTF-8 form: it has no lone surrogate.
#[inline(always)]
fn is_utf8(text: ObjectRef) -> bool {
    #[cfg(not(Py_3_14))]
    // SAFETY: a live `str`; its kind says how wide its characters are.
    unsafe {
        if ffi::PyUnicode_IS_COMPACT_ASCII(text.as_ptr()) != 0 {
            return true;
        }
        let len = ffi::PyUnicode_GET_LENGTH(text.as_ptr()).cast_unsigned();
        if ffi::PyUnicode_READY(text.as_ptr()) == 0 {
            let data = ffi::PyUnicode_DATA(text.as_ptr());
            return match ffi::PyUnicode_KIND(text.as_ptr()) {
                ffi::PyUnicode_1BYTE_KIND => true,
                ffi::PyUnicode_2BYTE_KIND => {
                    let units = core::slice::from_raw_parts(data.cast::<u16>(), len);
                    units.iter().all(|unit| unit & 0xF800 != 0xD800)
                }
                _ => {
                    let units = core::slice::from_raw_parts(data.cast::<u32>(), len);
                    units.iter().all(|unit| unit & 0xFFFF_F800 != 0xD800)
                }
            };
        }
    }
    text_of(&text).is_some()
}

/// Returns the UTF-8 of a text, which the text keeps.
pub(super) fn text_of(text: &ObjectRef) -> Option<&str> {
    // SAFETY: a live `str`.
    unsafe { crate::encode::utf8(text) }
}

/// Whether a value is of exactly the class that the node's values have, and comes out of the slower way as it is.
fn is_leaf_of(node: &Node, value: ObjectRef) -> bool {
    // SAFETY: a live object; the classes are checked exactly, where they exist.
    unsafe {
        match node {
            Node::Bytes(BytesKind::Bytes) => ffi::PyBytes_CheckExact(value.as_ptr()) != 0,
            Node::Date => has_dates() && ffi::PyDate_CheckExact(value.as_ptr()) != 0,
            Node::Timedelta => has_dates() && ffi::PyDelta_CheckExact(value.as_ptr()) != 0,
            Node::Datetime(Clock { zone: Zone::Either | Zone::Naive, .. }) => is_naive_datetime(value),
            _ => false,
        }
    }
}

/// Whether a value of undeclared type comes out of the slower way as it is.
fn is_unchanged(value: ObjectRef) -> bool {
    // SAFETY: as above.
    unsafe {
        ffi::PyBytes_CheckExact(value.as_ptr()) != 0
            || (has_dates() && ffi::PyDate_CheckExact(value.as_ptr()) != 0)
            || is_naive_datetime(value)
    }
}

/// Whether a value that nobody reads is a scalar of a builtin class, so that recording it does not fail.
pub(super) fn is_ignored(value: ObjectRef) -> bool {
    let texts = value.is_exactly(text_class()) && is_utf8(value);
    let numbers = value.is_exactly(int_class()) || value.is_exactly(float_class());
    texts || numbers || value.is_none() || value.is_exactly(bool_class()) || is_unchanged(value)
}

/// Whether a value is a `datetime` without a zone that names a point of the clock once.
fn is_naive_datetime(value: ObjectRef) -> bool {
    // SAFETY: a live object, whose class is checked before its parts are read.
    unsafe {
        has_dates()
            && ffi::PyDateTime_CheckExact(value.as_ptr()) != 0
            && ffi::PyDateTime_DATE_GET_TZINFO(value.as_ptr()) == ffi::Py_None()
            && ffi::PyDateTime_DATE_GET_FOLD(value.as_ptr()) == 0
    }
}

/// Whether the classes of dates are loaded. If they are not, no value is of one.
fn has_dates() -> bool {
    // SAFETY: the GIL is held.
    unsafe { !ffi::PyDateTimeAPI().is_null() }
}

/// Whether a value is a scalar of exactly a builtin class: recording it runs no user code.
fn is_scalar(py: Python<'_>, value: ObjectRef) -> bool {
    let is = |class: PyResult<&Bound<'_, PyAny>>| class.is_ok_and(|class| class.as_ptr() == value.class().cast());
    // SAFETY: a live object.
    unsafe {
        value.is_none()
            || value.is_exactly(text_class())
            || value.is_exactly(int_class())
            || value.is_exactly(float_class())
            || value.is_exactly(bool_class())
            || ffi::PyBytes_CheckExact(value.as_ptr()) != 0
            || (has_dates()
                && (ffi::PyDate_CheckExact(value.as_ptr()) != 0
                    || ffi::PyDelta_CheckExact(value.as_ptr()) != 0
                    || is_naive_datetime(value)))
            || is(known::decimal(py).map(Bound::as_any))
            || is(known::uuid(py).map(Bound::as_any))
    }
}
