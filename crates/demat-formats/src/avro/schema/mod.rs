//! Schemas: tables of nodes that refer to each other by index.

mod compile;
mod emptiness;
mod logical;
mod names;
mod parse;
mod shape;
mod text;

pub(super) use names::Unnamed;

use demat_core::{Enum, FloatWidth, IntWidth, Kind, Shape, Value};

/// The index of a node.
pub(super) type NodeId = u32;

/// A schema as it is read and written.
#[derive(Debug, Clone, Default)]
pub(super) struct Schema {
    pub(super) nodes: Vec<Node>,
    pub(super) records: Vec<RecordNode>,
    pub(super) enums: Vec<EnumNode>,
    pub(super) unions: Vec<UnionNode>,
    /// The names of the types `fixed`.
    pub(super) fixed: Vec<String>,
    /// Whether values of a node take no bytes, or it has none.
    pub(super) empty: Vec<bool>,
    pub(super) root: NodeId,
}

/// A type of a schema. Records, enums and unions are indices of tables of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    Null,
    Bool,
    Int,
    Long,
    Float,
    Double,
    Bytes,
    /// A string, which stands for a value of this kind.
    Text(Kind),
    /// Bytes of this length, with the index of the name.
    Fixed(usize, u32),
    Enum(u32),
    Array(NodeId),
    Map(NodeId),
    Record(u32),
    Union(u32),
    Decimal(Digits),
    /// A UUID of 16 bytes.
    Uuid,
    Date,
    Time(Unit),
    /// A point in time, in UTC.
    Timestamp(Unit),
    /// A date and time without an offset.
    Local(Unit),
    /// Months, days and milliseconds.
    Duration,
}

/// The digits of a decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Digits {
    pub(super) precision: u32,
    pub(super) scale: u32,
    /// The number of bytes, if it is fixed.
    pub(super) size: Option<u32>,
}

/// The unit of a number of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Millis,
    Micros,
    Nanos,
}

/// Fields in the order in which they are written.
#[derive(Debug, Clone)]
pub(super) struct RecordNode {
    pub(super) name: String,
    pub(super) fields: Vec<FieldNode>,
    /// The number of fields whose values take no bytes.
    pub(super) empty: u32,
}

/// A field of a record.
#[derive(Debug, Clone)]
pub(super) struct FieldNode {
    pub(super) key: String,
    pub(super) node: NodeId,
    /// What a sink writes if the field does not come.
    pub(super) absent: Absent,
}

/// What a sink writes for a field that does not come.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Absent {
    /// Nothing: it is an error.
    Refused,
    /// Null.
    Null,
    Default(Value),
}

/// The names of an enum.
#[derive(Debug, Clone)]
pub(super) struct EnumNode {
    /// The name in Avro.
    pub(super) name: String,
    pub(super) names: Enum,
}

/// A union.
#[derive(Debug, Clone, Default)]
pub(super) struct UnionNode {
    pub(super) branches: Vec<NodeId>,
    /// Where a sink writes each variant of the shape.
    pub(super) variants: Vec<Branch>,
}

/// The branch of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Branch {
    /// The one with this index.
    Direct(u32),
    /// A record around the content, which is its only field, or empty.
    Wrapped(u32),
    /// The one that its value has the kind of.
    ByKind,
}

/// The field of a record around the content of a variant.
pub(super) const CONTENT: &str = "value";
/// The usual name of a tuple.
const TUPLE: &str = "Tuple";

impl Schema {
    #[inline]
    pub(super) fn node(&self, id: NodeId) -> Node {
        self.nodes.get(id as usize).copied().unwrap_or(Node::Null)
    }

    #[inline]
    pub(super) fn record(&self, index: u32) -> Option<&RecordNode> {
        self.records.get(index as usize)
    }

    pub(super) fn union(&self, index: u32) -> Option<&UnionNode> {
        self.unions.get(index as usize)
    }

    pub(super) fn names(&self, index: u32) -> Option<&Enum> {
        self.enums.get(index as usize).map(|own| &own.names)
    }

    #[inline]
    pub(super) fn is_empty(&self, id: NodeId) -> bool {
        self.empty.get(id as usize).copied().unwrap_or(true)
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    fn push_union(&mut self, union: UnionNode) -> NodeId {
        self.unions.push(union);
        self.push(Node::Union(self.unions.len() as u32 - 1))
    }
}

impl RecordNode {
    /// Whether it is a tuple.
    pub(super) fn is_tuple(&self) -> bool {
        let is_numbered = |(place, field): (usize, &FieldNode)| {
            field.key.strip_prefix('_').is_some_and(|number| number == place.to_string())
        };
        let is_named = !self.fields.is_empty() || self.name == TUPLE;
        is_named && self.fields.iter().enumerate().all(is_numbered)
    }
}

impl Node {
    /// Returns the kind of its values; `None` for a union.
    pub(super) fn kind(self) -> Option<Kind> {
        Some(match self {
            Self::Null => Kind::Null,
            Self::Bool => Kind::Bool,
            Self::Int | Self::Long => Kind::Int,
            Self::Float | Self::Double => Kind::Float,
            Self::Bytes | Self::Fixed(..) => Kind::Bytes,
            Self::Text(kind) => kind,
            Self::Enum(_) => Kind::Text,
            Self::Array(_) => Kind::List,
            Self::Map(_) | Self::Record(_) => Kind::Map,
            Self::Union(_) => return None,
            Self::Decimal(_) => Kind::Decimal,
            Self::Uuid => Kind::Uuid,
            Self::Date => Kind::Date,
            Self::Time(_) => Kind::Time,
            Self::Timestamp(_) => Kind::Instant,
            Self::Local(_) => Kind::DateTime,
            Self::Duration => Kind::Duration,
        })
    }

    /// Returns the name for errors.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Int => "int32",
            Self::Long => "int64",
            Self::Float => "float32",
            Self::Enum(_) => "enum",
            Self::Map(_) => "map",
            Self::Union(_) => "union",
            node => node.kind().map_or("value", Kind::name),
        }
    }

    /// Returns the shape of a scalar that has one more specific than its kind.
    pub(super) fn stated(self) -> Option<&'static Shape> {
        static INT: Shape = Shape::Int(IntWidth::Signed(32));
        static LONG: Shape = Shape::Int(IntWidth::Signed(64));
        static FLOAT: Shape = Shape::Float(FloatWidth::F32);
        match self {
            Self::Int => Some(&INT),
            Self::Long => Some(&LONG),
            Self::Float => Some(&FLOAT),
            _ => None,
        }
    }
}

impl Unit {
    /// Returns how many there are in a second.
    pub(super) fn per_second(self) -> i64 {
        match self {
            Self::Millis => 1_000,
            Self::Micros => 1_000_000,
            Self::Nanos => 1_000_000_000,
        }
    }

    /// Returns the nanoseconds of one.
    pub(super) fn nanos(self) -> u32 {
        match self {
            Self::Millis => 1_000_000,
            Self::Micros => 1_000,
            Self::Nanos => 1,
        }
    }
}
