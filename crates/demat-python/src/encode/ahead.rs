//! Asking for memory before it is needed.
//!
//! Objects are all over the place, and waiting for each of them takes longer than writing it. So a walk over a list asks
//! for what it will come to: for an item when it is far away, and nearer for what the item leads to.

use super::ObjectRef;
use super::object_ref::{dict_class, list_class};
use super::pairs;
use crate::plan::RecordPlan;
use pyo3::ffi;

/// So many items before it is needed an item is asked for, then what it points at, then what that points at.
const FAR: isize = 16;
const MIDDLE: isize = 11;
const NEAR: isize = 6;
/// Of so many parts of an item at most.
const PARTS: usize = 16;
/// And of a list's: what are many lie in a row, mostly, as they were made.
const FEW: isize = 4;

/// For records of one class that stand in a row, if there are so many more.
///
/// # Safety
/// There are so many items as are said to be left. The plan is that of the class.
#[inline(always)]
pub(super) unsafe fn of_records(
    items: *const *mut ffi::PyObject,
    left: usize,
    class: *mut ffi::PyTypeObject,
    plan: &RecordPlan,
) {
    if left <= FAR.cast_unsigned() {
        return;
    }
    // SAFETY: so many are left. They live, and their slots can be read after a look at the class.
    unsafe {
        prefetch(*items.offset(FAR));
        let near = *items.offset(NEAR);
        if ffi::Py_TYPE(near) == class
            && let Some(slots) = &plan.slots
        {
            for offset in &slots[..slots.len().min(PARTS)] {
                prefetch(*near.byte_offset(*offset).cast::<*mut ffi::PyObject>());
            }
        }
    }
}

/// For items that stand in a row, of which one of this class comes next, if there are so many more.
///
/// # Safety
/// There are so many items as are said to be left.
#[inline(always)]
pub(super) unsafe fn of_items(items: *const *mut ffi::PyObject, left: usize, class: *mut ffi::PyTypeObject) {
    if left <= FAR.cast_unsigned() {
        return;
    }
    // SAFETY: so many are left.
    unsafe {
        prefetch(*items.offset(FAR));
        if class == dict_class() {
            of_dicts(items);
        } else if class == list_class() {
            of_lists(items);
        }
    }
}

/// # Safety
/// There are as many items as are looked ahead to.
#[inline(never)]
unsafe fn of_dicts(items: *const *mut ffi::PyObject) {
    // SAFETY: there are so many. They live, and are looked into after a look at the class.
    unsafe {
        let (middle, near) = (ObjectRef::new(*items.offset(MIDDLE)), ObjectRef::new(*items.offset(NEAR)));
        if !middle.is_exactly(dict_class()) || !near.is_exactly(dict_class()) {
            return;
        }
        prefetch((*middle.as_ptr().cast::<ffi::PyDictObject>()).ma_keys.cast());
        let Some(mut pairs) = pairs::of(near.as_ptr()) else { return };
        for _ in 0..PARTS {
            let Some(pair) = pairs.next() else { return };
            prefetch(pair.value);
        }
    }
}

/// # Safety
/// As above.
#[inline(never)]
unsafe fn of_lists(items: *const *mut ffi::PyObject) {
    // SAFETY: as above.
    unsafe {
        let (middle, near) = (ObjectRef::new(*items.offset(MIDDLE)), ObjectRef::new(*items.offset(NEAR)));
        if !middle.is_exactly(list_class()) || !near.is_exactly(list_class()) {
            return;
        }
        prefetch((*middle.as_ptr().cast::<ffi::PyListObject>()).ob_item.cast());
        let len = ffi::PyList_GET_SIZE(near.as_ptr()).min(FEW);
        for index in 0..len {
            prefetch(ffi::PyList_GET_ITEM(near.as_ptr(), index));
        }
    }
}

#[inline(always)]
fn prefetch(object: *mut ffi::PyObject) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86_64 has the instruction, which reads nothing and may be given any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(object.cast());
    }
    let _ = object;
}
