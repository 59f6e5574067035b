//! Recycles int objects: changes the value of an int that has no other owner.

use crate::encode::{one_digit, set_digit};
use crate::object::Object;
use pyo3::ffi;

/// A few spare ints of one digit. Refilling a record instance releases as many ints as it needs.
pub(crate) struct Ints {
    spare: [*mut ffi::PyObject; SPARE],
    len: usize,
}

const SPARE: usize = 16;

impl Ints {
    pub(crate) const fn new() -> Self {
        Self { spare: [std::ptr::null_mut(); SPARE], len: 0 }
    }

    /// Releases an object; keeps it if it is an int with no other reference.
    ///
    /// # Safety
    /// The caller owns the reference and gives it up.
    #[inline(always)]
    pub(crate) unsafe fn let_go(&mut self, object: *mut ffi::PyObject) {
        // SAFETY: a live object; `one_digit` checks that it is an int, and its only reference is taken over.
        unsafe {
            if self.len < SPARE && ffi::Py_REFCNT(object) == 1 && one_digit(object) {
                self.spare[self.len] = object;
                self.len += 1;
            } else {
                ffi::Py_DECREF(object);
            }
        }
    }

    /// Returns a recycled int with this value. Null if there is none, or if the value does not fit into one digit.
    #[inline(always)]
    pub(crate) fn take(&mut self, int: i64) -> *mut ffi::PyObject {
        // The interpreter shares the small ints.
        if self.len == 0 || !(257..1 << 30).contains(&int) {
            return std::ptr::null_mut();
        }
        self.len -= 1;
        let object = self.spare[self.len];
        // SAFETY: an int of one digit with no other owner, as `let_go` checked, and a value that fits into one digit.
        unsafe { set_digit(object, int as u32) };
        object
    }
}

impl Drop for Ints {
    fn drop(&mut self) {
        for object in &self.spare[..self.len] {
            // SAFETY: the reference is owned here; engines end with the GIL held.
            drop(unsafe { Object::owned(*object) });
        }
    }
}
