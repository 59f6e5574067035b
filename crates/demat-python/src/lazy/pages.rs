//! Views of records that stand in the pages of a store.

use super::Encoding;
use super::class::{ViewClass, class_of};
use super::layout::{FieldSpan, KEPT, OWNED, View, ViewBytes};
use super::open::{self, How, root_of};
use super::owner::Owner;
use crate::decode::DecodeOptions;
use crate::format::Format;
use crate::plan::Plan;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit, ffi};

/// Makes views of records of one class.
pub(crate) struct PageViews {
    class: *const ViewClass,
    /// Keeps the class alive.
    plan: Py<Plan>,
    flags: u32,
    depth: u32,
    /// Two views that are refilled alternately: the caller still holds one while it receives the other.
    ring: [Option<Py<PyAny>>; 2],
    turn: usize,
}

// SAFETY: each method needs the GIL, by its token or as its contract. The class belongs to the plan, which is held.
unsafe impl Send for PageViews {}
// SAFETY: as above.
unsafe impl Sync for PageViews {}

impl PageViews {
    /// Returns what makes views of a type's records in a format.
    ///
    /// # Errors
    /// `TypeError` if the type has no lazy records.
    pub(crate) fn new(plan: &Bound<'_, Plan>, format: Format) -> PyResult<Self> {
        let how = How::of(&DecodeOptions::new(format)).ok_or_else(|| super::no_views(format.name()))?;
        let (record, _) = root_of(plan)?;
        let encoding = Encoding::of(format).map_or(Encoding::Messages, |(encoding, _)| encoding);
        let class: *const ViewClass = class_of(plan, record, encoding)?;
        let (flags, depth) = (how.flags_without_owner(), how.depth(false));
        Ok(Self { class, plan: plan.clone().unbind(), flags, depth, ring: [None, None], turn: 0 })
    }

    /// Returns the same, without the views to refill.
    pub(crate) fn anew(&self, py: Python<'_>) -> Self {
        Self { plan: self.plan.clone_ref(py), ring: [None, None], turn: 0, ..*self }
    }

    /// Returns a view of bytes of an owner: a new reference, or null with an exception. `recycle`: refills a view that
    /// was returned before and has no other reference.
    ///
    /// # Safety
    /// The GIL is held. The owner has not been released, and keeps the bytes in place until it is.
    #[inline(always)]
    pub(crate) unsafe fn of_page(&mut self, owner: &Py<Owner>, bytes: &[u8], recycle: bool) -> *mut ffi::PyObject {
        let flags = self.flags | OWNED;
        // SAFETY: as the caller guarantees; the plan keeps the class alive, and the ring has views of it.
        unsafe {
            if !recycle {
                return open::view_of(&*self.class, owner.as_ptr(), bytes, flags, self.depth);
            }
            self.turn ^= 1;
            if let (Some(old), Ok(len)) = (&self.ring[self.turn], u32::try_from(bytes.len())) {
                let object = old.as_ptr();
                if ffi::Py_REFCNT(object) == 1 {
                    let view = View::new(object, &*self.class);
                    if view.state().flags & KEPT != 0 {
                        view.forget();
                    }
                    *view.state() = ViewBytes { data: bytes.as_ptr(), len, flags };
                    (*view.seen(), *view.depth()) = (0, self.depth);
                    view.places().fill(FieldSpan { first: 0, last: 0 });
                    ffi::Py_INCREF(object);
                    return object;
                }
            }
            let made = open::view_of(&*self.class, owner.as_ptr(), bytes, flags, self.depth);
            if !made.is_null() {
                let py = Python::assume_attached();
                let old = self.ring[self.turn].replace(Bound::from_borrowed_ptr(py, made).unbind());
                // It may be the last reference, and deallocation runs code.
                drop(old.map(|old| old.into_bound(py)));
            }
            made
        }
    }

    /// Returns a view of a copy of the bytes.
    ///
    /// # Errors
    /// `MemoryError`; `demat.LimitError` beyond 4 GiB.
    pub(crate) fn of_copy<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let copy = PyBytes::new(py, bytes);
        // SAFETY: the GIL is held; the bytes are the copy's, which is the owner.
        unsafe {
            let made = open::view_of(&*self.class, copy.as_ptr(), copy.as_bytes(), self.flags, self.depth);
            Bound::from_owned_ptr_or_err(py, made)
        }
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.plan)?;
        self.ring.iter().flatten().try_for_each(|kept| visit.call(kept))
    }
}
