//! Converts builtins to objects of a type in one pass, without recording their parts.
//!
//! It is the quick twin of recording a value and reading the record. It converts what fits and is plain, and gives up
//! at anything else: objects of other classes, values that do not fit, types whose values user code builds. The caller
//! then takes the other way, which also finds the error. So no user code may run here: programs with hooks and
//! constructors are left out, all keys and values are of builtin classes, and the collector is paused. For the same
//! reason references may be borrowed from containers throughout.

mod dict;
mod record;
mod scalar;

use super::Engine;
use crate::collector::Paused;
use crate::decode::DecodeOptions;
use crate::encode::{EncodeOptions, ObjectRef, dict_class, list_class, tuple_class};
use crate::object::{self, Object};
use crate::plan::{ListKind, ListNode, Node, Program};
use demat_core::{Source, Tape};
use pyo3::ffi;
use pyo3::prelude::*;
use record::Keys;

pub(crate) use scalar::is_utf8;

/// Whether values of builtins are converted in one pass, if they fit.
pub(crate) fn is_straight(program: &Program, reading: &DecodeOptions) -> bool {
    program.straight && reading.manner.strict && reading.manner.times.is_none()
}

/// Returns a value of builtins as an object of the program's type; `None` if the slower way has to convert it.
/// `writing` has no options of its own.
pub(crate) fn straight<'py>(
    value: &Bound<'py, PyAny>,
    program: &Program,
    reading: &DecodeOptions,
    writing: &EncodeOptions,
) -> Option<Bound<'py, PyAny>> {
    if !is_straight(program, reading) {
        return None;
    }
    let _paused = Paused::new();
    let (py, empty) = (value.py(), Tape::default());
    let source: &mut dyn Source<'_> = &mut empty.source();
    let mut converter =
        Straight { engine: Engine::new(py, source, program, &reading.manner), writing, keys: Vec::new() };
    // SAFETY: the caller holds the value, and no user code runs.
    let value = unsafe { ObjectRef::new(value.as_ptr()) };
    converter.value(&program.root, value).map(|object| object.into_bound(py))
}

struct Straight<'e, 's, 'a> {
    /// It builds objects; its source has no values.
    engine: Engine<'e, 'a, &'s mut dyn Source<'a>, false>,
    /// How scalars are recorded that this code leaves to the engine.
    writing: &'e EncodeOptions,
    /// By record of the program: the keys that were met, and what they are.
    keys: Vec<Keys>,
}

impl<'e> Straight<'e, '_, '_> {
    /// Converts a value of any node.
    #[inline(always)]
    fn value(&mut self, node: &'e Node, value: ObjectRef) -> Option<Object> {
        match node {
            Node::Int => self.int(value),
            Node::Str => self.text(value),
            Node::Record(index) => self.record(*index, value),
            other => self.other(other, value),
        }
    }

    #[inline(never)]
    fn other(&mut self, node: &'e Node, value: ObjectRef) -> Option<Object> {
        match node {
            Node::Any => self.any(value),
            Node::Int => self.int(value),
            Node::Float => self.float(node, value),
            Node::Str => self.text(value),
            Node::Bool => self.bool(value),
            Node::None => value.is_none().then(Object::none),
            Node::Record(index) => self.record(*index, value),
            Node::Optional(_) if value.is_none() => Some(Object::none()),
            Node::Optional(inner) => self.value(inner, value),
            Node::List(list) => self.list(list, value),
            Node::Tuple(items) => self.tuple(items, value),
            Node::Map(map) => self.map(&map.value, value),
            Node::Named(index) => {
                self.engine.descend().ok()?;
                let program = self.engine.program;
                self.value(&program.aliases[*index], value)
            }
            Node::Union(union) => match &union.tag {
                Some(tag) => self.tagged(union, tag, value),
                None => self.scalar(node, value),
            },
            Node::Checked(checked) => {
                let made = self.value(&checked.0, value)?;
                let passes = value.is_none() || matches!(self.engine.broken(&checked.1, &made), Ok(None));
                passes.then_some(made)
            }
            Node::Enum(_) | Node::Literal(_) => self.named(node, value),
            Node::Bytes(_)
            | Node::Decimal
            | Node::Datetime(_)
            | Node::Date
            | Node::Time(_)
            | Node::Timedelta
            | Node::Uuid => self.leaf(node, value),
            Node::Raw | Node::Flag(_) | Node::Hook(_) => None,
        }
    }

    #[inline(never)]
    fn list(&mut self, node: &'e ListNode, value: ObjectRef) -> Option<Object> {
        self.engine.descend().ok()?;
        let items = items(value)?;
        match node.kind {
            ListKind::List => self.list_of(&node.item, items),
            ListKind::Tuple => {
                let tuple = new_tuple(items.len())?;
                for (index, item) in items.iter().enumerate() {
                    let item = self.value(&node.item, *item)?;
                    // SAFETY: a tuple of this length, which no other code has seen; the place is empty.
                    unsafe { ffi::PyTuple_SET_ITEM(tuple.as_ptr(), index.cast_signed(), item.into_ptr()) };
                }
                Some(tuple)
            }
            ListKind::Set | ListKind::Frozenset => {
                // SAFETY: the GIL is held.
                let set = unsafe { ffi::PySet_New(std::ptr::null_mut()) };
                let set = self.engine.made(set).ok()?;
                for item in items {
                    let item = self.value(&node.item, *item)?;
                    // SAFETY: a set, and an object of a builtin class.
                    if unsafe { ffi::PySet_Add(set.as_ptr(), item.as_ptr()) } < 0 {
                        drop(object::fetch());
                        return None;
                    }
                }
                if matches!(node.kind, ListKind::Set) {
                    return Some(set);
                }
                // SAFETY: a set of our own.
                let frozen = unsafe { ffi::PyFrozenSet_New(set.as_ptr()) };
                self.engine.made(frozen).ok()
            }
            ListKind::Other(_) => None,
        }
    }

    /// Converts the items of a list, which has its final length from the start.
    #[inline(always)]
    fn list_of(&mut self, node: &'e Node, items: &[ObjectRef]) -> Option<Object> {
        match node {
            Node::Int => self.list_by(items, Self::int),
            Node::Str => self.list_by(items, Self::text),
            Node::Float => self.list_by(items, |this, item| this.float(node, item)),
            Node::Record(index) => self.list_by(items, |this, item| this.record(*index, item)),
            other => self.list_by(items, |this, item| this.other(other, item)),
        }
    }

    #[inline(always)]
    fn list_by(
        &mut self,
        items: &[ObjectRef],
        convert: impl Fn(&mut Self, ObjectRef) -> Option<Object>,
    ) -> Option<Object> {
        let list = new_list(items.len())?;
        for (index, item) in items.iter().enumerate() {
            let item = convert(self, *item)?;
            // SAFETY: a list of this length, which no other code has seen; the place is empty.
            unsafe { ffi::PyList_SET_ITEM(list.as_ptr(), index.cast_signed(), item.into_ptr()) };
        }
        Some(list)
    }

    fn tuple(&mut self, nodes: &'e [Node], value: ObjectRef) -> Option<Object> {
        self.engine.descend().ok()?;
        let items = items(value).filter(|items| items.len() == nodes.len())?;
        let tuple = new_tuple(items.len())?;
        for (index, (node, item)) in nodes.iter().zip(items).enumerate() {
            let item = self.value(node, *item)?;
            // SAFETY: as above.
            unsafe { ffi::PyTuple_SET_ITEM(tuple.as_ptr(), index.cast_signed(), item.into_ptr()) };
        }
        Some(tuple)
    }

    /// Copies a value of builtins.
    #[inline(never)]
    fn any(&mut self, value: ObjectRef) -> Option<Object> {
        if value.is_exactly(dict_class()) {
            return self.map(&Node::Any, value);
        }
        if let Some(items) = items(value) {
            self.engine.descend().ok()?;
            return self.list_of(&Node::Any, items);
        }
        self.any_scalar(value)
    }
}

/// Returns the items of a list or a tuple.
#[inline(always)]
fn items<'v>(value: ObjectRef) -> Option<&'v [ObjectRef]> {
    // SAFETY: the class is exactly one of the two. Their items live and stay where they are, since no user code runs.
    // `ObjectRef` is a pointer.
    unsafe {
        let (start, len) = if value.is_exactly(list_class()) {
            let list = value.as_ptr().cast::<ffi::PyListObject>();
            ((*list).ob_item.cast_const(), ffi::PyList_GET_SIZE(value.as_ptr()))
        } else if value.is_exactly(tuple_class()) {
            let tuple = value.as_ptr().cast::<ffi::PyTupleObject>();
            ((&raw const (*tuple).ob_item).cast(), ffi::PyTuple_GET_SIZE(value.as_ptr()))
        } else {
            return None;
        };
        if len == 0 {
            return Some(&[]);
        }
        Some(core::slice::from_raw_parts(start.cast(), len.cast_unsigned()))
    }
}

/// Returns a list of null items, which are set before other code sees it.
#[inline]
fn new_list(len: usize) -> Option<Object> {
    // SAFETY: the GIL is held.
    Object::new(unsafe { ffi::PyList_New(len.cast_signed()) }).ok()
}

/// As [`new_list`], for a tuple.
#[inline]
fn new_tuple(len: usize) -> Option<Object> {
    // SAFETY: the GIL is held.
    Object::new(unsafe { ffi::PyTuple_New(len.cast_signed()) }).ok()
}
