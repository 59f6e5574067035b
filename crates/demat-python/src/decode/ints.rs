//! Ints that nobody has any more, to be other ints.

use crate::encode::{one_digit, set_digit};
use crate::object::Object;
use pyo3::ffi;

/// A few ints of one digit each: who fills an instance again needs as many as it takes out.
pub(crate) struct Ints {
    spare: [*mut ffi::PyObject; SPARE],
    len: usize,
}

const SPARE: usize = 16;

impl Ints {
    pub(crate) const fn new() -> Self {
        Self { spare: [std::ptr::null_mut(); SPARE], len: 0 }
    }

    /// Lets go of an object: keeps it where it is an int that nobody else has.
    ///
    /// # Safety
    /// The reference is the caller's, and given up.
    #[inline(always)]
    pub(crate) unsafe fn let_go(&mut self, object: *mut ffi::PyObject) {
        // SAFETY: a living object; `one_digit` says that it is an int, and the only reference to it is taken over.
        unsafe {
            if self.len < SPARE && ffi::Py_REFCNT(object) == 1 && one_digit(object) {
                self.spare[self.len] = object;
                self.len += 1;
            } else {
                ffi::Py_DECREF(object);
            }
        }
    }

    /// The int, of one that was let go of; null where there is none, or it is not one that would do.
    #[inline(always)]
    pub(crate) fn take(&mut self, int: i64) -> *mut ffi::PyObject {
        // Small ones are the interpreter's own.
        if self.len == 0 || !(257..1 << 30).contains(&int) {
            return std::ptr::null_mut();
        }
        self.len -= 1;
        let object = self.spare[self.len];
        // SAFETY: an int of one digit that only we have, as `let_go` saw to, and a number that one digit holds.
        unsafe { set_digit(object, int as u32) };
        object
    }
}

impl Drop for Ints {
    fn drop(&mut self) {
        for object in &self.spare[..self.len] {
            // SAFETY: the reference is ours; engines end with the GIL held.
            drop(unsafe { Object::owned(*object) });
        }
    }
}
