//! The memory of items that are gone, which is used again, and their end without what is done around a method.

use super::{Found, Inner, Items};
use crate::decode::Guarded;
use crate::quick;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::{Borrowed, Py};
use std::sync::OnceLock;

/// So many are kept.
const MOST: usize = 4;

/// Objects of which nothing is left but what every new one has; what they held was moved out.
struct Spare {
    objects: [*mut ffi::PyObject; MOST],
    count: usize,
}

static SPARE: Guarded<Spare> = Guarded::new(Spare { objects: [core::ptr::null_mut(); MOST], count: 0 });

/// How the class ends its instances where they are not as usual, and where an instance has its weak references.
static USUAL: OnceLock<(ffi::destructor, isize)> = OnceLock::new();

/// Lets the class end its instances so.
pub(super) fn install(class: *mut ffi::PyTypeObject) {
    // SAFETY: a class of this module's own, which nobody uses yet.
    unsafe {
        let offset = (*class).tp_weaklistoffset;
        if let Some(usual) = (*class).tp_dealloc.filter(|_| offset > 0 && USUAL.get().is_none()) {
            let _ = USUAL.set((usual, offset));
            (*class).tp_dealloc = Some(end);
        }
    }
}

/// New items: a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub(super) unsafe fn made(inner: Inner) -> *mut ffi::PyObject {
    // SAFETY: as the caller says. What is spare is an object of the class in which no items are: new ones are put there, and
    // what was there is not dropped.
    unsafe {
        let spare = SPARE.get();
        if let Some(count) = spare.count.checked_sub(1) {
            spare.count = count;
            let object = spare.objects[count];
            ffi::PyObject_Init(object, ffi::Py_TYPE(object));
            core::ptr::write(inside(object), inner);
            ffi::PyObject_GC_Track(object.cast());
            return object;
        }
        match Bound::new(Python::assume_attached(), Items { inner: core::cell::UnsafeCell::new(inner) }) {
            Ok(items) => items.into_ptr(),
            Err(raised) => {
                quick::raise(|_| raised);
                core::ptr::null_mut()
            }
        }
    }
}

/// Where an object has its items.
///
/// # Safety
/// The GIL is held, and it is an object of the class.
unsafe fn inside(object: *mut ffi::PyObject) -> *mut Inner {
    // SAFETY: as the caller says.
    unsafe { Borrowed::from_ptr(Python::assume_attached(), object).cast_unchecked::<Items>().get().inner.get() }
}

/// Ends items.
unsafe extern "C" fn end(own: *mut ffi::PyObject) {
    let Some((usual, weak)) = USUAL.get() else { return };
    // SAFETY: the interpreter calls it with such items, to which nobody has a reference any more, and the GIL held. What is moved
    // out of them is given back once, after all that is done with them.
    unsafe {
        let has_weak = !(*own.wrapping_byte_offset(*weak).cast::<*mut ffi::PyObject>()).is_null();
        let held = &*inside(own);
        let is_usual = matches!(held.found, Found::Nothing | Found::Run(..)) && held.kept.is_empty();
        if has_weak || !is_usual || SPARE.get().count == MOST {
            return usual(own);
        }
        ffi::PyObject_GC_UnTrack(own.cast());
        let inner = inside(own);
        let (owner, class) = (core::ptr::read(&raw const (*inner).owner), core::ptr::read(&raw const (*inner).class));
        if let Found::Run(_, _, copied) = &mut (*inner).found {
            drop(core::mem::take(copied));
        }
        let spare = SPARE.get();
        spare.objects[spare.count] = own;
        spare.count += 1;
        // Code of others may run now. A class that is kept counts its spare objects as none of its instances.
        ffi::Py_DECREF(Py::into_ptr(owner));
        ffi::Py_DECREF(Py::into_ptr(class));
        ffi::Py_DECREF(ffi::Py_TYPE(own).cast());
    }
}
