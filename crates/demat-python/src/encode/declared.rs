//! Values of which a type was declared, or whose class has a plan.

use super::asked::not_of;
use super::base::Base;
use super::classes::Known;
use super::hint::{Anything, Declared};
use super::object_ref::{list_class, tuple_class};
use super::{EncodeSink, Engine, ObjectRef};
use crate::plan::{EnumNode, HookNode, Node, Program};
use demat_core::{Error, ErrorKind, Result};
use pyo3::prelude::*;
use pyo3::{ffi, intern};

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Tells a value that was declared to be something that has parts, or is told in its own way.
    #[inline(never)]
    pub(super) fn declared(&mut self, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        match at.node {
            Node::Any => self.plain(Anything, object),
            Node::Record(index) => {
                let plan = &at.program.records[*index];
                if object.is_exactly(plan.class_ptr()) || plan.is_dict() && object.is_dict() {
                    return self.record(plan, at.program, object, None);
                }
                self.as_it_is(at, object)
            }
            Node::Named(index) => self.value(at.part(&at.program.aliases[*index]), object),
            Node::Optional(_) if object.is_none() => self.sink.null(),
            Node::Optional(inner) => self.value(at.part(inner), object),
            Node::Checked(checked) => self.value(at.part(&checked.0), object),
            Node::List(list) => self.declared_list(at, at.part(&list.item), object),
            Node::Union(union) => self.union(union, at, object),
            Node::Hook(hook) if is_of(hook, object) => self.hook(hook, at, object),
            Node::Enum(node) if object.class().cast() == node.class.as_ptr() => {
                if at.asked && !is_among(node, object) {
                    return Err(not_of(at, object));
                }
                self.member(node, object)
            }
            Node::Map(map) if object.is_dict() => self.dict(at.part(&map.key), at.part(&map.value), object),
            Node::Map(map) => match self.classes.of(object) {
                Ok(Known::Base(Base::Mapping)) => self.mapping(at.part(&map.key), at.part(&map.value), object),
                _ => self.as_it_is(at, object),
            },
            Node::Tuple(nodes) if is_of_length(object, nodes.len()) => self.fixed(nodes, at, object),
            // All else is told as what it is: scalars of the builtin classes, and objects of any other.
            _ => self.as_it_is(at, object),
        }
    }

    /// What was declared to be a list of such items.
    fn declared_list(&mut self, at: Declared<'e>, item: Declared<'e>, object: ObjectRef) -> Result<()> {
        if object.is_exactly(list_class()) {
            return self.list(item, object);
        }
        if object.is_exactly(tuple_class()) {
            return self.tuple(item, object);
        }
        match self.classes.of(object) {
            Ok(Known::Base(Base::List)) => self.list(item, object),
            Ok(Known::Base(Base::Tuple)) => self.tuple(item, object),
            Ok(Known::Base(Base::Iterable)) => self.iterable(item, object),
            _ => self.as_it_is(at, object),
        }
    }

    /// An instance of a class with a plan of its own.
    #[inline(always)]
    pub(super) fn planned(&mut self, program: &'e Program, object: ObjectRef) -> Result<()> {
        match &program.root {
            Node::Record(index) => self.record(&program.records[*index], program, object, None),
            Node::Hook(hook) => self.hook(hook, self.at(&program.root, program), object),
            Node::Enum(node) => self.member(node, object),
            _ => self.flag(object),
        }
    }

    /// A member of an enum, by its value on the wire.
    #[inline(never)]
    fn member(&mut self, node: &EnumNode, object: ObjectRef) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let member = object.hold().into_bound(py);
        if K::BY_NUMBER
            && let Some(names) = &node.numbered
        {
            let index = node.order.bind(py).iter().position(|own| own.is(&member));
            return match index {
                Some(index) => self.sink.variant(names, index),
                None => self.flag(object),
            };
        }
        let members = node.members.bind(py);
        if let Ok(value) = member.getattr(intern!(py, "_value_"))
            && let Ok(Some(own)) = members.get_item(&value)
            && own.is(&member)
        {
            return self.wire(&value);
        }
        match members.iter().find(|(_, own)| own.is(&member)) {
            Some((value, _)) => self.wire(&value),
            None => self.flag(object),
        }
    }

    /// A member of an enum of numbers that may be combined, or one that is none of those that were declared.
    fn flag(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let value = object.hold().into_bound(py).getattr(intern!(py, "_value_"));
        let value = value.map_err(|raised| self.raised(raised))?;
        if value.as_ptr() == object.as_ptr() {
            return Err(Error::new(ErrorKind::Encode, "a member of an enum is its own value"));
        }
        self.wire(&value)
    }

    /// What a hook that says nothing about encoding leaves as it would be without it.
    #[inline(never)]
    pub(super) fn unhooked(&mut self, hook: &'e HookNode, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        let _held = object.hold();
        if let Ok(Known::Base(base)) = self.classes.of(object) {
            return self.base(base, object);
        }
        // SAFETY: the class of a living object.
        let class = unsafe { pyo3::Borrowed::from_ptr(Python::assume_attached(), object.class().cast()) };
        let base = class.cast().map_err(PyErr::from).and_then(Base::of);
        match base {
            Ok(Some(base)) => self.base(base, object),
            Ok(None) if !matches!(hook.write, Node::Any) => self.value(at.part(&hook.write), object),
            Ok(None) => self.unknown(object),
            Err(raised) => Err(self.raised(raised)),
        }
    }
}

/// Whether a member is one of those that were declared: not all of an enum's have to be.
pub(super) fn is_among(node: &EnumNode, object: ObjectRef) -> bool {
    // SAFETY: engines run with the GIL held.
    let py = unsafe { Python::assume_attached() };
    node.asks || node.members.bind(py).values().iter().any(|own| own.as_ptr() == object.as_ptr())
}

/// Whether a hook is for an object; one that is not for a class is for all.
pub(super) fn is_of(hook: &HookNode, object: ObjectRef) -> bool {
    let class = hook.class.as_ptr();
    // SAFETY: it lives, and is not taken for a class where it is none.
    unsafe { ffi::PyType_Check(class) == 0 || ffi::PyType_IsSubtype(object.class(), class.cast()) != 0 }
}

pub(super) fn is_of_length(object: ObjectRef, len: usize) -> bool {
    // SAFETY: a list or tuple is asked for its size.
    unsafe {
        object.is_tuple() && ffi::PyTuple_GET_SIZE(object.as_ptr()) == len.cast_signed()
            || object.is_list() && ffi::PyList_GET_SIZE(object.as_ptr()) == len.cast_signed()
    }
}
