//! A view encoded: its bytes as they are, but for the fields that were set or changed.

use super::class::{Kind, LazyField, knowledge};
use super::items::Items;
use super::layout::{INDEXED, KEPT, View};
use super::owner::released;
use super::{field, group, json, scan, value};
use crate::encode::field_bytes;
use crate::format::Format;
use pyo3::prelude::*;
use std::borrow::Cow;

/// The message that a view is now.
///
/// # Errors
/// What is wrong with its bytes, where something was changed; what encoding a value comes to.
pub(crate) fn encoded<'v>(view: &'v Bound<'_, PyAny>) -> PyResult<Cow<'v, [u8]>> {
    // SAFETY: callers have seen that it is a view.
    let view = unsafe { of(view) };
    if view.class.format == Format::Json {
        return json::encoded(view);
    }
    if view.is_released() {
        return Err(released());
    }
    let bytes = view.bytes();
    if view.state().flags & KEPT == 0 {
        return Ok(Cow::Borrowed(bytes));
    }
    // SAFETY: the GIL is held.
    let py = unsafe { Python::assume_attached() };
    let mut changed: Vec<(usize, Option<Vec<u8>>)> = Vec::new();
    for field in &view.class.fields {
        if let Some(new) = new_bytes(py, view, field)? {
            changed.push((field.index, Some(new)));
        }
    }
    if changed.is_empty() {
        return Ok(Cow::Borrowed(bytes));
    }
    if view.class.grouped {
        if view.state().flags & INDEXED == 0 && !field::index(view, bytes) {
            return Err(value::not_a_message(py, view));
        }
        let indices: Vec<usize> = changed.iter().map(|(index, _)| *index).collect();
        changed.extend(group::left_out(view, &indices).into_iter().map(|index| (index, None)));
    }
    let mut out = Vec::with_capacity(
        bytes.len() + changed.iter().map(|(_, new)| new.as_ref().map_or(0, Vec::len)).sum::<usize>(),
    );
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        let Some(part) = scan::part(bytes, at) else { return Err(value::not_a_message(py, view)) };
        let index = view.class.of_number(part.number);
        if let Some((_, new)) = index.and_then(|index| changed.iter_mut().find(|(own, _)| *own == index)) {
            out.extend_from_slice(&bytes[copied..part.tag]);
            // The first of them is where the new ones stand.
            if let Some(new) = new.take() {
                out.extend_from_slice(&new);
            }
            copied = part.end;
        }
        at = part.end;
    }
    out.extend_from_slice(&bytes[copied..]);
    for (_, new) in changed {
        out.extend_from_slice(&new.unwrap_or_default());
    }
    Ok(Cow::Owned(out))
}

/// Over what a view is: `Proto` or `Json`.
pub(crate) fn format_of(view: &Bound<'_, PyAny>) -> Format {
    // SAFETY: callers have seen that it is a view.
    unsafe { of(view) }.class.format
}

/// The view that an object is.
///
/// # Safety
/// It is an instance of a class of views, and lives as long as the borrow.
pub(super) unsafe fn of<'v>(view: &'v Bound<'_, PyAny>) -> View<'v> {
    // SAFETY: as the caller says.
    unsafe {
        let class = pyo3::ffi::Py_TYPE(view.as_ptr());
        View::new(view.as_ptr(), &*knowledge(class))
    }
}

/// Whether a view is another message than its bytes say.
pub(super) fn differs(view: &Bound<'_, PyAny>) -> PyResult<bool> {
    // SAFETY: what is kept of messages are views.
    let own = unsafe { of(view) };
    if own.state().flags & KEPT == 0 {
        return Ok(false);
    }
    Ok(matches!(encoded(view)?, Cow::Owned(_)))
}

/// Whether a value that is kept, and was not set, is surely what it was.
pub(super) fn is_untouched(py: Python<'_>, field: &LazyField, kept: &Bound<'_, PyAny>) -> PyResult<bool> {
    let same = match field.kind {
        Kind::Rest | Kind::Unread => true,
        Kind::Message(_) if super::is_view_class(kept.get_type_ptr()) => !differs(kept)?,
        _ => match kept.cast::<Items>() {
            Ok(items) => !items.get().may_differ(py)?,
            Err(_) => false,
        },
    };
    Ok(same)
}

/// The bytes of a field as it is now, with its tags, if it was set or changed.
fn new_bytes(py: Python<'_>, view: View<'_>, field: &LazyField) -> PyResult<Option<Vec<u8>>> {
    // SAFETY: the slot is one of references, that hold what is in them.
    let kept = unsafe { Bound::from_borrowed_ptr_or_opt(py, *view.kept(field.index)) };
    let (Some(kept), Some(write)) = (kept, field.write) else { return Ok(None) };
    let (plan, program) = view.class.planned();
    if view.was_set(field.index) {
        return field_bytes(py, plan, program, write, &kept).map(Some);
    }
    if is_untouched(py, field, &kept)? {
        return Ok(None);
    }
    if view.state().flags & INDEXED == 0 && !field::index(view, view.bytes()) {
        return Err(value::not_a_message(py, view));
    }
    let new = field_bytes(py, plan, program, write, &kept)?;
    // What was only looked at is what it was.
    let old = value::fresh(py, view, field)?.into_bound(py);
    let old = field_bytes(py, plan, program, write, &old)?;
    Ok((old != new).then_some(new))
}
