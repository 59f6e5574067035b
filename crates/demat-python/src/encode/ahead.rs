//! Asking for memory before it is needed.
//!
//! Objects are all over the place, and waiting for each of them takes longer than writing it. So a walk over a list asks
//! for what it will come to: for an item when it is far away, and nearer for what the item leads to.

use super::Lent;
use super::lent::{dict_class, list_class};
use super::pairs;
use crate::plan::RecordPlan;
use pyo3::ffi;

/// So many items before it is needed an item is asked for, then what it points at, then what that points at.
const FAR: isize = 16;
const MIDDLE: isize = 11;
const NEAR: isize = 6;
/// Of so many parts of an item at most.
const PARTS: usize = 16;

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
        if ffi::Py_TYPE(near) == class {
            for offset in plan.writes.iter().take(PARTS).filter_map(|field| field.quick) {
                prefetch(*near.byte_offset(offset.get()).cast::<*mut ffi::PyObject>());
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
    if left > FAR.cast_unsigned() {
        // SAFETY: so many are left.
        unsafe { of_many_items(items, class) };
    }
}

/// # Safety
/// There are more items left than are looked ahead to.
#[inline(always)]
unsafe fn of_many_items(items: *const *mut ffi::PyObject, class: *mut ffi::PyTypeObject) {
    // SAFETY: there are so many. They live, and are looked into after a look at the class.
    unsafe {
        prefetch(*items.offset(FAR));
        if class != dict_class() && class != list_class() {
            return;
        }
        let middle = Lent::new(*items.offset(MIDDLE));
        let near = Lent::new(*items.offset(NEAR));
        if !middle.is_exactly(class) || !near.is_exactly(class) {
            return;
        }
        if class == dict_class() {
            prefetch((*middle.as_ptr().cast::<ffi::PyDictObject>()).ma_keys.cast());
            let mut pairs = pairs::of(near.as_ptr());
            for pair in (0..PARTS).map_while(|_| pairs.as_mut()?.next()) {
                prefetch(pair.value);
            }
        } else {
            prefetch((*middle.as_ptr().cast::<ffi::PyListObject>()).ob_item.cast());
            let len = ffi::PyList_GET_SIZE(near.as_ptr()).min(PARTS.cast_signed());
            (0..len).for_each(|index| prefetch(ffi::PyList_GET_ITEM(near.as_ptr(), index)));
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
