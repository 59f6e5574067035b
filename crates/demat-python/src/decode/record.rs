//! Records: instances whose memory is filled field by field.

use super::Engine;
use super::seen::Seen;
use crate::object::{self, Object};
use crate::plan::{Default, Make, Node, Read, RecordPlan, Role, Store};
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
        match plan.make {
            Make::Fields => self.attributes(plan),
            Make::Dict => self.typed_dict(plan),
            Make::Tuple => self.named_tuple(plan),
            Make::Call | Make::Validate => self.called(plan),
        }
    }

    /// Steps into a record; what is none is called by the class's name.
    #[inline(always)]
    pub(super) fn enter(&mut self, plan: &RecordPlan) -> Result<()> {
        self.descend()?;
        match self.source.record(&plan.read) {
            Ok(()) => Ok(()),
            Err(error) => Err(named(plan, error)),
        }
    }

    /// An instance whose fields all have slots: values go straight to where they belong.
    #[inline(always)]
    fn slotted(&mut self, plan: &'e RecordPlan) -> Result<Object> {
        let (start, before) = self.beginning(plan);
        self.enter(plan)?;
        let class = plan.class_ptr();
        // SAFETY: a heap type that `compile` found to be made of slots; its allocator gives zeroed memory.
        let object = unsafe { (*class).tp_alloc.map_or(std::ptr::null_mut(), |alloc| alloc(class, 0)) };
        let object = self.made(object)?;
        self.fresh.made(object.as_ptr());
        self.fill_slotted(plan, object, start, before)
    }

    /// An instance that was made before and has no values, filled once more.
    pub(super) fn filled_again(&mut self, plan: &'e RecordPlan, object: Object) -> Result<Object> {
        if plan.make == Make::Dict {
            return self.fill_dict(plan, object);
        }
        let (start, before) = self.beginning(plan);
        self.enter(plan)?;
        if plan.slotted {
            self.fill_slotted(plan, object, start, before)
        } else {
            self.fill_attributes(plan, object, start, before)
        }
    }

    /// Fills an instance whose slots are empty with the fields of the record that was stepped into.
    #[inline(always)]
    fn fill_slotted(
        &mut self,
        plan: &'e RecordPlan,
        object: Object,
        start: Option<Mark>,
        before: usize,
    ) -> Result<Object> {
        let mut expected = 0;
        let mut count = 0;
        while let Some(found) = self.source.field(&plan.read, expected)? {
            expected = found + 1;
            let field = &plan.reads[found];
            let Store::Offset(offset) = field.store else {
                self.no_value(plan, field)?;
                continue;
            };
            let value = self.field_value(plan, field, || Some(peek_slot(&object, offset)))?;
            // SAFETY: the offset of a slot of this class, by its descriptor; the slot owns what is in it.
            let old = unsafe { std::ptr::replace(slot(&object, offset), value.into_ptr()) };
            if self.source.tells_variants() && plan.grouped && field.group > 0 {
                self.exclude(plan, &object, found, |_| true)?;
            }
            if old.is_null() {
                count += 1;
            } else {
                // SAFETY: the slot owned it.
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

    /// The value of a field that came. `kept` is where the dict of unknown fields is, once there is one.
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

    /// The fields that did not come.
    #[inline(never)]
    fn fill_slots(&mut self, plan: &'e RecordPlan, object: &Object) -> Result<()> {
        for field in &plan.reads {
            let Store::Offset(offset) = field.store else { continue };
            if !peek_slot(object, offset).is_null() {
                continue;
            }
            if let Some(value) = self.absent(field)? {
                // SAFETY: as above; it is null.
                unsafe { slot(object, offset).write(value.into_ptr()) };
            }
        }
        Ok(())
    }

    /// The value of a field that did not come: none where it is left out.
    #[inline]
    pub(super) fn absent(&mut self, field: &Read) -> Result<Option<Object>> {
        match &field.default {
            // SAFETY: the plan keeps it alive.
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
            // There null is a field that does not come.
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

    /// An instance some of whose fields are attributes.
    fn attributes(&mut self, plan: &'e RecordPlan) -> Result<Object> {
        let (start, before) = self.beginning(plan);
        self.enter(plan)?;
        let object = self.blank(plan)?;
        self.fresh.made(object.as_ptr());
        self.fill_attributes(plan, object, start, before)
    }

    /// Fills an instance without attributes with the fields of the record that was stepped into.
    #[inline(always)]
    fn fill_attributes(
        &mut self,
        plan: &'e RecordPlan,
        object: Object,
        start: Option<Mark>,
        before: usize,
    ) -> Result<Object> {
        let mut seen = Seen::default();
        let mut kept: Option<Object> = None;
        let (mut expected, mut count) = (0, 0);
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
                Role::Value => self.put(&object, field, value)?,
                Role::Rest => kept = Some(value),
                Role::Tag | Role::Unread => {}
            }
        }
        if let Some(rest) = kept
            && let Some(field) = plan.reads.iter().find(|field| field.role == Role::Rest)
        {
            self.put(&object, field, rest)?;
        }
        if count < plan.reads.len() {
            for (index, field) in plan.reads.iter().enumerate() {
                if !seen.has(index)
                    && !matches!(field.role, Role::Tag | Role::Unread)
                    && let Some(value) = self.absent(field)?
                {
                    self.put(&object, field, value)?;
                }
            }
        }
        self.finished(plan, object, start, before)
    }

    /// A field came, and with it those of its group that came before count no more: they are what they are without coming.
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
                        self.put(object, other, value)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// An instance without attributes: what `object.__new__` makes.
    #[inline]
    fn blank(&mut self, plan: &RecordPlan) -> Result<Object> {
        // SAFETY: `object`'s own constructor may be called for any class that does not define one between (then it is made
        // by a call); without arguments it only refuses abstract classes.
        let object = unsafe {
            let empty = ffi::PyTuple_New(0);
            let new = ffi::PyBaseObject_Type.tp_new;
            let object = new.map_or(std::ptr::null_mut(), |new| new(plan.class_ptr(), empty, std::ptr::null_mut()));
            ffi::Py_DECREF(empty);
            object
        };
        self.made(object)
    }

    /// Sets an attribute, past whatever `__setattr__` the class has: that of frozen dataclasses refuses everybody.
    #[inline(always)]
    fn put(&mut self, object: &Object, field: &Read, value: Object) -> Result<()> {
        if let Store::Offset(offset) = field.store {
            // SAFETY: the offset of a slot of this class, by its descriptor; the slot owns what is in it.
            let old = unsafe { std::ptr::replace(slot(object, offset), value.into_ptr()) };
            if !old.is_null() {
                // SAFETY: the slot owned it.
                drop(unsafe { Object::owned(old) });
            }
            return Ok(());
        }
        // SAFETY: living objects; the name is exact text.
        let done = unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), field.name.as_ptr(), value.as_ptr()) };
        if done < 0 {
            return Err(self.raised(object::fetch()).within_field(field.label.clone()));
        }
        Ok(())
    }

    /// Where a record begins, for what may be said of the whole, and how many errors were gathered before it.
    #[inline(always)]
    fn beginning(&self, plan: &RecordPlan) -> (Option<Mark>, usize) {
        (plan.post_init.is_some().then(|| self.source.mark()), self.gathered())
    }

    /// What is done to an instance when all its fields are set.
    #[inline(always)]
    fn finished(&mut self, plan: &'e RecordPlan, object: Object, start: Option<Mark>, before: usize) -> Result<Object> {
        if !plan.tracked || !self.manner.tracked {
            untrack(&object);
        }
        match &plan.post_init {
            None => Ok(object),
            // Where fields are missing, their errors say more than what would be raised.
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

    /// What comes under a name that no value is kept for: a tag, or a field that is never read.
    #[inline(never)]
    fn no_value(&mut self, plan: &'e RecordPlan, field: &'e Read) -> Result<Object> {
        if field.role == Role::Tag {
            return self.tag_value(plan, field);
        }
        self.source.skip().map(|()| Object::none()).map_err(|error| error.within_field(field.label.clone()))
    }

    /// The tag of a record says that it is this class.
    fn tag_value(&mut self, plan: &'e RecordPlan, field: &'e Read) -> Result<Object> {
        use crate::plan::TagValue;
        let Some(tag) = &plan.tag else { return Err(astray()) };
        let found = match tag {
            TagValue::Text(tag) => {
                let text = self.source.text().map_err(|error| error.within_field(field.label.clone()))?;
                if *text == **tag { None } else { Some(format!("`{}`", &*text)) }
            }
            TagValue::Int(tag) => {
                let int = self.source.i64().map_err(|error| error.within_field(field.label.clone()))?;
                if int == *tag { None } else { Some(int.to_string()) }
            }
        };
        let Some(found) = found else { return Ok(Object::none()) };
        let error = Error::mismatch(ErrorKind::Constraint, tag.to_string(), found).at(self.source.position());
        Err(error.within_field(field.label.clone()))
    }

    /// An unknown field, put into the dict that keeps them: the source stands at its key.
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
        // SAFETY: living objects, and a dict of our own.
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

    /// Whether a list stands here where a record or a list may.
    pub(super) fn at_list(&mut self) -> Result<bool> {
        // Where records are fields by number, a tuple with names is one.
        Ok(self.manner.model != Model::Numbered && self.source.peek()? == Kind::List)
    }
}

/// What is no record is called by the name of the class that was expected.
#[cold]
pub(super) fn named(plan: &RecordPlan, error: Error) -> Error {
    match (error.kind(), error.found()) {
        (ErrorKind::Type, Some(found)) => Error::expected(plan.name.clone(), found.to_string()).at(error.position()),
        _ => error,
    }
}

/// The slot at an offset.
#[inline(always)]
fn slot(object: &Object, offset: isize) -> *mut *mut ffi::PyObject {
    object.as_ptr().wrapping_byte_offset(offset).cast()
}

/// What is in a slot, borrowed; null where nothing is.
#[inline(always)]
fn peek_slot(object: &Object, offset: isize) -> *mut ffi::PyObject {
    // SAFETY: offsets are those of the slots that the object's class has.
    unsafe { *slot(object, offset) }
}

/// Takes an instance from the cyclic collector's lists: it was said to be part of no cycle.
#[cold]
fn untrack(object: &Object) {
    // SAFETY: untracking what is not tracked is allowed for whatever the collector could track.
    unsafe {
        if ffi::PyObject_IS_GC(object.as_ptr()) != 0 {
            ffi::PyObject_GC_UnTrack(object.as_ptr().cast());
        }
    }
}

/// A source or a plan that breaks its own contract.
#[cold]
pub(super) fn astray() -> Error {
    Error::new(ErrorKind::Constraint, "the source offers what the plan does not have")
}
