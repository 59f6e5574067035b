//! Asking for memory before it is needed.
//!
//! Objects are all over the place, and waiting for each of them takes longer than writing it. So a walk over a list asks
//! for what it will come to: for an item when it is far away, and nearer for what the item leads to.

use super::Lent;
use super::lent::{dict_class, list_class};
use super::pairs;
use crate::object::Object;
use crate::plan::RecordPlan;
use pyo3::ffi;

/// So many items before it is needed an item is asked for, then what it points at, then what that points at.
const FAR: isize = 16;
const MIDDLE: isize = 11;
const NEAR: isize = 6;
/// Of so many parts of an item at most.
const PARTS: usize = 16;

/// For a list of records of one class.
///
/// # Safety
/// The object is a list. The plan is that of the class.
#[inline(always)]
pub(super) unsafe fn of_records(list: &Object, index: isize, class: *mut ffi::PyTypeObject, plan: &RecordPlan) {
    // SAFETY: a list; the indices are inside of it. Its items live, and their slots can be read after a look at the class.
    unsafe {
        if index + FAR >= ffi::PyList_GET_SIZE(list.as_ptr()) {
            return;
        }
        prefetch(ffi::PyList_GET_ITEM(list.as_ptr(), index + FAR));
        let near = ffi::PyList_GET_ITEM(list.as_ptr(), index + NEAR);
        if ffi::Py_TYPE(near) == class {
            for offset in plan.writes.iter().take(PARTS).filter_map(|field| field.quick) {
                prefetch(*near.byte_offset(offset.get()).cast::<*mut ffi::PyObject>());
            }
        }
    }
}

/// For a list of anything, of which an item of this class was told.
///
/// # Safety
/// The object is a list.
#[inline(always)]
pub(super) unsafe fn of_items(list: &Object, index: isize, class: *mut ffi::PyTypeObject) {
    // SAFETY: a list; the indices are inside of it. Its items live, and are looked into after a look at the class.
    unsafe {
        if index + FAR >= ffi::PyList_GET_SIZE(list.as_ptr()) {
            return;
        }
        prefetch(ffi::PyList_GET_ITEM(list.as_ptr(), index + FAR));
        let middle = Lent::new(ffi::PyList_GET_ITEM(list.as_ptr(), index + MIDDLE));
        let near = Lent::new(ffi::PyList_GET_ITEM(list.as_ptr(), index + NEAR));
        if class == dict_class() && middle.is_exactly(class) && near.is_exactly(class) {
            prefetch((*middle.as_ptr().cast::<ffi::PyDictObject>()).ma_keys.cast());
            if let Some(pairs) = pairs::of(near.as_ptr()) {
                (0..pairs.len.min(PARTS)).for_each(|index| prefetch(pairs.get(index).value));
            }
        } else if class == list_class() && middle.is_exactly(class) && near.is_exactly(class) {
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
