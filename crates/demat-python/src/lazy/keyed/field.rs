//! The getter of a field, in encodings with keys.

use super::super::class::{Kind, LazyField};
use super::super::field::{kept, known};
use super::super::layout::{INDEXED, View};
use super::super::{items, value};
use super::{First, index, span_of, view_within};
use crate::error::exception;
use crate::quick;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::c_void;

/// The getter.
pub(in super::super) unsafe extern "C" fn get(own: *mut ffi::PyObject, field: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls this with an instance of the class and the closure of the attribute.
    unsafe {
        quick::run(|| {
            let field = &*field.cast::<LazyField>().cast_const();
            Some(read(View::new(own, field.class()), field)).filter(|object| !object.is_null())
        })
    }
}

/// Returns a new reference to the value of a field. Null with an exception.
///
/// # Safety
/// The GIL is held, and the view is alive.
unsafe fn read(view: View<'_>, field: &LazyField) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        if let Some(known) = known(view, field) {
            return known;
        }
        if view.state().flags & INDEXED == 0
            && let Err(failure) = index(view)
        {
            quick::raise(|py| exception(py, failure));
            return core::ptr::null_mut();
        }
        found(view, field)
    }
}

/// Returns the value of a field that was located.
///
/// # Safety
/// As [`read`].
unsafe fn found(view: View<'_>, field: &LazyField) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        let place = view.places()[field.index];
        if place.last == 0 || field.kind == Kind::Rest {
            return value::absent(view, field);
        }
        let span = span_of(view, field);
        match (field.kind, First::of(view.class.format, span)) {
            (Kind::Message(record), First::Record | First::Parts) => kept(view, field, nested(view, record, span)),
            (Kind::Items(_, record @ Some(_)), First::List) => kept(view, field, items::of(view, field, record, place)),
            (Kind::Message(_) | Kind::Items(..) | Kind::Made(true), first) if first != First::Null => {
                kept(view, field, value::made(view, field))
            }
            _ => value::made(view, field),
        }
    }
}

/// Returns the view of a nested record: a new reference, or null with an exception.
///
/// # Safety
/// As [`read`].
unsafe fn nested(view: View<'_>, record: usize, span: &[u8]) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        let plan = view.class.plan(Python::assume_attached());
        let depth = view.depth().saturating_sub(1);
        view_within(&plan, record, view, span, depth)
    }
}
