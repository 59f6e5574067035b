//! From the JSON of a schema to its nodes.

use super::{Absent, EnumNode, FieldNode, Node, NodeId, RecordNode, Schema, UnionNode, logical};
use crate::json::{JsonSource, ReadOptions};
use demat_core::{Decode, Enum, Error, ErrorKind, Kind, Result, Source, Value, excerpt};
use std::collections::{HashMap, HashSet};

/// How deep the JSON may nest. Each level of records takes two or three, and the types are read by recursion.
const DEPTH: u32 = 256;

impl Schema {
    /// Parses a schema.
    ///
    /// # Errors
    /// If it is invalid.
    pub(in super::super) fn parse(text: &[u8]) -> Result<Self> {
        let invalid = |error: Error| {
            let message = format!("the schema is invalid: {}", error.reason());
            Error::new(error.kind(), message)
        };
        let mut source = JsonSource::with_options(text, ReadOptions { depth: DEPTH, ..ReadOptions::default() });
        let value = definition(&mut source).and_then(|value| source.end().map(|()| value)).map_err(invalid)?;
        let mut parser = Parser { schema: Self::default(), known: HashMap::new() };
        parser.schema.root = parser.node(&value, "").map_err(invalid)?;
        let mut schema = parser.schema;
        schema.find_empty();
        Ok(schema)
    }
}

/// The attributes that say something about values. Others, such as the documentation, are not kept.
const KEPT: [&str; 11] =
    ["type", "name", "namespace", "fields", "items", "values", "symbols", "size", "logicalType", "precision", "scale"];

/// Reads the JSON of a schema.
fn definition(source: &mut JsonSource<'_>) -> Result<Value> {
    match source.peek()? {
        Kind::List => {
            let mut items = Vec::new();
            source.list()?;
            while source.item()? {
                items.push(definition(source)?);
            }
            Ok(Value::List(items))
        }
        Kind::Map => {
            let mut entries: Vec<(Value, Value)> = Vec::new();
            source.map()?;
            while source.entry()? {
                let key = source.text()?;
                let kept = KEPT.iter().find(|kept| **kept == &*key).copied();
                source.value()?;
                let Some(key) = kept else {
                    source.skip()?;
                    continue;
                };
                let (key, value) = (Value::Text(key.into()), definition(source)?);
                // The last one wins.
                entries.retain(|(other, _)| *other != key);
                entries.push((key, value));
            }
            Ok(Value::Map(entries))
        }
        _ => Value::decode(source),
    }
}

struct Parser {
    schema: Schema,
    /// The types by their full names.
    known: HashMap<String, NodeId>,
}

fn fault(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Syntax, message.into())
}

/// Returns the texts of an attribute.
fn text<'v>(definition: &'v Value, key: &str) -> Option<&'v str> {
    if let Some(Value::Text(text)) = definition.get(key) { Some(text) } else { None }
}

fn items<'v>(definition: &'v Value, key: &str) -> Result<&'v [Value]> {
    match definition.get(key) {
        Some(Value::List(items)) => Ok(items),
        _ => Err(fault(format!("a type has no list `{key}`"))),
    }
}

/// Returns the name without its namespace.
fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn primitive(name: &str) -> Option<Node> {
    Some(match name {
        "null" => Node::Null,
        "boolean" => Node::Bool,
        "int" => Node::Int,
        "long" => Node::Long,
        "float" => Node::Float,
        "double" => Node::Double,
        "bytes" => Node::Bytes,
        "string" => Node::Text(Kind::Text),
        _ => return None,
    })
}

impl Parser {
    fn node(&mut self, value: &Value, space: &str) -> Result<NodeId> {
        match value {
            Value::Text(name) => self.named(name, space),
            Value::List(branches) => self.union(branches, space),
            Value::Map(_) => match value.get("type") {
                Some(Value::Text(name)) => self.defined(name, value, space),
                Some(inner @ (Value::Map(_) | Value::List(_))) => self.node(inner, space),
                _ => Err(fault("a type does not say `type`")),
            },
            other => Err(fault(format!("a type is a text, a list or an object, and no {}", other.kind()))),
        }
    }

    /// Returns the node of a name: that of a primitive type, or of one that was defined before.
    fn named(&mut self, name: &str, space: &str) -> Result<NodeId> {
        if let Some(node) = primitive(name) {
            return Ok(self.schema.push(node));
        }
        let full = if name.contains('.') || space.is_empty() { name.to_string() } else { format!("{space}.{name}") };
        let found = self.known.get(&full).or_else(|| self.known.get(name));
        found.copied().ok_or_else(|| fault(format!("no type is called {}", excerpt::name(name))))
    }

    fn union(&mut self, branches: &[Value], space: &str) -> Result<NodeId> {
        let branches = branches.iter().map(|branch| self.node(branch, space)).collect::<Result<Vec<_>>>()?;
        let mut seen = HashSet::new();
        for branch in &branches {
            let name = match self.schema.node(*branch) {
                Node::Union(_) => return Err(fault("a union is a branch of another one")),
                // These have no name: a union recognises their values by the type alone.
                Node::Array(_) => "array",
                Node::Map(_) => "map",
                Node::Null | Node::Bool | Node::Int | Node::Long | Node::Float | Node::Double | Node::Bytes => {
                    self.schema.node(*branch).name()
                }
                Node::Text(Kind::Text) => "string",
                _ => continue,
            };
            if !seen.insert(name) {
                return Err(fault(format!("a union has `{name}` twice")));
            }
        }
        Ok(self.schema.push_union(UnionNode { branches, variants: Vec::new() }))
    }

    fn defined(&mut self, name: &str, definition: &Value, space: &str) -> Result<NodeId> {
        match name {
            "record" | "error" => self.record(definition, space),
            "enum" => self.enumeration(definition, space),
            "fixed" => self.fixed(definition, space),
            "array" => {
                let item = self.part(definition, "items", space)?;
                Ok(self.schema.push(Node::Array(item)))
            }
            "map" => {
                let value = self.part(definition, "values", space)?;
                Ok(self.schema.push(Node::Map(value)))
            }
            _ => match primitive(name) {
                Some(node) => {
                    let node = logical::apply(node, definition)?;
                    Ok(self.schema.push(node))
                }
                None => self.named(name, space),
            },
        }
    }

    fn part(&mut self, definition: &Value, key: &str, space: &str) -> Result<NodeId> {
        let part = definition.get(key).ok_or_else(|| fault(format!("a type does not say `{key}`")))?;
        self.node(part, space)
    }

    /// Reserves the node of a named type. Returns it with its name and its namespace.
    fn reserve<'v>(&mut self, definition: &'v Value, space: &str) -> Result<(NodeId, &'v str, String)> {
        let name = text(definition, "name").ok_or_else(|| fault("a type has no name"))?;
        let full = match name.rsplit_once('.') {
            Some(_) => name.to_string(),
            None => match text(definition, "namespace").unwrap_or(space) {
                "" => name.to_string(),
                space => format!("{space}.{name}"),
            },
        };
        if primitive(&full).is_some() {
            return Err(fault(format!("a type is called `{full}`, as a primitive one")));
        }
        let id = self.schema.push(Node::Null);
        let space = full.rsplit_once('.').map_or("", |(space, _)| space).to_string();
        if self.known.insert(full, id).is_some() {
            return Err(fault(format!("two types are called {}", excerpt::name(name))));
        }
        Ok((id, short(name), space))
    }

    fn record(&mut self, definition: &Value, space: &str) -> Result<NodeId> {
        let (id, name, space) = self.reserve(definition, space)?;
        let index = self.schema.records.len() as u32;
        self.schema.records.push(RecordNode { name: name.to_string(), fields: Vec::new(), empty: 0 });
        self.schema.nodes[id as usize] = Node::Record(index);
        let (mut fields, mut keys) = (Vec::new(), HashSet::new());
        for field in items(definition, "fields")? {
            let key = text(field, "name").ok_or_else(|| fault(format!("a field of `{name}` has no name")))?;
            if !keys.insert(key) {
                return Err(fault(format!("two fields of `{name}` are called {}", excerpt::name(key))));
            }
            let node = self.part(field, "type", &space)?;
            fields.push(FieldNode { key: key.to_string(), node, absent: Absent::Refused });
        }
        self.schema.records[index as usize].fields = fields;
        Ok(id)
    }

    fn enumeration(&mut self, definition: &Value, space: &str) -> Result<NodeId> {
        let (id, name, _) = self.reserve(definition, space)?;
        let (mut names, mut seen) = (Vec::new(), HashSet::new());
        for (number, symbol) in (0..).zip(items(definition, "symbols")?) {
            let Value::Text(symbol) = symbol else { return Err(fault(format!("a symbol of `{name}` is no text"))) };
            if !seen.insert(&**symbol) {
                return Err(fault(format!("`{name}` has the symbol {} twice", excerpt::name(symbol))));
            }
            names.push((symbol.clone(), number));
        }
        let names = Enum::new(name.to_string(), names);
        self.schema.enums.push(EnumNode { name: name.to_string(), names });
        self.schema.nodes[id as usize] = Node::Enum(self.schema.enums.len() as u32 - 1);
        Ok(id)
    }

    fn fixed(&mut self, definition: &Value, space: &str) -> Result<NodeId> {
        let (id, name, _) = self.reserve(definition, space)?;
        let size = match definition.get("size") {
            Some(Value::Int(size)) => size.to_i64().and_then(|size| usize::try_from(size).ok()),
            _ => None,
        };
        let size = size.ok_or_else(|| fault(format!("`{name}` has no size")))?;
        self.schema.fixed.push(name.to_string());
        let node = Node::Fixed(size, self.schema.fixed.len() as u32 - 1);
        self.schema.nodes[id as usize] = logical::apply(node, definition)?;
        Ok(id)
    }
}
