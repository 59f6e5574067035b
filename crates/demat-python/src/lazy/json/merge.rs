//! A view over JSON encoded: its bytes as they are, but for the values that were set or changed.

use super::super::class::LazyField;
use super::super::layout::{INDEXED, KEPT, View};
use super::super::merge::is_untouched;
use super::super::owner::released;
use super::super::value;
use super::index;
use crate::encode::{Member, member};
use crate::error::exception;
use pyo3::prelude::*;
use std::borrow::Cow;

/// The object that a view is now.
///
/// # Errors
/// What is wrong with its bytes; what encoding a value comes to.
pub(in super::super) fn encoded(view: View<'_>) -> PyResult<Cow<'_, [u8]>> {
    // SAFETY: the GIL is held.
    let py = unsafe { Python::assume_attached() };
    if view.is_released() {
        return Err(released());
    }
    let bytes = view.bytes();
    // What is passed on has to be JSON, also where nobody has asked for any of it.
    if view.state().flags & INDEXED == 0 {
        index(view).map_err(|failure| exception(py, failure))?;
    }
    if view.state().flags & KEPT == 0 {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut changed = Vec::new();
    for field in &view.class.fields {
        if let Some(new) = new_member(py, view, field)? {
            let place = view.places()[field.index];
            changed.push((place, new));
        }
    }
    if changed.is_empty() {
        return Ok(Cow::Borrowed(bytes));
    }
    changed.sort_by_key(|(place, _)| place.first);
    let mut out = Vec::with_capacity(bytes.len() + changed.iter().map(|(_, new)| new.text.len() + 1).sum::<usize>());
    let mut copied = 0;
    for (place, new) in changed.iter().filter(|(place, _)| place.last != 0) {
        out.extend_from_slice(&bytes[copied..place.first as usize - 1]);
        out.extend_from_slice(new.value());
        copied = place.last as usize;
    }
    // The others stand behind the last member, before the blanks at the end.
    let inner = bytes.len() - 1;
    let end =
        bytes[..inner].iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(inner, |last| last + 1).max(copied);
    out.extend_from_slice(&bytes[copied..end]);
    let mut is_first = bytes[..end] == b"{"[..];
    for (_, new) in changed.iter().filter(|(place, new)| place.last == 0 && !new.left_out) {
        if !is_first {
            out.push(b',');
        }
        is_first = false;
        out.extend_from_slice(&new.text);
    }
    out.extend_from_slice(&bytes[end..]);
    Ok(Cow::Owned(out))
}

/// A field as it is now, if it was set or changed.
fn new_member(py: Python<'_>, view: View<'_>, field: &LazyField) -> PyResult<Option<Member>> {
    // SAFETY: the slot is one of references, that hold what is in them.
    let kept = unsafe { Bound::from_borrowed_ptr_or_opt(py, *view.kept(field.index)) };
    let (Some(kept), Some(write)) = (kept, field.write) else { return Ok(None) };
    let (plan, program) = view.class.planned();
    if view.was_set(field.index) {
        return member(py, plan, program, write, &kept).map(Some);
    }
    if is_untouched(py, field, &kept)? {
        return Ok(None);
    }
    let new = member(py, plan, program, write, &kept)?;
    // What was only looked at is what it was.
    let old = value::fresh(py, view, field)?.into_bound(py);
    let old = member(py, plan, program, write, &old)?;
    Ok((old.text != new.text).then_some(new))
}
