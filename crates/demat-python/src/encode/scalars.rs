//! Encodes runs of scalars: several by one call of the sink, for sinks whose calls have a price of their own.

use super::object_ref::{bool_class, float_class, int_class, text_class};
use super::record::within;
use super::{EncodeSink, Engine, ObjectRef, int, text};
use crate::plan::RecordPlan;
use demat_core::{Basic, Result};
use pyo3::ffi;

/// The number of scalars that are written at once.
pub(super) const RUN: usize = 16;

/// Returns a scalar of a builtin class; `None` for any other object, large ints, and text that is not Unicode.
///
/// # Safety
/// The object is alive, and no user code runs as long as the value is used.
#[inline(always)]
pub(super) unsafe fn basic<'o>(object: ObjectRef) -> Option<Basic<'o>> {
    let class = object.class();
    // SAFETY: the class was checked.
    unsafe {
        if class == text_class() {
            text::utf8_unbound(object.as_ptr()).map(Basic::Text)
        } else if class == int_class() {
            int::small(object.as_ptr()).map(Basic::I64)
        } else if object.is_none() {
            Some(Basic::Null)
        } else if class == float_class() {
            Some(Basic::Float(ffi::PyFloat_AS_DOUBLE(object.as_ptr())))
        } else if class == bool_class() {
            Some(Basic::Bool(object.as_ptr() == ffi::Py_True()))
        } else {
            None
        }
    }
}

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Writes the scalars at the start of these slots, whose first field has the index `first`. Returns their number.
    ///
    /// # Safety
    /// The object has slots at the offsets.
    #[inline(never)]
    pub(super) unsafe fn scalar_slots(
        &mut self,
        offsets: &[isize],
        first: usize,
        plan: &'e RecordPlan,
        object: ObjectRef,
    ) -> Result<usize> {
        let (mut run, mut count) = ([Basic::Null; RUN], 0);
        for ((offset, field), place) in offsets.iter().zip(&plan.writes[first..]).zip(&mut run) {
            // SAFETY: as the caller guarantees. The values of a live object are alive until user code runs, and none
            // runs here.
            let value = unsafe { *object.as_ptr().byte_offset(*offset).cast::<*mut ffi::PyObject>() };
            if value.is_null() || self.sink.tells_variants() && field.node.is_union() {
                break;
            }
            // SAFETY: as above.
            let Some(value) = (unsafe { basic(ObjectRef::new(value)) }) else { break };
            *place = value;
            count += 1;
        }
        match self.sink.field_run(&plan.write, first, &run[..count]) {
            Ok(()) => Ok(count),
            Err((at, error)) => Err(within(error, &plan.writes[first + at])),
        }
    }
}
