//! From shapes to schemas.

use super::super::WriteOptions;
use super::super::told::variant_of;
use super::names::{Unnamed, is_name};
use super::{
    Absent, Branch, CONTENT, Digits, EnumNode, FieldNode, Node, NodeId, RecordNode, Schema, TUPLE, UnionNode, Unit,
};
use demat_core::{
    Enum, Error, ErrorKind, Field, FloatWidth, IntWidth, Kind, Record, RecordRef, Ref, Result, Shape, Tag, Union,
    UnionRef, Unknown, Value, Variant,
};
use std::collections::{HashMap, HashSet};

impl Schema {
    /// Compiles the shape of a file's values.
    ///
    /// # Errors
    /// If Avro can't express it.
    pub(in super::super) fn compile(shape: &Shape, options: &WriteOptions) -> Result<Self> {
        let mut compiler = Compiler {
            schema: Self::default(),
            options,
            known: HashMap::new(),
            names: Unnamed::default(),
            unions: Vec::new(),
        };
        compiler.schema.root = compiler.node(shape)?;
        compiler.check_unions()?;
        compiler.schema.find_empty();
        Ok(compiler.schema)
    }
}

struct Compiler<'o> {
    schema: Schema,
    options: &'o WriteOptions,
    /// The nodes of records and unions by their addresses.
    known: HashMap<(Part, usize), NodeId>,
    names: Unnamed,
    /// The unions, with their nodes.
    unions: Vec<(UnionRef, NodeId)>,
}

/// The kind of an address: a record and its first part may have the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Record,
    Union,
}

fn address<T>(part: &T) -> usize {
    core::ptr::from_ref(part).addr()
}

#[cold]
fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Encode, message.into())
}

impl Compiler<'_> {
    fn node(&mut self, shape: &Shape) -> Result<NodeId> {
        let node = match shape {
            Shape::Any => {
                return Err(refused("Avro must know the type of a value, and it may be any here: give the type"));
            }
            Shape::Null => Node::Null,
            Shape::Bool => Node::Bool,
            Shape::Int(IntWidth::Signed(..=32) | IntWidth::Unsigned(..=16)) => Node::Int,
            // The values that 64 bits and a sign don't hold are refused one by one.
            Shape::Int(_) => Node::Long,
            Shape::Float(FloatWidth::F32) => Node::Float,
            Shape::Float(FloatWidth::F64) => Node::Double,
            Shape::Text => Node::Text(Kind::Text),
            Shape::Bytes => Node::Bytes,
            Shape::Decimal => match self.options.decimals {
                Some((precision, scale)) => Node::Decimal(Digits { precision, scale, size: None }),
                None => Node::Text(Kind::Decimal),
            },
            Shape::Date => Node::Date,
            Shape::Time => Node::Time(Unit::Micros),
            Shape::DateTime => Node::Local(Unit::Micros),
            Shape::Instant if self.options.naive => Node::Local(Unit::Micros),
            Shape::Instant => Node::Timestamp(Unit::Micros),
            // Avro's own durations have months, no sign, and milliseconds at most.
            Shape::Duration => Node::Text(Kind::Duration),
            Shape::Uuid => Node::Text(Kind::Uuid),
            Shape::Enum(names) => return Ok(self.enumeration(names)),
            Shape::List(item) => Node::Array(self.node(item)?),
            Shape::Tuple(items) => return self.tuple(items),
            Shape::Map(key, value) => {
                if !is_key(key) {
                    return Err(refused(format!("the keys of a map are text in Avro, and these are {}", key.name())));
                }
                Node::Map(self.node(value)?)
            }
            Shape::Option(inner) => return self.optional(inner.inner()),
            Shape::Record(record) => return self.record(record),
            Shape::Union(union) => return self.union(union),
        };
        Ok(self.schema.push(node))
    }

    /// Returns a union with null. A union gets null as another branch.
    fn optional(&mut self, inner: &Shape) -> Result<NodeId> {
        let id = self.node(inner)?;
        match self.schema.node(id) {
            Node::Null => Ok(id),
            Node::Union(index) => {
                let mut union = self.schema.union(index).cloned().unwrap_or_default();
                if union.branches.is_empty() {
                    return Err(refused("a union with null in it is a part of itself without null"));
                }
                if union.branches.iter().any(|branch| self.schema.node(*branch) == Node::Null) {
                    return Ok(id);
                }
                let null = self.schema.push(Node::Null);
                union.branches.insert(0, null);
                for branch in &mut union.variants {
                    match branch {
                        Branch::Direct(index) | Branch::Wrapped(index) => *index += 1,
                        Branch::ByKind => {}
                    }
                }
                Ok(self.schema.push_union(union))
            }
            _ => {
                let null = self.schema.push(Node::Null);
                Ok(self.schema.push_union(UnionNode { branches: vec![null, id], variants: Vec::new() }))
            }
        }
    }

    fn enumeration(&mut self, names: &Ref<Enum>) -> NodeId {
        let equal = self.schema.enums.iter().position(|own| own.names == **names);
        let known = |index| self.schema.nodes.iter().position(|node| *node == Node::Enum(index as u32));
        if let Some(known) = equal.and_then(known) {
            return known as NodeId;
        }
        let symbols: HashSet<_> = (0..names.len()).map(|index| names.name_at(index)).collect();
        if !symbols.is_empty() && symbols.len() == names.len() && symbols.iter().all(|name| is_name(name)) {
            let name = self.names.unique(names.name(), "Enum");
            self.schema.enums.push(EnumNode { name, names: (**names).clone() });
            self.schema.push(Node::Enum(self.schema.enums.len() as u32 - 1))
        } else {
            self.schema.push(Node::Text(Kind::Text))
        }
    }

    /// Reserves a record, so that its parts can refer to it. Returns its node and its index.
    fn reserve(&mut self, name: &str, usual: &str) -> (NodeId, u32) {
        let name = self.names.unique(name, usual);
        self.schema.records.push(RecordNode { name, fields: Vec::new(), empty: 0 });
        let index = self.schema.records.len() as u32 - 1;
        (self.schema.push(Node::Record(index)), index)
    }

    fn tuple(&mut self, items: &[Ref<Shape>]) -> Result<NodeId> {
        let (id, index) = self.reserve("", TUPLE);
        let mut fields = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let node = self.node(item).map_err(|error| error.within_item(place))?;
            fields.push(FieldNode { key: format!("_{place}"), node, absent: Absent::Refused });
        }
        self.schema.records[index as usize].fields = fields;
        Ok(id)
    }

    fn record(&mut self, record: &RecordRef) -> Result<NodeId> {
        let record = record.get();
        let part = (Part::Record, address(&*record));
        if let Some(known) = self.known.get(&part) {
            return Ok(*known);
        }
        if let Unknown::Keep(index) = record.unknown() {
            let field = record.fields().get(index).map(Field::path_name).unwrap_or_default();
            let message = "Avro's schema says which fields a record has: it can't keep unknown ones";
            return Err(refused(message).within_field(field));
        }
        let (id, index) = self.reserve(record.name(), "Record");
        self.known.insert(part, id);
        self.schema.records[index as usize].fields = self.fields(&record)?;
        Ok(id)
    }

    fn fields(&mut self, record: &Record) -> Result<Vec<FieldNode>> {
        let mut fields = Vec::with_capacity(record.fields().len());
        for field in record.fields() {
            let within = |error: Error| error.within_field(field.path_name());
            let key = field.key();
            if !is_name(key) {
                let message = format!("a field of Avro is named by letters, digits and `_`, and `{key}` is not");
                return Err(within(refused(message)));
            }
            let shape = field.shape();
            let only = match shape {
                Shape::Enum(names) if names.len() == 1 => Some(Value::Text(names.name_at(0).to_string().into())),
                _ => None,
            };
            let default = only.or_else(|| field.default().cloned().filter(|_| !field.required()));
            let (node, absent) = match default {
                Some(Value::Null) => (self.optional(shape.inner()).map_err(within)?, Absent::Null),
                Some(default) => (self.node(shape).map_err(within)?, Absent::Default(default)),
                None if field.required() => (self.node(shape).map_err(within)?, Absent::Refused),
                // Null stands for a field that is not there.
                None => (self.optional(shape.inner()).map_err(within)?, Absent::Null),
            };
            fields.push(FieldNode { key: key.to_string(), node, absent });
        }
        Ok(fields)
    }

    fn union(&mut self, shape: &UnionRef) -> Result<NodeId> {
        let union = shape.get();
        let part = (Part::Union, address(&*union));
        if let Some(known) = self.known.get(&part) {
            return Ok(*known);
        }
        // A branch may refer to the union around it, if a record or a list stands between them.
        let id = self.schema.push_union(UnionNode::default());
        self.known.insert(part, id);
        self.unions.push((shape.clone(), id));
        let made = self.branches(&union)?;
        if let Node::Union(index) = self.schema.node(id)
            && let Some(place) = self.schema.unions.get_mut(index as usize)
        {
            *place = made;
        }
        Ok(id)
    }

    fn branches(&mut self, union: &Union) -> Result<UnionNode> {
        let mut made = UnionNode::default();
        let tagged = matches!(union.tag(), Tag::Key | Tag::Pair(_));
        for variant in union.variants() {
            let shape = variant.shape();
            let branch = if tagged && !matches!(shape, Shape::Record(_)) {
                let node = self.wrapper(variant.name(), shape).map_err(|error| within(error, variant.name()))?;
                Branch::Wrapped(self.branch(&mut made, node)?)
            } else {
                let node = self.node(shape).map_err(|error| within(error, variant.name()))?;
                match self.schema.node(node) {
                    // An optional variant, or a union within the union: their branches are branches of this one.
                    Node::Union(index) => {
                        let inner = self.schema.union(index).cloned().unwrap_or_default();
                        if !matches!(shape, Shape::Option(_)) || !inner.variants.is_empty() || inner.branches.is_empty()
                        {
                            return Err(refused("a union is no variant of another union in Avro"));
                        }
                        for node in inner.branches {
                            self.branch(&mut made, node)?;
                        }
                        Branch::ByKind
                    }
                    _ => Branch::Direct(self.branch(&mut made, node)?),
                }
            };
            made.variants.push(branch);
        }
        Ok(made)
    }

    /// Checks that a reader of the same unions finds the variants that were written.
    fn check_unions(&self) -> Result<()> {
        for (shape, id) in &self.unions {
            let Node::Union(index) = self.schema.node(*id) else { continue };
            let (union, own) = (shape.get(), self.schema.union(index));
            let Some(own) = own else { continue };
            for (variant, branch) in own.variants.iter().enumerate() {
                let (Branch::Direct(branch) | Branch::Wrapped(branch)) = branch else { continue };
                let node = own.branches.get(*branch as usize).map_or(Node::Null, |branch| self.schema.node(*branch));
                // In a file, these are plain strings.
                let node =
                    if matches!(node, Node::Text(kind) if kind != Kind::Uuid) { Node::Text(Kind::Text) } else { node };
                let found = variant_of(&self.schema, node, &union).map(|(found, _)| found);
                // The tag is a field of the record then.
                let is_tagged = found.is_none() && matches!(union.tag(), Tag::Field(_));
                if found != Some(variant) && !is_tagged {
                    let name = union.variants().get(variant).map(Variant::name).unwrap_or_default();
                    let message = "a union of Avro is told by the names of its types, or by their kinds, and a reader \
                                   could not tell this variant from another one";
                    return Err(within(refused(message), name));
                }
            }
        }
        Ok(())
    }

    /// Returns a record around the content of a variant.
    fn wrapper(&mut self, name: &str, content: &Shape) -> Result<NodeId> {
        let (id, index) = self.reserve(name, "Variant");
        if *content != Shape::Null {
            let node = self.node(content)?;
            let field = FieldNode { key: CONTENT.to_string(), node, absent: Absent::Refused };
            self.schema.records[index as usize].fields.push(field);
        }
        Ok(id)
    }

    /// Adds a branch, unless it is null or a named type that the union has. Returns its index.
    fn branch(&mut self, union: &mut UnionNode, node: NodeId) -> Result<u32> {
        let added = self.schema.node(node);
        for (index, own) in union.branches.iter().enumerate() {
            let own = self.schema.node(*own);
            let is_shared = own == added && matches!(own, Node::Null | Node::Record(_) | Node::Enum(_));
            if is_shared {
                return Ok(index as u32);
            }
            if let (Some(one), Some(other)) = (base(own), base(added))
                && one == other
            {
                let message = format!("a union of Avro has one {one} at most, and this one has several");
                return Err(refused(message));
            }
        }
        union.branches.push(node);
        Ok(union.branches.len() as u32 - 1)
    }
}

/// Adds the name of a variant to the path of an error.
fn within(error: Error, variant: &str) -> Error {
    if variant.is_empty() { error } else { error.within_field(variant.to_string()) }
}

/// Whether keys of this shape can be text.
fn is_key(shape: &Shape) -> bool {
    matches!(
        shape,
        Shape::Text
            | Shape::Enum(_)
            | Shape::Bool
            | Shape::Int(_)
            | Shape::Decimal
            | Shape::Date
            | Shape::Time
            | Shape::DateTime
            | Shape::Instant
            | Shape::Duration
            | Shape::Uuid
    )
}

/// Returns the type that a union may have once; `None` for named types.
fn base(node: Node) -> Option<&'static str> {
    Some(match node {
        Node::Null => "null",
        Node::Bool => "boolean",
        Node::Int | Node::Date => "int",
        Node::Long | Node::Time(_) | Node::Timestamp(_) | Node::Local(_) => "long",
        Node::Float => "float",
        Node::Double => "double",
        Node::Bytes | Node::Decimal(_) => "bytes",
        Node::Text(_) => "string",
        Node::Array(_) => "array",
        Node::Map(_) => "map",
        Node::Record(_) | Node::Enum(_) | Node::Fixed(..) | Node::Union(_) | Node::Uuid | Node::Duration => {
            return None;
        }
    })
}
