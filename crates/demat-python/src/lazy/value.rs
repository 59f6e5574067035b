//! Values that the decoder creates, and the values of absent fields.

use super::Encoding;
use super::class::{Kind, LazyField};
use super::field::kept;
use super::layout::{FieldSpan, INDEXED, View};
use super::{items, keyed};
use crate::decode;
use crate::error::{Failure, exception};
use crate::object::Object;
use crate::plan::{Default, Node};
use crate::quick;
use demat_core::{Error, ErrorKind};
use demat_formats::proto::raw;
use demat_formats::stream::{Base, Part};
use pyo3::exceptions::PyAttributeError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Decodes the value of a field: a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held, the view is alive, and its bytes are available.
#[inline(never)]
pub(super) unsafe fn made(view: View<'_>, field: &LazyField) -> *mut ffi::PyObject {
    // SAFETY: engines run with the GIL held.
    let py = unsafe { Python::assume_attached() };
    match fresh(py, view, field) {
        Ok(object) => object.into_ptr(),
        Err(raised) => {
            quick::raise(|_| raised);
            core::ptr::null_mut()
        }
    }
}

/// Decodes the value from the bytes, regardless of kept or set values.
///
/// # Errors
/// Errors of the value.
pub(super) fn fresh(py: Python<'_>, view: View<'_>, field: &LazyField) -> PyResult<Object> {
    let (_, program) = view.class.planned();
    if view.class.format.is_keyed() {
        return keyed::fresh(py, view, field);
    }
    let planned = field.planned();
    if field.kind == Kind::Rest {
        let bytes = view.bytes();
        let whole = decode::record_of_message(py, bytes, program, view.class.record, *view.depth());
        let whole = whole.map_err(|failure| exception(py, failure))?.into_bound(py);
        return whole.getattr(planned.name.bind(py)).map(|value| Object::of(&value));
    }
    let place = view.places()[field.index];
    if place.last == 0 {
        return default(py, field, || not_there(py, view, field));
    }
    match of_message(py, view, field) {
        Ok(Some(object)) => Ok(object),
        Ok(None) => default(py, field, || not_there(py, view, field)),
        Err(failure) => Err(exception(py, failure)),
    }
}

/// Decodes the value of a message's field. For an absent field, returns the default of its type, or `None`.
///
/// # Errors
/// Errors of the value.
pub(super) fn of_message(py: Python<'_>, view: View<'_>, field: &LazyField) -> Result<Option<Object>, Failure> {
    let (_, program) = view.class.planned();
    let planned = field.planned();
    let (bytes, place) = (view.bytes(), view.places()[field.index]);
    if place.last == 0 {
        return of_nothing(py, field);
    }
    let from = place.first as usize - 1;
    let to = raw::read(bytes, place.last as usize - 1).map_or(bytes.len(), |part| part.end);
    let part =
        Part { bytes: &bytes[from..to], last: true, base: Base { offset: offset(view, from), ..Base::default() } };
    // User code may write to the bytes.
    let copied;
    let part = if program.runs_code {
        copied = part.bytes.to_vec();
        Part { bytes: &copied, ..part }
    } else {
        part
    };
    decode::one_field(py, part, program, &field.alone, (&planned.node, &field.label), *view.depth())
}

/// Returns the offset of a message's byte in the whole data.
fn offset(view: View<'_>, at: usize) -> u64 {
    // SAFETY: the owner is a `bytes` object or holds a buffer, and the view's bytes are part of it.
    let start = unsafe { super::open::start_of(*view.owner()) };
    let here = view.state().data.addr() + at;
    here.checked_sub(start).unwrap_or(at) as u64
}

/// Returns the value of an absent field; keeps it if it is mutable.
///
/// # Safety
/// As [`made`].
#[inline(never)]
pub(super) unsafe fn absent(view: View<'_>, field: &LazyField) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        let py = Python::assume_attached();
        if field.kind == Kind::Rest {
            return kept(view, field, made(view, field));
        }
        if let Kind::Items(_, record) = field.kind
            && view.class.format == Encoding::Messages
            && matches!(field.planned().default, Default::List | Default::None)
            && matches!(field.planned().node, Node::List(_))
        {
            // An absent list behaves like one that is present.
            return kept(view, field, items::of(view, field, record, FieldSpan { first: 0, last: 0 }));
        }
        match default(py, field, || not_there(py, view, field)) {
            Ok(object) => {
                let planned = field.planned();
                let shared = matches!(planned.default, Default::Value(_))
                    || ffi::PyObject_GC_IsTracked(object.as_ptr()) == 0 && !is_container(&object);
                if shared { object.into_ptr() } else { kept(view, field, object.into_ptr()) }
            }
            Err(raised) => {
                quick::raise(|_| raised);
                core::ptr::null_mut()
            }
        }
    }
}

fn is_container(object: &Object) -> bool {
    // SAFETY: a live object.
    unsafe {
        ffi::PyList_Check(object.as_ptr()) != 0
            || ffi::PyDict_Check(object.as_ptr()) != 0
            || ffi::PyByteArray_Check(object.as_ptr()) != 0
            || ffi::PyAnySet_Check(object.as_ptr()) != 0
    }
}

/// Returns the value of an absent field.
///
/// # Errors
/// The error of `missing` if the field has no default; exceptions of a factory.
pub(super) fn default(py: Python<'_>, field: &LazyField, missing: impl FnOnce() -> PyErr) -> PyResult<Object> {
    let planned = field.planned();
    match &planned.default {
        Default::Value(value) => Ok(Object::of(value.bind(py))),
        // SAFETY: the GIL is held.
        Default::List => Object::new(unsafe { ffi::PyList_New(0) }),
        // SAFETY: as above.
        Default::Dict => Object::new(unsafe { ffi::PyDict_New() }),
        Default::Factory(factory) => factory.bind(py).call0().map(|value| Object::of(&value)),
        Default::None if matches!(field.kind, Kind::Rest | Kind::Unread) || !planned.required => {
            let name = planned.name.bind(py);
            Err(PyAttributeError::new_err(format!("`{name}` has no value: it did not come, and has no default")))
        }
        Default::None if field.class().format.is_keyed() => Err(missing()),
        Default::None => {
            let made = of_nothing(py, field).map_err(|failure| exception(py, failure))?;
            made.ok_or_else(missing)
        }
    }
}

/// Returns the value of a message's absent field without a default: the default of its type, or `None`.
fn of_nothing(py: Python<'_>, field: &LazyField) -> Result<Option<Object>, Failure> {
    let (planned, (_, program)) = (field.planned(), field.class().planned());
    let made = decode::one_field(py, Part::whole(&[]), program, &field.alone, (&planned.node, &field.label), 1)?;
    Ok(made.or_else(|| matches!(planned.node, Node::Optional(_)).then(Object::none)))
}

/// Returns the error for an absent required field.
#[cold]
pub(super) fn not_there(py: Python<'_>, view: View<'_>, field: &LazyField) -> PyErr {
    let error = Error::missing(&field.label);
    let error = if view.class.format.is_keyed() { error.at(keyed::end_of(view)) } else { error };
    exception(py, Failure::from(error))
}

/// Sets the exception for malformed bytes, with the decoder's error for the whole message, and returns null.
///
/// # Safety
/// As [`made`].
#[cold]
#[inline(never)]
pub(super) unsafe fn explained(view: View<'_>) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    let py = unsafe { Python::assume_attached() };
    let raised = not_a_message(py, view);
    quick::raise(|_| raised);
    core::ptr::null_mut()
}

/// Returns the error for malformed bytes of a message.
pub(super) fn not_a_message(py: Python<'_>, view: View<'_>) -> PyErr {
    let (_, program) = view.class.planned();
    view.state().flags &= !INDEXED;
    match decode::record_of_message(py, view.bytes(), program, view.class.record, *view.depth()) {
        Err(failure) => exception(py, failure),
        Ok(_) => exception(py, Failure::from(Error::new(ErrorKind::Syntax, "the message is not well-formed"))),
    }
}
