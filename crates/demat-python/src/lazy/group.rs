//! Members of a `oneof`: the last one in the bytes counts, and setting one clears the others.

use super::class::LazyField;
use super::layout::{FieldSpan, View};
use demat_formats::proto::raw;
use pyo3::ffi;

/// Marks a field that was cleared by setting another member: it counts as absent, even if it is in the bytes.
const CLEARED: u32 = u32::MAX;

/// Determines which members count, after all fields were located.
#[inline(never)]
pub(super) fn settle(view: View<'_>, bytes: &[u8]) {
    let found: Vec<FieldSpan> = view.places().to_vec();
    let places = view.places();
    for field in view.class.fields.iter().filter(|field| !field.rivals.is_empty()) {
        let place = &mut places[field.index];
        let rival = field.rivals.iter().map(|rival| found[*rival].last).max().unwrap_or(0);
        if place.first == CLEARED {
            place.last = 0;
        } else if rival > place.last {
            *place = FieldSpan { first: 0, last: 0 };
        } else if rival > place.first {
            // A later member discards the earlier parts of this one, so they are skipped.
            place.first = first_behind(bytes, field.number, rival).unwrap_or(place.last);
        }
    }
}

/// Returns the one-based offset of a field's first occurrence behind a place.
fn first_behind(bytes: &[u8], number: u32, place: u32) -> Option<u32> {
    let mut at = place as usize - 1;
    while at < bytes.len() {
        let part = raw::read(bytes, at)?;
        if part.number == number {
            return Some(at as u32 + 1);
        }
        at = part.end;
    }
    None
}

/// Clears the other members, after this one was set.
///
/// # Safety
/// The GIL is held, and the view is alive.
#[inline(never)]
pub(super) unsafe fn clear_rivals(view: View<'_>, field: &LazyField) {
    let mut old = Vec::new();
    for rival in &field.rivals {
        view.unset(*rival);
        view.places()[*rival] = FieldSpan { first: CLEARED, last: 0 };
        // SAFETY: the slot is for references, and is emptied before its old reference is released.
        old.push(unsafe { core::mem::replace(&mut *view.kept(*rival), core::ptr::null_mut()) });
    }
    for object in old {
        // SAFETY: the slot owned it. This may run foreign code, so it comes last.
        unsafe { ffi::Py_XDECREF(object) };
    }
}

/// Returns the other members of the oneof that no longer count, as this one was set. Their bytes must not be written.
pub(super) fn left_out<'v>(view: View<'v>, field: &'v LazyField) -> impl Iterator<Item = usize> + 'v {
    let is_out = move |rival: &usize| view.places()[*rival].last == 0 && !view.was_set(*rival);
    field.rivals.iter().copied().filter(is_out)
}

/// Whether another member of the oneof counts, as the bytes have it.
pub(super) fn is_overruled(view: View<'_>, field: &LazyField) -> bool {
    field.rivals.iter().any(|rival| view.places()[*rival].last > 0 && !view.was_set(*rival))
}
