//! A queue of decoded objects.

use crate::object::Object;
use pyo3::ffi;
use pyo3::{PyTraverseError, PyVisit, prelude::*};
use std::mem::ManuallyDrop;

/// Decoded objects in order.
#[derive(Default)]
pub(crate) struct Ready {
    /// The references before `next` are the callers'.
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

    /// Pops the next object, whose reference the caller owns; null if there is none.
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
            // SAFETY: an owned reference, which is only borrowed here.
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
            // SAFETY: owned by the queue; readers are dropped with the GIL held.
            drop(unsafe { Object::owned(object) });
        }
    }
}
