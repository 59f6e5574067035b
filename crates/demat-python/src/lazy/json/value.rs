//! Decodes values within JSON.

use super::super::Encoding;
use super::super::class::{Kind, LazyField, class_of};
use super::super::layout::{FieldSpan, INHERITED, LAX, REFUSED, View};
use super::super::{open, value};
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

/// Returns the reader options of a view.
pub(in super::super) fn options_of(view: View<'_>) -> ReadOptions {
    let refused = view.state().flags & REFUSED != 0;
    let repeated_keys = if refused { RepeatedKeys::Refuse } else { RepeatedKeys::LastWins };
    ReadOptions { depth: *view.depth(), repeated_keys }
}

/// Returns the position of a view's byte in the document.
#[cold]
pub(in super::super) fn base_of(view: View<'_>, at: usize) -> Base {
    // SAFETY: the view's owner has its bytes, as the callers have checked.
    unsafe { base_in(*view.owner(), view.state().data.wrapping_add(at)) }
}

/// Returns the position of an owner's byte in the document; the start if user code has released the owner meanwhile.
///
/// # Safety
/// `owner` is a view's owner, and `byte` is one of its bytes.
unsafe fn base_in(owner: *mut ffi::PyObject, byte: *const u8) -> Base {
    // SAFETY: as the caller guarantees, the owner's bytes before that one exist.
    unsafe {
        if open::is_released(owner) {
            return Base::default();
        }
        let len = byte.addr() - open::start_of(owner);
        Base::default().after(core::slice::from_raw_parts(byte.wrapping_sub(len), len))
    }
}

/// Moves a failure about an owner's bytes that start at `byte` to the position in the document.
///
/// # Safety
/// As [`base_in`].
#[cold]
pub(in super::super) unsafe fn moved_from(failure: Failure, owner: *mut ffi::PyObject, byte: *const u8) -> Failure {
    // SAFETY: as the caller guarantees.
    let base = unsafe { base_in(owner, byte) };
    failure.map(|error: Error| error.moved(base.offset, base.lines, base.columns))
}

/// Returns the JSON text of a field's value.
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
    if field.kind == Kind::Rest {
        let whole = decoded(py, view, view.bytes(), &Node::Record(view.class.record));
        let whole = whole.map_err(|failure| exception(py, moved(failure, view, 0)))?.into_bound(py);
        return whole.getattr(planned.name.bind(py)).map(|value| Object::of(&value));
    }
    let place = view.places()[field.index];
    if place.last == 0 {
        return value::default(py, field, || value::not_there(py, view, field));
    }
    let span = span_of(view, field);
    // User code may write to the bytes.
    let copied;
    let span = if program.runs_code {
        copied = span.to_vec();
        &copied
    } else {
        span
    };
    decoded(py, view, span, &planned.node).map_err(|failure| {
        let failure = moved(failure, view, place.first as usize - 1);
        exception(py, failure.map(|error| error.within_field(field.label.clone())))
    })
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
    let made = decoded(py, view, &copied, &field.planned().node);
    made.map(drop).map_err(|failure| {
        let failure = moved(failure, view, place.first as usize - 1);
        failure.map(|error| error.within_field(field.label.clone()))
    })
}

/// Decodes JSON within a view as a node of its plan.
pub(in super::super) fn decoded(py: Python<'_>, view: View<'_>, bytes: &[u8], node: &Node) -> Result<Object, Failure> {
    let (_, program) = view.class.planned();
    let mut options = options_of(view);
    if !matches!(node, Node::Record(_)) || bytes.len() < view.bytes().len() {
        options.depth = options.depth.saturating_sub(1);
    }
    let strict = view.state().flags & LAX == 0;
    decode::json_value(py, Part::whole(bytes), options, strict, program, node)
}

/// Moves a failure to the position in the document.
#[cold]
pub(in super::super) fn moved(failure: Failure, view: View<'_>, at: usize) -> Failure {
    // SAFETY: the bytes of the view are its owner's, and available, as the callers have checked.
    unsafe { moved_from(failure, *view.owner(), view.state().data.wrapping_add(at)) }
}

/// Creates a view over an object within another one: a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held; the bytes are part of the owner's.
pub(in super::super) unsafe fn view_within(
    plan: &Bound<'_, Plan>,
    record: usize,
    owner: *mut ffi::PyObject,
    bytes: &[u8],
    flags: u32,
    depth: u32,
) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees; the plan keeps the class alive.
    unsafe {
        match class_of(plan, record, Encoding::Json) {
            Ok(class) => open::view_of(class, owner, bytes, flags & INHERITED, depth),
            Err(raised) => {
                quick::raise(|_| raised);
                core::ptr::null_mut()
            }
        }
    }
}
