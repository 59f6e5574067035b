//! Decodes records: creates an instance and fills its memory field by field.

use super::Engine;
use super::seen::Seen;
use crate::object::{self, Object};
use crate::plan::{ArrayForm, Default, Make, Node, Read, RecordPlan, Role, Store, TagField};
use demat_core::{Error, ErrorKind, Kind, Mark, Result, Source};
use demat_formats::codec::Model;
use pyo3::ffi;
use pyo3::prelude::*;

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    #[inline(never)]
    pub(super) fn record(&mut self, index: usize) -> Result<Object> {
        let plan = &self.program.records[index];
        if plan.slotted {
            return self.slotted(plan);
        }
        if plan.form == ArrayForm::List {
            return self.array(plan);
        }
        match plan.make {
            Make::Fields => self.attributes(plan),
            Make::Dict => self.typed_dict(plan),
            Make::Tuple => self.named_tuple(plan),
            Make::Call | Make::Validate => self.called(plan),
        }
    }

    /// Enters a record. If the value is not a record, the error names the class.
    #[inline(always)]
    pub(super) fn enter(&mut self, plan: &RecordPlan) -> Result<()> {
        self.descend()?;
        match self.source.record(&plan.read) {
            Ok(()) => Ok(()),
            Err(error) => Err(named(plan, error)),
        }
    }

    /// Decodes a record whose fields all have slots: values are written directly to the slots.
    #[inline(always)]
    fn slotted(&mut self, plan: &'e RecordPlan) -> Result<Object> {
        let (start, before) = self.beginning(plan);
        let tag = self.entered(plan)?;
        let class = plan.class_ptr();
        // SAFETY: a heap type with slots only, as `compile` found; its allocator returns zeroed memory.
        let object = unsafe { (*class).tp_alloc.map_or(std::ptr::null_mut(), |alloc| alloc(class, 0)) };
        let object = self.made(object)?;
        self.fresh.made(object.as_ptr());
        self.fill_slotted(plan, object, tag, start, before)
    }

    /// Decodes a record into an existing instance without values.
    pub(super) fn filled_again(&mut self, plan: &'e RecordPlan, object: Object) -> Result<Object> {
        if plan.make == Make::Dict {
            return self.fill_dict(plan, object);
        }
        if plan.form == ArrayForm::List && self.stands_as_list()? {
            return self.fill_from_items(plan, object);
        }
        let (start, before) = self.beginning(plan);
        let tag = self.entered(plan)?;
        if plan.slotted {
            self.fill_slotted(plan, object, tag, start, before)
        } else {
            self.fill_attributes(plan, object, tag, start, before)
        }
    }

    /// Fills an instance with empty slots from the record that was entered.
    #[inline(always)]
    fn fill_slotted(
        &mut self,
        plan: &'e RecordPlan,
        object: Object,
        tag: Option<&'e TagField>,
        start: Option<Mark>,
        before: usize,
    ) -> Result<Object> {
        let (mut expected, mut count) = (0, 0);
        if let Some(tag) = tag {
            expected = behind(tag);
            if let (Some(value), Store::Offset(offset)) = (&tag.value, plan.reads[tag.index].store) {
                // SAFETY: the offset of a slot of this class, which is empty; the union's plan owns the value.
                unsafe { slot(&object, offset).write(Object::shared(value.as_ptr()).into_ptr()) };
                count = 1;
            }
        }
        // Fields in their order are read in runs, the others one by one.
        let mut in_order = !ALL && self.source.prefers_runs() && tag.is_none() && self.strict;
        loop {
            let next = if in_order {
                self.scalar_fields(plan, &object, &mut expected, &mut count)?
            } else {
                self.source.field(&plan.read, expected)?
            };
            let Some(found) = next else { break };
            in_order &= found >= expected;
            expected = found + 1;
            let field = &plan.reads[found];
            let Store::Offset(offset) = field.store else {
                self.no_value(plan, field)?;
                continue;
            };
            let value = self.field_value(plan, field, || Some(peek_slot(&object, offset)))?;
            // SAFETY: the offset of a slot of this class, from its descriptor; the slot owns its value.
            let old = unsafe { std::ptr::replace(slot(&object, offset), value.into_ptr()) };
            if self.source.tells_variants() && plan.grouped && field.group > 0 {
                self.exclude(plan, &object, found, |_| true)?;
            }
            if old.is_null() {
                count += 1;
            } else {
                // SAFETY: the slot owned this reference.
                drop(unsafe { Object::owned(old) });
                if field.role == Role::Value {
                    self.source.repeated(&field.label)?;
                }
            }
        }
        if count < plan.reads.len() {
            self.fill_slots(plan, &object)?;
        }
        self.finished(plan, object, start, before)
    }

    /// Enters a record, unless a union has read its tag; then returns the tag's field.
    #[inline(always)]
    fn entered(&mut self, plan: &RecordPlan) -> Result<Option<&'e TagField>> {
        match self.behind.take() {
            None => self.enter(plan).map(|()| None),
            Some(behind) => Ok(Some(behind.field)),
        }
    }

    /// Decodes the value of a field. `kept` returns the dict of unknown fields, once it exists.
    #[inline(always)]
    pub(super) fn field_value(
        &mut self,
        plan: &'e RecordPlan,
        field: &'e Read,
        kept: impl FnOnce() -> Option<*mut ffi::PyObject>,
    ) -> Result<Object> {
        let before = self.gathered();
        let value = match field.role {
            Role::Value => match self.recovered(&field.node) {
                Ok(value) => value,
                Err(error) => {
                    self.within(before, |error| error.within_field(field.label.clone()));
                    return Err(error.within_field(field.label.clone()));
                }
            },
            Role::Tag | Role::Unread => return self.no_value(plan, field),
            Role::Rest => return self.rest_value(field, kept()),
        };
        self.within(before, |error| error.within_field(field.label.clone()));
        Ok(value)
    }

    /// Sets the fields that were absent.
    #[inline(never)]
    fn fill_slots(&mut self, plan: &'e RecordPlan, object: &Object) -> Result<()> {
        for field in &plan.reads {
            let Store::Offset(offset) = field.store else { continue };
            if !peek_slot(object, offset).is_null() {
                continue;
            }
            if let Some(value) = self.absent(field)? {
                // SAFETY: as above; the slot is null.
                unsafe { slot(object, offset).write(value.into_ptr()) };
            }
        }
        Ok(())
    }

    /// Returns the value of an absent field; `None` if the field stays unset.
    #[inline]
    pub(super) fn absent(&mut self, field: &Read) -> Result<Option<Object>> {
        match &field.default {
            // SAFETY: the plan owns the value.
            Default::Value(value) => Ok(Some(unsafe { Object::shared(value.as_ptr()) })),
            // SAFETY: the GIL is held.
            Default::List => self.made(unsafe { ffi::PyList_New(0) }).map(Some),
            // SAFETY: as above.
            Default::Dict => self.made(unsafe { ffi::PyDict_New() }).map(Some),
            Default::Factory(factory) => match factory.bind(self.py).call0() {
                Ok(value) => Ok(Some(Object::of(&value))),
                Err(raised) => {
                    let error = self.raised(raised).at(self.source.position());
                    Err(error.within_field(field.label.clone()))
                }
            },
            Default::None if !field.required => Ok(None),
            // In this model, null is encoded as an absent field.
            Default::None if self.manner.model == Model::Numbered && matches!(field.node, Node::Optional(_)) => {
                Ok(Some(Object::none()))
            }
            Default::None => {
                let error = Error::missing(&field.label).at(self.source.position());
                if ALL && self.errors.len() + 1 < self.manner.errors {
                    self.errors.push(error);
                    return Ok(Some(Object::none()));
                }
                Err(error)
            }
        }
    }

    /// Decodes a record with some fields that are attributes.
    pub(super) fn attributes(&mut self, plan: &'e RecordPlan) -> Result<Object> {
        let (start, before) = self.beginning(plan);
        let tag = self.entered(plan)?;
        let object = self.blank(plan)?;
        self.fresh.made(object.as_ptr());
        self.fill_attributes(plan, object, tag, start, before)
    }

    /// Fills an instance without attributes from the record that was entered.
    #[inline(always)]
    fn fill_attributes(
        &mut self,
        plan: &'e RecordPlan,
        object: Object,
        tag: Option<&'e TagField>,
        start: Option<Mark>,
        before: usize,
    ) -> Result<Object> {
        let mut seen = Seen::default();
        let mut kept: Option<Object> = None;
        let (mut expected, mut count) = (0, 0);
        if let Some(tag) = tag {
            expected = behind(tag);
            seen.insert(tag.index);
            count = 1;
            if let Some(value) = &tag.value {
                // SAFETY: the union's plan owns the value.
                self.put(plan, &object, &plan.reads[tag.index], unsafe { Object::shared(value.as_ptr()) })?;
            }
        }
        while let Some(found) = self.source.field(&plan.read, expected)? {
            expected = found + 1;
            let field = &plan.reads[found];
            let value = self.field_value(plan, field, || kept.as_ref().map(Object::as_ptr))?;
            if seen.insert(found) {
                if field.role == Role::Value {
                    self.source.repeated(&field.label)?;
                }
            } else {
                count += 1;
            }
            if self.source.tells_variants() && plan.grouped && field.group > 0 {
                self.exclude(plan, &object, found, |other| seen.has(other))?;
            }
            match field.role {
                Role::Value => self.put(plan, &object, field, value)?,
                Role::Rest => kept = Some(value),
                Role::Tag | Role::Unread => {}
            }
        }
        if let Some(rest) = kept
            && let Some(field) = plan.reads.iter().find(|field| field.role == Role::Rest)
        {
            self.put(plan, &object, field, rest)?;
        }
        if count < plan.reads.len() {
            for (index, field) in plan.reads.iter().enumerate() {
                if !seen.has(index)
                    && !matches!(field.role, Role::Tag | Role::Unread)
                    && let Some(value) = self.absent(field)?
                {
                    self.put(plan, &object, field, value)?;
                }
            }
        }
        self.finished(plan, object, start, before)
    }

    /// Resets the other fields of a field's group to their defaults: only the last field of a group counts.
    #[inline(never)]
    fn exclude(
        &mut self,
        plan: &'e RecordPlan,
        object: &Object,
        found: usize,
        came: impl Fn(usize) -> bool,
    ) -> Result<()> {
        let group = plan.reads[found].group;
        for (index, other) in plan.reads.iter().enumerate() {
            if other.group != group || index == found || !came(index) {
                continue;
            }
            match other.store {
                Store::Offset(offset) if peek_slot(object, offset).is_null() => {}
                _ => {
                    if let Some(value) = self.absent(other)? {
                        self.put(plan, object, other, value)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Creates an instance without attributes, as `object.__new__` does.
    #[inline]
    pub(super) fn blank(&mut self, plan: &RecordPlan) -> Result<Object> {
        // SAFETY: `object`'s own constructor may be called for any class that does not inherit another one (such
        // classes are created by a call); without arguments it only refuses abstract classes.
        let object = unsafe {
            let empty = ffi::PyTuple_New(0);
            let new = ffi::PyBaseObject_Type.tp_new;
            let object = new.map_or(std::ptr::null_mut(), |new| new(plan.class_ptr(), empty, std::ptr::null_mut()));
            ffi::Py_DECREF(empty);
            object
        };
        self.made(object)
    }

    /// Sets an attribute without the class's `__setattr__`, as that of frozen dataclasses always fails.
    #[inline(always)]
    pub(super) fn put(&mut self, plan: &RecordPlan, object: &Object, field: &Read, value: Object) -> Result<()> {
        if let Store::Offset(offset) = field.store {
            // SAFETY: the offset of a slot of this class, from its descriptor; the slot owns its value.
            let old = unsafe { std::ptr::replace(slot(object, offset), value.into_ptr()) };
            if !old.is_null() {
                // SAFETY: the slot owned this reference.
                drop(unsafe { Object::owned(old) });
            }
            return Ok(());
        }
        let value = match (&plan.read_attributes, field.place) {
            // SAFETY: the GIL is held, and the object is alive.
            (Some(attributes), Some(place)) => match unsafe { attributes.store(object.as_ptr(), place, value) } {
                None => return Ok(()),
                Some(value) => value,
            },
            _ => value,
        };
        self.put_by_name(object, field, &value)
    }

    #[inline(never)]
    fn put_by_name(&mut self, object: &Object, field: &Read, value: &Object) -> Result<()> {
        // SAFETY: live objects; the name is an exact `str`.
        let done = unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), field.name.as_ptr(), value.as_ptr()) };
        if done < 0 {
            return Err(self.raised(object::fetch()).within_field(field.label.clone()));
        }
        Ok(())
    }

    /// Returns a mark at the start of the record, for errors about the whole record, and the number of errors so far.
    #[inline(always)]
    pub(super) fn beginning(&self, plan: &RecordPlan) -> (Option<Mark>, usize) {
        let start = || self.behind.as_ref().map_or_else(|| self.source.mark(), |behind| behind.mark);
        (plan.post_init.is_some().then(start), self.gathered())
    }

    /// Completes an instance with all its fields set.
    #[inline(always)]
    pub(super) fn finished(
        &mut self,
        plan: &'e RecordPlan,
        object: Object,
        start: Option<Mark>,
        before: usize,
    ) -> Result<Object> {
        if !plan.tracked || !self.manner.tracked {
            untrack(&object);
        }
        match &plan.post_init {
            None => Ok(object),
            // If fields have errors, those say more than an exception of `__post_init__` would.
            Some(_) if self.gathered() > before => Ok(object),
            Some(post_init) => self.post_init(post_init, object, start),
        }
    }

    #[inline(never)]
    fn post_init(&mut self, post_init: &Py<PyAny>, object: Object, start: Option<Mark>) -> Result<Object> {
        let object = object.into_bound(self.py);
        match post_init.bind(self.py).call1((&object,)) {
            Ok(_) => Ok(Object::of(&object)),
            Err(raised) => {
                let error = self.raised(raised);
                Err(match start {
                    Some(start) => self.about_last(start, error),
                    None => error,
                })
            }
        }
    }

    /// Handles a field without a value in the instance: a tag, or a field that is never read.
    #[inline(never)]
    fn no_value(&mut self, plan: &'e RecordPlan, field: &'e Read) -> Result<Object> {
        let passed = if field.role == Role::Tag { self.tag_value(plan) } else { self.source.skip() };
        passed.map(|()| Object::none()).map_err(|error| error.within_field(field.label.clone()))
    }

    /// Checks that the tag of a record is that of this class.
    pub(super) fn tag_value(&mut self, plan: &'e RecordPlan) -> Result<()> {
        use crate::plan::TagValue;
        let Some(tag) = &plan.tag else { return Err(astray()) };
        let found = match tag {
            TagValue::Text(tag) => {
                let text = self.source.text()?;
                if *text == **tag { None } else { Some(format!("`{}`", &*text)) }
            }
            TagValue::Int(tag) => {
                let int = self.source.i64()?;
                if int == *tag { None } else { Some(int.to_string()) }
            }
        };
        let Some(found) = found else { return Ok(()) };
        Err(Error::mismatch(ErrorKind::Constraint, tag.to_string(), found).at(self.source.position()))
    }

    /// Decodes an unknown field into the dict that collects them. The source is at its key.
    #[inline(never)]
    fn rest_value(&mut self, field: &'e Read, kept: Option<*mut ffi::PyObject>) -> Result<Object> {
        let kept = match kept {
            // SAFETY: the slot or the caller owns it.
            Some(kept) if !kept.is_null() => unsafe { Object::shared(kept) },
            // SAFETY: the GIL is held.
            _ => self.made(unsafe { ffi::PyDict_New() })?,
        };
        let crate::plan::Node::Map(map) = &field.node else { return Err(astray()) };
        let label = self.source.text()?.to_string();
        let key = self.made(super::text::key_object(&label))?;
        self.source.value()?;
        let before = self.gathered();
        let value = match self.recovered(&map.value) {
            Ok(value) => value,
            Err(error) => return Err(error.within_field(label)),
        };
        self.within(before, |error| error.within_field(label.clone()));
        // SAFETY: live objects, and a dict of our own.
        unsafe {
            if ffi::PyDict_Contains(kept.as_ptr(), key.as_ptr()) == 1 {
                self.source.repeated(&label)?;
            }
            if ffi::PyDict_SetItem(kept.as_ptr(), key.as_ptr(), value.as_ptr()) < 0 {
                return Err(self.raised(object::fetch()));
            }
        }
        Ok(kept)
    }

    /// Returns whether the value is a list, for a class that is decoded from a record or a list.
    pub(super) fn at_list(&mut self, plan: &RecordPlan) -> Result<bool> {
        // In formats with numbered fields, a named tuple is a record.
        if self.manner.model == Model::Numbered {
            return Ok(false);
        }
        let kind = self.source.peek()?;
        if self.manner.model == Model::Markup { self.is_markup_of_list(kind, plan) } else { Ok(kind == Kind::List) }
    }

    /// Returns whether markup is a list: it does not say so, except that no element in it has the name of a field.
    fn is_markup_of_list(&mut self, kind: Kind, plan: &RecordPlan) -> Result<bool> {
        if kind != Kind::Map {
            return Ok(matches!(kind, Kind::List | Kind::Text));
        }
        let mark = self.source.mark();
        self.source.map()?;
        let is_named = self.source.entry()? && plan.read.index_of(&self.source.text()?).is_some();
        self.source.reset(mark);
        Ok(!is_named)
    }
}

/// Changes an error about a value that is no record to name the expected class.
#[cold]
pub(super) fn named(plan: &RecordPlan, error: Error) -> Error {
    if error.kind() == ErrorKind::Type { error.expecting(plan.name.clone()) } else { error }
}

/// Returns the index of the field that is expected behind a tag: the next one, or the first one after a tag that the
/// class declares later.
#[inline(always)]
fn behind(tag: &TagField) -> usize {
    usize::from(tag.index == 0)
}

/// Returns the slot at an offset.
#[inline(always)]
fn slot(object: &Object, offset: isize) -> *mut *mut ffi::PyObject {
    object.as_ptr().wrapping_byte_offset(offset).cast()
}

/// Returns the value of a slot, borrowed. Null if the slot is empty.
#[inline(always)]
fn peek_slot(object: &Object, offset: isize) -> *mut ffi::PyObject {
    // SAFETY: offsets are those of the slots of the object's class.
    unsafe { *slot(object, offset) }
}

/// Removes an instance from the cyclic collector's lists: its class is declared to be part of no cycle.
#[cold]
pub(super) fn untrack(object: &Object) {
    // SAFETY: untracking an untracked object is allowed for all types that support the collector.
    unsafe {
        if ffi::PyObject_IS_GC(object.as_ptr()) != 0 {
            ffi::PyObject_GC_UnTrack(object.as_ptr().cast());
        }
    }
}

/// Returns the error for a source or a plan that violates its own contract.
#[cold]
pub(super) fn astray() -> Error {
    Error::new(ErrorKind::Constraint, "the source offers what the plan does not have")
}
