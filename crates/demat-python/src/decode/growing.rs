//! A list that grows by storing items in its own memory, without a call for each.

use crate::object::{self, Object};
use pyo3::ffi;
use pyo3::prelude::*;

/// A list that is being filled. It is valid at every moment: code that finds it through the collector sees the items so
/// far.
pub(super) struct Growing {
    list: Object,
    /// The number of items that the list has memory for, as of the last call into the interpreter.
    places: isize,
}

/// The most places that are reserved for an announced length: the input may announce more items than it has, at each
/// level of nesting.
const RESERVED: usize = 1024;

impl Growing {
    /// Creates an empty list, with memory for the announced number of items.
    ///
    /// # Errors
    /// If memory runs out.
    #[inline(always)]
    pub(super) fn new(len: Option<usize>) -> PyResult<Self> {
        let places = len.unwrap_or(0).min(RESERVED).cast_signed();
        // SAFETY: the GIL is held. A list is created with null items; its size is set to zero before any other code
        // can see it, which leaves the memory for them.
        unsafe {
            let list = Object::new(ffi::PyList_New(places))?;
            (*list.as_ptr().cast::<ffi::PyVarObject>()).ob_size = 0;
            Ok(Self { list, places })
        }
    }

    /// Appends an item.
    ///
    /// # Errors
    /// If memory runs out.
    #[inline(always)]
    pub(super) fn push(&mut self, item: Object) -> PyResult<()> {
        // SAFETY: a list of our own, as declared in the interpreter's headers. Only this type changes it: hooks can't
        // reach it before it is complete, except through the collector, and then its memory is checked again.
        unsafe {
            let list = self.list.as_ptr().cast::<ffi::PyListObject>();
            let len = (*list).ob_base.ob_size;
            if len < self.places && (*list).allocated == self.places {
                (*list).ob_item.offset(len).write(item.into_ptr());
                (*list).ob_base.ob_size = len + 1;
                return Ok(());
            }
        }
        self.grow(&item)
    }

    /// Appends an item with a call, which reserves memory for more.
    #[inline(never)]
    fn grow(&mut self, item: &Object) -> PyResult<()> {
        // SAFETY: a list and a live object; the list takes its own reference.
        unsafe {
            if ffi::PyList_Append(self.list.as_ptr(), item.as_ptr()) < 0 {
                return Err(object::fetch());
            }
            self.places = (*self.list.as_ptr().cast::<ffi::PyListObject>()).allocated;
        }
        Ok(())
    }

    /// Returns the list.
    #[inline(always)]
    pub(super) fn finish(self) -> Object {
        self.list
    }
}
