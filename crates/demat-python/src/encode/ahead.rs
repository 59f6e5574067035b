//! Asking for memory before it is needed.

use crate::object::Object;
use crate::plan::RecordPlan;
use pyo3::ffi;

/// Asks for the memory of records further on in the list, and of what is in their slots: objects are all over the place,
/// and waiting for each of them takes longer than writing it.
///
/// # Safety
/// The object is a list. The plan is that of the class.
#[inline(always)]
pub(super) unsafe fn look(list: &Object, index: isize, class: *mut ffi::PyTypeObject, plan: &RecordPlan) {
    const FAR: isize = 16;
    const NEAR: isize = 8;
    const FIELDS: usize = 16;
    // SAFETY: a list; the indices are inside of it. Its items live, and their slots can be read after a look at the class.
    unsafe {
        let len = ffi::PyList_GET_SIZE(list.as_ptr());
        if index + FAR >= len {
            return;
        }
        prefetch(ffi::PyList_GET_ITEM(list.as_ptr(), index + FAR));
        let near = ffi::PyList_GET_ITEM(list.as_ptr(), index + NEAR);
        if ffi::Py_TYPE(near) == class {
            for offset in plan.writes.iter().take(FIELDS).filter_map(|field| field.quick) {
                prefetch(*near.byte_offset(offset.get()).cast::<*mut ffi::PyObject>());
            }
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
