//! Creates view classes, one for each class of lazy records.

use super::Encoding;
use super::layout::{FieldSpan, ViewBytes};
use super::memory::{self, Spare};
use super::verify::Known;
use super::{field, items, keyed, methods};
use crate::plan::{ArrayForm, Default, Make, Node, Plan, Program, Read, RecordPlan, Role};
use demat_core::{Record, Shape, Unknown};
use demat_formats::proto::{Cardinality, Form, Wire};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString, PyType};
use pyo3::{PyTraverseError, PyVisit, ffi};
use std::collections::HashMap;
use std::ffi::{CString, c_int, c_void};
use std::sync::OnceLock;

/// The view classes of a plan's records, each created at its first use.
///
/// The plan owns this, and each class owns the plan: a cycle, which the collector can see.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Views {
    /// For each encoding.
    classes: [Box<[OnceLock<Py<PyType>>]>; Encoding::COUNT],
}

#[pymethods]
impl Views {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.classes.iter().flatten().filter_map(OnceLock::get).try_for_each(|class| visit.call(class))
    }
}

/// The metadata of a view class.
pub(crate) struct ViewClass {
    /// The class itself, which owns this.
    pub(super) class: *mut ffi::PyTypeObject,
    /// The user's class, which the view class inherits from.
    pub(super) base: *mut ffi::PyTypeObject,
    /// The plan, which the class owns.
    pub(super) plan: *mut ffi::PyObject,
    pub(super) record: usize,
    /// The encoding of its views' bytes.
    pub(super) format: Encoding,
    pub(super) fields: Box<[LazyField]>,
    /// By index of a field in the plan's reads: its index in `fields` plus one; 0 if there is none.
    by_read: Box<[u16]>,
    /// By field number up to 255: the index in `fields` plus one; 0 if there is none.
    dense: Box<[u16; 256]>,
    sparse: HashMap<u32, u16>,
    /// Offsets in an instance.
    pub(super) owner: isize,
    pub(super) state: isize,
    pub(super) bits: isize,
    pub(super) places: isize,
    /// The size of an instance.
    pub(super) size: usize,
    /// How to verify a view's bytes before they are written out; computed at the first use.
    pub(super) known: Known,
    /// Whether some of the fields exclude each other.
    pub(super) grouped: bool,
    /// Whether instances take part in garbage collection.
    pub(super) collected: bool,
    /// The memory of deallocated instances, for reuse.
    pub(super) spare: Spare,
    /// The attribute definitions, which the interpreter reads for as long as the class lives.
    #[allow(dead_code)] // held for the interpreter
    attributes: Vec<ffi::PyGetSetDef>,
    #[allow(dead_code)] // as above
    names: Vec<CString>,
}

/// A field of a view class.
pub(crate) struct LazyField {
    pub(super) owner: *const ViewClass,
    pub(super) index: usize,
    /// The index in the plan's reads.
    pub(super) read: usize,
    /// The index in the plan's writes, if it is written.
    pub(super) write: Option<usize>,
    pub(super) kind: Kind,
    pub(super) number: u32,
    /// Whether it is a group: a message between two tags.
    pub(super) is_group: bool,
    /// A record with only this field.
    pub(super) alone: Record,
    pub(super) label: String,
    /// The indices of the fields of the same oneof group, which exclude this one if they come later.
    pub(super) rivals: Box<[usize]>,
    /// The largest field number that determines the value: with ordered fields, the scan stops behind it. `u32::MAX` if
    /// the scan can't stop early.
    pub(super) until: u32,
}

/// How to read a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    /// A number of 64 bits or less.
    Int(Form),
    Float(Form),
    Text,
    Bytes,
    /// A message, read as a view.
    Message(usize),
    /// A list of numbers, bools, texts, bytes or messages, which are found on access.
    Items(Form, Option<usize>),
    /// Any other value, created by the decoder. Whether it is mutable, and so has to be kept.
    Made(bool),
    /// The unknown fields.
    Rest,
    /// A field that is never read, and has its default.
    Unread,
}

impl ViewClass {
    /// Returns the plan's record and its program.
    #[inline]
    pub(super) fn planned(&self) -> (&RecordPlan, &Program) {
        // SAFETY: the class owns the plan, which never changes, and the class lives as long as this borrow.
        let plan = unsafe { pyo3::Borrowed::from_ptr(Python::assume_attached(), self.plan).cast_unchecked::<Plan>() };
        let program: *const Program = &raw const plan.get().program;
        // SAFETY: as above.
        let program = unsafe { &*program };
        (&program.records[self.record], program)
    }

    /// Returns the plan.
    pub(super) fn plan<'py>(&self, py: Python<'py>) -> Bound<'py, Plan> {
        // SAFETY: as above.
        unsafe { Bound::from_borrowed_ptr(py, self.plan).cast_into_unchecked() }
    }

    /// Returns the index of the field with a number.
    #[inline(always)]
    pub(super) fn of_number(&self, number: u32) -> Option<usize> {
        let found = match self.dense.get(number as usize) {
            Some(found) => *found,
            None => self.sparse.get(&number).copied().unwrap_or(0),
        };
        usize::from(found).checked_sub(1)
    }

    /// Returns the index of the field with an index in the plan's reads.
    #[inline]
    pub(super) fn of_read(&self, read: usize) -> Option<usize> {
        usize::from(self.by_read.get(read).copied().unwrap_or(0)).checked_sub(1)
    }
}

impl LazyField {
    /// Returns the class of the field.
    #[inline(always)]
    pub(super) fn class(&self) -> &ViewClass {
        // SAFETY: the class owns the field, and never moves.
        unsafe { &*self.owner }
    }

    pub(super) fn planned(&self) -> &Read {
        &self.class().planned().0.reads[self.read]
    }
}

/// Returns the view class of a plan's record, creating it at its first use.
///
/// # Errors
/// `TypeError` if the class customizes how its instances are created.
pub(super) fn class_of<'p>(plan: &'p Bound<'_, Plan>, record: usize, format: Encoding) -> PyResult<&'p ViewClass> {
    let py = plan.py();
    let own = plan.get();
    let views = if let Some(views) = own.views.get() {
        views
    } else {
        let classes = || own.program.records.iter().map(|_| OnceLock::new()).collect();
        let made = Py::new(py, Views { classes: core::array::from_fn(|_| classes()) })?;
        own.views.get_or_init(|| made)
    };
    let slot = &views.get().classes[format as usize][record];
    let class = if let Some(class) = slot.get() {
        class
    } else {
        let made = make(plan, record, format)?.unbind();
        slot.get_or_init(|| made)
    };
    // SAFETY: a class that `make` created. The plan owns it, and the class owns the metadata.
    Ok(unsafe { &*knowledge(class.as_ptr().cast()) })
}

/// Returns whether a class is a view class.
#[inline(always)]
pub(crate) fn is_view_class(class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: a live class. No other class has this slot, as view classes have no subclasses.
    unsafe { (*class).tp_richcompare.is_some_and(|own| own as usize == methods::compare as *const () as usize) }
}

/// Returns the metadata of a view class.
///
/// # Safety
/// [`is_view_class`] must be true for the class.
#[inline(always)]
pub(super) unsafe fn knowledge(class: *mut ffi::PyTypeObject) -> *const ViewClass {
    // SAFETY: the first attribute of such a class points to the metadata's first field; classes without fields have an
    // attribute as well, see `make`.
    unsafe {
        let first = (*class).tp_getset;
        (*(*first).closure.cast::<LazyField>()).owner
    }
}

/// The maximum number of fields of a view class.
const MOST: usize = 4096;

fn make<'py>(plan: &Bound<'py, Plan>, record: usize, format: Encoding) -> PyResult<Bound<'py, PyType>> {
    let py = plan.py();
    items::register(py)?;
    let program = &plan.get().program;
    let own = &program.records[record];
    let base = own.class.bind(py);
    let refused = |reason: &str| PyTypeError::new_err(format!("`{}` has no lazy records: {reason}", own.name));
    if let Some(reason) = no_views(own, format) {
        return Err(refused(reason));
    }
    let mut fields = fields(own, program, format)?;
    let count = fields.len();
    if count == 0 {
        return Err(refused("it has no fields"));
    }
    // SAFETY: a live class.
    let basicsize = unsafe { (*own.class_ptr()).tp_basicsize }.unsigned_abs();
    let basicsize = basicsize.next_multiple_of(align_of::<ViewBytes>()).cast_signed();
    let word = size_of::<*mut ffi::PyObject>();
    let owner = basicsize;
    let state = owner + (word * (1 + count)).cast_signed();
    let bits = state + size_of::<ViewBytes>().cast_signed();
    let places = bits + (4 * (2 + count.div_ceil(32))).next_multiple_of(align_of::<ViewBytes>()).cast_signed();
    let end = places + (size_of::<FieldSpan>() * count).cast_signed();
    let size = end.unsigned_abs().next_multiple_of(word);
    let (dense, sparse) = by_number(&fields, own);
    let mut by_read = vec![0; own.reads.len()].into_boxed_slice();
    for field in &fields {
        by_read[field.read] = field.index as u16 + 1;
    }
    let names = names_of(py, &fields, own)?;
    let made = Box::into_raw(Box::new(ViewClass {
        class: core::ptr::null_mut(),
        base: own.class_ptr(),
        plan: plan.as_ptr(),
        record,
        format,
        fields: Box::default(),
        by_read,
        dense,
        sparse,
        owner,
        state,
        bits,
        places,
        size,
        known: Known::new(),
        grouped: own.grouped && format == Encoding::Messages,
        collected: true,
        spare: Spare::new(),
        attributes: Vec::new(),
        names,
    }));
    for field in &mut fields {
        field.owner = made;
    }
    // SAFETY: just created, and not shared before the class exists.
    let knowledge = unsafe { &mut *made };
    knowledge.fields = fields.into();
    knowledge.attributes = knowledge
        .fields
        .iter()
        .zip(&knowledge.names)
        .map(|(field, name)| ffi::PyGetSetDef {
            name: name.as_ptr(),
            get: Some(if format.is_keyed() { keyed::get } else { field::get }),
            set: Some(field::set),
            doc: core::ptr::null(),
            closure: (&raw const *field).cast_mut().cast(),
        })
        .chain([ffi::PyGetSetDef::default()])
        .collect();
    let class = typed(base, knowledge, count);
    let class = match class {
        Ok(class) => class,
        Err(raised) => {
            // SAFETY: no class refers to it.
            drop(unsafe { Box::from_raw(made) });
            return Err(raised);
        }
    };
    knowledge.class = class.as_ptr().cast();
    // SAFETY: a live class.
    knowledge.collected = unsafe { ffi::PyType_HasFeature(knowledge.class, ffi::Py_TPFLAGS_HAVE_GC) != 0 };
    memory::install(&class, knowledge)?;
    let capsule = PyCapsule::new_with_value(py, Knowledge(made), c"demat.lazy")?;
    class.setattr("__demat_view__", (capsule, plan))?;
    for name in ["__module__", "__qualname__", "__doc__"] {
        if let Ok(value) = base.getattr(name) {
            class.setattr(name, value)?;
        }
    }
    Ok(class)
}

/// Returns why a class has no lazy records in an encoding; `None` if it has.
fn no_views(own: &RecordPlan, format: Encoding) -> Option<&'static str> {
    if own.make != Make::Fields {
        return Some("it is no dataclass, or has a say in how its instances are made");
    }
    if own.form != ArrayForm::Named {
        return Some("it is array_like, and lazy records find their fields by name");
    }
    if own.post_init.is_some() {
        return Some("it has a `__post_init__`, which would need all fields");
    }
    if has_metaclass(own) {
        return Some("it has a metaclass");
    }
    if format.is_keyed() && own.tag.is_some() {
        return Some("it is a variant of a union, which its tag says");
    }
    (own.reads.len() > MOST).then_some("it has more than 4096 fields")
}

/// Indexes the fields by number: each entry is a field's index plus one.
fn by_number(fields: &[LazyField], own: &RecordPlan) -> (Box<[u16; 256]>, HashMap<u32, u16>) {
    let mut dense = Box::new([0; 256]);
    let mut sparse = HashMap::new();
    for field in fields {
        let index = field.index as u16 + 1;
        for number in numbers(field, own) {
            match dense.get_mut(number as usize) {
                Some(place) => *place = index,
                None => drop(sparse.insert(number, index)),
            }
        }
    }
    (dense, sparse)
}

/// Frees the metadata when the class is deallocated.
struct Knowledge(*mut ViewClass);

// SAFETY: only dropped, with the GIL held.
unsafe impl Send for Knowledge {}

impl Drop for Knowledge {
    fn drop(&mut self) {
        // SAFETY: created as a box, and freed once, with the class that uses it.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// Creates the Python class.
fn typed<'py>(base: &Bound<'py, PyType>, knowledge: &ViewClass, count: usize) -> PyResult<Bound<'py, PyType>> {
    let py = base.py();
    // Slots for references, which the interpreter visits and releases. Their attributes are deleted below, so that no
    // code can set them.
    let mut references: Vec<CString> = Vec::with_capacity(count + 1);
    for index in 0..=count {
        references.push(CString::new(format!("\u{1}{index}"))?);
    }
    let mut members: Vec<ffi::PyMemberDef> = references
        .iter()
        .enumerate()
        .map(|(index, name)| ffi::PyMemberDef {
            name: name.as_ptr(),
            type_code: ffi::Py_T_OBJECT_EX,
            offset: knowledge.owner + (index * size_of::<*mut ffi::PyObject>()).cast_signed(),
            flags: 0,
            doc: core::ptr::null(),
        })
        .collect();
    members.push(ffi::PyMemberDef::default());
    let mut methods = methods::table();
    let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
    let mut slots = [
        slot(ffi::Py_tp_members, members.as_mut_ptr().cast()),
        slot(ffi::Py_tp_getset, knowledge.attributes.as_ptr().cast_mut().cast()),
        slot(ffi::Py_tp_methods, methods.as_mut_ptr().cast()),
        slot(ffi::Py_tp_richcompare, methods::compare as *mut c_void),
        slot(ffi::Py_tp_hash, methods::hash as *mut c_void),
        slot(ffi::Py_tp_repr, methods::repr as *mut c_void),
        slot(ffi::Py_tp_new, methods::new as *mut c_void),
        slot(0, core::ptr::null_mut()),
    ];
    // The interpreter expects the class name to include the module.
    let module = base.getattr("__module__").map_or_else(|_| "builtins".to_owned(), |module| module.to_string());
    let name = CString::new(format!("{module}.{}", base.name()?))?;
    let mut spec = ffi::PyType_Spec {
        name: name.as_ptr(),
        basicsize: c_int::try_from(knowledge.size).unwrap_or(c_int::MAX),
        itemsize: 0,
        flags: ffi::Py_TPFLAGS_DEFAULT as _,
        slots: slots.as_mut_ptr(),
    };
    let bases = (base,).into_pyobject(py)?;
    // The interpreter reads the method table as long as the class lives, possibly until the process ends.
    core::mem::forget(methods);
    // SAFETY: the specification describes the class's memory. The interpreter copies the parts, or the metadata owns
    // them.
    let class = unsafe { ffi::PyType_FromSpecWithBases(&raw mut spec, bases.as_ptr()) };
    // Not all versions of the interpreter copy the name.
    core::mem::forget(name);
    // SAFETY: a new reference, or null with an exception.
    let class = unsafe { Bound::from_owned_ptr_or_err(py, class)?.cast_into_unchecked::<PyType>() };
    for index in 0..=count {
        class.delattr(PyString::new(py, &format!("\u{1}{index}")))?;
    }
    core::mem::forget(references);
    Ok(class)
}

/// Returns the fields of a record that are attributes.
fn fields(own: &RecordPlan, program: &Program, format: Encoding) -> PyResult<Vec<LazyField>> {
    let mut fields: Vec<LazyField> = Vec::new();
    for (read, planned) in own.reads.iter().enumerate() {
        let there = matches!(planned.default, Default::None) && planned.role == Role::Unread;
        if planned.role == Role::Tag || there {
            continue;
        }
        let known = own.read.fields().get(read);
        let name = |write: &&crate::plan::Write| write.name.as_ptr() == planned.name.as_ptr();
        let write = own.writes.iter().position(|write| name(&write));
        let mut is_group = false;
        let (number, kind, alone) = match known {
            Some(_) if planned.role == Role::Value && format.is_keyed() => {
                (0, kind_of_keyed(&planned.node, program), empty())
            }
            Some(field) if planned.role == Role::Value => {
                let alone = Record::new(own.name.clone(), vec![field.clone()]);
                let alone = alone.map_err(|error| PyTypeError::new_err(error.to_string()))?;
                let wire = Wire::of_field(field);
                is_group = wire.form == Form::Group;
                (field.number(), kind(&planned.node, wire, program), alone.with_unknown(Unknown::Ignore))
            }
            Some(field) if planned.role == Role::Rest => (field.number(), Kind::Rest, empty()),
            _ => (0, Kind::Unread, empty()),
        };
        let index = fields.len();
        let owner = core::ptr::null();
        let (label, rivals, until) = (planned.label.clone(), Box::default(), 0);
        fields.push(LazyField { owner, index, read, write, kind, number, is_group, alone, label, rivals, until });
    }
    if format.is_keyed() {
        return Ok(fields);
    }
    for at in 0..fields.len() {
        let group = |field: &LazyField| own.reads[field.read].group;
        let is_rival = |field: &&LazyField| field.index != at && group(field) > 0 && group(field) == group(&fields[at]);
        fields[at].rivals = fields.iter().filter(is_rival).map(|field| field.index).collect();
        let is_alone = fields[at].rivals.is_empty() && fields[at].kind != Kind::Rest;
        let biggest = numbers(&fields[at], own).into_iter().max().unwrap_or(0);
        fields[at].until = if is_alone { biggest } else { u32::MAX };
    }
    Ok(fields)
}

fn empty() -> Record {
    Record::fixed("", &[], &[], Unknown::Ignore)
}

/// Returns the numbers of a field: several for a oneof.
fn numbers(field: &LazyField, own: &RecordPlan) -> Vec<u32> {
    if matches!(field.kind, Kind::Rest | Kind::Unread) || field.alone.fields().is_empty() {
        return Vec::new();
    }
    let planned = &own.read.fields()[field.read];
    match planned.shape().inner() {
        Shape::Union(union) if Wire::of_field(planned).cardinality == Cardinality::Oneof => {
            union.get().variants().iter().map(demat_core::Variant::number).collect()
        }
        _ => vec![field.number],
    }
}

fn name_of(py: Python<'_>, field: &LazyField, own: &RecordPlan) -> PyResult<String> {
    own.reads[field.read].name.bind(py).extract()
}

/// Returns the attribute names as C strings.
fn names_of(py: Python<'_>, fields: &[LazyField], own: &RecordPlan) -> PyResult<Vec<CString>> {
    fields.iter().map(|field| CString::new(name_of(py, field, own)?).map_err(Into::into)).collect()
}

/// Returns how to read a value of a node.
fn kind(node: &Node, wire: Wire, program: &Program) -> Kind {
    let (node, form) = match node {
        Node::Optional(inner) => (&**inner, wire.form),
        node => (node, wire.form),
    };
    match (wire.cardinality, node, form) {
        (Cardinality::Value, Node::Bool, Form::Bool) => Kind::Bool,
        (Cardinality::Value, Node::Int, form) if is_int(form) => Kind::Int(form),
        (Cardinality::Value, Node::Float, Form::Float | Form::Double) => Kind::Float(form),
        (Cardinality::Value, Node::Str, Form::Text) => Kind::Text,
        (Cardinality::Value, Node::Bytes(crate::plan::BytesKind::Bytes), Form::Bytes) => Kind::Bytes,
        (Cardinality::Value, Node::Record(index), Form::Message | Form::Group)
            if is_viewed(&program.records[*index]) =>
        {
            Kind::Message(*index)
        }
        (Cardinality::List, Node::List(list), form) if matches!(list.kind, crate::plan::ListKind::List) => {
            match (&list.item, form) {
                (Node::Bool, Form::Bool) | (Node::Float, Form::Float | Form::Double) => Kind::Items(form, None),
                (Node::Int, form) if is_int(form) => Kind::Items(form, None),
                (Node::Str, Form::Text) | (Node::Bytes(crate::plan::BytesKind::Bytes), Form::Bytes) => {
                    Kind::Items(form, None)
                }
                (Node::Record(index), Form::Message) if is_viewed(&program.records[*index]) => {
                    Kind::Items(form, Some(*index))
                }
                _ => Kind::Made(true),
            }
        }
        (_, node, _) => Kind::Made(is_changeable(node)),
    }
}

/// As [`kind`], for an encoding with keys.
fn kind_of_keyed(node: &Node, program: &Program) -> Kind {
    let inner = match node {
        Node::Optional(inner) => inner,
        node => node,
    };
    match inner {
        Node::Record(index) if is_viewed(&program.records[*index]) => Kind::Message(*index),
        Node::List(list) if matches!(list.kind, crate::plan::ListKind::List) => match &list.item {
            Node::Record(index) if is_viewed(&program.records[*index]) => Kind::Items(Form::Message, Some(*index)),
            _ => Kind::Made(true),
        },
        _ => Kind::Made(is_changeable(node)),
    }
}

/// Returns whether nested records of this plan can be views.
fn is_viewed(plan: &RecordPlan) -> bool {
    plan.make == Make::Fields
        && plan.form == ArrayForm::Named
        && plan.post_init.is_none()
        && plan.tag.is_none()
        && !plan.reads.is_empty()
        && plan.reads.len() <= MOST
        && !has_metaclass(plan)
}

/// Returns whether the class has a metaclass other than `type`.
fn has_metaclass(plan: &RecordPlan) -> bool {
    // SAFETY: a live class.
    unsafe { ffi::Py_TYPE(plan.class.as_ptr()) != &raw mut ffi::PyType_Type }
}

fn is_int(form: Form) -> bool {
    use Form::*;
    matches!(form, Int32 | Int64 | Uint32 | Uint64 | Sint32 | Sint64 | Fixed32 | Fixed64 | Sfixed32 | Sfixed64)
}

/// Returns whether a value can be changed in place.
fn is_changeable(node: &Node) -> bool {
    match node {
        Node::Optional(inner) => is_changeable(inner),
        Node::Checked(checked) => is_changeable(&checked.0),
        Node::Bool
        | Node::Int
        | Node::Float
        | Node::Str
        | Node::Decimal
        | Node::Datetime(_)
        | Node::Date
        | Node::Time(_)
        | Node::Timedelta
        | Node::Uuid
        | Node::Enum(_)
        | Node::Flag(_)
        | Node::Literal(_)
        | Node::None => false,
        Node::Bytes(kind) => *kind != crate::plan::BytesKind::Bytes,
        _ => true,
    }
}
