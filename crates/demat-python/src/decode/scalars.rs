//! Decodes runs of scalars: several by one call of the source, for sources whose calls have a price of their own.
//!
//! What a run does not have is decoded as usual, so the results and the errors are the same.

use super::growing::Growing;
use super::{Engine, LOOK, text};
use crate::object::Object;
use crate::plan::{Node, RecordPlan, Store};
use demat_core::{Basic, Next, Result, Source};
use pyo3::ffi;

/// The number of scalars that are read at once.
const RUN: usize = 16;

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    /// Fills the slots of scalar fields, from the index `expected` on, as long as the fields come in their order.
    /// Returns the field whose value is next, or `None` at the end of the record.
    #[inline(never)]
    pub(super) fn scalar_fields(
        &mut self,
        plan: &'e RecordPlan,
        object: &Object,
        expected: &mut usize,
        count: &mut usize,
    ) -> Result<Option<usize>> {
        let mut run = [(0, Basic::Null); RUN];
        loop {
            let (read, next) = self.source.field_run(&plan.read, *expected, &plan.wanted, &mut run)?;
            for (index, value) in &run[..read] {
                let Store::Offset(offset) = plan.reads[*index].store else { return Err(super::record::astray()) };
                let value = self.basic(*value)?;
                let slot: *mut *mut ffi::PyObject = object.as_ptr().wrapping_byte_offset(offset).cast();
                // SAFETY: the offset of a slot of this class, from its descriptor; the slot owns its value.
                let old = unsafe { std::ptr::replace(slot, value.into_ptr()) };
                if !old.is_null() {
                    // SAFETY: the slot owned this reference.
                    drop(unsafe { Object::owned(old) });
                }
                *expected = index + 1;
            }
            *count += read;
            match next {
                Next::More => {}
                Next::Value(index) => return Ok(Some(index)),
                Next::End => return Ok(None),
            }
        }
    }

    /// Appends the scalars at the start of a list. Returns their number, and whether the list has ended.
    #[inline(never)]
    pub(super) fn scalar_items(&mut self, node: &'e Node, list: &mut Growing) -> Result<(usize, bool)> {
        let wanted = node.wanted();
        if !wanted.is_basic() || wanted.null && !self.strict {
            return Ok((0, false));
        }
        let (mut run, mut index) = ([Basic::Null; RUN], 0);
        loop {
            let (read, next) = self.source.item_run(wanted, &mut run)?;
            for value in &run[..read] {
                let value = self.basic(*value)?;
                self.append(list, value)?;
                index += 1;
                if index % LOOK as usize == 0 {
                    self.heed()?;
                }
            }
            match next {
                Next::More => {}
                Next::End => return Ok((index, true)),
                Next::Value(_) => {
                    let value = self.item_value(node, index)?;
                    self.append(list, value)?;
                    return Ok((index + 1, false));
                }
            }
        }
    }

    #[inline(always)]
    fn append(&mut self, list: &mut Growing, value: Object) -> Result<()> {
        list.push(value).map_err(|raised| self.raised(raised))
    }

    /// Returns the object of a scalar.
    #[inline(always)]
    fn basic(&mut self, value: Basic<'a>) -> Result<Object> {
        match value {
            Basic::Null => Ok(Object::none()),
            Basic::Bool(value) => Ok(Object::bool(value)),
            Basic::I64(value) => self.small_int(value),
            // SAFETY: the GIL is held.
            Basic::Float(value) => self.made(unsafe { ffi::PyFloat_FromDouble(value) }),
            Basic::Text(value) => {
                let object = text::value_object(value);
                self.made(object)
            }
        }
    }
}
