//! Wire encodings of nodes in formats with field numbers: from the annotation, or the default for the type.

use super::{Clock, Default, LiteralNode, Node, UnionNode, Zone};
use demat_core::{Enum, Record, RecordRef, Shape, Union, Unknown, Variant};
use demat_formats::proto::{Cardinality, Form, Presence, Wire};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyFrozenSet, PyInt, PySet, PyTuple, PyType};
use std::borrow::Cow;

/// The parsed `proto` notes of an annotation.
#[derive(Debug, core::default::Default)]
pub(super) struct Said {
    /// The encoding of a number or of another value.
    form: Option<String>,
    /// The encoding of a map's keys.
    key: Option<String>,
    packed: Option<bool>,
    required: bool,
    /// The numbers of a union's variants, which are fields of the surrounding record.
    pub(super) oneof: Option<Vec<u32>>,
}

impl Said {
    /// Parses the notes for the format `proto`.
    ///
    /// # Errors
    /// The unknown word.
    pub(super) fn of<'n>(notes: impl Iterator<Item = &'n str>) -> Result<Self, String> {
        let mut said = Said::default();
        for note in notes {
            let (word, rest) = note.split_once(' ').unwrap_or((note, ""));
            match (word, rest) {
                ("packed", "") => said.packed = Some(true),
                ("expanded", "") => said.packed = Some(false),
                ("required", "") => said.required = true,
                ("group" | "delimited", "") => said.form = Some("group".to_owned()),
                ("key", form) => said.key = Some(form.to_owned()),
                ("json_name" | "text_name" | "in", _) => {}
                ("json", form) if is_known(form) => {}
                ("oneof", numbers) => said.oneof = Some(variant_numbers(numbers)?),
                (form, "") if Form::named(form).is_some() || form == "enum" => said.form = Some(form.to_owned()),
                _ => {
                    let words = "int32, int64, uint32, uint64, sint32, sint64, fixed32, fixed64, sfixed32, sfixed64, \
                                 float, double, bool, string, bytes, enum, ipv4, ip, ip_port, group, delimited, packed, expanded, \
                                 required, oneof with numbers, key with one of the first, json_name or text_name with a name, or json with \
                                 wrapper, struct, list, field_mask, any";
                    return Err(format!("`{note}` is no way to write a field; there is {words}"));
                }
            }
        }
        Ok(said)
    }

    /// Returns the encodings of a field for reading and for writing, from the nodes for both.
    ///
    /// # Errors
    /// As [`wire`](Self::wire).
    pub(super) fn wires(
        &self,
        py: Python<'_>,
        (read, write): (&Node, &Node),
        default: &Default,
        required: bool,
    ) -> Result<(Wire, Wire), String> {
        let implicit = implies_zero(py, default, read, required);
        let written = defaulted(py, self.wire(write, true, implicit)?, default, write);
        Ok((self.wire(read, false, implicit)?, written))
    }

    /// Returns the encoding of a field of this node. `implicit`: whether an absent field can only mean zero.
    ///
    /// # Errors
    /// The reason if the notes do not suit the node.
    fn wire(&self, node: &Node, writing: bool, implicit: bool) -> Result<Wire, String> {
        let (node, optional) = inside(node, writing);
        let (class, form, key) = match node {
            _ if self.oneof.is_some() => match node {
                Node::Union(_) => (Cardinality::Oneof, Form::None, Form::None),
                _ => return Err("`oneof` is for unions".to_owned()),
            },
            Node::List(list) => (Cardinality::List, form(&list.item, writing), Form::None),
            Node::Tuple(items) => {
                let mut forms = items.iter().map(|item| form(item, writing));
                let first = forms.next().unwrap_or(Form::None);
                (Cardinality::List, if forms.all(|other| other == first) { first } else { Form::None }, Form::None)
            }
            Node::Map(map) => (Cardinality::Map, form(&map.value, writing), form(&map.key, writing)),
            _ => (Cardinality::Value, form(node, writing), Form::None),
        };
        let own = suited(self.form.as_deref(), form, "this")?;
        let own_key = match (&self.key, class) {
            (Some(_), Cardinality::Value | Cardinality::List | Cardinality::Oneof) => {
                return Err("`key` is for dicts".to_owned());
            }
            (said, _) => suited(said.as_deref(), key, "its key")?,
        };
        let packable = class == Cardinality::List && own.packable();
        match self.packed {
            Some(true) if !packable => return Err("`packed` is for lists of numbers, bools and enums".to_owned()),
            Some(false) if class != Cardinality::List => return Err("`expanded` is for lists".to_owned()),
            _ => {}
        }
        let packed = packable && self.packed != Some(false);
        let zero = implicit && !self.required && !optional;
        let has_zero = match class {
            Cardinality::Value => own.has_zero() && has_zero(node),
            Cardinality::List | Cardinality::Map => true,
            Cardinality::Oneof => false,
        };
        let presence = if zero && has_zero { Presence::Implicit } else { Presence::Explicit };
        Ok(Wire { cardinality: class, form: own, key: own_key, packed, presence })
    }
}

/// Returns whether this is a message with a special form in canonical JSON.
fn is_known(form: &str) -> bool {
    matches!(form, "wrapper" | "struct" | "list" | "field_mask" | "any")
}

fn variant_numbers(text: &str) -> Result<Vec<u32>, String> {
    let numbers: Result<Vec<u32>, _> = text.split_whitespace().map(str::parse).collect();
    match numbers {
        Ok(numbers) if !numbers.is_empty() && numbers.iter().all(|number| is_number(*number)) => Ok(numbers),
        _ => Err("`oneof` is followed by the numbers of the variants, as in `oneof 3 4`".to_owned()),
    }
}

/// The bit of a number that no field can have: a oneof, which has no number, has it beside its place.
pub(crate) const NO_FIELD: u32 = 1 << 29;

/// Returns whether a field may have this number: the format reserves 19000 to 19999.
pub(super) fn is_number(number: u32) -> bool {
    (1..NO_FIELD).contains(&number) && !(19_000..20_000).contains(&number)
}

/// Returns the node without its wrappers, and whether it may be None.
pub(super) fn inside(node: &Node, writing: bool) -> (&Node, bool) {
    match node {
        Node::Optional(inner) => (inside(inner, writing).0, true),
        Node::Checked(checked) => inside(&checked.0, writing),
        Node::Hook(hook) => inside(if writing { &hook.write } else { &hook.read }, writing),
        Node::Literal(literal) => (node, literal.none),
        _ => (node, false),
    }
}

/// Returns the default encoding of a single value.
fn form(node: &Node, writing: bool) -> Form {
    match inside(node, writing).0 {
        // The type of a recursive alias is encoded with each value.
        Node::Any | Node::Named(_) => Form::Any,
        Node::None => Form::Null,
        Node::Bool => Form::Bool,
        Node::Int | Node::Flag(_) => Form::Int64,
        Node::Float => Form::Double,
        // A datetime without an offset is no point in time.
        Node::Str
        | Node::Decimal
        | Node::Date
        | Node::Time(_)
        | Node::Uuid
        | Node::Datetime(Clock { zone: Zone::Naive, .. }) => Form::Text,
        Node::Bytes(_) => Form::Bytes,
        Node::Datetime(_) => Form::Timestamp,
        Node::Timedelta => Form::Duration,
        Node::Record(_) => Form::Message,
        Node::Enum(node) if node.numbered.is_some() => Form::Enum,
        Node::Literal(node) => of_literal(node),
        Node::Union(union) if is_open_enum(union) => Form::Enum,
        Node::Union(_) => Form::Union,
        _ => Form::None,
    }
}

fn of_literal(node: &LiteralNode) -> Form {
    let has = |table: &Py<PyDict>| Python::attach(|py| !table.bind(py).is_empty());
    match (has(&node.texts), has(&node.ints), node.bools != [false; 2]) {
        (true, false, false) => Form::Text,
        (false, true, false) => Form::Int64,
        (false, false, true) => Form::Bool,
        _ => Form::Any,
    }
}

/// Returns whether a union is that of an enum's names and any other number.
pub(super) fn is_open_enum(union: &UnionNode) -> bool {
    matches!(&*union.variants, [names, number] if matches!(&names.node, Node::Enum(node) if node.numbered.is_some())
        && matches!(number.node, Node::Int))
}

/// Returns whether zero is a value of the node.
fn has_zero(node: &Node) -> bool {
    match node {
        Node::Enum(node) => node.numbered.as_ref().is_some_and(|names| names.index_of_number(0).is_some()),
        Node::Literal(_) | Node::Decimal | Node::Date | Node::Time(_) | Node::Uuid => false,
        _ => true,
    }
}

/// Returns the form in the notes, if it can encode values of the default form.
fn suited(said: Option<&str>, usual: Form, what: &str) -> Result<Form, String> {
    use Form::*;
    let Some(name) = said else { return Ok(usual) };
    let (form, suits) = match name {
        "group" => (Group, usual == Message),
        "enum" => (Enum, usual == Enum),
        name => {
            let form = Form::named(name).unwrap_or(None);
            let suits = match form {
                Int32 | Int64 | Uint32 | Uint64 | Sint32 | Sint64 | Fixed32 | Fixed64 | Sfixed32 | Sfixed64 => {
                    usual == Int64
                }
                Float | Double => usual == Double,
                Bytes => matches!(usual, Bytes | Text),
                Ipv4 | Ip | IpPort => usual == Text,
                Text => matches!(usual, Text | Timestamp | Duration),
                other => usual == other,
            };
            (form, suits)
        }
    };
    if suits { Ok(form) } else { Err(format!("`{name}` does not suit the type: {what} is {}", called(usual))) }
}

fn called(form: Form) -> &'static str {
    match form {
        Form::Int64 => "an int",
        Form::Double => "a float",
        Form::Bool => "a bool",
        Form::Text => "text",
        Form::Bytes => "bytes",
        Form::Message => "a message",
        Form::Enum => "an enum",
        Form::Timestamp => "a point in time",
        Form::Duration => "a span of time",
        Form::Union => "a union",
        _ => "of any kind",
    }
}

/// Returns whether an absent field can only mean zero: there is no other default.
fn implies_zero(py: Python<'_>, default: &Default, node: &Node, required: bool) -> bool {
    match default {
        Default::None => required,
        Default::List | Default::Dict => true,
        Default::Factory(_) => false,
        Default::Value(value) => {
            let value = value.bind(py);
            if let Node::Enum(node) = inside(node, false).0
                && let Some(names) = &node.numbered
            {
                let order = node.order.bind(py);
                return order.iter().position(|own| own.is(value)).is_some_and(|at| names.number_at(at) == 0);
            }
            if let Ok(float) = value.cast::<PyFloat>() {
                // A negative zero is encoded.
                return float.value().to_bits() == 0;
            }
            !value.is_none() && !value.is_truthy().unwrap_or(true)
        }
    }
}

/// Sets the presence of a field, depending on its default for absent fields. The result of a factory is not known yet.
fn defaulted(py: Python<'_>, wire: Wire, default: &Default, node: &Node) -> Wire {
    let hides = match default {
        Default::Value(value) => hides_absence(value.bind(py), wire.cardinality, node),
        _ => false,
    };
    Wire { presence: if hides { Presence::Defaulted } else { wire.presence }, ..wire }
}

/// Returns the factory of a field whose value may be None or a container, if it may return anything but an empty
/// container.
pub(super) fn factory_of_absent(py: Python<'_>, default: &Default, node: &Node) -> Option<Py<PyAny>> {
    let Default::Factory(factory) = default else { return None };
    let (inner, optional) = inside(node, true);
    let is_container = matches!(inner, Node::List(_) | Node::Tuple(_) | Node::Map(_));
    let is_empty = factory.bind(py).cast::<PyType>().is_ok_and(|class| {
        let empty = [py.get_type::<PySet>(), py.get_type::<PyFrozenSet>(), py.get_type::<PyTuple>()];
        empty.iter().any(|own| own.is(class))
    });
    ((optional || is_container) && !is_empty).then(|| factory.clone_ref(py))
}

/// Returns whether a reader can't distinguish an omitted value from this default.
fn hides_absence(default: &Bound<'_, PyAny>, class: Cardinality, node: &Node) -> bool {
    match class {
        Cardinality::List | Cardinality::Map => !default.is_none() && default.is_truthy().unwrap_or(true),
        _ => inside(node, false).1 && !default.is_none(),
    }
}

/// Returns the members of an enum by number: by their values if these are ints, else by their indices.
pub(super) fn numbered<'py>(
    class: &Bound<'py, PyAny>,
    members: &Bound<'py, PyDict>,
) -> PyResult<(Option<Enum>, Bound<'py, PyTuple>)> {
    let mut names = Vec::new();
    let ints = members.keys().iter().all(|key| key.is_instance_of::<PyInt>());
    for (index, (value, member)) in members.iter().enumerate() {
        let name: String = member.getattr(pyo3::intern!(class.py(), "_name_"))?.extract().unwrap_or_default();
        let number = if ints { value.extract::<i32>().ok().map(i64::from) } else { Some(index as i64) };
        names.push(number.map(|number| (Cow::Owned(name), number)));
    }
    let order = PyTuple::new(class.py(), members.values())?;
    let names: Option<Vec<_>> = names.into_iter().collect();
    let called: String = class.getattr(pyo3::intern!(class.py(), "__name__"))?.extract()?;
    Ok((names.map(|names| Enum::new(called, names)), order))
}

/// Creates a union with the given names and numbers of its variants; by default, the numbers are the positions from 1.
/// The text format writes the names, which are those in a `.proto` file of the class.
///
/// `name` returns the name of a variant's class: formats with names know a record by it.
pub(super) fn union(
    mut names: Vec<String>,
    nodes: &[super::Variant],
    numbers: Option<&[u32]>,
    name: &dyn Fn(usize) -> String,
) -> Union {
    static NOTHING: Record = Record::fixed("", &[], &[], Unknown::Ignore);
    let nothing = |index| match Record::new(name(index), Vec::new()) {
        Ok(record) => RecordRef::new(record),
        Err(_) => RecordRef::Static(|| &NOTHING),
    };
    let variants = nodes.iter().enumerate().map(|(index, variant)| {
        let shape = match inside(&variant.node, false).0 {
            // The contents of the record are not needed here.
            Node::Record(_) => Shape::Record(nothing(index)),
            Node::Enum(node) => match &node.numbered {
                Some(names) => Shape::Enum(demat_core::Ref::new(names.clone())),
                None => Shape::Any,
            },
            other => super::shape::shallow(other),
        };
        let name = names.get_mut(index).map(core::mem::take).unwrap_or_default();
        let number = numbers.and_then(|numbers| numbers.get(index).copied()).unwrap_or(index as u32 + 1);
        Variant::new(name, number, shape)
    });
    Union::new("", variants.collect(), demat_core::Tag::None)
}

/// Sets the given numbers for the variants of a node's union.
///
/// # Errors
/// If the counts differ.
pub(super) fn number_variants(node: &mut Node, numbers: &[u32]) -> Result<Option<Union>, String> {
    match node {
        Node::Optional(inner) => number_variants(inner, numbers),
        Node::Checked(checked) => number_variants(&mut checked.0, numbers),
        Node::Union(own) if own.variants.len() == numbers.len() => {
            let names = own.numbered.variants().iter().map(|variant| variant.name().to_owned()).collect();
            let before = own.numbered.clone();
            let name = |index: usize| match before.variants().get(index).map(Variant::shape) {
                Some(Shape::Record(record)) => record.get().name().to_owned(),
                _ => String::new(),
            };
            own.numbered = union(names, &own.variants, Some(numbers), &name);
            Ok(Some(own.numbered.clone()))
        }
        Node::Union(own) => {
            Err(format!("`oneof` says {} numbers, and the union has {} variants", numbers.len(), own.variants.len()))
        }
        _ => Err("`oneof` is for unions".to_owned()),
    }
}
