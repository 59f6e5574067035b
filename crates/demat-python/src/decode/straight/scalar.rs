//! Scalars: shared if they are immutable and need no change, else left to the engine.

use super::Straight;
use crate::decode::Engine;
use crate::encode::{ObjectRef, bool_class, float_class, int_class, record, text_class};
use crate::known;
use crate::object::Object;
use crate::plan::{BytesKind, Clock, Node, Zone};
use crate::unchanged::Same;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Time, Uuid};
use demat_core::{Mark, Source};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The start of a source without values.
const START: Mark = Mark { offset: 0, state: [0; 4] };

impl<'e> Straight<'e, '_, '_> {
    #[inline(always)]
    #[allow(clippy::unused_self, reason = "as the other kinds")]
    pub(super) fn int(&mut self, value: ObjectRef) -> Option<Object> {
        // Of any size: there are no digits to read here.
        value.is_exactly(int_class()).then(|| value.hold())
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
            return if is_leaf_of(self.engine.py, node, value) { Some(value.hold()) } else { self.scalar(node, value) };
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
            return self.int(value);
        }
        let is_plain = value.is_none() || value.is_exactly(bool_class()) || value.is_exactly(float_class());
        if is_plain || Same::of(self.engine.py, value).is_some() {
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
pub(crate) fn is_utf8(text: ObjectRef) -> bool {
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
                    no_surrogate(units, |unit| unit & 0xF800 == 0xD800)
                }
                _ => {
                    let units = core::slice::from_raw_parts(data.cast::<u32>(), len);
                    no_surrogate(units, |unit| unit & 0xFFFF_F800 == 0xD800)
                }
            };
        }
    }
    text_of(&text).is_some()
}

/// Whether no unit is a surrogate. A whole block is looked at before it is known, which takes a few vector instructions.
#[cfg(not(Py_3_14))]
#[inline]
fn no_surrogate<U: Copy>(units: &[U], is_surrogate: impl Fn(U) -> bool) -> bool {
    units.chunks(64).all(|block| !block.iter().fold(false, |any, unit| any | is_surrogate(*unit)))
}

/// Returns the UTF-8 of a text, which the text keeps.
pub(super) fn text_of(text: &ObjectRef) -> Option<&str> {
    // SAFETY: a live `str`.
    unsafe { crate::encode::utf8(text) }
}

/// Whether a value is of exactly the class that the node's values have, and comes out of the slower way as it is.
fn is_leaf_of(py: Python<'_>, node: &Node, value: ObjectRef) -> bool {
    let Some(same) = Same::of(py, value) else { return false };
    match node {
        Node::Bytes(BytesKind::Bytes) => same == Same::Bytes,
        Node::Date => same == Same::Date,
        Node::Timedelta => same == Same::Timedelta,
        Node::Datetime(Clock { zone, .. }) => match zone {
            Zone::Either => matches!(same, Same::NaiveDatetime | Same::UtcDatetime),
            Zone::Naive => same == Same::NaiveDatetime,
            Zone::Aware => same == Same::UtcDatetime,
        },
        Node::Time(Zone::Either | Zone::Naive) => same == Same::Time,
        Node::Uuid => same == Same::Uuid,
        Node::Decimal => same == Same::Decimal,
        _ => false,
    }
}

/// Whether a value that nobody reads is a scalar of a builtin class, so that recording it does not fail.
pub(super) fn is_ignored(py: Python<'_>, value: ObjectRef) -> bool {
    let texts = value.is_exactly(text_class()) && is_utf8(value);
    let numbers = value.is_exactly(int_class()) || value.is_exactly(float_class());
    texts || numbers || value.is_none() || value.is_exactly(bool_class()) || Same::of(py, value).is_some()
}

/// Whether a value is a scalar of exactly a builtin class: recording it runs no user code.
fn is_scalar(py: Python<'_>, value: ObjectRef) -> bool {
    let class = value.class();
    value.is_none()
        || class == text_class()
        || class == int_class()
        || class == float_class()
        || class == bool_class()
        || known::decimal(py).is_ok_and(|known| known.as_ptr() == class.cast())
        || Same::of(py, value).is_some()
}
