//! A shape compiled for raw: a table of nodes that refer to each other by index.

mod bits;
mod cache;
mod compile;

pub(super) use bits::Bits;

use super::FINGERPRINT;
use demat_core::{Enum, FloatWidth, IntWidth, Kind, Tag};

/// The index of a node.
pub(super) type NodeId = u32;

/// The node of `any`, whose values begin with their kind. Every schema has it at this index.
pub(super) const ANY: NodeId = 0;

/// A shape as raw reads and writes it.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) nodes: Vec<Node>,
    /// Whether values of the node take no bytes.
    pub(super) empty: Box<[bool]>,
    /// The smallest number of bytes of a value of the node.
    pub(super) least: Box<[usize]>,
    pub(super) root: NodeId,
    pub(super) fingerprint: [u8; FINGERPRINT],
}

/// A part of a shape.
#[derive(Debug)]
pub(super) enum Node {
    Any,
    Null,
    Bool,
    Int(IntWidth),
    Float(FloatWidth),
    Text,
    Bytes,
    Decimal,
    Date,
    Time,
    DateTime,
    Instant,
    Duration,
    Uuid,
    Option(NodeId),
    List(NodeId),
    Tuple(Box<[NodeId]>),
    Map(NodeId, NodeId),
    Record(Box<RecordNode>),
    Enum(Enum),
    Union(Box<UnionNode>),
}

/// Fields in the order in which they are written.
#[derive(Debug)]
pub(super) struct RecordNode {
    pub(super) name: String,
    pub(super) fields: Box<[FieldNode]>,
    /// The number of presence bits.
    pub(super) bits: usize,
    /// The field that keeps unknown fields in a map.
    pub(super) keep: Option<usize>,
    /// Whether the numbers of the fields differ from their positions.
    pub(super) numbered: bool,
}

/// A field of a record.
#[derive(Debug)]
pub(super) struct FieldNode {
    pub(super) key: String,
    pub(super) number: u32,
    /// Its value; of a nullable field, the value inside the option.
    pub(super) node: NodeId,
    pub(super) presence: Presence,
    /// The first of its bits.
    pub(super) bit: usize,
}

/// How a field's value can be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Presence {
    /// Never: no bit.
    Always,
    /// As a null: one bit, 0 for null.
    Null,
    /// As a missing field: one bit, 0 for missing.
    Missing,
    /// As a missing field or a null: two bits, `00` and `10`; `11` for a value.
    Both,
}

impl Presence {
    pub(super) fn bits(self) -> usize {
        match self {
            Self::Always => 0,
            Self::Null | Self::Missing => 1,
            Self::Both => 2,
        }
    }
}

/// Variants in the order of their indices.
#[derive(Debug)]
pub(super) struct UnionNode {
    pub(super) variants: Box<[(String, u32, NodeId)]>,
    pub(super) tag: Tagging,
}

/// How other formats identify the variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tagging {
    /// By a field of the variant itself, or not at all: nothing surrounds the content.
    Within,
    /// By the key of a map.
    Key,
    /// By a field, with the content in another field.
    Pair,
}

impl Tagging {
    fn of(tag: &Tag) -> Self {
        match tag {
            Tag::Field(_) | Tag::None => Self::Within,
            Tag::Key => Self::Key,
            Tag::Pair(_) => Self::Pair,
        }
    }
}

impl UnionNode {
    /// Returns all names for an error.
    pub(super) fn names(&self) -> String {
        let names: Vec<_> = self.variants.iter().map(|(name, ..)| format!("`{name}`")).collect();
        names.join(" or ")
    }
}

impl RecordNode {
    /// Returns the index of the field with this key, usually `expected`.
    pub(super) fn index_of(&self, key: &str, expected: usize) -> Option<usize> {
        match self.fields.get(expected) {
            Some(field) if field.key == key => Some(expected),
            _ => self.fields.iter().position(|field| field.key == key),
        }
        .filter(|index| Some(*index) != self.keep)
    }
}

impl Schema {
    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        // Only the compiler makes ids. An id of another schema reads as `any`, which refuses other bytes.
        self.nodes.get(id as usize).unwrap_or(&Node::Any)
    }

    /// Returns the record at a node; `None` for other nodes.
    pub(super) fn record(&self, id: NodeId) -> Option<&RecordNode> {
        match self.node(id) {
            Node::Record(record) => Some(record),
            _ => None,
        }
    }

    /// Returns the smallest number of bytes of a node's values: a window with fewer bytes is incomplete.
    pub(super) fn least(&self, id: NodeId) -> usize {
        self.least.get(id as usize).copied().unwrap_or(0)
    }

    /// Whether values of a node take no bytes. In lists a zero byte follows each, so that a count can't exceed the
    /// number of bytes.
    pub(super) fn is_empty(&self, id: NodeId) -> bool {
        self.empty.get(id as usize).copied().unwrap_or(false)
    }
}

impl Node {
    /// Returns the kind of its values; `None` if it depends on the value.
    pub(super) fn kind(&self) -> Option<Kind> {
        Some(match self {
            Self::Null => Kind::Null,
            Self::Bool => Kind::Bool,
            Self::Int(_) => Kind::Int,
            Self::Float(_) => Kind::Float,
            Self::Text | Self::Enum(_) => Kind::Text,
            Self::Bytes => Kind::Bytes,
            Self::Decimal => Kind::Decimal,
            Self::Date => Kind::Date,
            Self::Time => Kind::Time,
            Self::DateTime => Kind::DateTime,
            Self::Instant => Kind::Instant,
            Self::Duration => Kind::Duration,
            Self::Uuid => Kind::Uuid,
            Self::List(_) | Self::Tuple(_) => Kind::List,
            Self::Map(..) | Self::Record(_) => Kind::Map,
            Self::Any | Self::Option(_) | Self::Union(_) => return None,
        })
    }

    /// Returns its name for errors.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Option(_) => "null",
            Self::Union(_) => "union",
            Self::Enum(_) => "enum",
            other => other.kind().map_or("any", Kind::name),
        }
    }
}
