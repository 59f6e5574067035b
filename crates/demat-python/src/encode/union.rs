//! Encodes unions: selects the type that an object matches.

use super::classes::Known;
use super::hint::Declared;
use super::record::Tag;
use super::{EncodeSink, Engine, ObjectRef};
use crate::plan::{Node, RecordPlan, UnionNode};
use demat_core::Result;
use pyo3::ffi;
use pyo3::prelude::*;

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Encodes a value of one of several types; a value of none of them is encoded by its own class.
    #[inline(never)]
    pub(super) fn union(&mut self, union: &'e UnionNode, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        if self.sink.tells_variants() {
            return self.numbered(union, at, object);
        }
        // The keys of a dict are compared, and the contents of a value that has to be of the type are looked at.
        let held = (at.asked || object.is_dict()).then(|| object.hold());
        let object = held.as_ref().map_or(object, ObjectRef::of);
        let records = &at.program.records;
        let fits = |exactly: bool| {
            union.variants.iter().find(|variant| fits(&variant.node, records, union.tag.as_deref(), object, exactly))
        };
        let fitting = if at.asked { self.asked_variant(union, at, object) } else { fits(true).or_else(|| fits(false)) };
        let Some(variant) = fitting else { return self.as_it_is(at, object) };
        let tag = match (&union.tag, &variant.name) {
            (Some(key), Some(value)) => Some(Tag { key, value }),
            _ => None,
        };
        let Node::Record(index) = &variant.node else { return self.declared(at.part(&variant.node), object) };
        let plan = &records[*index];
        // If the record has a field of its own with the tag's key, that field represents the tag.
        let tag = tag.filter(|_| plan.tag.is_some());
        if object.is_exactly(plan.class_ptr()) || plan.is_dict() {
            return self.record(plan, at.program, object, tag);
        }
        // A subclass has its own fields. The tag says as which declared type to read it. Describing it may run user code.
        let held = object.hold();
        let object = ObjectRef::of(&held);
        match self.classes.of(object) {
            Ok(Known::Plan(program) | Known::View(program)) => match &program.root {
                Node::Record(own) => self.record(&program.records[*own], program, object, tag),
                _ => self.planned(program, object),
            },
            Ok(_) => self.undeclared(object),
            Err(raised) => Err(self.raised(raised)),
        }
    }
}

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Encodes a union for a format that identifies variants by number: the value must match one of the types.
    fn numbered(&mut self, union: &'e UnionNode, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        let held = object.hold();
        let Some(variant) = self.asked_variant(union, at, object) else { return Err(super::asked::not_of(at, object)) };
        let index = union.variants.iter().position(|own| core::ptr::eq(own, variant)).unwrap_or(0);
        self.sink.begin_variant(&union.numbered, index)?;
        self.value(at.part(&variant.node), ObjectRef::of(&held))?;
        self.sink.end_variant(&union.numbered, index)
    }
}

/// Returns whether an object matches a type of a union: exactly, or by its base class.
pub(super) fn fits(node: &Node, records: &[RecordPlan], tag: Option<&str>, object: ObjectRef, exactly: bool) -> bool {
    let is_of = |class: *mut ffi::PyObject| {
        // SAFETY: the plan keeps the classes alive; a hook's type that is no class is excluded by the check.
        object.class().cast() == class
            || !exactly
                && unsafe { ffi::PyType_Check(class) != 0 && ffi::PyType_IsSubtype(object.class(), class.cast()) != 0 }
    };
    match node {
        Node::Record(index) => {
            let plan = &records[*index];
            if plan.is_dict() {
                object.is_dict() && (!exactly || has_tag(plan, tag, object))
            } else {
                is_of(plan.class.as_ptr())
            }
        }
        Node::Hook(hook) => is_of(hook.class.as_ptr()),
        Node::Enum(node) => is_of(node.class.as_ptr()),
        Node::Flag(class) => is_of(class.as_ptr()),
        Node::List(_) => object.is_list() || !exactly && object.is_tuple(),
        Node::Tuple(items) => {
            // SAFETY: the size is read after the check for a tuple.
            object.is_tuple()
                && (!exactly || unsafe { ffi::PyTuple_GET_SIZE(object.as_ptr()) } == items.len().cast_signed())
        }
        Node::Map(_) => object.is_dict(),
        Node::Optional(inner) => fits(inner, records, tag, object, exactly),
        Node::Checked(checked) => fits(&checked.0, records, tag, object, exactly),
        // Values of all others are encoded by their own class.
        _ => false,
    }
}

/// Returns whether a dict is of this type: by its own tag, or without one, by its required keys.
fn has_tag(plan: &RecordPlan, tag: Option<&str>, object: ObjectRef) -> bool {
    // SAFETY: engines run with the GIL held; the callers have checked that it is a dict.
    let dict =
        unsafe { object.hold().into_bound(Python::assume_attached()).cast_into_unchecked::<pyo3::types::PyDict>() };
    if let Some(tag) = tag
        && let Some(own) = &plan.tag
        && let Ok(Some(found)) = dict.get_item(tag)
    {
        return found.str().is_ok_and(|found| found.to_string_lossy() == own.text());
    }
    let mut required = plan.writes.iter().filter(|field| field.required);
    required.all(|field| dict.contains(&field.name).unwrap_or(false))
}
