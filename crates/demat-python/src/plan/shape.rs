//! Converts plans to shapes, for the formats and for schemas.

use super::constant::default_of;
use super::noted::Within;
use super::{ArrayForm, Clock, Lists, Node, Program, RecordPlan, Role, Zone};
use crate::format::Format;
use demat_core::{
    Enum, Field, FloatWidth, IntWidth, Items, Record, RecordRef, Ref, Shape, Tag, Union, UnionRef, Unknown, Value,
    Variant,
};
use demat_formats::json::JsonSource;
use demat_formats::proto::{Wire, oneof};
use pyo3::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};

/// Returns the shape of a single value of the node, without its contents.
pub(super) fn shallow(node: &Node) -> Shape {
    match node {
        Node::None => Shape::Null,
        Node::Bool => Shape::Bool,
        Node::Int | Node::Flag(_) => Shape::Int(IntWidth::Any),
        Node::Float => Shape::Float(FloatWidth::F64),
        Node::Bytes(_) => Shape::Bytes,
        Node::Decimal => Shape::Decimal,
        Node::Datetime(Clock { zone: Zone::Naive, .. }) => Shape::DateTime,
        Node::Datetime(_) => Shape::Instant,
        Node::Date => Shape::Date,
        Node::Time(_) => Shape::Time,
        Node::Timedelta => Shape::Duration,
        Node::Uuid => Shape::Uuid,
        Node::Enum(node) if !node.any_text => Shape::Int(IntWidth::Any),
        // A text; for some enums, another kind that is not null.
        Node::Str | Node::Enum(_) => Shape::Text,
        Node::Optional(inner) => shallow(inner).optional(),
        Node::List(list) => shallow(&list.item).list(),
        Node::Map(map) => Shape::Map(Ref::new(shallow(&map.key)), Ref::new(shallow(&map.value))),
        Node::Hook(hook) => shallow(&hook.write),
        Node::Checked(checked) => shallow(&checked.0),
        Node::Literal(node) if !node.none => {
            let ints = Python::attach(|py| !node.ints.bind(py).is_empty());
            let texts = Python::attach(|py| !node.texts.bind(py).is_empty());
            match (texts, ints, node.bools != [false; 2]) {
                (false, true, false) => Shape::Int(IntWidth::Any),
                (false, false, true) => Shape::Bool,
                // Texts, or several kinds without null.
                _ => Shape::Text,
            }
        }
        Node::Union(union) if union.tag.is_none() => {
            let variants = union.variants.iter().enumerate();
            let variants = variants.map(|(index, one)| Variant::new("", index as u32 + 1, shallow(&one.node)));
            Shape::Union(UnionRef::new(Union::new("", variants.collect(), Tag::None)))
        }
        Node::Any
        | Node::Named(_)
        | Node::Raw
        | Node::Literal(_)
        | Node::Union(_)
        | Node::Record(_)
        | Node::Tuple(_) => Shape::Any,
    }
}

impl Program {
    /// Returns the shape of the whole, as formats write it.
    ///
    /// # Errors
    /// If keys or numbers collide.
    pub(crate) fn shape(&self, py: Python<'_>) -> PyResult<Shape> {
        Shapes::of(self).node(py, &self.root)
    }

    /// The same, computed once.
    ///
    /// # Errors
    /// Where keys or numbers collide.
    pub(crate) fn shape_written(&self, py: Python<'_>) -> PyResult<&Shape> {
        if let Some(shape) = self.written.get() {
            return Ok(shape);
        }
        let shape = self.shape(py)?;
        Ok(self.written.get_or_init(|| shape))
    }

    /// Returns the shape for reading without creating objects: with the input names of fields, and with the defaults of
    /// absent fields.
    ///
    /// # Errors
    /// If keys or numbers collide.
    pub(crate) fn shape_read(&self, py: Python<'_>) -> PyResult<Shape> {
        self.shape_read_of(py, &self.root, false)
    }

    /// As [`shape_read`](Self::shape_read), with records that stand as lists in the source, or also in the target.
    ///
    /// # Errors
    /// If keys or numbers collide. `TypeError` if an item of such a list is not read, so that a shape has no place for it.
    pub(crate) fn shape_read_as(&self, py: Python<'_>, lists: Lists) -> PyResult<Shape> {
        Shapes { read: true, noted: true, lists, ..Shapes::of(self) }.node(py, &self.root)
    }

    /// As [`shape_read_as`](Self::shape_read_as), for a copy, whose target may be a table: fields have their `sql` notes.
    /// `strict`: records take no unknown fields, unless they keep them.
    ///
    /// # Errors
    /// As there.
    pub(super) fn shape_copied_as(&self, py: Python<'_>, lists: Lists, strict: bool) -> PyResult<Shape> {
        Shapes { read: true, noted: true, tabled: true, strict, lists, ..Shapes::of(self) }.node(py, &self.root)
    }

    /// As [`shape_read`](Self::shape_read), for a part of the program. `numbered`: the format identifies fields,
    /// variants and enum names by number.
    ///
    /// # Errors
    /// If keys or numbers collide.
    pub(crate) fn shape_read_of(&self, py: Python<'_>, node: &Node, numbered: bool) -> PyResult<Shape> {
        Shapes { read: true, noted: true, numbered, ..Shapes::of(self) }.node(py, node)
    }

    /// Returns the shape with constraints, and with defaults that are constants.
    ///
    /// # Errors
    /// If keys or numbers collide.
    pub(crate) fn whole_shape(&self, py: Python<'_>) -> PyResult<Shape> {
        Shapes { whole: true, ..Shapes::of(self) }.node(py, &self.root)
    }

    /// As [`shape`](Self::shape), with the checks of every part if the columns of it depend on them.
    ///
    /// # Errors
    /// If keys or numbers collide.
    pub(crate) fn shape_of_columns(&self, py: Python<'_>, options: &demat_arrow::Options) -> PyResult<Shape> {
        Shapes { noted: options.narrow, ..Shapes::of(self) }.node(py, &self.root)
    }

    /// Returns the shape for stores: with the checks of every part, and with defaults that are lists and dicts.
    ///
    /// # Errors
    /// If keys or numbers collide.
    pub(crate) fn stored_shape(&self, py: Python<'_>) -> PyResult<Shape> {
        Shapes { whole: true, noted: true, ..Shapes::of(self) }.node(py, &self.root)
    }

    /// As [`stored_shape`](Self::stored_shape), with outermost records that are read from lists, if they stand as such.
    ///
    /// # Errors
    /// As there.
    pub(super) fn stored_shape_of_lists(&self, py: Python<'_>) -> PyResult<Shape> {
        Shapes { whole: true, noted: true, lists: Lists::OfRows, ..Shapes::of(self) }.node(py, &self.root)
    }

    /// Returns the shape for formats that identify fields, variants and enum names by number.
    ///
    /// # Errors
    /// If keys or numbers collide.
    pub(crate) fn numbered_shape(&self, py: Python<'_>) -> PyResult<Shape> {
        self.numbered_shape_of(py, &self.root)
    }

    /// As [`numbered_shape`](Self::numbered_shape), for a part of the program.
    ///
    /// # Errors
    /// If keys or numbers collide.
    pub(super) fn numbered_shape_of(&self, py: Python<'_>, node: &Node) -> PyResult<Shape> {
        Shapes { numbered: true, ..Shapes::of(self) }.node(py, node)
    }
}

/// Builds shapes. Tracks the open records by index, so that recursive ones can refer to themselves.
#[allow(clippy::struct_excessive_bools)] // each is an independent option
struct Shapes<'a> {
    program: &'a Program,
    /// Whether to include constraints and defaults.
    whole: bool,
    /// Whether notes also cover the parts of values.
    noted: bool,
    open: HashMap<usize, Weak<Record>>,
    /// The open aliases; for those that are unions, the union to refer to.
    named: HashMap<usize, Option<Weak<Union>>>,
    /// How records that stand as lists appear.
    lists: Lists,
    /// The open records that are written as lists, which have no name to refer to.
    tuples: Vec<usize>,
    /// Whether to use the input names of records.
    read: bool,
    /// Whether fields that are read have the notes for tables, too.
    tabled: bool,
    /// Whether records that are read refuse the unknown fields that they would ignore.
    strict: bool,
    /// Whether variants and names of enums have their numbers.
    numbered: bool,
    /// Cache of finished shapes, so that a part that occurs again is shared.
    built: HashMap<Part, Built>,
    /// Enclosing parts that the current one refers to.
    refers: HashSet<Part>,
}

/// A part that may contain itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Record(usize),
    /// A record that is written as a list.
    List(usize),
    Alias(usize),
}

/// A finished part.
struct Built {
    shape: Shape,
    /// Enclosing parts that it refers to.
    refers: HashSet<Part>,
    times: u32,
}

/// How often a part is built again because an enclosing part that it refers to is gone; after that it is shared anyway.
/// Without this limit, records that all contain each other would take exponential time.
const OFTEN: u32 = 4;

impl<'a> Shapes<'a> {
    fn of(program: &'a Program) -> Self {
        Self {
            program,
            whole: false,
            noted: false,
            open: HashMap::new(),
            named: HashMap::new(),
            lists: Lists::Nowhere,
            tuples: Vec::new(),
            read: false,
            tabled: false,
            strict: false,
            numbered: false,
            built: HashMap::new(),
            refers: HashSet::new(),
        }
    }

    /// Builds a part once, and returns the same shape for its other occurrences.
    fn once(&mut self, part: Part, describe: impl FnOnce(&mut Self) -> PyResult<Shape>) -> PyResult<Shape> {
        let times = self.built.get(&part).map_or(0, |built| built.times);
        if let Some(built) = self.built.get(&part)
            && (built.times >= OFTEN || built.refers.iter().all(|around| self.is_around(*around)))
        {
            self.refers.extend(&built.refers);
            return Ok(built.shape.clone());
        }
        let outer = std::mem::take(&mut self.refers);
        let shape = describe(self);
        let mut refers = std::mem::replace(&mut self.refers, outer);
        refers.remove(&part);
        self.refers.extend(&refers);
        let shape = shape?;
        self.built.insert(part, Built { shape: shape.clone(), refers, times: times + 1 });
        Ok(shape)
    }

    fn is_around(&self, part: Part) -> bool {
        match part {
            Part::Record(index) => self.open.contains_key(&index),
            Part::List(index) => self.tuples.contains(&index),
            Part::Alias(index) => self.named.contains_key(&index),
        }
    }
    fn node(&mut self, py: Python<'_>, node: &Node) -> PyResult<Shape> {
        Ok(match node {
            Node::Optional(inner) => self.node(py, inner)?.optional(),
            Node::List(list) => self.node(py, &list.item)?.list(),
            Node::Tuple(items) => {
                let items =
                    items.iter().map(|item| Ok(Ref::new(self.node(py, item)?))).collect::<PyResult<Vec<_>>>()?;
                Shape::Tuple(Ref::Shared(items.into()))
            }
            Node::Map(map) => Shape::Map(Ref::new(self.node(py, &map.key)?), Ref::new(self.node(py, &map.value)?)),
            // Named tuples are lists in text formats, except if they are rows themselves.
            Node::Record(index) if !self.open.is_empty() && self.is_tuple(*index) => {
                let part = Part::List(*index);
                if self.is_around(part) {
                    self.refers.insert(part);
                    return Ok(Shape::Any);
                }
                self.once(part, |own| own.listed(py, *index))?
            }
            Node::Record(index) => {
                let part = Part::Record(*index);
                if let Some(open) = self.open.get(index) {
                    self.refers.insert(part);
                    let name = self.program.records[*index].name.clone();
                    return Ok(Shape::Record(RecordRef::Link(name.into(), Weak::clone(open))));
                }
                self.once(part, |own| own.record(py, *index).map(Shape::Record))?
            }
            Node::Enum(node) if self.numbered && node.numbered.is_some() => match &node.numbered {
                Some(names) => Shape::Enum(Ref::new(names.clone())),
                None => Shape::Any,
            },
            Node::Enum(node) if node.any_text && node.any_int => Shape::Any,
            Node::Named(index) => self.named(py, *index)?,
            Node::Enum(node) if !node.any_int => {
                let names = node.members.bind(py).keys();
                let names =
                    names.iter().enumerate().map(|(index, name)| Ok((name.extract::<String>()?.into(), index as i64)));
                let class = node.class.bind(py).name()?.to_string();
                Shape::Enum(Ref::new(Enum::new(class, names.collect::<PyResult<Vec<_>>>()?)))
            }
            Node::Literal(node) if !node.none && node.bools == [false; 2] && node.ints.bind(py).is_empty() => {
                let names = node.texts.bind(py).keys();
                let names =
                    names.iter().enumerate().map(|(index, name)| Ok((name.extract::<String>()?.into(), index as i64)));
                Shape::Enum(Ref::new(Enum::new("", names.collect::<PyResult<Vec<_>>>()?)))
            }
            Node::Union(union) => Shape::Union(UnionRef::new(self.union(py, union, String::new())?)),
            Node::Hook(hook) => self.node(py, &hook.write)?,
            Node::Checked(checked) => self.node(py, &checked.0)?,
            single => shallow(single),
        })
    }

    /// Describes a record that is written item by item.
    fn listed(&mut self, py: Python<'_>, index: usize) -> PyResult<Shape> {
        self.tuples.push(index);
        let plan = &self.program.records[index];
        let parts: Vec<_> = if self.read {
            plan.items.iter().map(|item| (plan.reads[*item].role, &plan.reads[*item].node)).collect()
        } else {
            plan.writes.iter().map(|field| (field.role, &field.node)).collect()
        };
        let items = parts.into_iter().map(|(role, node)| match role {
            Role::Tag => Ok(Ref::new(tag_shape(plan))),
            _ => Ok(Ref::new(self.node(py, node)?)),
        });
        let items = items.collect::<PyResult<Vec<_>>>();
        self.tuples.pop();
        Ok(Shape::Tuple(Ref::Shared(items?.into())))
    }

    /// Returns whether a record within another one is a tuple.
    fn is_tuple(&self, index: usize) -> bool {
        let plan = &self.program.records[index];
        plan.is_listed() && !self.numbered && !(self.lists == Lists::Kept && plan.form == ArrayForm::List)
    }

    /// Returns whether a record, which is the innermost of the open ones, is read from lists alone: its tag has a place
    /// there, and can't be missing.
    fn is_read_from_list(&self, plan: &RecordPlan) -> bool {
        plan.form == ArrayForm::List && !self.numbered && self.lists != Lists::Nowhere
    }

    /// Returns the items of a record that is read from lists. It is the innermost of the open ones.
    fn items(&self, plan: &RecordPlan, record: &Record) -> PyResult<Option<Items>> {
        if self.numbered || !plan.is_listed() {
            return Ok(None);
        }
        let items = match (self.lists, plan.form) {
            (Lists::OfRows, _) if self.open.len() > 1 => return Ok(None),
            (Lists::OfRows, ArrayForm::Either) => Items::in_order(plan.items.len()).or_named(),
            (Lists::OfRows, _) => Items::in_order(plan.items.len()),
            (Lists::Kept, ArrayForm::List) => Items::in_order(plan.items.len()).written(),
            (Lists::Kept | Lists::Nowhere, _) => return Ok(None),
        };
        if record.fields().len() != plan.items.len() {
            let message =
                format!("`{}` needs objects: an item of its lists is not read; read them, and copy these", plan.name);
            return Err(pyo3::exceptions::PyTypeError::new_err(message));
        }
        Ok(Some(items))
    }

    fn union(&mut self, py: Python<'_>, union: &super::UnionNode, name: String) -> PyResult<Union> {
        let variants = union.variants.iter().enumerate().map(|(index, variant)| {
            let name = match &variant.name {
                Some(super::TagValue::Text(text)) => text.clone(),
                Some(super::TagValue::Int(int)) => int.to_string(),
                None => variant.node.name(self.program),
            };
            let number = union.numbered.variants().get(index).map_or(index as u32 + 1, Variant::number);
            let name = if self.numbered { lowered(&name) } else { name };
            Ok(Variant::new(name, number, self.node(py, &variant.node)?))
        });
        let variants = variants.collect::<PyResult<Vec<_>>>()?;
        // Shapes know no variant for other tags. It comes last, so the first that fits is the same one.
        let mut tag = union.tag.clone().filter(|_| union.variants.iter().all(|variant| variant.name.is_some()));
        if union.listed && self.are_lists() {
            // Their first items tell the variants apart.
            if union.variants.iter().any(|variant| matches!(variant.name, Some(super::TagValue::Int(_)))) {
                let message = "lists that a number tells apart need objects: read them, and copy these";
                return Err(pyo3::exceptions::PyTypeError::new_err(message));
            }
            tag = None;
        }
        let tag = tag.map_or(Tag::None, |tag| Tag::Field(tag.into()));
        Ok(Union::new(name, variants, tag))
    }

    /// Returns whether records that stand as lists are lists here.
    fn are_lists(&self) -> bool {
        !self.numbered && (self.lists != Lists::Nowhere || !self.open.is_empty())
    }

    /// Returns the shape of a recursive alias. A union can refer to itself; any other recursive shape has no textual
    /// form, and becomes `any` where it would refer to itself.
    fn named(&mut self, py: Python<'_>, index: usize) -> PyResult<Shape> {
        let part = Part::Alias(index);
        let Some(around) = self.named.get(&index) else { return self.once(part, |own| own.alias(py, index)) };
        self.refers.insert(part);
        Ok(match around {
            Some(open) => {
                let link = Shape::Union(UnionRef::Link(format!("Alias{index}").into(), Weak::clone(open)));
                // The union is the part of the alias that is not None.
                if matches!(self.program.aliases[index], Node::Optional(_)) { link.optional() } else { link }
            }
            None => Shape::Any,
        })
    }

    fn alias(&mut self, py: Python<'_>, index: usize) -> PyResult<Shape> {
        let name = format!("Alias{index}");
        let (optional, node) = match &self.program.aliases[index] {
            Node::Optional(inner) => (true, &**inner),
            other => (false, other),
        };
        let Node::Union(union) = node else {
            self.named.insert(index, None);
            let shape = self.node(py, node);
            self.named.remove(&index);
            return shape.map(|shape| if optional { shape.optional() } else { shape });
        };
        let mut failed = None;
        let made = Arc::new_cyclic(|weak| {
            self.named.insert(index, Some(Weak::clone(weak)));
            let made = self.union(py, union, name);
            self.named.remove(&index);
            made.unwrap_or_else(|error| {
                failed = Some(error);
                Union::new("", Vec::new(), Tag::None)
            })
        });
        let shape = Shape::Union(UnionRef::Shared(made));
        failed.map_or(Ok(if optional { shape.optional() } else { shape }), Err)
    }

    fn record(&mut self, py: Python<'_>, index: usize) -> PyResult<RecordRef> {
        let mut failed = None;
        let record = Arc::new_cyclic(|weak| {
            self.open.insert(index, Weak::clone(weak));
            let record = self.fields(py, index);
            self.open.remove(&index);
            record.unwrap_or_else(|error| {
                failed = Some(error);
                Record::fixed("", &[], &[], demat_core::Unknown::Ignore)
            })
        });
        failed.map_or(Ok(RecordRef::Shared(record)), Err)
    }

    /// Returns the default of a field, if it is a constant that a shape can represent.
    fn default(&self, py: Python<'_>, record: usize, field: &super::Write, shape: &Shape) -> Option<Value> {
        let reads = &self.program.records[record].reads;
        let read = reads.iter().find(|read| read.label == field.label);
        let value = match read.map(|read| &read.default) {
            Some(super::Default::Value(value)) => value.bind(py),
            Some(super::Default::List) if self.noted => return Some(Value::List(Vec::new())),
            Some(super::Default::Dict) if self.noted => return Some(Value::Map(Vec::new())),
            _ => return None,
        };
        if value.is_none() {
            return None;
        }
        // Encodes it and decodes it as the shape: this converts an enum's member to its name.
        let text = crate::encode::encode(Format::DEFAULT, value, &crate::encode::EncodeOptions::default());
        let text = text.ok()?;
        let shape = if is_part_of_open(shape, &mut HashSet::new()) { &Shape::Any } else { shape };
        let read = Value::decode_as(&mut JsonSource::new(text.as_bytes()), shape);
        read.ok().filter(|value| self.noted || !matches!(value, Value::List(_) | Value::Map(_)))
    }

    fn fields(&mut self, py: Python<'_>, index: usize) -> PyResult<Record> {
        if self.read {
            return self.fields_read(py, index);
        }
        let plan = &self.program.records[index];
        let mut fields = Vec::new();
        for (field, own) in plan.write.fields().iter().zip(&plan.writes) {
            // The variant's number represents the tag.
            if own.role == Role::Tag && self.numbered {
                continue;
            }
            let shape = match own.role {
                Role::Tag => tag_shape(plan),
                _ => self.node(py, &own.node)?,
            };
            let mut made =
                Field::new(field.name().to_string(), field.number(), shape).with_key(field.key().to_string());
            if self.whole
                && let Some(default) = self.default(py, index, own, made.shape())
            {
                made = made.with_default(default);
            }
            made = made.with_required(field.required());
            for (place, note) in field.notes() {
                if self.whole && !self.noted || place != "check" {
                    made = made.with_note(place.clone(), note.clone());
                }
            }
            made = self.checked(py, made, own.role, &own.node)?;
            fields.push(self.wired(made, field));
        }
        let record = Record::new(plan.name.clone(), fields);
        let record = record.map_err(|error| pyo3::exceptions::PyTypeError::new_err(error.to_string()))?;
        let items = self.items(plan, &record)?;
        Ok(record.with_unknown(plan.write.unknown()).with_items(items))
    }

    /// Adds the `check` notes to a field.
    fn checked(&self, py: Python<'_>, made: Field, role: Role, node: &Node) -> PyResult<Field> {
        if !self.noted || role == Role::Tag {
            return Ok(made);
        }
        // Written values come from objects, which may break constraints that the shape alone implies.
        let within = Within { texts: !self.read, tuples: !self.numbered, lists: self.lists };
        let notes = self.program.notes_within(py, node, within);
        let mut notes = notes?;
        if self.numbered && node.has_enum() {
            // Members are variants there, and no ints.
            notes.retain(|note| !note.contains("one_of "));
        }
        Ok(notes.into_iter().fold(made, |made, note| made.with_note("check", note)))
    }

    /// Adds the field's wire encoding, for formats with field numbers. A shape that is read by number says it in notes,
    /// too: it may be kept as text, as the definition of a collection is.
    fn wired(&self, made: Field, planned: &Field) -> Field {
        let own = Wire::of_field(planned);
        if !(self.read && self.numbered) {
            return made.with_override(own);
        }
        let notes = own.notes_beside(Wire::of_field(&made));
        notes.into_iter().fold(made, |made, note| made.with_note("proto", note)).with_override(own)
    }

    fn fields_read(&mut self, py: Python<'_>, index: usize) -> PyResult<Record> {
        let plan = &self.program.records[index];
        let mut fields = Vec::new();
        for (field, own) in plan.read.fields().iter().zip(&plan.reads) {
            // Skipped fields are not part of the shape.
            if own.role == Role::Unread && plan.read.unknown() == Unknown::Ignore && !self.strict {
                continue;
            }
            let shape = match own.role {
                Role::Tag => tag_shape(plan),
                _ => self.node(py, &own.node)?,
            };
            let default = default_of(py, &own.default, (&own.node, &shape), self.numbered);
            // The field for unknown ones is read by no key, but it has one, as in the shape that is written.
            let key = if own.role == Role::Rest { field.name() } else { field.key() };
            let mut made = Field::new(field.name().to_string(), field.number(), shape)
                .with_key(key.to_string())
                .with_aliases(field.aliases().to_vec())
                .with_required(field.required() || own.role == Role::Tag && self.is_read_from_list(plan));
            if let Some(default) = default {
                made = made.with_default(default);
            }
            if let Some(column) = field.column() {
                made = made.with_column(column);
            }
            if let Some(group) = oneof(field) {
                // A source needs the oneof groups.
                made = made.with_note("proto", format!("in {group}"));
            }
            // How a format reads the field: an attribute, a tag.
            for (place, note) in field.notes().iter().filter(|(place, _)| place != "check" && place != "proto") {
                made = made.with_note(place.clone(), note.clone());
            }
            if self.tabled {
                // The same field, as it is written, has them.
                let written = plan.write.fields().iter().find(|written| written.name() == field.name());
                for note in written.into_iter().flat_map(|written| written.notes_for("sql")) {
                    made = made.with_note("sql", note.to_string());
                }
            }
            made = self.checked(py, made, own.role, &own.node)?;
            fields.push(self.wired(made, field));
        }
        let record = Record::new(plan.name.clone(), fields);
        let record = record.map_err(|error| pyo3::exceptions::PyTypeError::new_err(error.to_string()))?;
        let items = self.items(plan, &record)?;
        let unknown = match plan.read.unknown() {
            Unknown::Ignore if self.strict => Unknown::Forbid,
            other => other,
        };
        Ok(record.with_unknown(unknown).with_items(items))
    }
}

/// Returns the shape of a record's tag.
fn tag_shape(plan: &RecordPlan) -> Shape {
    match &plan.tag {
        Some(super::union::TagValue::Text(tag)) => Shape::Enum(Ref::new(Enum::new("", vec![(tag.clone().into(), 0)]))),
        _ => Shape::Int(IntWidth::Any),
    }
}

/// Converts a name to the style of fields: `Circle` becomes `circle`, and `str` stays.
pub(super) fn lowered(name: &str) -> String {
    let mut out = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            out.push('_');
        }
        let letter = if letter.is_alphanumeric() { letter } else { '_' };
        out.extend(letter.to_lowercase());
    }
    out
}

/// Returns whether a shape refers to an unfinished record or union. Skips records in `seen`.
pub(super) fn is_part_of_open(shape: &Shape, seen: &mut HashSet<u64>) -> bool {
    match shape {
        Shape::Option(inner) | Shape::List(inner) => is_part_of_open(inner, seen),
        Shape::Map(key, value) => is_part_of_open(key, seen) || is_part_of_open(value, seen),
        Shape::Tuple(items) => items.iter().any(|item| is_part_of_open(item, seen)),
        Shape::Record(RecordRef::Link(_, record)) => record.upgrade().is_none(),
        Shape::Record(record) => {
            let record = record.get();
            seen.insert(record.identity()) && record.fields().iter().any(|field| is_part_of_open(field.shape(), seen))
        }
        Shape::Union(UnionRef::Link(_, union)) => union.upgrade().is_none(),
        Shape::Union(union) => union.get().variants().iter().any(|variant| is_part_of_open(variant.shape(), seen)),
        _ => false,
    }
}
