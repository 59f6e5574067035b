//! Getters and setters of a message view's fields: a field is located and decoded on access, and kept if its value is
//! mutable.

use super::class::{Kind, LazyField, ViewClass};
use super::layout::{FieldSpan, INDEXED, KEPT, ORDERED, View};
use super::owner::released;
use super::{group, items, number, open, ordered, value};
use crate::decode;
use crate::quick;
use demat_formats::proto::Form;
use demat_formats::proto::raw::{self, LEN, RawField};
use pyo3::exceptions::PyAttributeError;
use pyo3::ffi;
use std::ffi::{c_int, c_void};

/// The getter.
pub(super) unsafe extern "C" fn get(own: *mut ffi::PyObject, field: *mut c_void) -> *mut ffi::PyObject {
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
#[inline(always)]
pub(super) unsafe fn read(view: View<'_>, field: &LazyField) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees; slots contain null or live objects.
    unsafe {
        if let Some(known) = known(view, field) {
            return known;
        }
        let (flags, bytes) = (view.state().flags, view.bytes());
        if flags & INDEXED == 0 {
            let found = if flags & ORDERED == 0 { index(view, bytes) } else { ordered::index(view, field, bytes) };
            if !found {
                return value::explained(view);
            }
        }
        found(view, field, bytes)
    }
}

/// Returns the result that needs no access to the bytes, if there is one: a new reference to the kept value; or null
/// with an exception if the bytes were released.
///
/// # Safety
/// As [`read`].
#[inline(always)]
pub(super) unsafe fn known(view: View<'_>, field: &LazyField) -> Option<*mut ffi::PyObject> {
    // SAFETY: as the caller guarantees; slots contain null or live objects.
    unsafe {
        if view.state().flags & KEPT != 0 {
            let kept = *view.kept(field.index);
            if !kept.is_null() {
                ffi::Py_INCREF(kept);
                return Some(kept);
            }
        }
        if view.is_released() {
            quick::raise(|_| released());
            return Some(core::ptr::null_mut());
        }
        None
    }
}

/// Locates all fields. Parts of a list may be anywhere in the message, and the last occurrence of a single value
/// counts, so the message is scanned to its end.
#[inline(always)]
pub(super) fn index(view: View<'_>, bytes: &[u8]) -> bool {
    let places = view.places();
    let class: &ViewClass = view.class;
    let mut at = 0;
    while at < bytes.len() {
        let Some(part) = raw::read(bytes, at) else { return false };
        at = noted(class, places, bytes, part);
    }
    view.state().flags |= INDEXED;
    if class.grouped {
        group::settle(view, bytes);
    }
    true
}

/// Records the position of a field; returns the position of the next one.
#[inline(always)]
pub(super) fn noted(class: &ViewClass, places: &mut [FieldSpan], bytes: &[u8], part: RawField) -> usize {
    let Some(place) = class.of_number(part.number).and_then(|index| places.get_mut(index)) else { return part.end };
    let behind = part.tag as u32 + 1;
    if place.first == 0 {
        place.first = behind;
    }
    let more = raw::repeats(bytes, part) * (part.end - part.tag);
    place.last = (part.tag + more) as u32 + 1;
    part.end + more
}

/// Returns the value of a field that was located.
///
/// # Safety
/// As [`read`].
#[inline(always)]
unsafe fn found(view: View<'_>, field: &LazyField, bytes: &[u8]) -> *mut ffi::PyObject {
    let place = view.places()[field.index];
    // SAFETY: as the caller guarantees.
    unsafe {
        if place.last == 0 {
            return value::absent(view, field);
        }
        let single = match field.kind {
            // The last occurrence counts; the decoder also validates the earlier ones.
            Kind::Text | Kind::Bytes | Kind::Bool | Kind::Int(_) | Kind::Float(_) if place.first == place.last => {
                scalar(field.kind, bytes, place)
            }
            _ => None,
        };
        match single {
            Some(object) => object,
            None => compound(view, field, place),
        }
    }
}

/// Decodes a scalar; returns `None` if it is not of the field's type, which the decoder then reports.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
unsafe fn scalar(kind: Kind, bytes: &[u8], place: FieldSpan) -> Option<*mut ffi::PyObject> {
    let part = raw::read(bytes, place.last as usize - 1)?;
    // SAFETY: as the caller guarantees.
    unsafe {
        match kind {
            Kind::Text if part.wire == LEN => {
                let content = content(bytes, part.at, part.end)?;
                decode::text_object(content)
            }
            Kind::Bytes if part.wire == LEN => {
                let content = content(bytes, part.at, part.end)?;
                Some(ffi::PyBytes_FromStringAndSize(content.as_ptr().cast(), content.len().cast_signed()))
            }
            Kind::Bool if part.wire == raw::VARINT => {
                let (bits, _) = number::bits(bytes, part.at, Form::Bool)?;
                Some(number::object(bits, Form::Bool))
            }
            Kind::Int(form) | Kind::Float(form) if part.wire == number::wire_of(form) => {
                let (bits, _) = number::bits(bytes, part.at, form)?;
                Some(number::object(bits, form))
            }
            _ => None,
        }
    }
}

/// Returns the content behind the length at an offset. `None` if it does not end at `end`.
#[inline(always)]
pub(super) fn content(bytes: &[u8], at: usize, end: usize) -> Option<&[u8]> {
    // The length is at `at`.
    let (len, begin) = raw::length(bytes, at)?;
    (begin + len == end).then(|| bytes.get(begin..end)).flatten()
}

/// Returns a value that has parts or that the decoder creates.
///
/// # Safety
/// As [`read`].
#[inline(never)]
unsafe fn compound(view: View<'_>, field: &LazyField, place: FieldSpan) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe {
        match field.kind {
            Kind::Message(record) => kept(view, field, open::nested(view, field, record, place)),
            Kind::Items(_, record) => kept(view, field, items::of(view, field, record, place)),
            Kind::Made(true) => kept(view, field, value::made(view, field)),
            _ => value::made(view, field),
        }
    }
}

/// Keeps a mutable value, so that later reads return the same object with its changes.
///
/// # Safety
/// As [`read`]; the value is a new reference, or null with an exception.
pub(super) unsafe fn kept(view: View<'_>, field: &LazyField, value: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees; the slot is for references, and owns its value.
    unsafe {
        if !value.is_null() {
            put(view, field.index, value);
            ffi::Py_INCREF(value);
        }
    }
    value
}

/// Stores a reference in the slot of a field.
///
/// # Safety
/// As [`read`]; this takes over the reference.
unsafe fn put(view: View<'_>, index: usize, value: *mut ffi::PyObject) {
    // SAFETY: as the caller guarantees. The old reference is released after the slot has the new one.
    unsafe {
        if view.class.collected && ffi::PyObject_GC_IsTracked(view.object) == 0 {
            // It can be part of a cycle only once it refers to other objects.
            ffi::PyObject_GC_Track(view.object.cast());
        }
        view.state().flags |= KEPT;
        let old = core::mem::replace(&mut *view.kept(index), value);
        ffi::Py_XDECREF(old);
    }
}

/// The setter. The bytes stay unchanged until the view is encoded.
pub(super) unsafe extern "C" fn set(own: *mut ffi::PyObject, value: *mut ffi::PyObject, field: *mut c_void) -> c_int {
    // SAFETY: as for `get`; a null value means to delete the attribute.
    unsafe {
        let done = quick::run(|| {
            let field = &*field.cast::<LazyField>().cast_const();
            if value.is_null() || field.kind == Kind::Rest {
                let what = if value.is_null() { "be deleted" } else { "be set: it keeps what the class does not have" };
                let message = format!("field `{}` of a lazy record can't {what}", field.label);
                quick::raise(|_| PyAttributeError::new_err(message));
                return None;
            }
            let view = View::new(own, field.class());
            ffi::Py_INCREF(value);
            view.set(field.index);
            put(view, field.index, value);
            if !field.rivals.is_empty() && value != ffi::Py_None() {
                group::clear_rivals(view, field);
            }
            Some(own)
        });
        if done.is_null() { -1 } else { 0 }
    }
}
