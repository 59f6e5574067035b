//! Encodes values with a declared type, and instances of classes with a plan.

use super::asked::not_of;
use super::base::Base;
use super::classes::Known;
use super::hint::{Anything, Declared};
use super::object_ref::{list_class, tuple_class};
use super::{EncodeSink, Engine, ObjectRef};
use crate::known;
use crate::plan::{EnumNode, HookNode, Name, Node, Program};
use demat_core::{Error, ErrorKind, Result};
use pyo3::prelude::*;
use pyo3::{ffi, intern};

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Encodes a value whose declared type has parts or a special encoding.
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
                let held = at.asked.then(|| object.hold());
                if held.is_some() && !is_among(node, object) {
                    return Err(not_of(at, object));
                }
                self.member(node, object)
            }
            Node::Map(map) if object.is_dict() => self.dict(at.part(&map.key), at.part(&map.value), object),
            Node::Map(map) => self.declared_map(at, (at.part(&map.key), at.part(&map.value)), object),
            Node::Date | Node::Datetime(_) | Node::Time(_) if !at.asked => self.moment(at.node, at, object),
            Node::Decimal if !at.asked => self.declared_decimal(at, object),
            Node::Tuple(nodes) if is_of_length(object, nodes.len()) => self.fixed(nodes, at, object),
            // Other values are encoded by their own class: builtin scalars, and objects of any other class.
            _ => self.as_it_is(at, object),
        }
    }

    /// Encodes a date or a time, whose class is usually exactly the declared one.
    pub(super) fn moment(&mut self, node: &'e Node, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        // SAFETY: the GIL is held. The module's interface is a constant once it is imported; before, it is null, and
        // there is no instance of its classes. Each class is compared before the object is read as one.
        unsafe {
            if let Some(api) = ffi::PyDateTimeAPI().as_ref() {
                match node {
                    Node::Date if object.is_exactly(api.DateType) => return self.date(object),
                    Node::Datetime(_) if object.is_exactly(api.DateTimeType) => return self.datetime(object),
                    Node::Time(_) if object.is_exactly(api.TimeType) => return self.time(object),
                    _ => {}
                }
            }
        }
        self.as_it_is(at, object)
    }

    /// Encodes a value that was declared as a list of these items.
    fn declared_list(&mut self, at: Declared<'e>, item: Declared<'e>, object: ObjectRef) -> Result<()> {
        if object.is_exactly(list_class()) {
            return self.list(item, object);
        }
        if object.is_exactly(tuple_class()) {
            return self.tuple(item, object);
        }
        // Describing its class may run user code.
        let held = object.hold();
        let object = ObjectRef::of(&held);
        match self.classes.of(object) {
            Ok(Known::Base(Base::List)) => self.list(item, object),
            Ok(Known::Base(Base::Tuple)) => self.tuple(item, object),
            Ok(Known::Base(Base::Iterable)) => self.iterable(item, object),
            _ => self.as_it_is(at, object),
        }
    }

    /// Encodes a value that was declared as a mapping, and is no dict.
    #[inline(never)]
    fn declared_map(
        &mut self,
        at: Declared<'e>,
        (keys, values): (Declared<'e>, Declared<'e>),
        object: ObjectRef,
    ) -> Result<()> {
        // As above.
        let held = object.hold();
        let object = ObjectRef::of(&held);
        match self.classes.of(object) {
            Ok(Known::Base(Base::Mapping)) => self.mapping(keys, values, object),
            _ => self.as_it_is(at, object),
        }
    }

    /// Encodes a value that was declared as a `Decimal`.
    #[inline(never)]
    fn declared_decimal(&mut self, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        // The first look at the class imports its module.
        let held = object.hold();
        let object = ObjectRef::of(&held);
        if is_decimal(object) { self.decimal(object) } else { self.as_it_is(at, object) }
    }

    /// Encodes an instance of a class with a plan.
    #[inline(always)]
    pub(super) fn planned(&mut self, program: &'e Program, object: ObjectRef) -> Result<()> {
        match &program.root {
            Node::Record(index) => self.record(&program.records[*index], program, object, None),
            Node::Hook(hook) => self.hook(hook, self.at(&program.root, program), object),
            Node::Enum(node) => self.member(node, object),
            _ => self.flag(object),
        }
    }

    /// Encodes a member of an enum as its value on the wire.
    #[inline(never)]
    fn member(&mut self, node: &EnumNode, object: ObjectRef) -> Result<()> {
        if !self.sink.by_number() {
            match node.few.name_of(object.as_ptr()) {
                Some(Name::Text(text)) => return self.sink.text(text),
                Some(Name::Int(int)) => return self.sink.i64(int),
                None => {}
            }
        }
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let member = object.hold().into_bound(py);
        if self.sink.by_number()
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

    /// Encodes a flag as its number, including combinations that have no name.
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

    /// Encodes a value whose hook has no encoding function, as if there were no hook.
    #[inline(never)]
    pub(super) fn unhooked(&mut self, hook: &'e HookNode, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        let _held = object.hold();
        if let Ok(Known::Base(base)) = self.classes.of(object) {
            return self.base(base, object);
        }
        // SAFETY: the class of a live object.
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

/// Returns whether a member is among the declared ones: a type may allow only some of an enum's members.
pub(super) fn is_among(node: &EnumNode, object: ObjectRef) -> bool {
    // SAFETY: engines run with the GIL held.
    let py = unsafe { Python::assume_attached() };
    node.asks || node.members.bind(py).values().iter().any(|own| own.as_ptr() == object.as_ptr())
}

/// Returns whether a hook applies to an object; a hook whose type is no class applies to all.
pub(super) fn is_of(hook: &HookNode, object: ObjectRef) -> bool {
    let class = hook.class.as_ptr();
    // SAFETY: the object is alive, and is checked to be a class before its use as one.
    unsafe { ffi::PyType_Check(class) == 0 || ffi::PyType_IsSubtype(object.class(), class.cast()) != 0 }
}

/// Returns whether an object's class is exactly `Decimal`.
#[inline]
fn is_decimal(object: ObjectRef) -> bool {
    // SAFETY: engines run with the GIL held.
    known::decimal(unsafe { Python::assume_attached() }).is_ok_and(|class| object.is_exactly(class.as_type_ptr()))
}

pub(super) fn is_of_length(object: ObjectRef, len: usize) -> bool {
    // SAFETY: the size is only read after the check for a list or tuple.
    unsafe {
        object.is_tuple() && ffi::PyTuple_GET_SIZE(object.as_ptr()) == len.cast_signed()
            || object.is_list() && ffi::PyList_GET_SIZE(object.as_ptr()) == len.cast_signed()
    }
}
