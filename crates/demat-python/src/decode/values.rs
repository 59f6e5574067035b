//! Decodes records that are created from all their values at once: by a call, as a tuple, as a dict.

use super::record::astray;
use super::{Engine, alike};
use crate::object::{self, Object};
use crate::plan::{Make, RecordPlan, Role};
use demat_core::{Mark, Result, Source};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{ffi, intern};

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    /// Decodes the fields; returns the values of those present, by index.
    pub(super) fn fields(&mut self, plan: &'e RecordPlan) -> Result<Vec<Option<Object>>> {
        self.enter(plan)?;
        let mut values: Vec<Option<Object>> = Vec::with_capacity(plan.reads.len());
        values.resize_with(plan.reads.len(), || None);
        let next = self.source.field(&plan.read, 0)?;
        self.further_fields(plan, values, next)
    }

    /// Decodes the field that was found, if there is one, and those after it.
    fn further_fields(
        &mut self,
        plan: &'e RecordPlan,
        mut values: Vec<Option<Object>>,
        mut next: Option<usize>,
    ) -> Result<Vec<Option<Object>>> {
        while let Some(found) = next {
            let field = &plan.reads[found];
            let value = self.field_value(plan, field, || values[found].as_ref().map(Object::as_ptr))?;
            let place = values.get_mut(found).ok_or_else(astray)?;
            if place.replace(value).is_some() && field.role == Role::Value {
                self.source.repeated(&field.label)?;
            }
            next = self.source.field(&plan.read, found + 1)?;
        }
        Ok(values)
    }

    /// Decodes a record by calling its class. Absent fields with a default of the class are left to the class.
    pub(super) fn called(&mut self, plan: &'e RecordPlan) -> Result<Object> {
        let start = self.source.mark();
        let before = self.gathered();
        let values = self.fields(plan)?;
        self.called_with(plan, values, start, before)
    }

    /// Calls a class with the values of its fields.
    pub(super) fn called_with(
        &mut self,
        plan: &'e RecordPlan,
        values: Vec<Option<Object>>,
        start: Mark,
        before: usize,
    ) -> Result<Object> {
        let given = PyDict::new(self.py);
        for (field, value) in plan.reads.iter().zip(values) {
            if matches!(field.role, Role::Tag | Role::Unread) {
                continue;
            }
            let value = match value {
                Some(value) => value,
                None if field.required => match self.absent(field)? {
                    Some(value) => value,
                    None => continue,
                },
                None => continue,
            };
            if let Err(raised) = given.set_item(field.name.bind(self.py), value.into_bound(self.py)) {
                return Err(self.raised(raised));
            }
        }
        if self.gathered() > before {
            return Ok(Object::none()); // a field was refused
        }
        let class = plan.class.bind(self.py);
        let made = if plan.make == Make::Validate {
            super::model::validated(class, &given)
        } else {
            class.call((), Some(&given))
        };
        match made {
            Ok(made) => Ok(Object::of(&made)),
            Err(raised) => {
                let error = self.raised(raised);
                Err(self.about_last(start, error))
            }
        }
    }

    /// Decodes a plain dict of the fields that are present.
    ///
    /// Usually all of them come in order. Then they are gathered as those of a dict without a type, and the dict is a
    /// copy of one with the same keys.
    pub(super) fn typed_dict(&mut self, plan: &'e RecordPlan) -> Result<Object> {
        self.enter(plan)?;
        let start = self.values.len();
        let done = self.dict_in_order(plan, start);
        if done.is_err() {
            self.values.truncate(start);
        }
        done
    }

    #[inline(always)]
    fn dict_in_order(&mut self, plan: &'e RecordPlan, start: usize) -> Result<Object> {
        let mut count = 0;
        loop {
            let next = self.source.field(&plan.read, count)?;
            if next == Some(count)
                && let Some(field) = plan.reads.get(count).filter(|field| field.role == Role::Value)
            {
                let value = self.field_value(plan, field, || None)?;
                // SAFETY: the plan owns the name.
                self.values.push(unsafe { Object::shared(field.name.as_ptr()) });
                self.values.push(value);
                count += 1;
                continue;
            }
            if next.is_none() && count == plan.reads.len() {
                // SAFETY: keys are exact texts, as the plan makes them. The engine owns the entries, until the dict
                // takes them.
                if let Some(dict) = unsafe { alike::dict(&self.values[start..], true) } {
                    // SAFETY: `start` is at most the length.
                    unsafe { self.values.set_len(start) };
                    self.fresh.made(dict.as_ptr());
                    return Ok(dict);
                }
            }
            let mut values: Vec<Option<Object>> = Vec::with_capacity(plan.reads.len());
            let mut entries = self.values.drain(start..);
            while let (Some(_), Some(value)) = (entries.next(), entries.next()) {
                values.push(Some(value));
            }
            drop(entries);
            values.resize_with(plan.reads.len(), || None);
            let values = self.further_fields(plan, values, next)?;
            // SAFETY: the GIL is held.
            let dict = self.made(unsafe { ffi::PyDict_New() })?;
            return self.dict_of_fields(plan, dict, values);
        }
    }

    /// Fills an empty dict with the fields that are present.
    pub(super) fn fill_dict(&mut self, plan: &'e RecordPlan, dict: Object) -> Result<Object> {
        let values = self.fields(plan)?;
        self.dict_of_fields(plan, dict, values)
    }

    /// Fills an empty dict with values.
    fn dict_of_fields(&mut self, plan: &'e RecordPlan, dict: Object, values: Vec<Option<Object>>) -> Result<Object> {
        for (field, value) in plan.reads.iter().zip(values) {
            if matches!(field.role, Role::Tag | Role::Unread) {
                continue;
            }
            let value = match value {
                Some(value) => value,
                None => match self.absent(field)? {
                    Some(value) => value,
                    None => continue,
                },
            };
            // SAFETY: live objects, and a dict of our own.
            if unsafe { ffi::PyDict_SetItem(dict.as_ptr(), field.name.as_ptr(), value.as_ptr()) } < 0 {
                return Err(self.raised(object::fetch()));
            }
        }
        Ok(dict)
    }

    /// Decodes a named tuple: from a list, by position, or from a record, by name.
    pub(super) fn named_tuple(&mut self, plan: &'e RecordPlan) -> Result<Object> {
        let start = self.source.mark();
        let is_list = self.at_list(plan)?;
        if is_list && is_filled_in_order(plan) {
            return self.filled_tuple(plan);
        }
        let values = if is_list { self.positions(plan)? } else { self.fields(plan)? };
        let mut whole = Vec::with_capacity(plan.reads.len());
        for (field, value) in plan.reads.iter().zip(values) {
            if matches!(field.role, Role::Tag | Role::Unread) {
                continue;
            }
            let value = match value {
                Some(value) => value,
                None => self.absent(field)?.unwrap_or_else(Object::none),
            };
            whole.push(value.into_bound(self.py));
        }
        let made = PyTuple::new(self.py, whole).and_then(|values| {
            // As `cls._make` does: the class's own constructor takes the values as separate arguments.
            let new = self.py.get_type::<PyTuple>().getattr(intern!(self.py, "__new__"))?;
            new.call1((plan.class.bind(self.py), values))
        });
        match made {
            Ok(made) => Ok(Object::of(&made)),
            Err(raised) => {
                let error = self.raised(raised);
                Err(self.about_last(start, error))
            }
        }
    }
}

/// Returns whether the items of a list can be stored into an empty instance of a named tuple as they come: they are all
/// its fields in their order, it is laid out as a tuple, and no code of its class sees one that was not completed.
fn is_filled_in_order(plan: &RecordPlan) -> bool {
    let class = plan.class_ptr();
    // SAFETY: live classes: a class holds those that it is derived from.
    let is_tuple = unsafe {
        let own = |class: *mut ffi::PyTypeObject| (*class).tp_new.map(|new| new as usize);
        // As `tuple.__new__` finds out whether it may create an instance of the class.
        let mut base = class;
        while !base.is_null() && own(base) == own(class) && base != &raw mut ffi::PyTuple_Type {
            base = (*base).tp_base;
        }
        let is_tuple = !base.is_null() && own(base) == own(&raw mut ffi::PyTuple_Type);
        is_tuple && (*class).tp_finalize.is_none() && (*class).tp_del.is_none()
    };
    is_tuple
        && plan.items.len() == plan.reads.len()
        && plan.items.iter().enumerate().all(|(place, at)| place == *at)
        && plan.reads.iter().all(|field| field.role == Role::Value)
}
