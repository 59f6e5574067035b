//! Iterates over the items of a list directly in its memory.

use super::ObjectRef;
use super::engine::LOOK;
use pyo3::ffi;

/// The remaining items of a list, in its memory. After user code has run, they must not be read before a check that
/// they [are](Self::are_of) still the list's.
#[derive(Clone, Copy)]
pub(super) struct Items {
    pub(super) next: *const *mut ffi::PyObject,
    end: *const *mut ffi::PyObject,
}

impl Items {
    /// Returns the items of a list.
    #[inline(always)]
    pub(super) fn of(list: ObjectRef) -> Self {
        // SAFETY: a list, as the callers have checked; if it is empty, both pointers may be null.
        unsafe {
            let next = (*list.as_ptr().cast::<ffi::PyListObject>()).ob_item.cast_const();
            Self { next, end: next.offset(ffi::PyList_GET_SIZE(list.as_ptr())) }
        }
    }

    /// Returns the next item without taking it.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<ObjectRef> {
        // SAFETY: it is before the end, and the item is alive until user code runs.
        (self.next != self.end).then(|| unsafe { ObjectRef::new(*self.next) })
    }

    /// Takes the next item.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<ObjectRef> {
        let item = self.peek()?;
        // SAFETY: it was before the end.
        self.next = unsafe { self.next.add(1) };
        Some(item)
    }

    /// Returns the items from the last one taken on.
    #[inline(always)]
    pub(super) fn with_last(self) -> Self {
        Self { next: self.next.wrapping_sub(1), ..self }
    }

    /// Returns whether to check for signals after this item. Uses the item's address as the counter.
    #[inline(always)]
    pub(super) fn is_stop(&self) -> bool {
        (self.next.addr() / size_of::<*mut ffi::PyObject>()).is_multiple_of(LOOK as usize)
    }

    /// Returns the number of remaining items.
    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        (self.end.addr() - self.next.addr()) / size_of::<*mut ffi::PyObject>()
    }

    /// Returns whether these are still the last items of the list.
    #[inline(always)]
    pub(super) fn are_of(&self, list: ObjectRef) -> bool {
        let now = Self::of(list);
        now.end == self.end && now.next <= self.next
    }
}
