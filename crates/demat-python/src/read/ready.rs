//! Objects that are ready to be given out.

use crate::object::Object;
use pyo3::ffi;
use pyo3::{PyTraverseError, PyVisit, prelude::*};
use std::mem::ManuallyDrop;

/// Objects in the order in which they are given out.
#[derive(Default)]
pub(crate) struct Ready {
    /// Those before `next` were given away.
    objects: Vec<*mut ffi::PyObject>,
    next: usize,
}

impl Ready {
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.objects.len() - self.next
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, object: Object) {
        self.objects.push(object.into_ptr());
    }

    /// The next one; null where there is none. The reference is the caller's.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> *mut ffi::PyObject {
        if let Some(object) = self.objects.get(self.next) {
            self.next += 1;
            return *object;
        }
        self.objects.clear();
        self.next = 0;
        std::ptr::null_mut()
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for object in &self.objects[self.next..] {
            // SAFETY: one of our references, looked at and not given back.
            let object =
                ManuallyDrop::new(unsafe { Bound::from_owned_ptr(Python::assume_attached(), *object) }.unbind());
            visit.call(&*object)?;
        }
        Ok(())
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        loop {
            let object = self.pop();
            if object.is_null() {
                return;
            }
            // SAFETY: it was ours; readers end with the GIL held.
            drop(unsafe { Object::owned(object) });
        }
    }
}
