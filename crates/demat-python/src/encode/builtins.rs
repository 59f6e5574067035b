//! Converts objects to builtins in one pass, without recording their parts.
//!
//! It is the quick twin of recording a value and reading the record without a type. It converts what user code has no part
//! in: builtins, and instances of classes whose values are found in memory. At anything else it gives up, and the caller
//! takes the other way, which also finds the error. No user code runs here, so references may be borrowed from containers
//! throughout.

use super::classes::{Classes, Known};
use super::union::fits;
use super::{
    EncodeOptions, ObjectRef, bool_class, dict_class, float_class, int_class, list_class, text_class, tuple_class,
};
use crate::collector::Paused;
use crate::decode::is_utf8;
use crate::object::{self, Object};
use crate::plan::{AsDict, Entry, EnumNode, MapNode, Name, Node, Program, RecordPlan, TagValue, UnionNode};
use crate::stack;
use crate::unchanged::Same;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

/// What a value was converted to.
pub(crate) struct Converted<'py> {
    pub(crate) value: Bound<'py, PyAny>,
    /// Whether some of it was an instance of a class with fields.
    pub(crate) had_records: bool,
}

/// Returns a value as builtins; `None` if the slower way has to convert it. The options are the usual ones.
pub(crate) fn builtins<'py>(value: &Bound<'py, PyAny>, options: &EncodeOptions) -> Option<Converted<'py>> {
    let _paused = Paused::new();
    let py = value.py();
    let classes = Classes::new(options);
    let mut converter = Converter { py, classes, depth: 0, deepest: options.write.depth, floor: 0, had_records: false };
    // SAFETY: the caller holds the value, and no user code runs.
    let object = unsafe { ObjectRef::new(value.as_ptr()) };
    let value = converter.value(object)?.into_bound(py);
    Some(Converted { value, had_records: converter.had_records })
}

struct Converter<'py, 'e> {
    py: Python<'py>,
    classes: Classes<'e>,
    depth: u32,
    deepest: u32,
    /// The lowest address of the stack; 0 before it is asked for.
    floor: usize,
    had_records: bool,
}

impl<'e> Converter<'_, 'e> {
    /// Converts a value by its own class.
    #[inline(always)]
    fn value(&mut self, object: ObjectRef) -> Option<Object> {
        if is_number_or_none(object) || object.is_exactly(text_class()) && is_utf8(object) {
            return Some(object.hold());
        }
        self.other(object)
    }

    #[inline(never)]
    fn other(&mut self, object: ObjectRef) -> Option<Object> {
        if let Some((plan, program)) = self.classes.record(object.class()) {
            return self.record(plan, program, object, None);
        }
        if object.is_exactly(list_class()) || object.is_exactly(tuple_class()) {
            return self.list(None, object);
        }
        if object.is_exactly(dict_class()) {
            return self.dict(None, object);
        }
        if Same::of(self.py, object).is_some() {
            return Some(object.hold());
        }
        // SAFETY: the GIL is held.
        if unsafe { ffi::PyAnySet_CheckExact(object.as_ptr()) } != 0 {
            return self.set(None, object);
        }
        match self.classes.at_hand(object)? {
            Known::Plan(program) => match &program.root {
                Node::Record(index) => self.record(&program.records[*index], program, object, None),
                Node::Enum(node) => self.member(node, object),
                _ => None,
            },
            Known::View(_) | Known::Base(_) | Known::Nothing => None,
        }
    }

    /// Converts a value that is declared as this node: as the class says, which may differ from what its own class says.
    fn declared(&mut self, at: Declared<'e>, object: ObjectRef) -> Option<Object> {
        match at.node {
            Node::Any
            | Node::None
            | Node::Bool
            | Node::Int
            | Node::Float
            | Node::Str
            | Node::Bytes(_)
            | Node::Decimal
            | Node::Datetime(_)
            | Node::Date
            | Node::Time(_)
            | Node::Timedelta
            | Node::Uuid
            | Node::Literal(_) => self.value(object),
            Node::Record(index) => {
                let plan = &at.program.records[*index];
                if object.is_exactly(plan.class_ptr()) {
                    return self.record(plan, at.program, object, None);
                }
                // A TypedDict is a dict, whose keys may have other names.
                if plan.is_dict() { None } else { self.value(object) }
            }
            Node::Named(index) => self.declared(at.part(&at.program.aliases[*index]), object),
            Node::Optional(_) if object.is_none() => Some(object.hold()),
            Node::Optional(inner) => self.declared(at.part(inner), object),
            Node::Checked(checked) => self.declared(at.part(&checked.0), object),
            Node::List(list) => {
                let item = at.part(&list.item);
                if object.is_exactly(list_class()) || object.is_exactly(tuple_class()) {
                    return self.list(Some(item), object);
                }
                // SAFETY: the GIL is held.
                if unsafe { ffi::PyAnySet_CheckExact(object.as_ptr()) } != 0 {
                    return self.set(Some(item), object);
                }
                None
            }
            Node::Map(map) if object.is_exactly(dict_class()) => self.dict(Some((map, at)), object),
            Node::Tuple(nodes) => {
                let items = items(object)?;
                if items.len() != nodes.len() {
                    return self.value(object);
                }
                self.deeper()?;
                let list = new_list(items.len())?;
                for (index, (node, item)) in nodes.iter().zip(items).enumerate() {
                    set_item(&list, index, self.declared(at.part(node), *item)?);
                }
                self.depth -= 1;
                Some(list)
            }
            Node::Enum(node) => {
                if object.class().cast() == node.class.as_ptr() {
                    self.member(node, object)
                } else {
                    self.value(object)
                }
            }
            Node::Union(union) => self.union(union, at, object),
            Node::Map(_) | Node::Raw | Node::Flag(_) | Node::Hook(_) => None,
        }
    }

    /// Converts a value of one of several types.
    fn union(&mut self, union: &'e UnionNode, at: Declared<'e>, object: ObjectRef) -> Option<Object> {
        if is_number_or_none(object) || object.is_exactly(text_class()) {
            let leaves = union.variants.iter().all(|variant| variant.node.leaves_scalars());
            return if leaves { self.value(object) } else { None };
        }
        // To find the variant of a dict, its keys are asked for.
        if object.is_dict() {
            return None;
        }
        let fits = |exactly| {
            let records = &at.program.records;
            union.variants.iter().find(|variant| fits(&variant.node, records, union.tag.as_deref(), object, exactly))
        };
        let Some(variant) = fits(true) else { return if fits(false).is_none() { self.value(object) } else { None } };
        let Node::Record(index) = &variant.node else { return self.declared(at.part(&variant.node), object) };
        let tag = variant.name.as_ref().filter(|_| union.tag.is_some());
        self.record(&at.program.records[*index], at.program, object, tag)
    }

    /// Converts an instance of a class with fields to a dict. The tag is that of the union which it is a variant of.
    #[inline(never)]
    fn record(
        &mut self,
        plan: &'e RecordPlan,
        program: &'e Program,
        object: ObjectRef,
        tag: Option<&TagValue>,
    ) -> Option<Object> {
        let form: &AsDict = plan.as_dict(self.py)?;
        let (begin, offsets) = match &plan.attributes {
            // SAFETY: the GIL is held, and the object is alive.
            Some(attributes) => unsafe { attributes.place(object.as_ptr()) }?,
            None => (core::ptr::null(), &[][..]),
        };
        self.deeper()?;
        self.had_records = true;
        let mut dict = form.form.copy()?;
        for (index, (entry, field)) in form.entries.iter().zip(&plan.writes).enumerate() {
            // SAFETY: the offsets are those of slots and of values of the object. Nobody changes it here.
            let value = unsafe {
                match entry {
                    Entry::Slot(offset) => *object.as_ptr().byte_offset(*offset).cast::<*mut ffi::PyObject>(),
                    Entry::Attribute(index) => *begin.byte_offset(offsets[*index]).cast(),
                    Entry::Tag(own) => {
                        dict.set(index, tag.map_or_else(|| own.clone(), |tag| self.tag(tag)));
                        continue;
                    }
                }
            };
            if value.is_null() {
                return None;
            }
            // SAFETY: the object owns its values.
            let value = unsafe { ObjectRef::new(value) };
            if field.unset.as_ref().is_some_and(|unset| unset.as_ptr() == value.as_ptr()) {
                return None;
            }
            let made = if is_number_or_none(value) && field.node.leaves_scalars() {
                value.hold()
            } else {
                self.declared(Declared { node: &field.node, program }, value)?
            };
            dict.set(index, made);
        }
        self.depth -= 1;
        Some(dict.done())
    }

    fn tag(&self, tag: &TagValue) -> Object {
        match tag {
            TagValue::Text(text) => Object::of(PyString::new(self.py, text).as_any()),
            TagValue::Int(int) => Object::of(PyInt::new(self.py, *int).as_any()),
        }
    }

    /// Converts a member of an enum with few members to its value.
    fn member(&self, node: &EnumNode, object: ObjectRef) -> Option<Object> {
        Some(match node.few.name_of(object.as_ptr())? {
            Name::Text(text) => Object::of(PyString::new(self.py, text).as_any()),
            Name::Int(int) => Object::of(PyInt::new(self.py, int).as_any()),
        })
    }

    /// Converts a list or a tuple, whose items are declared or not.
    #[inline(never)]
    fn list(&mut self, item: Option<Declared<'e>>, object: ObjectRef) -> Option<Object> {
        let items = items(object)?;
        self.deeper()?;
        let list = new_list(items.len())?;
        let item = item.filter(|item| !matches!(item.node, Node::Any));
        for (index, value) in items.iter().enumerate() {
            let made = match item {
                None => self.value(*value)?,
                Some(at) if is_number_or_none(*value) && at.node.leaves_scalars() => value.hold(),
                Some(at) => self.declared(at, *value)?,
            };
            set_item(&list, index, made);
        }
        self.depth -= 1;
        Some(list)
    }

    /// Converts a set to a list, in the order of the set.
    fn set(&mut self, item: Option<Declared<'e>>, object: ObjectRef) -> Option<Object> {
        // SAFETY: a live set, whose iterator is the interpreter's own.
        let listed = Object::new(unsafe { ffi::PySequence_List(object.as_ptr()) });
        let Ok(listed) = listed else {
            drop(object::fetch());
            return None;
        };
        self.list(item, ObjectRef::of(&listed))
    }

    /// Converts a dict, whose keys and values are declared or not. It is copied as a whole, and only values that become other
    /// objects are set.
    #[inline(never)]
    fn dict(&mut self, declared: Option<(&'e MapNode, Declared<'e>)>, object: ObjectRef) -> Option<Object> {
        if declared.is_some_and(|(map, _)| !map.key.leaves_scalars()) {
            return None;
        }
        self.deeper()?;
        // SAFETY: a dict.
        let Ok(dict) = Object::new(unsafe { ffi::PyDict_Copy(object.as_ptr()) }) else {
            drop(object::fetch());
            return None;
        };
        let (mut at, mut key, mut value) = (0, core::ptr::null_mut(), core::ptr::null_mut());
        // SAFETY: a dict that nobody changes; it owns what is found.
        while unsafe { ffi::PyDict_Next(object.as_ptr(), &raw mut at, &raw mut key, &raw mut value) } != 0 {
            // SAFETY: as above.
            let (key, value) = unsafe { (ObjectRef::new(key), ObjectRef::new(value)) };
            let is_text = key.is_exactly(text_class()) && is_utf8(key);
            let is_int = key.is_exactly(int_class()) && declared.is_none();
            if !is_text && !is_int {
                return None;
            }
            let made = match declared {
                Some((map, at)) => self.declared(at.part(&map.value), value)?,
                None => self.value(value)?,
            };
            if made.as_ptr() == value.as_ptr() {
                continue;
            }
            // SAFETY: a dict of our own, and live objects; the comparison of its keys runs no user code, as the key is there.
            if unsafe { ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), made.as_ptr()) } < 0 {
                drop(object::fetch());
                return None;
            }
        }
        self.depth -= 1;
        Some(dict)
    }

    /// Enters a container. Gives up where the nesting is too deep, which the slower way reports.
    #[inline(always)]
    fn deeper(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth < LOOK { Some(()) } else { self.look() }
    }

    #[cold]
    fn look(&mut self) -> Option<()> {
        if self.floor == 0 {
            self.floor = stack::floor();
        }
        (self.depth <= self.deepest && stack::here() >= self.floor).then_some(())
    }
}

/// The depth from which on the stack is looked at.
const LOOK: u32 = 16;

/// A node of a program.
#[derive(Clone, Copy)]
struct Declared<'e> {
    node: &'e Node,
    program: &'e Program,
}

impl<'e> Declared<'e> {
    fn part(self, node: &'e Node) -> Self {
        Self { node, ..self }
    }
}

/// Whether an object is None, or of exactly one of the builtin classes of numbers.
#[inline(always)]
fn is_number_or_none(object: ObjectRef) -> bool {
    let class = object.class();
    class == int_class() || class == float_class() || class == bool_class() || object.is_none()
}

/// Returns the items of a list or a tuple.
#[inline(always)]
fn items<'v>(object: ObjectRef) -> Option<&'v [ObjectRef]> {
    // SAFETY: the class is exactly one of the two. Their items live and stay where they are, since no user code runs.
    // `ObjectRef` is a pointer.
    unsafe {
        let start: *const *mut ffi::PyObject = if object.is_exactly(list_class()) {
            (*object.as_ptr().cast::<ffi::PyListObject>()).ob_item.cast_const()
        } else if object.is_exactly(tuple_class()) {
            (&raw const (*object.as_ptr().cast::<ffi::PyTupleObject>()).ob_item).cast()
        } else {
            return None;
        };
        match ffi::Py_SIZE(object.as_ptr()) {
            0 => Some(&[]),
            len => Some(core::slice::from_raw_parts(start.cast(), len.cast_unsigned())),
        }
    }
}

/// Returns a list of null items, which are set before other code sees it.
#[inline]
fn new_list(len: usize) -> Option<Object> {
    // SAFETY: the GIL is held.
    let made = Object::new(unsafe { ffi::PyList_New(len.cast_signed()) });
    if made.is_err() {
        drop(object::fetch());
    }
    made.ok()
}

/// Sets an item of a list that no other code has seen; its place is empty.
#[inline(always)]
fn set_item(list: &Object, index: usize, item: Object) {
    // SAFETY: as the caller says.
    unsafe { ffi::PyList_SET_ITEM(list.as_ptr(), index.cast_signed(), item.into_ptr()) };
}
