//! Recycles the memory of deallocated `Items`, and deallocates without PyO3's overhead.

use super::{Found, Inner, Items};
use crate::decode::Guarded;
use crate::quick;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::{Borrowed, Py};
use std::sync::OnceLock;

/// The maximum number of objects to keep.
const MOST: usize = 4;

/// Deallocated objects, with only their headers left; their contents were moved out.
struct Spare {
    objects: [*mut ffi::PyObject; MOST],
    count: usize,
}

static SPARE: Guarded<Spare> = Guarded::new(Spare { objects: [core::ptr::null_mut(); MOST], count: 0 });

/// The regular deallocator of the class, and the offset of the weak reference list in an instance.
static USUAL: OnceLock<(ffi::destructor, isize)> = OnceLock::new();

/// Installs the deallocator in the class.
pub(super) fn install(class: *mut ffi::PyTypeObject) {
    // SAFETY: a class of this module, without instances yet.
    unsafe {
        let offset = (*class).tp_weaklistoffset;
        if let Some(usual) = (*class).tp_dealloc.filter(|_| offset > 0 && USUAL.get().is_none()) {
            let _ = USUAL.set((usual, offset));
            (*class).tp_dealloc = Some(end);
        }
    }
}

/// Creates an object: a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub(super) unsafe fn made(inner: Inner) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees. A spare object is of the class and has no contents: new ones are written
    // without dropping anything.
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

/// Returns the contents of an object.
///
/// # Safety
/// The GIL is held, and it is an object of the class.
unsafe fn inside(object: *mut ffi::PyObject) -> *mut Inner {
    // SAFETY: as the caller guarantees.
    unsafe { Borrowed::from_ptr(Python::assume_attached(), object).cast_unchecked::<Items>().get().inner.get() }
}

/// Deallocates an object.
unsafe extern "C" fn end(own: *mut ffi::PyObject) {
    let Some((usual, weak)) = USUAL.get() else { return };
    // SAFETY: the interpreter calls this with `Items` without references, and with the GIL held. Moved-out contents are
    // released once, after the last access to the object.
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
        // Foreign code may run from here on. The class does not count spare objects among its instances.
        ffi::Py_DECREF(Py::into_ptr(owner));
        ffi::Py_DECREF(Py::into_ptr(class));
        ffi::Py_DECREF(ffi::Py_TYPE(own).cast());
    }
}
