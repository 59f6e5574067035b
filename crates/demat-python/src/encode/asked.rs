//! Encodes values as a given type: with `type=`, values of other types are refused.
//!
//! Constraints such as bounds are for untrusted input, and are not checked here.

use super::base::Base;
use super::classes::Known;
use super::hint::{Anything, Declared};
use super::object_ref::{bool_class, dict_class, float_class, int_class, text_class};
use super::union::fits;
use super::{EncodeSink, Engine, ObjectRef, declared, fault};
use crate::object::Object;
use crate::plan::{BytesKind, LiteralNode, Node, UnionNode, Variant};
use demat_core::excerpt;
use demat_core::{Error, ErrorKind, Result};
use pyo3::ffi;
use pyo3::prelude::*;

/// The maximum depth to which a value is inspected to select a union's type.
const DEEPEST: u32 = 24;

impl<'e, K: EncodeSink> Engine<'e, K> {
    /// Encodes a value by its own class, after checking it against the type if one was passed.
    pub(super) fn as_it_is(&mut self, at: Declared<'e>, object: ObjectRef) -> Result<()> {
        if !at.asked {
            return self.plain(Anything, object);
        }
        // Checking a class may run user code.
        let held = object.hold();
        let object = ObjectRef::of(&held);
        if self.is_of(at, object) {
            return self.plain(Anything, object);
        }
        if self.options.default.is_some() && matches!(self.classes.of(object), Ok(Known::Nothing)) {
            return self.unknown(object);
        }
        Err(not_of(at, object))
    }

    /// Returns whether an object that is encoded by its own class is of a type.
    fn is_of(&mut self, at: Declared<'e>, object: ObjectRef) -> bool {
        let class = object.class();
        let is_int = || object.has(ffi::Py_TPFLAGS_LONG_SUBCLASS) && class != bool_class();
        match at.node {
            Node::Any => true,
            Node::None => object.is_none(),
            Node::Bool => class == bool_class(),
            Node::Int => is_int(),
            // SAFETY: the class of a live object.
            Node::Float => is_int() || unsafe { ffi::PyType_IsSubtype(class, float_class()) != 0 },
            Node::Str => object.has(ffi::Py_TPFLAGS_UNICODE_SUBCLASS),
            Node::Bytes(BytesKind::Bytes) => self.stands_on(Base::Bytes, object),
            Node::Bytes(BytesKind::Bytearray) => self.stands_on(Base::Bytearray, object),
            Node::Bytes(BytesKind::Memoryview) => {
                self.stands_on(Base::Memoryview, object) && super::numbers::is_of_bytes(object)
            }
            Node::Decimal => self.stands_on(Base::Decimal, object),
            Node::Datetime(_) => self.stands_on(Base::Datetime, object),
            Node::Date => self.stands_on(Base::Date, object),
            Node::Time(_) => self.stands_on(Base::Time, object),
            Node::Timedelta => self.stands_on(Base::Timedelta, object),
            Node::Uuid => self.stands_on(Base::Uuid, object),
            Node::Raw => self.stands_on(Base::Raw, object),
            Node::Record(index) => {
                let plan = &at.program.records[*index];
                // SAFETY: both are live classes.
                !plan.is_dict() && unsafe { ffi::PyType_IsSubtype(class, plan.class_ptr()) != 0 }
            }
            // SAFETY: as above.
            Node::Flag(flag) => unsafe { ffi::PyType_IsSubtype(class, flag.as_ptr().cast()) != 0 },
            Node::Literal(node) => is_literal(node, object),
            // Values of these are not encoded by their own class.
            Node::List(_)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Enum(_)
            | Node::Hook(_)
            | Node::Union(_)
            | Node::Optional(_)
            | Node::Named(_)
            | Node::Checked(_) => false,
        }
    }

    fn stands_on(&mut self, base: Base, object: ObjectRef) -> bool {
        matches!(self.classes.of(object), Ok(Known::Base(own)) if own == base)
    }

    /// Selects the type of a union for a value: the first one that is its class, or as which it can be encoded. If
    /// several are possible, the value's contents decide.
    pub(super) fn asked_variant(
        &mut self,
        union: &'e UnionNode,
        at: Declared<'e>,
        object: ObjectRef,
    ) -> Option<&'e Variant> {
        let (records, held) = (&at.program.records, object.hold());
        for exactly in [true, false] {
            let fitting = |variant: &&Variant| fits(&variant.node, records, union.tag.as_deref(), object, exactly);
            let mut fitting = union.variants.iter().filter(fitting);
            let (first, second) = (fitting.next(), fitting.next());
            if first.is_none() || second.is_none() {
                if first.is_some() {
                    return first;
                }
                continue;
            }
            let mut all = first.into_iter().chain(second).chain(fitting);
            return all.find(|variant| self.conforms(at.part(&variant.node), ObjectRef::of(&held), DEEPEST)).or(first);
        }
        union.variants.iter().find(|variant| self.conforms(at.part(&variant.node), ObjectRef::of(&held), 1))
    }

    /// Returns whether a value is of a type, including its contents down to the maximum depth.
    fn conforms(&mut self, at: Declared<'e>, object: ObjectRef, deep: u32) -> bool {
        let next = deep.saturating_sub(1);
        match at.node {
            Node::Optional(inner) => object.is_none() || self.conforms(at.part(inner), object, deep),
            Node::Checked(checked) => self.conforms(at.part(&checked.0), object, deep),
            Node::Named(index) if deep > 0 => self.conforms(at.part(&at.program.aliases[*index]), object, next),
            Node::Named(_) => true,
            // Each of the types is tried, so the depth is halved.
            Node::Union(union) => {
                deep == 0 || union.variants.iter().any(|one| self.conforms(at.part(&one.node), object, deep / 2))
            }
            Node::Hook(hook) => declared::is_of(hook, object),
            Node::Enum(node) => object.class().cast() == node.class.as_ptr() && declared::is_among(node, object),
            Node::List(list) => {
                let known = object.is_list() || object.is_tuple() || self.stands_on(Base::Iterable, object);
                known && (deep <= 1 || self.items_conform(|_| Some(&list.item), at, object, next))
            }
            Node::Tuple(nodes) => {
                declared::is_of_length(object, nodes.len())
                    && (deep <= 1 || self.items_conform(|index| nodes.get(index), at, object, next))
            }
            Node::Map(map) => {
                let known = object.is_dict() || self.stands_on(Base::Mapping, object);
                known && (deep <= 1 || self.entries_conform(at.part(&map.key), at.part(&map.value), object, next))
            }
            Node::Record(index) if at.program.records[*index].is_dict() => {
                object.is_dict() && (deep <= 1 || self.fields_conform(*index, at, object, next))
            }
            _ => self.is_of(at, object),
        }
    }

    /// Checks the items of a list or tuple; other iterables can't be iterated twice.
    fn items_conform(
        &mut self,
        node: impl Fn(usize) -> Option<&'e Node>,
        at: Declared<'e>,
        object: ObjectRef,
        deep: u32,
    ) -> bool {
        let held = object.hold();
        let mut index = 0;
        while let (Some(item), Some(node)) = (super::sequence::item_at(&held, index), node(index)) {
            if !self.conforms(at.part(node), ObjectRef::of(&item), deep) {
                return false;
            }
            index += 1;
        }
        true
    }

    fn entries_conform(&mut self, keys: Declared<'e>, values: Declared<'e>, object: ObjectRef, deep: u32) -> bool {
        if !object.is_exactly(dict_class()) {
            return true;
        }
        let Some(entries) = copied(object) else { return true };
        entries.into_iter().all(|(key, value)| {
            let (key, value) = (Object::of(&key), Object::of(&value));
            self.conforms(keys, ObjectRef::of(&key), deep) && self.conforms(values, ObjectRef::of(&value), deep)
        })
    }

    /// Checks the fields of a TypedDict: required ones must be present, and all must be of their types.
    fn fields_conform(&mut self, record: usize, at: Declared<'e>, object: ObjectRef, deep: u32) -> bool {
        let Some(entries) = copied(object) else { return true };
        at.program.records[record].writes.iter().all(|field| match entries.get_item(&field.name) {
            Ok(Some(value)) => self.conforms(at.part(&field.node), ObjectRef::of(&Object::of(&value)), deep),
            _ => !field.required,
        })
    }
}

/// Returns the error for a value that is not of the given type.
#[cold]
pub(super) fn not_of(at: Declared<'_>, object: ObjectRef) -> Error {
    let held = object.hold();
    let object = ObjectRef::of(&held);
    // SAFETY: the class of a live object.
    let class = || unsafe { fault::class_name(object.class()) };
    let mut shown = None;
    let found = match at.node {
        _ if object.is_none() => "None".to_string(),
        Node::Literal(_) | Node::Enum(_) => value_of(object).unwrap_or_else(class),
        Node::Tuple(_) if object.is_tuple() || object.is_list() => {
            // SAFETY: a list or a tuple, whose size is in its header, whatever its class defines.
            return wrong_length(at.node.named(at.program), unsafe { ffi::Py_SIZE(object.as_ptr()) });
        }
        _ => {
            shown = excerpt_of(object);
            class()
        }
    };
    Error::mismatch(ErrorKind::Encode, at.node.named(at.program), format!("`{found}`")).showing(shown)
}

/// Returns the excerpt of a scalar of one of Python's own classes.
fn excerpt_of(object: ObjectRef) -> Option<String> {
    // SAFETY: engines run with the GIL held.
    let py = unsafe { Python::assume_attached() };
    let held = object.hold().into_bound(py);
    if object.is_exactly(text_class()) {
        // SAFETY: an exact `str`; the end may be beyond its own.
        let start = unsafe { ffi::PyUnicode_Substring(object.as_ptr(), 0, excerpt::SHOWN as ffi::Py_ssize_t + 1) };
        // SAFETY: a new reference, or null if memory runs out.
        let start = unsafe { Bound::from_owned_ptr_or_err(py, start) }.ok()?;
        return Some(excerpt::text(&start.cast::<pyo3::types::PyString>().ok()?.to_string_lossy()));
    }
    if let Ok(bytes) = held.cast_exact::<pyo3::types::PyBytes>() {
        return Some(excerpt::bytes(bytes.as_bytes()));
    }
    let is_number = object.is_exactly(int_class()) || object.is_exactly(bool_class());
    if !is_number && held.cast_exact::<pyo3::types::PyFloat>().is_err() {
        return None;
    }
    // An int with more digits than the interpreter converts has no text.
    held.str().ok().map(|text| excerpt::plain(text.to_string_lossy()))
}

/// Copies a dict, so that it can't change during iteration.
fn copied<'py>(object: ObjectRef) -> Option<Bound<'py, pyo3::types::PyDict>> {
    // SAFETY: engines run with the GIL held; the callers have checked that it is a dict.
    let dict =
        unsafe { object.hold().into_bound(Python::assume_attached()).cast_into_unchecked::<pyo3::types::PyDict>() };
    dict.copy().ok()
}

/// Returns whether an object is one of the values of a literal: `True` does not equal `1` here.
fn is_literal(node: &LiteralNode, object: ObjectRef) -> bool {
    // SAFETY: engines run with the GIL held.
    let py = unsafe { Python::assume_attached() };
    let held = object.hold().into_bound(py);
    if object.is_none() {
        node.none
    } else if object.is_exactly(bool_class()) {
        // SAFETY: the GIL is held.
        node.bools[usize::from(object.as_ptr() == unsafe { ffi::Py_True() })]
    } else if object.is_exactly(int_class()) {
        node.ints.bind(py).contains(held).unwrap_or(false)
    } else {
        object.is_exactly(text_class()) && node.texts.bind(py).contains(held).unwrap_or(false)
    }
}

/// Returns the text of a str, an int or a bool for an error message.
fn value_of(object: ObjectRef) -> Option<String> {
    if ![text_class(), int_class(), bool_class()].contains(&object.class()) {
        return None;
    }
    // SAFETY: engines run with the GIL held.
    let text = object.hold().into_bound(unsafe { Python::assume_attached() });
    let text = text.str().ok()?.to_string_lossy().into_owned();
    Some(excerpt::plain(text))
}

#[cold]
fn wrong_length(expected: String, found: isize) -> Error {
    Error::mismatch(ErrorKind::Encode, expected, format!("one of {found}"))
}
