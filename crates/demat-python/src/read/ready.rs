//! A queue of decoded objects.

use super::on_error::Refused;
use crate::object::Object;
use demat_formats::stream::HeaderChange;
use pyo3::ffi;
use pyo3::{PyTraverseError, PyVisit, prelude::*};
use std::collections::VecDeque;
use std::mem::ManuallyDrop;

/// What stands between decoded objects.
pub(crate) enum Aside {
    Refused(Refused),
    /// A change of the fields around the records.
    Header(HeaderChange),
}

/// Decoded objects in order, and what stands between them.
#[derive(Default)]
pub(crate) struct Ready {
    /// The references before `next` are the callers'. Null stands for an aside.
    objects: Vec<*mut ffi::PyObject>,
    next: usize,
    asides: VecDeque<Aside>,
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

    /// Forgets the references that are the callers' if there are no others, so that the queue does not grow with them.
    #[inline]
    pub(crate) fn tidy(&mut self) {
        if self.len() == 0 {
            self.objects.clear();
            self.next = 0;
        }
    }

    /// Adds what is no object.
    #[cold]
    pub(crate) fn push_aside(&mut self, aside: Aside) {
        self.objects.push(std::ptr::null_mut());
        self.asides.push_back(aside);
    }

    /// Pops what is next, if it is no object.
    #[cold]
    pub(crate) fn pop_aside(&mut self) -> Option<Aside> {
        self.objects.get(self.next).filter(|object| object.is_null())?;
        self.next += 1;
        self.asides.pop_front()
    }

    /// Returns whether there are asides.
    pub(crate) fn has_asides(&self) -> bool {
        !self.asides.is_empty()
    }

    /// Takes what is behind the next `len` objects, none of which is an aside.
    #[cold]
    pub(crate) fn split_off(&mut self, len: usize) -> Self {
        let objects = self.objects.split_off(self.next + len);
        Self { objects, next: 0, asides: std::mem::take(&mut self.asides) }
    }

    /// Pops the next object, whose reference the caller owns; null if there is none, or an aside is next.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> *mut ffi::PyObject {
        if let Some(object) = self.objects.get(self.next) {
            self.next += usize::from(!object.is_null());
            return *object;
        }
        self.objects.clear();
        self.next = 0;
        std::ptr::null_mut()
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for object in self.objects[self.next..].iter().filter(|object| !object.is_null()) {
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
            if !object.is_null() {
                // SAFETY: owned by the queue; readers are dropped with the GIL held.
                drop(unsafe { Object::owned(object) });
            } else if self.pop_aside().is_none() {
                return;
            }
        }
    }
}
