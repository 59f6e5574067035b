//! From schemas to shapes: what a file says of its values.

use super::{Node, NodeId, Schema};
use core::mem;
use demat_core::{
    Field, FloatWidth, IntWidth, Kind, Record, RecordRef, Ref, Shape, Tag, Union, UnionRef, Unknown, Variant,
};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// A shape has at most this many parts if records are counted wherever they are used. A schema of a few bytes can say
/// more, as each record may hold the one before it twice.
const MOST: usize = 65_536;
/// How deep the parts may nest, which are visited by recursion.
const DEEPEST: usize = 128;

impl Schema {
    /// Returns the shape of the values; `None` if it has too many parts.
    pub(in super::super) fn shape(&self) -> Option<Shape> {
        let mut shapes = Shapes {
            schema: self,
            open: HashMap::new(),
            closed: HashMap::new(),
            left: MOST,
            depth: 0,
            deepest: 0,
            outermost: usize::MAX,
        };
        shapes.node(self.root)
    }
}

struct Shapes<'s> {
    schema: &'s Schema,
    /// The records around the current part.
    open: HashMap<u32, Open>,
    /// The records before, which are shared if they occur again.
    closed: HashMap<u32, Closed>,
    left: usize,
    depth: usize,
    /// The greatest depth of the parts of the current record.
    deepest: usize,
    /// The least depth of a record around the current one that its parts refer to.
    outermost: usize,
}

struct Open {
    link: Weak<Record>,
    depth: usize,
}

/// A record that refers to no record around it.
struct Closed {
    record: Arc<Record>,
    /// How many parts it has, and how deep they nest.
    parts: usize,
    height: usize,
}

impl Shapes<'_> {
    fn node(&mut self, id: NodeId) -> Option<Shape> {
        self.left = self.left.checked_sub(1)?;
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let shape = self.shape(id);
        self.depth -= 1;
        shape
    }

    fn shape(&mut self, id: NodeId) -> Option<Shape> {
        Some(match self.schema.node(id) {
            Node::Null => Shape::Null,
            Node::Bool => Shape::Bool,
            Node::Int => Shape::Int(IntWidth::Signed(32)),
            Node::Long => Shape::Int(IntWidth::Signed(64)),
            Node::Float => Shape::Float(FloatWidth::F32),
            Node::Double => Shape::Float(FloatWidth::F64),
            Node::Bytes | Node::Fixed(..) => Shape::Bytes,
            Node::Text(Kind::Uuid) | Node::Uuid => Shape::Uuid,
            Node::Text(_) => Shape::Text,
            Node::Enum(index) => Shape::Enum(Ref::new(self.schema.names(index)?.clone())),
            Node::Array(item) => self.node(item)?.list(),
            Node::Map(value) => Shape::Map(Ref::new(Shape::Text), Ref::new(self.node(value)?)),
            Node::Record(index) => self.record(index)?,
            Node::Union(index) => self.union(index)?,
            Node::Decimal(_) => Shape::Decimal,
            Node::Date => Shape::Date,
            Node::Time(_) => Shape::Time,
            Node::Timestamp(_) => Shape::Instant,
            Node::Local(_) => Shape::DateTime,
            Node::Duration => Shape::Duration,
        })
    }

    fn record(&mut self, index: u32) -> Option<Shape> {
        let own = self.schema.record(index)?;
        if let Some(open) = self.open.get(&index) {
            self.outermost = self.outermost.min(open.depth);
            return Some(Shape::Record(RecordRef::Link(Cow::Owned(own.name.clone()), open.link.clone())));
        }
        if let Some(closed) = self.closed.get(&index) {
            self.left = self.left.checked_sub(closed.parts)?;
            self.deepest = self.deepest.max(self.depth + closed.height);
            return (self.depth + closed.height <= DEEPEST)
                .then(|| Shape::Record(RecordRef::Shared(Arc::clone(&closed.record))));
        }
        let (depth, left) = (self.depth, self.left);
        let deepest = mem::replace(&mut self.deepest, depth);
        let outermost = mem::replace(&mut self.outermost, usize::MAX);
        let mut made = None;
        let record = Arc::new_cyclic(|link| {
            self.open.insert(index, Open { link: link.clone(), depth });
            let fields = (1..).zip(&own.fields).map(|(number, field)| {
                let shape = self.node(field.node)?;
                // A record of Avro has all of its fields.
                Some(Field::new(field.key.clone(), number, shape).with_required(true))
            });
            let fields: Option<Vec<_>> = fields.collect();
            self.open.remove(&index);
            let record = fields.and_then(|fields| Record::new(own.name.clone(), fields).ok());
            made = record.as_ref().map(|_| ());
            record.unwrap_or_else(|| Record::fixed("", &[], &[], Unknown::Ignore))
        });
        made?;
        if self.outermost >= depth {
            let (parts, height) = (left - self.left, self.deepest - depth);
            self.closed.insert(index, Closed { record: Arc::clone(&record), parts, height });
            self.outermost = usize::MAX;
        }
        self.deepest = self.deepest.max(deepest);
        self.outermost = self.outermost.min(outermost);
        Some(Shape::Record(RecordRef::Shared(record)))
    }

    fn union(&mut self, index: u32) -> Option<Shape> {
        let union = self.schema.union(index)?;
        let is_null = |branch: &NodeId| self.schema.node(*branch) == Node::Null;
        let optional = union.branches.iter().any(is_null);
        let branches: Vec<NodeId> = union.branches.iter().copied().filter(|branch| !is_null(branch)).collect();
        let shape = match *branches {
            [] => Shape::Null,
            [only] => self.node(only)?,
            _ => {
                let variants = (1..).zip(&branches).map(|(number, branch)| {
                    let shape = self.node(*branch)?;
                    let name = match self.schema.node(*branch) {
                        Node::Record(record) => self.schema.record(record)?.name.clone(),
                        Node::Enum(index) => self.schema.names(index)?.name().to_string(),
                        node => node.name().to_string(),
                    };
                    Some(Variant::new(name, number, shape))
                });
                let variants: Option<Vec<_>> = variants.collect();
                Shape::Union(UnionRef::new(Union::new("", variants?, Tag::None)))
            }
        };
        Some(if optional { shape.optional() } else { shape })
    }
}
