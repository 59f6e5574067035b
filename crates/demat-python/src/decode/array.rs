//! Decodes records that stand as lists: each item is the field at its place.

use super::Engine;
use crate::object::Object;
use crate::plan::{ArrayForm, Make, RecordPlan, Role};
use demat_core::{Error, ErrorKind, Kind, Result, Source, Unknown};
use demat_formats::codec::Model;
use pyo3::ffi;

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    /// Decodes a record of an `array_like` class. Where records are rows or have numbered fields, it is read as such.
    #[inline(never)]
    pub(super) fn array(&mut self, plan: &'e RecordPlan) -> Result<Object> {
        let is_list = self.stands_as_list()?;
        match plan.make {
            Make::Fields if is_list => {
                let object = self.blank(plan)?;
                self.fresh.made(object.as_ptr());
                self.fill_from_items(plan, object)
            }
            Make::Fields => self.attributes(plan),
            _ => {
                let (start, before) = (self.source.mark(), self.gathered());
                let values = if is_list { self.positions(plan)? } else { self.fields(plan)? };
                self.called_with(plan, values, start, before)
            }
        }
    }

    /// Returns whether a record of an `array_like` class is a list here.
    pub(super) fn stands_as_list(&mut self) -> Result<bool> {
        match self.manner.model {
            Model::Numbered => Ok(false),
            Model::Cells | Model::Shaped | Model::Columns | Model::Tables => Ok(self.source.peek()? == Kind::List),
            _ => Ok(true),
        }
    }

    /// Fills an instance without values from the items of a list.
    pub(super) fn fill_from_items(&mut self, plan: &'e RecordPlan, object: Object) -> Result<Object> {
        let (start, before) = self.beginning(plan);
        self.enter_list(plan)?;
        let mut place = 0;
        while self.source.item()? {
            match plan.items.get(place) {
                None => self.surplus(plan)?,
                Some(at) if plan.reads[*at].role == Role::Value => {
                    let value = self.item_value(&plan.reads[*at].node, place)?;
                    self.put(plan, &object, &plan.reads[*at], value)?;
                }
                Some(at) => self.no_item(plan, *at, place)?,
            }
            place += 1;
        }
        self.tag_came(plan, place)?;
        // The first items came; behind the fields that stand in the data are those that are never read.
        let missing = plan.items.get(place..).unwrap_or_default().iter().copied();
        for at in missing.chain(plan.read.fields().len()..plan.reads.len()) {
            let field = &plan.reads[at];
            if field.role == Role::Value
                && let Some(value) = self.absent(field)?
            {
                self.put(plan, &object, field, value)?;
            }
        }
        self.finished(plan, object, start, before)
    }

    /// Decodes the values of a list, by the index of their fields; trailing ones may be absent.
    pub(super) fn positions(&mut self, plan: &'e RecordPlan) -> Result<Vec<Option<Object>>> {
        self.enter_list(plan)?;
        let mut values: Vec<Option<Object>> = Vec::with_capacity(plan.reads.len());
        values.resize_with(plan.reads.len(), || None);
        let mut place = 0;
        while self.source.item()? {
            match plan.items.get(place) {
                None => self.surplus(plan)?,
                Some(at) if plan.reads[*at].role == Role::Value => {
                    values[*at] = Some(self.item_value(&plan.reads[*at].node, place)?);
                }
                Some(at) => self.no_item(plan, *at, place)?,
            }
            place += 1;
        }
        self.tag_came(plan, place)?;
        Ok(values)
    }

    /// Decodes a list into a new named tuple, whose fields are all values in their order.
    pub(super) fn filled_tuple(&mut self, plan: &'e RecordPlan) -> Result<Object> {
        self.enter_list(plan)?;
        let (class, count) = (plan.class_ptr(), plan.reads.len());
        // SAFETY: a class that is laid out as a tuple; its allocator returns zeroed memory.
        let tuple =
            unsafe { (*class).tp_alloc.map_or(std::ptr::null_mut(), |alloc| alloc(class, count.cast_signed())) };
        let tuple = self.made(tuple)?;
        // Untracked, so that code which the fields run does not find it before it is complete.
        super::record::untrack(&tuple);
        // SAFETY: one of its `count` items, which is empty and owns what it gets.
        let set = |place: usize, value: Object| unsafe {
            ffi::PyTuple_SET_ITEM(tuple.as_ptr(), place.cast_signed(), value.into_ptr());
        };
        let mut place = 0;
        while self.source.item()? {
            match plan.reads.get(place) {
                Some(field) => set(place, self.item_value(&field.node, place)?),
                None => self.surplus(plan)?,
            }
            place += 1;
        }
        for (place, field) in plan.reads.iter().enumerate().skip(place) {
            set(place, self.absent(field)?.unwrap_or_else(Object::none));
        }
        // SAFETY: an instance of a class that the collector supports, as all tuples are, which is not tracked.
        unsafe { ffi::PyObject_GC_Track(tuple.as_ptr().cast()) };
        Ok(tuple)
    }

    /// Refuses a list that is too short for its tag: by place, the next field would be taken for it.
    fn tag_came(&self, plan: &RecordPlan, count: usize) -> Result<()> {
        match plan.items.first().map(|at| &plan.reads[*at]) {
            Some(field) if count == 0 && field.role == Role::Tag => {
                Err(Error::missing(&field.label).at(self.source.position()))
            }
            _ => Ok(()),
        }
    }

    fn enter_list(&mut self, plan: &RecordPlan) -> Result<()> {
        self.descend()?;
        match self.source.list() {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == ErrorKind::Type => {
                Err(error.expecting(format!("a `list` as `{}`", plan.name)))
            }
            Err(error) => Err(error),
        }
    }

    /// Handles an item that is no value: the tag, or a field that is never read.
    fn no_item(&mut self, plan: &'e RecordPlan, at: usize, place: usize) -> Result<()> {
        let passed = if plan.reads[at].role == Role::Tag { self.tag_value(plan) } else { self.source.skip() };
        passed.map_err(|error| error.within_item(place))
    }

    /// Skips an item that the class does not have, unless that is forbidden. Named tuples allow none.
    fn surplus(&mut self, plan: &RecordPlan) -> Result<()> {
        if plan.form == ArrayForm::List && plan.read.unknown() != Unknown::Forbid {
            return self.source.skip();
        }
        self.source.peek()?; // moves the error's position to the surplus item
        Err(Error::too_many_items(plan.items.len()).at(self.source.position()))
    }
}
