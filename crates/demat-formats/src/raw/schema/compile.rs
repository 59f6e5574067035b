//! From shapes to schemas.

use super::super::canonical;
use super::{FieldNode, Node, NodeId, Presence, RecordNode, Schema, Tagging, UnionNode};
use demat_core::{Error, ErrorKind, FloatWidth, Record, RecordRef, Result, Shape, Union, UnionRef, Unknown};
use std::collections::HashMap;

impl Schema {
    /// Compiles a shape.
    ///
    /// # Errors
    /// If a part contains itself directly, such as an option of itself.
    pub(in super::super) fn compile(shape: &Shape) -> Result<Self> {
        let mut compiler = Compiler { nodes: vec![Node::Any], known: HashMap::new() };
        let root = compiler.node(shape);
        let empty = empty(&compiler.nodes);
        let least = least(&compiler.nodes);
        let mut schema = Self { nodes: compiler.nodes, empty, least, root, fingerprint: [0; _] };
        if schema.is_bottomless() {
            let message = "a union is one of its own variants without anything between";
            return Err(Error::new(ErrorKind::Encode, message));
        }
        schema.fingerprint = canonical::fingerprint(&schema);
        Ok(schema)
    }

    /// Whether a node consists of options of options only, so that unwrapping it would never end.
    fn is_bottomless(&self) -> bool {
        (0..self.nodes.len() as NodeId).any(|start| {
            let mut at = start;
            (0..=self.nodes.len()).all(|_| match self.node(at) {
                Node::Option(inner) => {
                    at = *inner;
                    true
                }
                _ => false,
            })
        })
    }
}

/// Returns for each node whether its values take no bytes. False for a record that always contains itself: it has no
/// values.
fn empty(nodes: &[Node]) -> Box<[bool]> {
    let mut empty = vec![false; nodes.len()].into_boxed_slice();
    loop {
        let mut news = false;
        for (index, node) in nodes.iter().enumerate() {
            let of = |id: NodeId| empty.get(id as usize).copied().unwrap_or(false);
            let is_empty = match node {
                Node::Null => true,
                Node::Enum(names) => names.len() == 1,
                Node::Tuple(items) => items.iter().all(|item| of(*item)),
                Node::Record(record) => {
                    record.bits == 0 && record.keep.is_none() && record.fields.iter().all(|field| of(field.node))
                }
                _ => false,
            };
            news |= is_empty && !empty[index];
            empty[index] |= is_empty;
        }
        if !news {
            return empty;
        }
    }
}

/// Returns the smallest number of bytes of each node's values. Parts below the first few levels count as 0.
fn least(nodes: &[Node]) -> Box<[usize]> {
    let mut least = vec![0_usize; nodes.len()].into_boxed_slice();
    for _ in 0..4 {
        for (index, node) in nodes.iter().enumerate() {
            let of = |id: NodeId| least.get(id as usize).copied().unwrap_or(0);
            least[index] = match node {
                Node::Null => 0,
                Node::Enum(names) => usize::from(names.len() != 1),
                Node::Float(FloatWidth::F32) => 4,
                Node::Float(FloatWidth::F64) => 8,
                Node::DateTime => 2,
                Node::Instant => 3,
                Node::Uuid => 16,
                Node::Tuple(items) => items.iter().fold(0, |sum, item| sum.saturating_add(of(*item))),
                Node::Record(record) => {
                    let always = record.fields.iter().filter(|field| field.presence == Presence::Always);
                    always.fold(record.bits.div_ceil(8), |sum, field| sum.saturating_add(of(field.node)))
                }
                _ => 1,
            };
        }
    }
    least
}

struct Compiler {
    nodes: Vec<Node>,
    /// The nodes of parts that may be shared, by kind and address.
    known: HashMap<(Part, usize), NodeId>,
}

/// The kind of an address: a record and its first part may have the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Shape,
    Record,
    Union,
}

fn address<T>(part: &T) -> usize {
    core::ptr::from_ref(part).addr()
}

impl Compiler {
    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    /// Reserves a node, so that others can refer to it before it is complete.
    fn reserve(&mut self, part: (Part, usize)) -> NodeId {
        let id = self.push(Node::Any);
        self.known.insert(part, id);
        id
    }

    fn node(&mut self, shape: &Shape) -> NodeId {
        match shape {
            Shape::Any => super::ANY,
            Shape::Null => self.push(Node::Null),
            Shape::Bool => self.push(Node::Bool),
            Shape::Int(width) => self.push(Node::Int(*width)),
            Shape::Float(width) => self.push(Node::Float(*width)),
            Shape::Text => self.push(Node::Text),
            Shape::Bytes => self.push(Node::Bytes),
            Shape::Decimal => self.push(Node::Decimal),
            Shape::Date => self.push(Node::Date),
            Shape::Time => self.push(Node::Time),
            Shape::DateTime => self.push(Node::DateTime),
            Shape::Instant => self.push(Node::Instant),
            Shape::Duration => self.push(Node::Duration),
            Shape::Uuid => self.push(Node::Uuid),
            Shape::Enum(names) => self.push(Node::Enum((**names).clone())),
            Shape::Record(record) => self.record_ref(record),
            Shape::Union(union) => self.union_ref(union),
            Shape::Option(_) | Shape::List(_) | Shape::Tuple(_) | Shape::Map(..) => self.compound(shape),
        }
    }

    fn compound(&mut self, shape: &Shape) -> NodeId {
        let part = (Part::Shape, address(shape));
        if let Some(known) = self.known.get(&part) {
            return *known;
        }
        let id = self.reserve(part);
        let node = match shape {
            // Null is the same at every level.
            Shape::Option(inner) => Node::Option(self.node(inner.inner())),
            Shape::List(item) => Node::List(self.node(item)),
            Shape::Tuple(items) => Node::Tuple(items.iter().map(|item| self.node(item)).collect()),
            Shape::Map(key, value) => Node::Map(self.node(key), self.node(value)),
            _ => Node::Any,
        };
        self.nodes[id as usize] = node;
        id
    }

    fn record_ref(&mut self, record: &RecordRef) -> NodeId {
        let record = record.get();
        let part = (Part::Record, address(&*record));
        if let Some(known) = self.known.get(&part) {
            return *known;
        }
        let id = self.reserve(part);
        let node = self.record(&record);
        self.nodes[id as usize] = Node::Record(Box::new(node));
        id
    }

    fn record(&mut self, record: &Record) -> RecordNode {
        let keep = match record.unknown() {
            Unknown::Keep(index) => Some(index),
            Unknown::Ignore | Unknown::Forbid => None,
        };
        let mut bits = 0;
        let mut fields = Vec::with_capacity(record.fields().len());
        for (index, field) in record.fields().iter().enumerate() {
            let optional = matches!(field.shape(), Shape::Option(_));
            let presence = match (field.required(), optional) {
                _ if keep == Some(index) => Presence::Always,
                (true, false) => Presence::Always,
                (true, true) => Presence::Null,
                (false, false) => Presence::Missing,
                (false, true) => Presence::Both,
            };
            let mut node = self.node(field.shape().inner());
            if keep == Some(index) {
                // The keys are text, as those of fields.
                let key = self.push(Node::Text);
                let value = if let Node::Map(_, value) = self.nodes[node as usize] { value } else { node };
                node = self.push(Node::Map(key, value));
            }
            let key = field.key().to_owned();
            fields.push(FieldNode { key, number: field.number(), node, presence, bit: bits });
            bits += presence.bits();
        }
        let numbered = record.fields().iter().zip(1..).any(|(field, position)| field.number() != position);
        RecordNode { name: record.name().to_owned(), fields: fields.into(), bits, keep, numbered }
    }

    fn union_ref(&mut self, union: &UnionRef) -> NodeId {
        let union = union.get();
        let part = (Part::Union, address(&*union));
        if let Some(known) = self.known.get(&part) {
            return *known;
        }
        let id = self.reserve(part);
        let node = self.union(&union);
        self.nodes[id as usize] = Node::Union(Box::new(node));
        id
    }

    fn union(&mut self, union: &Union) -> UnionNode {
        let variants = union.variants().iter();
        let variants =
            variants.map(|variant| (variant.name().to_owned(), variant.number(), self.node(variant.shape())));
        UnionNode { variants: variants.collect(), tag: Tagging::of(union.tag()) }
    }
}
