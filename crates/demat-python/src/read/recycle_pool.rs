//! A pool of instances that are refilled.

use super::refill::Refill;
use crate::decode::Ints;
use crate::object::Object;
use crate::plan::Plan;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::mem::ManuallyDrop;

/// Instances that were returned. One without other references is refilled; one that the caller kept is replaced by a
/// new one.
pub(crate) struct RecyclePool {
    refill: Refill,
    objects: Vec<Option<Object>>,
    next: usize,
    /// The number of records to decode in advance.
    pub(crate) ahead: usize,
}

// SAFETY: one thread at a time uses a reader, and it holds the GIL when it accesses objects.
unsafe impl Send for RecyclePool {}

/// The number of records decoded in advance: few, so that they stay in the first-level cache.
const AHEAD: usize = 32;

impl RecyclePool {
    /// Creates a pool for instances of a plan's class.
    ///
    /// # Errors
    /// `TypeError` if values are no instances that can be refilled.
    pub(crate) fn of(plan: Option<&Bound<'_, Plan>>, batch: Option<usize>) -> PyResult<Self> {
        let refill = Refill::of(plan)?;
        let ahead = batch.unwrap_or(AHEAD);
        // While the caller receives the next records, it still holds the last one, or the last list.
        let len = if batch.is_some() { 2 * ahead.min(1 << 20) } else { ahead + 1 };
        let mut objects = Vec::new();
        objects.resize_with(len, || None);
        Ok(Self { refill, objects, next: 0, ahead })
    }

    /// Takes the next instance and empties it, if it has no other references. Its slot in the pool is free afterwards.
    #[inline(always)]
    pub(crate) fn take(&mut self, ints: &mut Ints) -> Option<Object> {
        let object = self.objects.get_mut(self.next)?.take()?;
        if !self.refill.is_free(&object) {
            return None;
        }
        self.refill.empty(&object, ints);
        Some(object)
    }

    /// Puts the refilled instance back, to be used again later.
    #[inline(always)]
    pub(crate) fn put(&mut self, object: &Object) {
        self.refill.trim(object);
        if let Some(place) = self.objects.get_mut(self.next) {
            *place = Some(object.clone());
        }
        self.next += 1;
        if self.next == self.objects.len() {
            self.next = 0;
        }
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for object in self.objects.iter().flatten() {
            // SAFETY: an owned reference, which is only borrowed here; that needs no more than a token.
            let object = ManuallyDrop::new(
                unsafe { Bound::from_owned_ptr(Python::assume_attached(), object.as_ptr()) }.unbind(),
            );
            visit.call(&*object)?;
        }
        Ok(())
    }
}
