//! Encodes records: instances of classes with fields.

use super::hint::Anything;
use super::object_ref::{bool_class, float_class, int_class, text_class};
use super::put::{Puts, put_fields};
use super::{EncodeSink, Engine, ObjectRef, fault};
use crate::object::Object;
use crate::plan::{ArrayForm, Attributes, Default, Make, Node, Program, RecordPlan, Role, Store, TagValue, Write};
use demat_core::{Error, ErrorKind, Result, excerpt};
use demat_formats::ScalarWriter;
use demat_sqlite::Plain;
use pyo3::ffi;
use pyo3::prelude::*;

/// Refuses a named tuple whose length differs from its fields; `tuple.__new__` can make such tuples.
fn is_of_its_length(plan: &RecordPlan, object: ObjectRef) -> Result<()> {
    let fields = plan.writes.len() - usize::from(plan.tag.is_some());
    // SAFETY: an instance of the plan's class, which is a tuple.
    let items = unsafe { ffi::PyTuple_GET_SIZE(object.as_ptr()) };
    if items.cast_unsigned() == fields {
        return Ok(());
    }
    let expected = format!("a `{}` of {fields}", plan.name);
    Err(Error::mismatch(ErrorKind::Encode, expected, format!("one of {items}")))
}

/// The tag of a union's variant, which replaces the record's own tag, if it has one.
#[derive(Clone, Copy)]
pub(super) struct Tag<'e> {
    pub(super) key: &'e str,
    pub(super) value: &'e TagValue,
}

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Encodes an instance of the plan's class; a dict for a TypedDict.
    pub(super) fn record(
        &mut self,
        plan: &'e RecordPlan,
        program: &'e Program,
        object: ObjectRef,
        tag: Option<Tag<'e>>,
    ) -> Result<()> {
        if plan.make == Make::Tuple {
            is_of_its_length(plan, object)?;
        }
        // Of named tuples, a list has no item for the tag.
        if plan.is_listed()
            && (tag.is_none() || plan.form == ArrayForm::List)
            && (!self.sink.named_tuples() || !self.sink.by_number() && self.depth > 1)
        {
            return self.items(plan, program, object, tag);
        }
        self.instance(plan, program, object, tag)
    }

    /// Writes a record field by field.
    #[inline(always)]
    pub(super) fn instance(
        &mut self,
        plan: &'e RecordPlan,
        program: &'e Program,
        object: ObjectRef,
        tag: Option<Tag<'e>>,
    ) -> Result<()> {
        match (&plan.slots, &plan.attributes) {
            (Some(slots), _) if tag.is_none() => self.slots(slots, plan, program, object),
            (None, Some(attributes)) if tag.is_none() && plan.direct => {
                self.attributes(attributes, plan, program, object)
            }
            _ => self.fields(plan, program, object, tag),
        }
    }

    /// Encodes an instance whose fields are attributes in a `__dict__` or inline values.
    #[inline(never)]
    fn attributes(
        &mut self,
        attributes: &Attributes,
        plan: &'e RecordPlan,
        program: &'e Program,
        object: ObjectRef,
    ) -> Result<()> {
        // If the class has changed, its attributes are looked up, which may run user code.
        // SAFETY: engines run with the GIL held.
        let mut held = unsafe { attributes.needs_look(object.as_ptr()) }.then(|| object.hold());
        // SAFETY: as above.
        let Some((begin, offsets)) = (unsafe { attributes.place(object.as_ptr()) }) else {
            return self.fields(plan, program, object, None);
        };
        if self.sink.open_straight(&plan.write)? {
            // SAFETY: the offsets are those of the values.
            if unsafe { self.straight(offsets, begin) } {
                return self.sink.close_straight();
            }
        }
        self.deeper()?;
        // SAFETY: the offsets are those of the values.
        let Some(written) = (unsafe { self.first_scalars(plan, program, offsets, begin)? }) else {
            return Ok(());
        };
        for (index, field) in plan.writes.iter().enumerate().skip(written) {
            // Encoding the previous field may have run user code, so the value is looked up again.
            // SAFETY: as above.
            let value = unsafe { attributes.value(object.as_ptr(), index) };
            let told = if value.is_null() {
                held.get_or_insert_with(|| object.hold());
                self.field(plan, index, field, program, object, None)
            } else {
                // SAFETY: a value of an object is alive until user code runs.
                self.held_value(index, plan, program, object, unsafe { ObjectRef::new(value) }, &mut held)
            };
            if let Err(error) = told {
                return Err(within(error, field));
            }
        }
        self.back();
        self.sink.end_record(&plan.write)
    }

    /// Encodes an instance with all fields in slots.
    #[inline(never)]
    fn slots(&mut self, slots: &[isize], plan: &'e RecordPlan, program: &'e Program, object: ObjectRef) -> Result<()> {
        if self.sink.open_straight(&plan.write)? {
            // SAFETY: the offsets are those of slots of the plan's class.
            if unsafe { self.straight(slots, object.as_ptr().cast()) } {
                return self.sink.close_straight();
            }
        }
        self.deeper()?;
        // SAFETY: the offsets are those of slots of the plan's class.
        let Some(written) = (unsafe { self.first_scalars(plan, program, slots, object.as_ptr().cast())? }) else {
            return Ok(());
        };
        let mut held = None;
        let in_runs = K::RUNS && !self.is_asked(program);
        let mut next = written;
        while let Some(offset) = slots.get(next) {
            if in_runs {
                // SAFETY: the offsets are those of slots of the plan's class.
                let written = unsafe { self.scalar_slots(&slots[next..], next, plan, object)? };
                next += written;
                if written > 0 {
                    continue;
                }
            }
            let index = next;
            next += 1;
            // SAFETY: the offset is that of a slot of the plan's class.
            let told = match unsafe { Self::inner(*offset, &plan.writes[index].node, program, object) } {
                Some((inner, slots, value)) => {
                    held.get_or_insert_with(|| object.hold());
                    self.sink.field(&plan.write, index).and_then(|()| self.slots(slots, inner, program, value))
                }
                // SAFETY: as above.
                None => unsafe { self.slot(*offset, index, plan, program, object, &mut held) },
            };
            if let Err(error) = told {
                return Err(within(error, &plan.writes[index]));
            }
            if next < slots.len() && !self.is_asked(program) {
                let puts = self.puts();
                next += match self.sink.field_scalars() {
                    Some(scalars) => {
                        let start = object.as_ptr().cast_const().cast();
                        // SAFETY: as above.
                        let (scalars, written) =
                            unsafe { put_fields(scalars, plan, next, &slots[next..], start, puts) };
                        scalars.leave(written);
                        written
                    }
                    None => 0,
                };
            }
        }
        self.back();
        self.sink.end_record(&plan.write)
    }

    /// Returns the plan and the slots of a value that is an instance of a class with all fields in slots, as a field
    /// declares it.
    ///
    /// # Safety
    /// The object has a slot at the offset.
    #[inline(always)]
    unsafe fn inner(
        offset: isize,
        node: &'e Node,
        program: &'e Program,
        object: ObjectRef,
    ) -> Option<(&'e RecordPlan, &'e [isize], ObjectRef)> {
        let node = if let Node::Optional(inner) = node { inner } else { node };
        let Node::Record(inner) = node else { return None };
        let plan = &program.records[*inner];
        let slots = plan.slots.as_deref().filter(|_| plan.is_run_of_fields())?;
        // SAFETY: as the caller guarantees.
        let value = unsafe { *object.as_ptr().byte_offset(offset).cast::<*mut ffi::PyObject>() };
        if value.is_null() {
            return None;
        }
        // SAFETY: the value in a slot of a live object is alive until user code runs.
        let value = unsafe { ObjectRef::new(value) };
        value.is_exactly(plan.class_ptr()).then_some((plan, slots, value))
    }

    /// Returns what may be written with the scalars of a record in the current container.
    #[inline(always)]
    fn puts(&self) -> Puts {
        Puts { lists: self.has_room(), moments: self.moments }
    }

    /// Begins a record, and writes the scalars at its beginning. Returns their number; `None` if they are all of it, and
    /// it has ended.
    ///
    /// # Errors
    /// If the sink refuses the record.
    ///
    /// # Safety
    /// `start` and the offsets lead to values of an object, or to null.
    #[inline(always)]
    unsafe fn first_scalars(
        &mut self,
        plan: &'e RecordPlan,
        program: &'e Program,
        offsets: &[isize],
        start: *const u8,
    ) -> Result<Option<usize>> {
        let puts = self.puts();
        let written = {
            let begun = if self.is_asked(program) { None } else { self.sink.record_scalars(&plan.write) };
            if let Some(scalars) = begun {
                // SAFETY: as the caller guarantees.
                let (scalars, written) = unsafe { put_fields(scalars, plan, 0, offsets, start, puts) };
                if written == offsets.len() {
                    scalars.end();
                } else {
                    scalars.leave(written);
                }
                Some(written)
            } else {
                None
            }
        };
        match written {
            Some(written) if written == offsets.len() => {
                self.back();
                Ok(None)
            }
            Some(written) => Ok(Some(written)),
            None => {
                self.sink.begin_record(&plan.write)?;
                Ok(Some(0))
            }
        }
    }

    /// Writes the values of all slots or attributes directly to the sink. Returns false at the first one that is no
    /// builtin scalar, or that the sink can't take this way.
    ///
    /// # Safety
    /// `start` and the offsets lead to values of an object.
    #[inline(always)]
    unsafe fn straight(&mut self, offsets: &[isize], start: *const u8) -> bool {
        for (index, offset) in offsets.iter().enumerate() {
            // SAFETY: as the caller guarantees. The values of a live object are alive until user code runs, and none
            // runs here.
            let value = unsafe {
                let value = *start.byte_offset(*offset).cast::<*mut ffi::PyObject>();
                if value.is_null() {
                    return false;
                }
                ObjectRef::new(value)
            };
            let class = value.class();
            // SAFETY: the class was checked.
            let plain = unsafe {
                if class == text_class() {
                    super::text::utf8_unbound(value.as_ptr()).map(Plain::Text)
                } else if class == int_class() {
                    super::int::small(value.as_ptr()).map(Plain::Int)
                } else if value.is_none() {
                    Some(Plain::Null)
                } else if class == float_class() {
                    Some(Plain::Float(ffi::PyFloat_AS_DOUBLE(value.as_ptr())))
                } else if class == bool_class() {
                    Some(Plain::Bool(value.as_ptr() == ffi::Py_True()))
                } else {
                    None
                }
            };
            match plain.map(|plain| self.sink.put_straight(index, plain)) {
                Some(Ok(true)) => {}
                // The regular way encodes it again, and reports the error with its path.
                _ => return false,
            }
        }
        true
    }

    /// Encodes a field whose value is in a slot.
    ///
    /// # Safety
    /// The object has a slot at the offset.
    #[inline(always)]
    unsafe fn slot(
        &mut self,
        offset: isize,
        index: usize,
        plan: &'e RecordPlan,
        program: &'e Program,
        object: ObjectRef,
        held: &mut Option<Object>,
    ) -> Result<()> {
        // SAFETY: as the caller guarantees.
        let value = unsafe { *object.as_ptr().byte_offset(offset).cast::<*mut ffi::PyObject>() };
        if value.is_null() {
            return Err(unset(plan, &plan.writes[index]));
        }
        // SAFETY: the value in a slot of a live object is alive until user code runs.
        let value = unsafe { ObjectRef::new(value) };
        self.held_value(index, plan, program, object, value, held)
    }

    /// Encodes a field whose value the object owns.
    #[inline(always)]
    fn held_value(
        &mut self,
        index: usize,
        plan: &'e RecordPlan,
        program: &'e Program,
        object: ObjectRef,
        value: ObjectRef,
        held: &mut Option<Object>,
    ) -> Result<()> {
        self.sink.field(&plan.write, index)?;
        if self.sink.tells_variants() && plan.writes[index].node.is_union() {
            return self.part(&plan.writes[index], program, object, value, held);
        }
        match self.scalar_unasked(program, value) {
            Some(told) => told,
            None => self.part(&plan.writes[index], program, object, value, held),
        }
    }

    /// Encodes a builtin scalar directly, unless it must match the `type` argument.
    #[inline(always)]
    fn scalar_unasked(&mut self, program: &'e Program, value: ObjectRef) -> Option<Result<()>> {
        if self.is_asked(program) { None } else { self.scalar(value) }
    }

    /// Encodes a slot's value that is no scalar. User code may run, so the object with the slot is held.
    fn part(
        &mut self,
        field: &'e Write,
        program: &'e Program,
        object: ObjectRef,
        value: ObjectRef,
        held: &mut Option<Object>,
    ) -> Result<()> {
        held.get_or_insert_with(|| object.hold());
        // The commonest parts go the shorter way.
        let node = match &field.node {
            Node::Optional(inner) => inner,
            node => node,
        };
        if let Node::Record(index) = node
            && let plan = &program.records[*index]
            && value.is_exactly(plan.class_ptr())
        {
            return self.record(plan, program, value, None);
        }
        let at = self.at(node, program);
        match node {
            Node::Date | Node::Datetime(_) | Node::Time(_) if !at.asked => self.moment(node, at, value),
            _ => self.declared(self.at(&field.node, program), value),
        }
    }

    #[inline(never)]
    fn fields(
        &mut self,
        plan: &'e RecordPlan,
        program: &'e Program,
        object: ObjectRef,
        tag: Option<Tag<'e>>,
    ) -> Result<()> {
        self.deeper()?;
        self.sink.begin_record(&plan.write)?;
        if let Some(tag) = tag
            && plan.tag.is_none()
            && !self.sink.by_number()
        {
            self.sink.rest(&plan.write, tag.key)?;
            self.tag(tag.value)?;
        }
        let mut held = Some(object.hold());
        for (index, field) in plan.writes.iter().enumerate() {
            let told = match field.slot {
                // SAFETY: the offset is that of a slot of the plan's class.
                Some(offset) => unsafe { self.slot(offset, index, plan, program, object, &mut held) },
                None => self.field(plan, index, field, program, object, tag),
            };
            if let Err(error) = told {
                return Err(within(error, field));
            }
        }
        if plan.is_dict() {
            self.unlisted(plan, object, tag)?;
        }
        self.back();
        self.sink.end_record(&plan.write)
    }

    /// Encodes a field that is not just a value in a slot.
    #[inline(never)]
    fn field(
        &mut self,
        plan: &'e RecordPlan,
        index: usize,
        field: &'e Write,
        program: &'e Program,
        object: ObjectRef,
        tag: Option<Tag<'e>>,
    ) -> Result<()> {
        if field.role == Role::Tag {
            // The variant's number represents the tag.
            if self.sink.by_number() {
                return Ok(());
            }
            let Some(value) = tag.map(|tag| tag.value).or(plan.tag.as_ref()) else { return Ok(()) };
            self.sink.field(&plan.write, index)?;
            return self.tag(value);
        }
        let Some(value) = self.value_of(plan, index, field, object)? else { return Ok(()) };
        if field.role == Role::Rest {
            return self.rest(plan, &value, tag);
        }
        if self.is_left_out(field, &value)? {
            return Ok(());
        }
        if self.sink.by_number() && field.absent.is_some() {
            self.check_absence(field, &value)?;
        }
        self.sink.field(&plan.write, index)?;
        self.value(self.at(&field.node, program), ObjectRef::of(&value))
    }

    /// Refuses None and empty containers where this format would omit the field, and a reader would create a different
    /// default.
    #[cold]
    pub(super) fn check_absence(&mut self, field: &Write, value: &Object) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let value = value.clone().into_bound(py);
        let is_nothing = |value: &Bound<'_, PyAny>| value.is_none() || value.len().is_ok_and(|len| len == 0);
        let (Some(factory), true) = (&field.absent, is_nothing(&value)) else { return Ok(()) };
        let made = factory.bind(py).call0().map_err(|raised| self.raised(raised))?;
        if is_nothing(&made) {
            return Ok(());
        }
        let found = if value.is_none() { "null" } else { "an empty container" };
        let message = "Protocol Buffers write this as nothing, which a reader takes for the field's default";
        Err(Error::new(ErrorKind::Encode, format!("{found}: {message}")))
    }

    /// Returns the value of a field; `None` if the field is optional and unset.
    fn value_of(
        &mut self,
        plan: &RecordPlan,
        index: usize,
        field: &Write,
        object: ObjectRef,
    ) -> Result<Option<Object>> {
        let object = object.as_ptr();
        // SAFETY: an instance of the plan's class, which is held: a dict, a tuple, an object with the slot, or any
        // object. The GIL is held.
        let value = unsafe {
            match (plan.make, field.store) {
                (Make::Dict, _) => {
                    let value = ffi::PyDict_GetItemWithError(object, field.name.as_ptr());
                    ffi::Py_XINCREF(value);
                    value
                }
                (Make::Tuple, _) => {
                    // A tag is encoded first, and is no item.
                    let index = index.saturating_sub(usize::from(plan.tag.is_some())).cast_signed();
                    if index >= ffi::PyTuple_GET_SIZE(object) {
                        return Err(unset(plan, field));
                    }
                    let value = ffi::PyTuple_GET_ITEM(object, index);
                    ffi::Py_INCREF(value);
                    value
                }
                (_, Store::Offset(offset)) => {
                    let value = *object.byte_offset(offset).cast::<*mut ffi::PyObject>();
                    ffi::Py_XINCREF(value);
                    value
                }
                (_, Store::Attribute) => {
                    let known = plan.attributes.as_ref().zip(field.place);
                    let value = known.map_or(core::ptr::null_mut(), |(all, place)| all.value(object, place));
                    if value.is_null() {
                        ffi::PyObject_GetAttr(object, field.name.as_ptr())
                    } else {
                        ffi::Py_INCREF(value);
                        value
                    }
                }
            }
        };
        if !value.is_null() {
            // SAFETY: an owned reference, and not null.
            return Ok(Some(unsafe { Object::owned(value) }));
        }
        // SAFETY: the GIL is held.
        let raised = unsafe {
            let raised = !ffi::PyErr_Occurred().is_null();
            let unset = raised && ffi::PyErr_ExceptionMatches(ffi::PyExc_AttributeError) != 0;
            if unset {
                ffi::PyErr_Clear();
            }
            raised && !unset
        };
        if raised {
            return Err(self.raised_now());
        }
        if field.required { Err(unset(plan, field)) } else { Ok(None) }
    }

    fn tag(&mut self, value: &TagValue) -> Result<()> {
        match value {
            TagValue::Text(text) => self.sink.text(text),
            TagValue::Int(int) => self.sink.i64(*int),
        }
    }

    /// Encodes the unknown fields, which the class collects in a dict.
    fn rest(&mut self, plan: &'e RecordPlan, kept: &Object, tag: Option<Tag<'e>>) -> Result<()> {
        if ObjectRef::of(kept).is_none() {
            return Ok(());
        }
        if !ObjectRef::of(kept).is_dict() {
            return Err(Error::mismatch(ErrorKind::Encode, "a dict of the unknown fields", "something else"));
        }
        self.unlike(plan, kept, tag, |_| true)
    }

    /// Encodes the keys of a dict that its class does not declare: type checkers allow them, and they must not be lost.
    #[inline(never)]
    fn unlisted(&mut self, plan: &'e RecordPlan, object: ObjectRef, tag: Option<Tag<'e>>) -> Result<()> {
        let names: Vec<_> =
            plan.writes.iter().filter(|field| field.role == Role::Value).map(|field| &*field.label).collect();
        self.unlike(plan, &object.hold(), tag, |key| !names.contains(&key))
    }

    /// Encodes entries of a dict as unknown fields of the record.
    ///
    /// One with the name of a field, or of the tag, is refused: the record would have that key twice.
    fn unlike(
        &mut self,
        plan: &'e RecordPlan,
        dict: &Object,
        tag: Option<Tag<'e>>,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<()> {
        // SAFETY: engines run with the GIL held; the callers have checked that it is a dict.
        let entries = unsafe {
            let dict = dict.clone().into_bound(Python::assume_attached());
            dict.cast_unchecked::<pyo3::types::PyDict>().copy()
        };
        for (key, value) in entries.map_err(|raised| self.raised(raised))? {
            let key = Object::of(&key);
            if !ObjectRef::of(&key).is_exactly(text_class()) {
                return Err(Error::mismatch(ErrorKind::Encode, "text as the name of a field", "another key"));
            }
            // SAFETY: a `str`, and held.
            let Some(name) = (unsafe { super::text::utf8_of(&key) }) else {
                // SAFETY: as above.
                return Err(unsafe { fault::no_utf8(ObjectRef::of(&key)) });
            };
            if !wanted(name) {
                continue;
            }
            let is_taken = plan.write.index_of(name).or_else(|| plan.read.index_of(name)).is_some();
            if is_taken || tag.is_some_and(|tag| tag.key == name) {
                let name = excerpt::name(name);
                let message = format!("the unknown field {name} has the name of a field of `{}`", plan.name);
                return Err(Error::new(ErrorKind::Encode, message));
            }
            self.sink.rest(&plan.write, name)?;
            let told = self.plain(Anything, ObjectRef::of(&Object::of(&value)));
            told.map_err(|error| error.within_field(name.to_string()))?;
        }
        Ok(())
    }

    /// Encodes a record as a list of its fields.
    #[inline(never)]
    fn items(
        &mut self,
        plan: &'e RecordPlan,
        program: &'e Program,
        object: ObjectRef,
        tag: Option<Tag<'e>>,
    ) -> Result<()> {
        let held = object.hold();
        self.deeper()?;
        let added = tag.filter(|_| plan.tag.is_none());
        self.sink.begin_list(Some(plan.writes.len() + usize::from(added.is_some())))?;
        if let Some(tag) = added {
            self.sink.item()?;
            self.tag(tag.value)?;
        }
        for (index, field) in plan.writes.iter().enumerate() {
            self.sink.item()?;
            if field.role == Role::Tag {
                if let Some(value) = tag.map(|tag| tag.value).or(plan.tag.as_ref()) {
                    self.tag(value)?;
                }
                continue;
            }
            let told = match self.value_of(plan, index, field, ObjectRef::of(&held)) {
                Ok(Some(value)) if field.is_unset(&value) => Err(unset(plan, field)),
                Ok(Some(value)) => self.value(self.at(&field.node, program), ObjectRef::of(&value)),
                Ok(None) => self.sink.null(),
                Err(error) => Err(error),
            };
            told.map_err(|error| error.within_item(index))?;
        }
        self.back();
        self.sink.end_list()
    }

    /// Returns whether to omit a field: it is unset, None that the class leaves out, or equal to the default that a
    /// reader would use, if the format can leave it out.
    pub(super) fn is_left_out(&mut self, field: &Write, value: &Object) -> Result<bool> {
        if field.is_unset(value) || field.omit_none && ObjectRef::of(value).is_none() {
            return Ok(true);
        }
        if self.sink.keeps_defaults() {
            return Ok(false);
        }
        match &field.omit {
            Default::None => Ok(false),
            Default::List => Ok(is_empty(value, &raw mut ffi::PyList_Type)),
            Default::Dict => Ok(is_empty(value, &raw mut ffi::PyDict_Type)),
            Default::Value(default) => self.is_same(value, default.as_ptr()),
            Default::Factory(factory) => {
                // A class is called to obtain a value to compare with; a function is not, as it may have side effects.
                // SAFETY: the object is alive.
                if unsafe { ffi::PyType_Check(factory.as_ptr()) } == 0
                    || ObjectRef::of(value).class().cast() != factory.as_ptr()
                {
                    return Ok(false);
                }
                // SAFETY: a live class; the GIL is held.
                let made = Object::new(unsafe { ffi::PyObject_CallNoArgs(factory.as_ptr()) });
                let made = made.map_err(|raised| self.raised(raised))?;
                self.is_same(value, made.as_ptr())
            }
        }
    }

    /// Returns whether two objects are equal and of the same class: `True` differs from `1`, and `-0.0` from `0.0`.
    fn is_same(&mut self, value: &Object, other: *mut ffi::PyObject) -> Result<bool> {
        let value = ObjectRef::of(value);
        if value.as_ptr() == other {
            return Ok(true);
        }
        // SAFETY: both are alive; the class is checked before the number is read.
        unsafe {
            if value.class() != ffi::Py_TYPE(other) {
                return Ok(false);
            }
            if value.is_exactly(&raw mut ffi::PyFloat_Type) {
                let (own, other) = (ffi::PyFloat_AS_DOUBLE(value.as_ptr()), ffi::PyFloat_AS_DOUBLE(other));
                return Ok(own.to_bits() == other.to_bits());
            }
            match ffi::PyObject_RichCompareBool(value.as_ptr(), other, ffi::Py_EQ) {
                -1 => Err(self.raised_now()),
                same => Ok(same == 1),
            }
        }
    }
}

fn is_empty(value: &Object, class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: a live list or dict.
    ObjectRef::of(value).is_exactly(class) && unsafe { ffi::PyObject_Size(value.as_ptr()) } == 0
}

#[cold]
#[inline(never)]
pub(super) fn within(error: Error, field: &Write) -> Error {
    let node = if let Node::Optional(inner) = &field.node { inner } else { &field.node };
    let error = match node {
        Node::Literal(node) if node.is_mixed() && error.path() == "$" => {
            let message =
                format!("{}: a literal of several kinds is text here, as a column has one kind", error.reason());
            Error::new(error.kind(), message)
        }
        _ => error,
    };
    error.within_field(field.label.clone())
}

#[cold]
#[inline(never)]
fn unset(plan: &RecordPlan, field: &Write) -> Error {
    let what = if plan.is_dict() { "key" } else { "attribute" };
    Error::new(ErrorKind::Encode, format!("the {what} `{}` of a `{}` is not set", field.label, plan.name))
}
