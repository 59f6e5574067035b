//! The memory of views, which is used again: to be given some and to give it back takes longer than to find a field.
//!
//! A class of views whose instances have nothing but slots ends them by itself: without the steps that the interpreter takes for
//! whatever a class may have, and it leaves the memory to views to come.

use super::class::{ViewClass, knowledge};
use super::layout::{KEPT, View};
use crate::decode::Guarded;
use crate::read::slots;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::cell::Cell;

/// The memory of views that are gone, each leading to the next by the place of its owner; all else in it is zero.
pub(super) struct Spare {
    first: Cell<*mut ffi::PyObject>,
    count: Cell<u32>,
}

/// So many of a class: those of a loop, and of a message with some within.
const MOST: u32 = 8;

impl Spare {
    pub(super) fn new() -> Self {
        Self { first: Cell::new(core::ptr::null_mut()), count: Cell::new(0) }
    }
}

/// Views that are to end, as too many are ending already, each within the one before; and how many those are.
struct Ending {
    waiting: Vec<*mut ffi::PyObject>,
    depth: u32,
}

static ENDING: Guarded<Ending> = Guarded::new(Ending { waiting: Vec::new(), depth: 0 });

/// So deep within each other views end.
const DEEPEST: u32 = 40;

/// Whether instances of a class of views have references alone, all of them known, and nobody is to be told of their end.
///
/// # Errors
/// None, in truth.
fn is_simple(class: &Bound<'_, PyType>, knowledge: &ViewClass) -> PyResult<bool> {
    /// `Py_TPFLAGS_MANAGED_DICT` and `Py_TPFLAGS_MANAGED_WEAKREF`.
    const MANAGED: core::ffi::c_ulong = 1 << 4 | 1 << 3;
    let own = class.as_type_ptr();
    // SAFETY: a living class.
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
    // SAFETY: a living class, which the plan holds.
    let base = unsafe { Bound::from_borrowed_ptr(class.py(), knowledge.base.cast()).cast_into_unchecked::<PyType>() };
    let known = slots(&base)?;
    let head = size_of::<ffi::PyObject>().cast_signed();
    Ok((head..knowledge.owner).step_by(size_of::<*mut ffi::PyObject>()).all(|at| known.contains(&at)))
}

/// Lets a class that was just made end its instances by itself, if they are such.
///
/// # Errors
/// None, in truth.
pub(super) fn install(class: &Bound<'_, PyType>, knowledge: &ViewClass) -> PyResult<()> {
    if is_simple(class, knowledge)? {
        // SAFETY: there is no instance yet, and they will be such as `end` ends.
        unsafe { (*class.as_type_ptr()).tp_dealloc = Some(end) };
    }
    Ok(())
}

/// Memory for a view of the class, all of it zero but what every object has; null with an exception.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub(super) unsafe fn given(class: &ViewClass) -> *mut ffi::PyObject {
    let spare = class.spare.first.get();
    // SAFETY: what is spare is memory of an instance, with nothing in it but the way to the next.
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

/// The same from the interpreter.
///
/// # Safety
/// As there.
#[inline(never)]
unsafe fn fresh(class: &ViewClass) -> *mut ffi::PyObject {
    // SAFETY: a heap type whose allocator gives zeroed memory of its size.
    unsafe {
        let object = ffi::PyType_GenericAlloc(class.class, 0);
        if class.collected && !object.is_null() {
            // It holds nothing that could lead back to it, until a value is kept.
            ffi::PyObject_GC_UnTrack(object.cast());
        }
        object
    }
}

/// Ends a view.
unsafe extern "C" fn end(own: *mut ffi::PyObject) {
    // SAFETY: the interpreter calls it with an instance of a class of views to which nobody has a reference any more.
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
        // Code of others may run now, and the class may go.
        ffi::Py_XDECREF(owner);
        ffi::Py_DECREF(type_.cast());
    }
}

/// Gives back the values that a view keeps; false where that is to be done later, as it stands deep in others that end.
///
/// # Safety
/// As [`end`].
#[inline(never)]
unsafe fn emptied(view: View<'_>) -> bool {
    // SAFETY: as the caller says; what is borrowed of those that end is not kept while values are given back.
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
        // The outermost ends those that wait: they were to end, and nobody has them.
        while ENDING.get().depth == 1
            && let Some(own) = ENDING.get().waiting.pop()
        {
            end(own);
        }
        ENDING.get().depth -= 1;
        true
    }
}

/// Gives memory back to the interpreter.
///
/// # Safety
/// That of an instance, or what was one.
unsafe fn free(own: *mut ffi::PyObject, collected: bool) {
    // SAFETY: as the caller says.
    unsafe {
        if collected {
            ffi::PyObject_GC_Del(own.cast());
        } else {
            ffi::PyObject_Free(own.cast());
        }
    }
}

impl Drop for ViewClass {
    /// Gives back what is spare. The class itself may be gone: memory that is collected is that of an instance of any class that
    /// is collected.
    fn drop(&mut self) {
        let mut next = self.spare.first.get();
        while !next.is_null() {
            // SAFETY: memory of an instance, which nobody has; it is given back once, and the GIL is held.
            unsafe {
                let link = *next.wrapping_byte_offset(self.owner).cast::<*mut ffi::PyObject>();
                (*next).ob_type = &raw mut ffi::PyList_Type;
                free(next, self.collected);
                next = link;
            }
        }
    }
}
