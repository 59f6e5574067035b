//! Prefetches the objects of a list.
//!
//! Objects are scattered in memory, and a cache miss takes longer than encoding one. So the encoder prefetches the
//! items ahead of its position in a list: first the item, and closer to it what the item points to.

use super::ObjectRef;
use super::object_ref::{dict_class, list_class};
use super::pairs;
use crate::plan::RecordPlan;
use pyo3::ffi;

/// Distances in items: an item is prefetched `FAR` items ahead, what it points to `MIDDLE` ahead, and what that points
/// to `NEAR` ahead.
const FAR: isize = 16;
const MIDDLE: isize = 11;
const NEAR: isize = 6;
/// The maximum number of fields of an item to prefetch.
const PARTS: usize = 16;
/// The maximum number of items of an inner list: in longer ones, adjacent items mostly have adjacent addresses.
const FEW: isize = 4;

/// Prefetches for adjacent records of one class, if enough are left.
///
/// # Safety
/// At least `left` items follow. The plan is that of the class.
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
    // SAFETY: enough items are left. They are alive, and their slots are read after a check of the class.
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

/// Prefetches for adjacent items, if enough are left. `class` is the class of the next item.
///
/// # Safety
/// At least `left` items follow.
#[inline(always)]
pub(super) unsafe fn of_items(items: *const *mut ffi::PyObject, left: usize, class: *mut ffi::PyTypeObject) {
    if left <= FAR.cast_unsigned() {
        return;
    }
    // SAFETY: enough items are left.
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
/// There are enough items for the prefetch distances.
#[inline(never)]
unsafe fn of_dicts(items: *const *mut ffi::PyObject) {
    // SAFETY: there are enough items. They are alive, and are accessed after a check of the class.
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
/// As for `of_dicts`.
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
    // SAFETY: every x86_64 CPU has the instruction, which accesses no memory and accepts any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(object.cast());
    }
    let _ = object;
}
