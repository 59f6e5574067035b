//! Unions: which of the types an object is of.

use super::classes::Known;
use super::hint::Declared;
use super::record::Tag;
use super::{EncodeSink, Engine, ObjectRef};
use crate::plan::{Node, RecordPlan, UnionNode};
use demat_core::Result;
use pyo3::ffi;
use pyo3::prelude::*;

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// A value of one of several types; one of none of them is told as what it is.
    #[inline(never)]
    pub(super) fn union(&mut self, union: &'e UnionNode, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        if K::TELLS_VARIANTS {
            return self.numbered(union, at, object);
        }
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
        // A field of its own that has the tag's key says it.
        let tag = tag.filter(|_| plan.tag.is_some());
        if object.is_exactly(plan.class_ptr()) || plan.is_dict() {
            return self.record(plan, at.program, object, tag);
        }
        // A subclass has its own fields, and is read as what it was declared to be by the tag.
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
    /// The same where the number of the type is told, so that it has to be one of them.
    fn numbered(&mut self, union: &'e UnionNode, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        let held = object.hold();
        let Some(variant) = self.asked_variant(union, at, object) else { return Err(super::asked::not_of(at, object)) };
        let index = union.variants.iter().position(|own| core::ptr::eq(own, variant)).unwrap_or(0);
        self.sink.begin_variant(&union.numbered, index)?;
        self.value(at.part(&variant.node), ObjectRef::of(&held))?;
        self.sink.end_variant(&union.numbered, index)
    }
}

/// Whether an object is of a type of a union; exactly, or by what its class stands on.
pub(super) fn fits(node: &Node, records: &[RecordPlan], tag: Option<&str>, object: ObjectRef, exactly: bool) -> bool {
    let is_of = |class: *mut ffi::PyObject| {
        // SAFETY: classes live as long as the plan; what is none is not taken for one.
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
            // SAFETY: a tuple is asked for its size.
            object.is_tuple()
                && (!exactly || unsafe { ffi::PyTuple_GET_SIZE(object.as_ptr()) } == items.len().cast_signed())
        }
        Node::Map(_) => object.is_dict(),
        Node::Optional(inner) => fits(inner, records, tag, object, exactly),
        Node::Checked(checked) => fits(&checked.0, records, tag, object, exactly),
        // All others are told as what they are.
        _ => false,
    }
}

/// Whether a dict says by its own tag that it is of this type; without one, that it has the keys that it must have.
fn has_tag(plan: &RecordPlan, tag: Option<&str>, object: ObjectRef) -> bool {
    // SAFETY: engines run with the GIL held; it was seen to be a dict.
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
