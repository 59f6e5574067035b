//! Decodes values within an object.

use super::super::Encoding;
use super::super::class::{Kind, LazyField, class_of};
use super::super::layout::{FieldSpan, INHERITED, LAX, REFUSED, View};
use super::super::{open, value};
use super::First;
use crate::decode;
use crate::error::{Failure, exception};
use crate::object::Object;
use crate::plan::{Node, Plan};
use crate::quick;
use demat_core::Error;
use demat_formats::json::{ReadOptions, RepeatedKeys};
use demat_formats::stream::{Base, Part};
use pyo3::ffi;
use pyo3::prelude::*;
use std::borrow::Cow;

/// Returns the reader options of a view.
pub(in super::super) fn options_of(view: View<'_>) -> ReadOptions {
    let refused = view.state().flags & REFUSED != 0;
    let repeated_keys = if refused { RepeatedKeys::Refuse } else { RepeatedKeys::LastWins };
    ReadOptions { depth: *view.depth(), repeated_keys, ..ReadOptions::default() }
}

/// Returns the part for a source over bytes that begin at an offset of a view, or over a copy of them.
#[inline]
pub(in super::super) fn part_of<'b>(view: View<'_>, bytes: &'b [u8], at: usize) -> Part<'b> {
    // SAFETY: the view's owner has its bytes, as the callers have checked.
    let base = unsafe { base_before(view.class.format, *view.owner(), view.state().data.wrapping_add(at)) };
    Part { bytes, last: true, base }
}

/// Returns the position of an owner's byte that a source has to know.
///
/// In MessagePack that is the offset: a map at the start of the document may begin a sequence, and any other map does
/// not. A source of JSON need not know, so positions are only counted for errors, see [`moved_from`].
///
/// # Safety
/// `owner` is a view's owner, and `byte` is one of its bytes.
#[inline]
pub(in super::super) unsafe fn base_before(encoding: Encoding, owner: *mut ffi::PyObject, byte: *const u8) -> Base {
    if encoding != Encoding::Packed {
        return Base::default();
    }
    // SAFETY: as the caller guarantees.
    let offset = byte.addr().saturating_sub(unsafe { open::start_of(owner) });
    Base { offset: offset as u64, ..Base::default() }
}

/// Returns the position of a view's byte in the document, with its line.
#[cold]
pub(super) fn counted(view: View<'_>, at: usize) -> Base {
    // SAFETY: the view's owner has its bytes, as the callers have checked.
    unsafe { counted_in(*view.owner(), view.state().data.wrapping_add(at)) }
}

/// Returns the position of an owner's byte in the document; the start if user code has released the owner meanwhile.
///
/// # Safety
/// `owner` is a view's owner, and `byte` is one of its bytes.
unsafe fn counted_in(owner: *mut ffi::PyObject, byte: *const u8) -> Base {
    // SAFETY: as the caller guarantees, the owner's bytes before that one exist.
    unsafe {
        if open::is_released(owner) {
            return Base::default();
        }
        // Zero for pages of a store, whose owner begins behind all bytes.
        let len = byte.addr().saturating_sub(open::start_of(owner));
        Base::default().after(core::slice::from_raw_parts(byte.wrapping_sub(len), len))
    }
}

/// Moves a failure about an owner's bytes that start at `byte` to the position in the document, unless the source knew
/// the position.
///
/// # Safety
/// As [`counted_in`].
#[cold]
pub(in super::super) unsafe fn moved_from(
    encoding: Encoding,
    failure: Failure,
    owner: *mut ffi::PyObject,
    byte: *const u8,
) -> Failure {
    if encoding == Encoding::Packed {
        return failure;
    }
    // SAFETY: as the caller guarantees.
    let base = unsafe { counted_in(owner, byte) };
    failure.map(|error: Error| error.moved(base.offset, base.lines, base.columns))
}

/// Returns the bytes of a field's value.
pub(in super::super) fn span_of<'v>(view: View<'v>, field: &LazyField) -> &'v [u8] {
    let place = view.places()[field.index];
    view.bytes().get((place.first as usize).saturating_sub(1)..place.last as usize).unwrap_or_default()
}

/// Decodes the value from the bytes, regardless of kept or set values.
///
/// # Errors
/// Errors of the value.
pub(in super::super) fn fresh(py: Python<'_>, view: View<'_>, field: &LazyField) -> PyResult<Object> {
    let (_, program) = view.class.planned();
    let planned = field.planned();
    // User code may write to the bytes.
    let copied = |bytes| if program.runs_code { Cow::Owned(<[u8]>::to_vec(bytes)) } else { Cow::Borrowed(bytes) };
    let place = view.places()[field.index];
    let is_whole = field.kind == Kind::Rest || place.last != 0 && is_in_parts(view);
    if is_whole {
        let whole = decoded(py, view, &copied(view.bytes()), 0, &Node::Record(view.class.record));
        let whole = whole.map_err(|failure| exception(py, failure))?.into_bound(py);
        return whole.getattr(planned.name.bind(py)).map(|value| Object::of(&value));
    }
    if place.last == 0 {
        return value::default(py, field, || value::not_there(py, view, field));
    }
    let span = copied(span_of(view, field));
    decoded(py, view, &span, place.first as usize - 1, &planned.node)
        .map_err(|failure| exception(py, failure.map(|error| error.within_field(field.label.clone()))))
}

/// Returns whether a view is over an extension type, whose parts are no values of their own.
pub(in super::super) fn is_in_parts(view: View<'_>) -> bool {
    view.class.format == Encoding::Packed && First::of(Encoding::Packed, view.bytes()) != First::Record
}

/// Validates the value of a field at this place.
///
/// # Errors
/// If the value is invalid.
#[cold]
pub(in super::super) fn value_at(
    py: Python<'_>,
    view: View<'_>,
    field: usize,
    place: FieldSpan,
) -> Result<(), Failure> {
    let field = &view.class.fields[field];
    let span = view.bytes().get((place.first as usize).saturating_sub(1)..place.last as usize).unwrap_or_default();
    // User code may write to the buffer, so decode a copy.
    let copied = span.to_vec();
    let made = decoded(py, view, &copied, place.first as usize - 1, &field.planned().node);
    made.map(drop).map_err(|failure| failure.map(|error| error.within_field(field.label.clone())))
}

/// Decodes bytes that begin at an offset of a view, or a copy of them, as a node of its plan.
///
/// # Errors
/// Errors of the value, at their positions in the document.
pub(in super::super) fn decoded(
    py: Python<'_>,
    view: View<'_>,
    bytes: &[u8],
    at: usize,
    node: &Node,
) -> Result<Object, Failure> {
    let (_, program) = view.class.planned();
    let mut options = options_of(view);
    if !matches!(node, Node::Record(_)) || bytes.len() < view.bytes().len() {
        options.depth = options.depth.saturating_sub(1);
    }
    let strict = view.state().flags & LAX == 0;
    let made = decode::keyed_value(py, view.class.format, part_of(view, bytes, at), options, strict, program, node);
    made.map_err(|failure| moved(failure, view, at))
}

/// Moves a failure to the position in the document.
#[cold]
pub(super) fn moved(failure: Failure, view: View<'_>, at: usize) -> Failure {
    // SAFETY: the bytes of the view are its owner's, and available, as the callers have checked.
    unsafe { moved_from(view.class.format, failure, *view.owner(), view.state().data.wrapping_add(at)) }
}

/// Creates a view over an object within another one: a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held; the bytes are part of the view's.
pub(super) unsafe fn view_within(
    plan: &Bound<'_, Plan>,
    record: usize,
    view: View<'_>,
    bytes: &[u8],
    depth: u32,
) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees; the plan keeps the class alive.
    unsafe {
        match class_of(plan, record, view.class.format) {
            Ok(class) => open::view_of(class, *view.owner(), bytes, view.state().flags & INHERITED, depth),
            Err(raised) => {
                quick::raise(|_| raised);
                core::ptr::null_mut()
            }
        }
    }
}
