//! Compiles descriptions, which the Python code creates, to programs.

mod changed;

use super::as_dict::Learnt;
use super::record::{ArrayForm, Default, Direct, Make, Read, RecordPlan, Role, Store, Write};
use super::union::{TagValue, UnionNode, Variant};
use super::{
    Attributes, BytesKind, Checks, Clock, EnumNode, HookNode, ListKind, ListNode, LiteralNode, MapNode, Named, Node,
    Program, Times, Zone, items, notes, shape, wire,
};
use crate::decode::one_of;
use crate::known;
use changed::Changed;
use demat_core::{Field, KeyPattern, Record, Shape, UnionRef, Unknown};
use demat_formats::proto::{Cardinality, Wire};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple, PyType};
use pyo3::{ffi, intern};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

pub(super) fn program(description: &Bound<'_, PyAny>) -> PyResult<Program> {
    let (root, entries): (Bound<'_, PyAny>, Bound<'_, PyAny>) = description.extract()?;
    let entries = entries.try_iter()?.map(|item| Ok(item?.cast_into::<PyDict>()?)).collect::<PyResult<Vec<_>>>()?;
    let compiler = Compiler::new(&entries)?;
    let root = compiler.node(&root)?;
    let (mut records, mut aliases) = (Vec::new(), Vec::new());
    for entry in &entries {
        match entry.get_item("node")? {
            Some(alias) => aliases.push(compiler.node(&alias)?),
            None => records.push(compiler.record(entry)?),
        }
    }
    // Compiling unions appends records, which may append more.
    loop {
        let next = compiler.variants.borrow().get(records.len() - compiler.count).cloned();
        let Some(variant) = next else { break };
        records.push(compiler.record(&variant.entry)?);
    }
    let runs_code =
        root.runs_code() || aliases.iter().any(Node::runs_code) || records.iter().any(RecordPlan::runs_code);
    Ok(Program {
        root,
        records: records.into(),
        aliases: aliases.into(),
        runs_code,
        straight: false,
        row_checks: std::sync::OnceLock::new(),
        validation: std::sync::OnceLock::new(),
        written: std::sync::OnceLock::new(),
    })
}

/// The shared state while the nodes of one description are compiled.
struct Compiler<'a, 'py> {
    entries: &'a [Bound<'py, PyDict>],
    /// By entry: its index among the records or among the aliases.
    places: Vec<usize>,
    /// The number of entries that are records.
    count: usize,
    /// The names of these records.
    names: Vec<String>,
    /// Records as unions change them.
    variants: RefCell<Vec<Changed<'py>>>,
}

impl<'a, 'py> Compiler<'a, 'py> {
    fn new(entries: &'a [Bound<'py, PyDict>]) -> PyResult<Self> {
        let (mut places, mut records, mut aliases) = (Vec::new(), 0, 0);
        let mut names = Vec::new();
        for entry in entries {
            let is_alias = entry.contains("node")?;
            if !is_alias {
                names.push(want(entry, "name")?.extract()?);
            }
            let count = if is_alias { &mut aliases } else { &mut records };
            places.push(*count);
            *count += 1;
        }
        Ok(Self { entries, places, count: records, names, variants: RefCell::default() })
    }

    fn place(&self, index: &Bound<'py, PyAny>) -> PyResult<usize> {
        let place = self.places.get(index.extract::<usize>()?).copied();
        place.ok_or_else(|| PyValueError::new_err("the description refers to a record that it does not have"))
    }

    /// Compiles a node.
    fn node(&self, node: &Bound<'py, PyAny>) -> PyResult<Node> {
        let node = node.cast::<PyTuple>()?;
        let kind = node.get_item(0)?;
        let part = |index: usize| node.get_item(index);
        let inner = |index: usize| part(index).and_then(|inner| self.node(&inner));
        Ok(match kind.cast::<PyString>()?.to_cow()?.as_ref() {
            "any" => Node::Any,
            "none" => Node::None,
            "bool" => Node::Bool,
            "int" => Node::Int,
            "float" => Node::Float,
            "str" => Node::Str,
            "bytes" => Node::Bytes(BytesKind::Bytes),
            "bytearray" => Node::Bytes(BytesKind::Bytearray),
            "memoryview" => Node::Bytes(BytesKind::Memoryview),
            "decimal" => Node::Decimal,
            "datetime" => Node::Datetime(clock(node)?),
            "date" => Node::Date,
            "time" => Node::Time(zone(&part(1)?)?),
            "timedelta" => Node::Timedelta,
            "uuid" => Node::Uuid,
            "raw" => Node::Raw,
            "enum" => Node::Enum(Box::new(enumeration(&part(1)?, &part(2)?)?)),
            "flag" => Node::Flag(class(&part(1)?)?),
            "literal" => Node::Literal(Box::new(literal(&part(1)?)?)),
            "optional" => Node::Optional(Box::new(inner(1)?)),
            "list" => Node::List(Box::new(ListNode { kind: list_kind(&part(1)?)?, item: inner(2)? })),
            "tuple" => {
                Node::Tuple(part(1)?.try_iter()?.map(|item| self.node(&item?)).collect::<PyResult<Vec<_>>>()?.into())
            }
            "dict" => Node::Map(Box::new(MapNode {
                class: if part(1)?.is(node.py().get_type::<PyDict>()) { None } else { Some(class(&part(1)?)?) },
                make: some(constructor("mapping", &part(1)?)?),
                key: self.key(&part(2)?)?,
                value: inner(3)?,
            })),
            "record" => Node::Record(self.place(&part(1)?)?),
            "named" => Node::Named(self.place(&part(1)?)?),
            "union" => Node::Union(Box::new(self.union(&part(1)?, &part(2)?)?)),
            "hook" => Node::Hook(Box::new(HookNode {
                read: inner(1)?,
                class: part(2)?.unbind(),
                decode: some(part(3)?),
                encode: some(function(&part(4)?)?),
                writes_parts: part(4)?.is_instance(known::writes_parts(node.py())?)?,
                write: inner(5)?,
            })),
            "checked" => Node::Checked(Box::new((inner(1)?, checks(part(2)?.cast::<PyDict>()?)?))),
            other => return Err(PyValueError::new_err(format!("no node is called {other:?}"))),
        })
    }

    /// Compiles the keys of a dict, which are text in the data.
    fn key(&self, node: &Bound<'py, PyAny>) -> PyResult<Node> {
        let parts = node.cast::<PyTuple>()?;
        if parts.get_item(0)?.cast::<PyString>()?.to_cow()? != "named" {
            return self.node(node).map(keyed);
        }
        // Inlines the alias: its shared node is for values, and keys need one of their own.
        let entry = self.entries.get(parts.get_item(1)?.extract::<usize>()?);
        match entry.map(|entry| want(entry, "node")).transpose()? {
            Some(alias) => self.key(&alias),
            None => self.node(node),
        }
    }

    fn union(&self, tag: &Bound<'py, PyAny>, variants: &Bound<'py, PyAny>) -> PyResult<UnionNode> {
        let tag: Option<String> = tag.extract()?;
        let mut listed = tag.is_some();
        let variants = variants.try_iter()?.map(|variant| {
            let (name, content): (Bound<'_, PyAny>, Bound<'_, PyAny>) = variant?.extract()?;
            let name = if name.is_none() { None } else { Some(tag_value(&name)?) };
            listed &= self.is_array(&content)?;
            let node = match (&tag, &name) {
                (Some(tag), Some(name)) => self.tagged(&content, tag, name)?,
                _ => self.node(&content)?,
            };
            let exact = if tag.is_none() { self.exact(&content)? } else { None };
            Ok(Variant { name, node, tag_field: None, exact })
        });
        let variants = variants.collect::<PyResult<Vec<_>>>()?;
        let names = variants.iter().map(|variant: &Variant| match &variant.name {
            Some(name) => name.text().into_owned(),
            None => {
                shape::lowered(&variant.node.name_with(&|index| self.names.get(index).cloned().unwrap_or_default()))
            }
        });
        let name = |index: usize| match variants.get(index).map(|variant: &Variant| &variant.node) {
            Some(Node::Record(record)) => self.names.get(*record).cloned().unwrap_or_default(),
            _ => String::new(),
        };
        let numbered = wire::union(names.collect(), &variants, None, &name);
        let pattern = KeyPattern::new(tag.as_deref().unwrap_or_default());
        Ok(UnionNode { tag, listed, pattern, variants: variants.into(), numbered, keyed: false, fits: OnceLock::new() })
    }

    /// Returns whether a node is a record that stands as a list.
    fn is_array(&self, node: &Bound<'py, PyAny>) -> PyResult<bool> {
        let node = node.cast::<PyTuple>()?;
        if node.get_item(0)?.cast::<PyString>()?.to_cow()? != "record" {
            return Ok(false);
        }
        match self.entries.get(node.get_item(1)?.extract::<usize>()?) {
            Some(entry) => entry.contains("array_like"),
            None => Ok(false),
        }
    }

    fn record(&self, given: &Bound<'py, PyDict>) -> PyResult<RecordPlan> {
        let class = want(given, "cls")?;
        let class = class.cast::<PyType>()?;
        let name: String = want(given, "name")?.extract()?;
        let make = match want(given, "make")?.extract::<String>()?.as_str() {
            "fields" => Make::Fields,
            "call" => Make::Call,
            "tuple" => Make::Tuple,
            "dict" => Make::Dict,
            "validate" => Make::Validate,
            other => return Err(PyValueError::new_err(format!("no class is made by {other:?}"))),
        };
        let fields = want(given, "fields")?;
        let fields = fields.try_iter()?.map(|item| Ok(item?.cast_into::<PyDict>()?)).collect::<PyResult<Vec<_>>>()?;
        let unknown = want(given, "unknown")?;
        let rest: Option<usize> = unknown.extract().ok();
        let tag = want(given, "tag")?.extract::<Option<(String, Bound<'_, PyAny>)>>()?;
        let tag = tag.map(|(key, value)| Ok::<_, PyErr>((key, tag_value(&value)?))).transpose()?;

        let mut record = Fields { class, make, ..Fields::new(class, make) };
        if let Some((key, _)) = &tag {
            record.tag(key);
        }
        for (index, field) in fields.iter().enumerate() {
            let role = if rest == Some(index) { Role::Rest } else { Role::Value };
            record.field(self, field, role)?;
        }
        let Fields { mut reads, unread, passed, mut read, mut writes, write, .. } = record;
        numbered_once(class, &write)?;
        let rest = reads.iter().position(|field| field.role == Role::Rest);
        for (field, role) in passed {
            read.push(field);
            reads.push(role);
        }
        reads.extend(unread);
        let form = if given.contains("array_like")? {
            ArrayForm::List
        } else if make == Make::Tuple {
            ArrayForm::Either
        } else {
            ArrayForm::Named
        };
        let items = items::of(form, &read, &write, tag.is_some()).map_err(PyValueError::new_err)?;
        let unknown = match rest {
            Some(index) => Unknown::Keep(index),
            None if unknown.extract::<String>()? == "forbid" => Unknown::Forbid,
            None => Unknown::Ignore,
        };
        let post_init = given.get_item("post_init")?.and_then(some);
        let read_attributes = read_attributes(class, make, &mut reads);
        let attributes = attributes(class, make, &mut writes);
        let is_plain = |field: &Write| field.direct != Direct::Nothing && field.place.is_some();
        let keys = read.iter().map(|field| PyString::intern(class.py(), field.key()).unbind()).collect();
        Ok(RecordPlan {
            keys,
            read: Record::new(name.clone(), read).map_err(refused)?.with_unknown(unknown),
            write: Record::new(name.clone(), write).map_err(refused)?.with_unknown(unknown),
            slotted: make == Make::Fields
                && form == ArrayForm::Named
                && !is_abstract(class)
                && reads.iter().all(|field| {
                    matches!(field.role, Role::Tag | Role::Unread) || matches!(field.store, Store::Offset(_))
                }),
            grouped: reads.iter().any(|field| field.group > 0),
            wanted: reads.iter().map(Read::wanted).collect(),
            reads: reads.into(),
            slots: writes.iter().map(|field| field.slot).collect(),
            direct: attributes.is_some() && writes.iter().all(is_plain),
            attributes,
            read_attributes,
            writes: writes.into(),
            class: class.clone().unbind(),
            name,
            make,
            form,
            items,
            post_init,
            tracked: given.get_item("gc")?.map_or(Ok(true), |tracked| tracked.extract())?,
            tag: tag.map(|(_, value)| value),
            as_dict: Learnt::default(),
        })
    }
}

/// Marks a node as keys. In a union of keys, the text decides the type.
fn keyed(node: Node) -> Node {
    match node {
        Node::Optional(inner) => Node::Optional(Box::new(keyed(*inner))),
        Node::Checked(checked) => Node::Checked(Box::new((keyed(checked.0), checked.1))),
        Node::Hook(hook) => Node::Hook(Box::new(HookNode { read: keyed(hook.read), ..*hook })),
        Node::Union(union) if union.tag.is_none() => {
            let variants = union.variants.into_iter().map(|one| Variant { node: keyed(one.node), ..one });
            Node::Union(Box::new(UnionNode {
                variants: variants.collect(),
                keyed: true,
                fits: OnceLock::new(),
                ..*union
            }))
        }
        other => other,
    }
}

/// Returns where instances store the attributes of the fields that are written, and sets the fields' places among them.
fn attributes(class: &Bound<'_, PyType>, make: Make, writes: &mut [Write]) -> Option<Attributes> {
    if matches!(make, Make::Dict | Make::Tuple) {
        return None;
    }
    let is_attribute = |field: &Write| field.store == Store::Attribute && field.role != Role::Tag;
    let names: Vec<_> = writes.iter().filter(|field| is_attribute(field)).collect();
    let names: Vec<_> = names.into_iter().map(|field| field.name.clone_ref(class.py())).collect();
    let attributes = Attributes::of(class, &names)?;
    for (place, field) in writes.iter_mut().filter(|field| is_attribute(field)).enumerate() {
        field.place = Some(place);
    }
    Some(attributes)
}

/// Returns where instances store the attributes of the fields that are read, and sets the fields' places among them.
fn read_attributes(class: &Bound<'_, PyType>, make: Make, reads: &mut [Read]) -> Option<Attributes> {
    if make != Make::Fields || is_abstract(class) {
        return None;
    }
    let is_attribute =
        |field: &Read| field.store == Store::Attribute && !matches!(field.role, Role::Tag | Role::Unread);
    let names: Vec<_> = reads.iter().filter(|field| is_attribute(field)).collect();
    let names: Vec<_> = names.into_iter().map(|field| field.name.clone_ref(class.py())).collect();
    let attributes = Attributes::of(class, &names)?;
    for (place, field) in reads.iter_mut().filter(|field| is_attribute(field)).enumerate() {
        field.place = Some(place);
    }
    Some(attributes)
}

/// Refuses duplicate field numbers, including those of a union's variants.
fn numbered_once(class: &Bound<'_, PyType>, fields: &[Field]) -> PyResult<()> {
    let mut seen = HashMap::new();
    for field in fields {
        let numbers = match field.shape().inner() {
            Shape::Union(union) if Wire::of_field(field).cardinality == Cardinality::Oneof => {
                union.get().variants().iter().map(demat_core::Variant::number).collect()
            }
            _ => vec![field.number()],
        };
        for number in numbers {
            if let Some(other) = seen.insert(number, field.name()) {
                let reason = format!("`{other}` has the number {number}, too");
                return Err(refused_field(class, field.name(), &reason));
            }
        }
    }
    Ok(())
}

fn some(object: Bound<'_, PyAny>) -> Option<Py<PyAny>> {
    if object.is_none() { None } else { Some(object.unbind()) }
}

fn class(object: &Bound<'_, PyAny>) -> PyResult<Py<PyType>> {
    Ok(object.cast::<PyType>()?.clone().unbind())
}

fn zone(object: &Bound<'_, PyAny>) -> PyResult<Zone> {
    Ok(match object.extract::<Option<bool>>()? {
        None => Zone::Either,
        Some(true) => Zone::Aware,
        Some(false) => Zone::Naive,
    })
}

/// Compiles how a node of a datetime is read.
fn clock(node: &Bound<'_, PyTuple>) -> PyResult<Clock> {
    let times = node.iter().nth(2).map(|times| one_of("times", &times, &Times::NAMES).map(Times::of_index));
    Ok(Clock { zone: zone(&node.get_item(1)?)?, times: times.transpose()? })
}

fn list_kind(object: &Bound<'_, PyAny>) -> PyResult<ListKind> {
    let py = object.py();
    Ok(match object {
        list if list.is(py.get_type::<PyList>()) => ListKind::List,
        tuple if tuple.is(py.get_type::<PyTuple>()) => ListKind::Tuple,
        set if set.is(py.get_type::<PySet>()) => ListKind::Set,
        frozen if frozen.is(py.get_type::<PyFrozenSet>()) => ListKind::Frozenset,
        other => ListKind::Other(constructor("sequence", other)?.unbind()),
    })
}

/// Returns what builds an instance of a container class from a plain container.
fn constructor<'py>(kind: &str, class: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    py.import(intern!(py, "demat._describe.construct"))?.getattr(kind)?.call1((class.cast::<PyType>()?,))
}

fn enumeration(own: &Bound<'_, PyAny>, members: &Bound<'_, PyAny>) -> PyResult<EnumNode> {
    let py = own.py();
    let usual = py.import(intern!(py, "enum"))?.getattr(intern!(py, "Enum"))?;
    let asks = match (missing(own), missing(&usual)) {
        (Some(own), Some(usual)) => !own.is(&usual),
        _ => true,
    };
    let members = members.cast::<PyDict>()?;
    let keys: Vec<_> = members.keys().iter().collect();
    let (numbered, order) = wire::numbered(own, members)?;
    Ok(EnumNode {
        numbered,
        order: order.unbind(),
        class: class(own)?,
        names: listed(&keys)?,
        any_text: keys.iter().any(PyAnyMethods::is_instance_of::<PyString>),
        any_int: keys.iter().any(PyAnyMethods::is_instance_of::<PyInt>),
        asks,
        few: Named::of(members),
        members: members.clone().unbind(),
    })
}

/// Returns the `_missing_` method of an enum, if the class defines one.
fn missing<'py>(class: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let py = class.py();
    class.getattr(intern!(py, "_missing_")).and_then(|missing| missing.getattr(intern!(py, "__func__"))).ok()
}

fn literal(values: &Bound<'_, PyAny>) -> PyResult<LiteralNode> {
    let py = values.py();
    let values: Vec<_> = values.try_iter()?.collect::<PyResult<_>>()?;
    let (texts, ints) = (PyDict::new(py), PyDict::new(py));
    let (mut none, mut bools) = (false, [false; 2]);
    for value in &values {
        if value.is_none() {
            none = true;
        } else if let Ok(bool) = value.cast_exact::<PyBool>() {
            bools[usize::from(bool.is_true())] = true;
        } else if value.is_instance_of::<PyString>() {
            texts.set_item(value, value)?;
        } else {
            ints.set_item(value, value)?;
        }
    }
    let all = texts.copy()?;
    all.update(ints.as_mapping())?;
    let few = Named::of(&all);
    let is_mixed = !texts.is_empty() && (!ints.is_empty() || bools != [false; 2]);
    let order = PyTuple::new(py, if is_mixed { &values[..] } else { &[] })?.unbind();
    let (texts, ints) = (texts.unbind(), ints.unbind());
    Ok(LiteralNode { names: listed(&values)?, texts, ints, few, none, bools, order })
}

/// Lists values for an error message.
fn listed(values: &[Bound<'_, PyAny>]) -> PyResult<String> {
    let names = values.iter().map(|value| Ok(format!("`{}`", value.str()?))).collect::<PyResult<Vec<_>>>()?;
    Ok(names.join(" or "))
}

fn tag_value(value: &Bound<'_, PyAny>) -> PyResult<TagValue> {
    if value.is_instance_of::<PyString>() {
        Ok(TagValue::Text(value.extract()?))
    } else {
        Ok(TagValue::Int(value.extract()?))
    }
}

fn checks(given: &Bound<'_, PyDict>) -> PyResult<Checks> {
    let mut checks = Checks::default();
    for (name, bound) in given {
        match name.cast::<PyString>()?.to_cow()?.as_ref() {
            "ge" => checks.ge = some(bound),
            "gt" => checks.gt = some(bound),
            "le" => checks.le = some(bound),
            "lt" => checks.lt = some(bound),
            "multiple_of" => checks.multiple_of = some(bound),
            "min_length" => checks.min_length = bound.extract()?,
            "max_length" => checks.max_length = bound.extract()?,
            "pattern" => {
                let compiled = bound.py().import(intern!(bound.py(), "re"))?.call_method1("compile", (&bound,))?;
                checks.pattern = Some((compiled.getattr("search")?.unbind(), bound.extract()?));
            }
            other => return Err(PyValueError::new_err(format!("no check is called {other:?}"))),
        }
    }
    Ok(checks)
}

/// Returns a required entry of a description.
fn want<'py>(record: &Bound<'py, PyDict>, key: &str) -> PyResult<Bound<'py, PyAny>> {
    record.get_item(key)?.ok_or_else(|| PyValueError::new_err(format!("the description lacks {key:?}")))
}

/// Returns the error for an invalid annotation.
#[cold]
fn refused_field(class: &Bound<'_, PyType>, field: &str, reason: &str) -> PyErr {
    let name = class.name().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!("`{name}.{field}`: {reason}"))
}

#[allow(clippy::needless_pass_by_value)] // the signature that `map_err` needs
fn refused(error: demat_core::Error) -> PyErr {
    PyTypeError::new_err(error.to_string())
}

/// The fields of a record, while they are compiled.
struct Fields<'a, 'py> {
    class: &'a Bound<'py, PyType>,
    make: Make,
    read: Vec<Field>,
    reads: Vec<Read>,
    unread: Vec<Read>,
    passed: Vec<(Field, Read)>,
    write: Vec<Field>,
    writes: Vec<Write>,
    /// The names of oneof groups.
    groups: Vec<String>,
}

impl<'a, 'py> Fields<'a, 'py> {
    fn new(class: &'a Bound<'py, PyType>, make: Make) -> Self {
        let (read, reads, write, writes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (unread, passed, groups) = (Vec::new(), Vec::new(), Vec::new());
        Self { class, make, read, reads, unread, passed, write, writes, groups }
    }

    /// Returns the number of a oneof group, from 1.
    fn group(&mut self, name: &str) -> u16 {
        let at = self.groups.iter().position(|own| own == name).unwrap_or_else(|| {
            self.groups.push(name.to_owned());
            self.groups.len() - 1
        });
        at as u16 + 1
    }

    /// Returns the column of the field that was written last: its place among those written, without the one that keeps
    /// unknown fields, which has none.
    fn column(&self, role: Role) -> usize {
        let before = self.writes.len() - 1;
        let kept = self.writes[..before].iter().filter(|field| field.role == Role::Rest).count();
        if role == Role::Rest { usize::from(u16::MAX) } else { before - kept }
    }

    fn tag(&mut self, key: &str) {
        let py = self.class.py();
        let name = PyString::intern(py, key);
        // A number above those of all fields; formats with field numbers tag unions in their own way.
        let field = Field::new(key.to_string(), u32::from(u16::MAX), demat_core::Shape::Text);
        self.read.push(field.clone().with_required(false).with_column(0));
        self.write.push(field);
        self.reads.push(Read {
            node: Node::Any,
            store: Store::Attribute,
            role: Role::Tag,
            required: false,
            default: Default::None,
            name: name.clone().unbind(),
            label: key.to_string(),
            place: None,
            group: 0,
        });
        self.writes.push(Write {
            node: Node::Any,
            store: Store::Attribute,
            role: Role::Tag,
            name: name.unbind(),
            label: key.to_string(),
            omit: Default::None,
            omit_none: false,
            unset: None,
            required: true,
            direct: Direct::Nothing,
            slot: None,
            place: None,
            absent: None,
        });
    }

    /// Returns the name by which the constructor of an instance knows a field.
    fn parameter(&self, init: Option<&Py<PyAny>>, attribute: Bound<'py, PyString>) -> PyResult<Py<PyString>> {
        match (init, self.make) {
            (Some(init), Make::Call | Make::Validate) => {
                let py = attribute.py();
                Ok(PyString::intern(py, &init.extract::<String>(py)?).unbind())
            }
            // The values of a TypedDict are stored under the names that its class declares.
            _ => Ok(attribute.unbind()),
        }
    }

    fn field(&mut self, compiler: &Compiler<'_, 'py>, given: &Bound<'py, PyDict>, role: Role) -> PyResult<()> {
        let py = given.py();
        let label: String = want(given, "name")?.extract()?;
        let key: String = want(given, "key")?.extract()?;
        let names: Vec<String> = want(given, "read")?.extract()?;
        let mut number: u32 = want(given, "number")?.extract()?;
        let required: bool = want(given, "required")?.extract()?;
        let mut node = compiler.node(&want(given, "node")?)?;
        let mut write_node = compiler.node(&want(given, "node")?)?;
        let attribute = PyString::intern(py, &label);
        let slot = match self.make {
            Make::Dict | Make::Tuple => None,
            _ => slot(self.class, &attribute),
        };
        // A class that creates its own instances may store a value elsewhere than where it is read.
        let store = slot.filter(|_| self.make == Make::Fields).map_or(Store::Attribute, Store::Offset);
        let omit = given.get_item("omit")?.and_then(some).map_or(Ok(Default::None), |_| default(given))?;
        let omit_none = given.contains("omit_none")?;
        // Formats use a field's shape for what a single value looks like; the engine handles what is inside.
        let mut shape = shape::shallow(&node);
        let places = places(given)?;
        let default = default(given)?;
        let absent = wire::factory_of_absent(py, &default, &write_node);
        let unset = given.get_item("unset")?.map(Bound::unbind);
        let plain = role == Role::Value
            && matches!(omit, Default::None)
            && !omit_none
            && unset.is_none()
            && absent.is_none()
            && node.leaves_scalars();
        let refused = |reason: String| refused_field(self.class, &label, &reason);
        let said = wire::Said::of(noted(&places, "proto")).map_err(refused)?;
        if let Some(numbers) = &said.oneof {
            let union = wire::number_variants(&mut node, numbers).map_err(refused)?;
            wire::number_variants(&mut write_node, numbers).map_err(refused)?;
            if let Some(union) = union {
                shape = Shape::Union(UnionRef::new(union)).optional();
            }
            // It has no number: uses one that no field can have.
            number |= wire::NO_FIELD;
        } else if !wire::is_number(number) && places.iter().any(|(place, _)| place == "proto") {
            return Err(refused(format!("{number} is no number of a field: 19000 to 19999 are the format's own")));
        }
        let mut read_notes = notes::read(&places);
        read_notes.extend(places.iter().filter(|(place, note)| place == "proto" && note == "json any").cloned());
        let oneof = oneof_of(&places);
        let group = oneof.as_ref().map_or(0, |(_, name)| self.group(name));
        let (wired, wired_out) = said.wires(py, (&node, &write_node), &default, required).map_err(refused)?;
        notes::verify(&places, &shape).map_err(refused)?;
        let written_always = required && unset.is_none() && !omit_none;
        let mut written = Field::new(label.clone(), number, shape.clone()).with_key(key).with_required(written_always);
        for (place, note) in places {
            written = written.with_note(place, note);
        }
        self.write.push(written.with_override(wired_out));
        let direct = Direct::of(plain, &write_node);
        self.writes.push(Write {
            node: write_node,
            store: slot.map_or(Store::Attribute, Store::Offset),
            role,
            name: attribute.clone().unbind(),
            label: label.clone(),
            omit,
            omit_none,
            unset,
            required: required || self.make != Make::Dict,
            direct,
            slot: slot.filter(|_| plain),
            place: None,
            absent,
        });
        let init = given.get_item("init")?.and_then(some);
        let read = Read {
            node,
            store,
            role,
            required,
            default,
            name: self.parameter(init.as_ref(), attribute)?,
            // A path uses the names of the data.
            label: names.first().unwrap_or(&label).clone(),
            place: None,
            group,
        };
        // Tuples and dicts have no parameters: all their fields are read.
        let passed = given.contains("passed")?;
        let unread = passed || init.is_none() && !matches!(self.make, Make::Tuple | Make::Dict);
        let mut names = names.into_iter();
        // The field that collects unknown ones has no name; this one never occurs.
        let first = names.next().unwrap_or_else(|| "\0".to_string());
        let aliases: Vec<Cow<'static, str>> = names.map(Cow::Owned).collect();
        let field = Field::new(label, number, shape).with_key(first).with_aliases(aliases).with_required(required);
        let field = read_notes
            .into_iter()
            .fold(within_oneof(field, oneof), |field, (place, note)| field.with_note(place, note));
        let column = given.get_item("column")?.map_or_else(|| Ok(self.column(role)), |column| column.extract())?;
        let field = field.with_column(column).with_override(wired);
        if !unread {
            self.read.push(field);
            self.reads.push(read);
            return Ok(());
        }
        // The name is known, but its values are skipped. The field gets its default like an absent one.
        self.passed.push((field.with_required(false).with_override(wired), skipped(py, &read)));
        if self.make == Make::Fields && !passed {
            self.unread.push(Read { required: false, ..read });
        }
        Ok(())
    }
}

/// Returns how the values of a field are skipped.
fn skipped(py: Python<'_>, read: &Read) -> Read {
    Read {
        node: Node::Any,
        store: Store::Attribute,
        role: Role::Unread,
        required: false,
        default: Default::None,
        name: read.name.clone_ref(py),
        label: read.label.clone(),
        place: None,
        group: 0,
    }
}

/// Returns the notes for a place.
fn noted<'n>(places: &'n [(String, String)], wanted: &str) -> impl Iterator<Item = &'n str> {
    places.iter().filter(move |(place, _)| place == wanted).map(|(_, note)| note.as_str())
}

/// Returns the note with a field's oneof group.
fn oneof_of(places: &[(String, String)]) -> Option<(String, String)> {
    places.iter().find(|(place, note)| place == "proto" && note.starts_with("in ")).cloned()
}

/// Adds that note to the field: a source needs it for a message that is split into several pieces.
fn within_oneof(field: Field, oneof: Option<(String, String)>) -> Field {
    match oneof {
        Some((place, note)) => field.with_note(place, note),
        None => field,
    }
}

/// Returns the notes of a field for specific formats.
fn places(given: &Bound<'_, PyDict>) -> PyResult<Vec<(String, String)>> {
    given.get_item("places")?.map_or_else(|| Ok(Vec::new()), |places| places.extract())
}

fn default(given: &Bound<'_, PyDict>) -> PyResult<Default> {
    if let Some(value) = given.get_item("default")? {
        return Ok(Default::Value(value.unbind()));
    }
    let Some(factory) = given.get_item("factory")? else { return Ok(Default::None) };
    let py = given.py();
    Ok(match factory {
        list if list.is(py.get_type::<PyList>()) => Default::List,
        dict if dict.is(py.get_type::<PyDict>()) => Default::Dict,
        other => Default::Factory(other.unbind()),
    })
}

/// Returns whether the class is abstract, so that the interpreter refuses to instantiate it.
fn is_abstract(class: &Bound<'_, PyType>) -> bool {
    // SAFETY: a live class.
    unsafe { ffi::PyType_HasFeature(class.as_ptr().cast(), ffi::Py_TPFLAGS_IS_ABSTRACT) != 0 }
}

/// Returns the offset of an attribute in instances, if the class has a slot for it.
///
/// The structure of a slot's descriptor is public (`PyMemberDescrObject`, `PyMemberDef`). The offset is valid for the
/// class that defines the slot and all its subclasses.
pub(crate) fn slot(class: &Bound<'_, PyType>, name: &Bound<'_, PyString>) -> Option<isize> {
    let found = class.getattr(name).ok()?;
    // SAFETY: the object's type is checked before it is accessed as a descriptor; the descriptor's class is checked
    // before its offset is used; `d_member` of a descriptor is never null.
    unsafe {
        if ffi::Py_TYPE(found.as_ptr()) != &raw mut ffi::PyMemberDescr_Type {
            return None;
        }
        let descriptor = found.as_ptr().cast::<ffi::PyMemberDescrObject>();
        let member = &*(*descriptor).d_member;
        let own = ffi::PyType_IsSubtype(class.as_ptr().cast(), (*descriptor).d_common.d_type) == 1;
        // Slots hold objects and are null while they are unset; other kinds of members are no attributes that a class
        // declares.
        (own && member.type_code == ffi::Py_T_OBJECT_EX && member.offset > 0).then_some(member.offset)
    }
}

/// Returns the function of a hook's way to write.
fn function<'py>(encode: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if encode.is_instance(known::writes_parts(encode.py())?)? {
        return encode.getattr(intern!(encode.py(), "function"));
    }
    Ok(encode.clone())
}
