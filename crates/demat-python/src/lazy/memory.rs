//! Recycles the memory of views: allocating and freeing it takes longer than locating a field.
//!
//! View classes whose instances have nothing but slots get their own deallocator. It omits the steps that the
//! interpreter performs for any class, and keeps the memory for later views.

use super::class::{ViewClass, knowledge};
use super::layout::{KEPT, View};
use crate::decode::Guarded;
use crate::read::slots;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::cell::Cell;

/// A free list: each object points to the next one through its owner slot; all else in it is zero.
pub(super) struct Spare {
    first: Cell<*mut ffi::PyObject>,
    count: Cell<u32>,
}

/// The maximum number per class: enough for a loop over messages with a few nested ones.
const MOST: u32 = 8;

impl Spare {
    pub(super) fn new() -> Self {
        Self { first: Cell::new(core::ptr::null_mut()), count: Cell::new(0) }
    }
}

/// Views to deallocate later, as too many nested ones are being deallocated; and the current nesting.
struct Ending {
    waiting: Vec<*mut ffi::PyObject>,
    depth: u32,
}

static ENDING: Guarded<Ending> = Guarded::new(Ending { waiting: Vec::new(), depth: 0 });

/// The maximum nesting of deallocations.
const DEEPEST: u32 = 40;

/// Returns whether instances of a view class contain only references, all of them known, and need no finalization.
///
/// # Errors
/// Never fails in practice.
fn is_simple(class: &Bound<'_, PyType>, knowledge: &ViewClass) -> PyResult<bool> {
    /// `Py_TPFLAGS_MANAGED_DICT` and `Py_TPFLAGS_MANAGED_WEAKREF`.
    const MANAGED: core::ffi::c_ulong = 1 << 4 | 1 << 3;
    let own = class.as_type_ptr();
    // SAFETY: a live class.
    unsafe {
        let has_more = (*own).tp_dictoffset != 0
            || (*own).tp_weaklistoffset != 0
            || (*own).tp_flags & MANAGED != 0
            || (*own).tp_finalize.is_some()
            || (*own).tp_del.is_some()
            || (*own).tp_itemsize != 0;
        if has_more {
            return Ok(false);
        }
    }
    // SAFETY: a live class, which the plan holds.
    let base = unsafe { Bound::from_borrowed_ptr(class.py(), knowledge.base.cast()).cast_into_unchecked::<PyType>() };
    let known = slots(&base)?;
    let head = size_of::<ffi::PyObject>().cast_signed();
    Ok((head..knowledge.owner).step_by(size_of::<*mut ffi::PyObject>()).all(|at| known.contains(&at)))
}

/// Installs the deallocator in a new class, if it applies.
///
/// # Errors
/// Never fails in practice.
pub(super) fn install(class: &Bound<'_, PyType>, knowledge: &ViewClass) -> PyResult<()> {
    if is_simple(class, knowledge)? {
        // SAFETY: there is no instance yet, and future ones fulfil what `end` requires.
        unsafe { (*class.as_type_ptr()).tp_dealloc = Some(end) };
    }
    Ok(())
}

/// Returns memory for a view of the class, zeroed except for the object header. Null with an exception.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub(super) unsafe fn given(class: &ViewClass) -> *mut ffi::PyObject {
    let spare = class.spare.first.get();
    // SAFETY: spare memory is that of an instance, with nothing in it but the link to the next one.
    unsafe {
        if spare.is_null() {
            return fresh(class);
        }
        let link = View::new(spare, class).owner();
        class.spare.first.set(core::mem::replace(&mut *link, core::ptr::null_mut()));
        class.spare.count.set(class.spare.count.get() - 1);
        ffi::PyObject_Init(spare, class.class)
    }
}

/// As [`given`], with new memory from the interpreter.
///
/// # Safety
/// As for [`given`].
#[inline(never)]
unsafe fn fresh(class: &ViewClass) -> *mut ffi::PyObject {
    // SAFETY: a heap type whose allocator returns zeroed memory of its size.
    unsafe {
        let object = ffi::PyType_GenericAlloc(class.class, 0);
        if class.collected && !object.is_null() {
            // It has no references that could lead back to it, until a value is kept.
            ffi::PyObject_GC_UnTrack(object.cast());
        }
        object
    }
}

/// Deallocates a view.
unsafe extern "C" fn end(own: *mut ffi::PyObject) {
    // SAFETY: the interpreter calls this with an instance of a view class without references.
    unsafe {
        let type_ = ffi::Py_TYPE(own);
        let class = &*knowledge(type_);
        let view = View::new(own, class);
        if class.collected && ffi::PyObject_GC_IsTracked(own) != 0 {
            ffi::PyObject_GC_UnTrack(own.cast());
        }
        if (view.state().flags & KEPT != 0 || view.base_slots().iter().any(|slot| !slot.is_null())) && !emptied(view) {
            return;
        }
        let owner = core::mem::replace(&mut *view.owner(), core::ptr::null_mut());
        if class.spare.count.get() < MOST {
            view.wipe();
            *view.owner() = class.spare.first.replace(own);
            class.spare.count.set(class.spare.count.get() + 1);
        } else {
            free(own, class.collected);
        }
        // Foreign code may run from here on, and the class may be deallocated.
        ffi::Py_XDECREF(owner);
        ffi::Py_DECREF(type_.cast());
    }
}

/// Releases the kept values. Returns false if the view is deferred, as it is nested deeply in others that are being
/// deallocated.
///
/// # Safety
/// As [`end`].
#[inline(never)]
unsafe fn emptied(view: View<'_>) -> bool {
    // SAFETY: as the caller guarantees; the borrow of `ENDING` does not span the release of values.
    unsafe {
        let ending = ENDING.get();
        if ending.depth >= DEEPEST {
            ending.waiting.push(view.object);
            return false;
        }
        ending.depth += 1;
        view.forget();
        for slot in view.base_slots() {
            let old = core::mem::replace(slot, core::ptr::null_mut());
            ffi::Py_XDECREF(old);
        }
        // The outermost call deallocates the deferred views: they have no references.
        while ENDING.get().depth == 1
            && let Some(own) = ENDING.get().waiting.pop()
        {
            end(own);
        }
        ENDING.get().depth -= 1;
        true
    }
}

/// Frees the memory.
///
/// # Safety
/// The memory is that of an instance, or was.
unsafe fn free(own: *mut ffi::PyObject, collected: bool) {
    // SAFETY: as the caller guarantees.
    unsafe {
        if collected {
            ffi::PyObject_GC_Del(own.cast());
        } else {
            ffi::PyObject_Free(own.cast());
        }
    }
}

impl Drop for ViewClass {
    /// Frees the spare memory. The class itself may be gone already, so the type is replaced: the memory of collected
    /// instances is freed alike for all collected types.
    fn drop(&mut self) {
        let mut next = self.spare.first.get();
        while !next.is_null() {
            // SAFETY: memory of an instance without references, freed once, with the GIL held.
            unsafe {
                let link = *next.wrapping_byte_offset(self.owner).cast::<*mut ffi::PyObject>();
                (*next).ob_type = &raw mut ffi::PyList_Type;
                free(next, self.collected);
                next = link;
            }
        }
    }
}
