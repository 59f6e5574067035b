//! A few instances, filled again and again.

use super::refill::Refill;
use crate::decode::Ints;
use crate::object::Object;
use crate::plan::Plan;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::mem::ManuallyDrop;

/// Instances that were given out. One that nobody else has any more is filled again; in the place of one that somebody kept,
/// a new one comes.
pub(crate) struct RecyclePool {
    refill: Refill,
    objects: Vec<Option<Object>>,
    next: usize,
    /// How many are decoded ahead.
    pub(crate) ahead: usize,
}

// SAFETY: a reader is used by one thread at a time, which holds the GIL where objects are touched.
unsafe impl Send for RecyclePool {}

/// So many records are decoded before the first of them is given out: few, so that they stay in the first-level cache.
const AHEAD: usize = 32;

impl RecyclePool {
    /// A ring for instances of the class that a plan is for.
    ///
    /// # Errors
    /// `TypeError` where values are no instances that can be filled again.
    pub(crate) fn of(plan: Option<&Bound<'_, Plan>>, batch: Option<usize>) -> PyResult<Self> {
        let refill = Refill::of(plan)?;
        let ahead = batch.unwrap_or(AHEAD);
        // Who is given the next ones still has the last one, or the last list of them.
        let len = if batch.is_some() { 2 * ahead.min(1 << 20) } else { ahead + 1 };
        let mut objects = Vec::new();
        objects.resize_with(len, || None);
        Ok(Self { refill, objects, next: 0, ahead })
    }

    /// The instance whose turn it is, emptied, if nobody has it; the place in the ring is free then.
    #[inline(always)]
    pub(crate) fn take(&mut self, ints: &mut Ints) -> Option<Object> {
        let object = self.objects.get_mut(self.next)?.take()?;
        if !self.refill.is_free(&object) {
            return None;
        }
        self.refill.empty(&object, ints);
        Some(object)
    }

    /// The instance that was filled, given out next.
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
            // SAFETY: one of our references, looked at and not given back; no more than a token is needed for that.
            let object = ManuallyDrop::new(
                unsafe { Bound::from_owned_ptr(Python::assume_attached(), object.as_ptr()) }.unbind(),
            );
            visit.call(&*object)?;
        }
        Ok(())
    }
}
