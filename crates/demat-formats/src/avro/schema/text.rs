//! The JSON of a schema.

use super::{Absent, Digits, Node, NodeId, Schema, Unit};
use core::fmt::Write as _;
use demat_core::Kind;

impl Schema {
    /// Returns the JSON of a schema that was compiled from a shape, so that its names need no escapes.
    pub(in super::super) fn text(&self) -> String {
        let mut writer = Writer { schema: self, known: vec![false; self.nodes.len()], out: String::new() };
        writer.node(self.root);
        writer.out
    }
}

struct Writer<'s> {
    schema: &'s Schema,
    /// The named types that were written before.
    known: Vec<bool>,
    out: String,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes a type of one word.
    fn word(&mut self, name: &str) {
        let _ = write!(self.out, "\"{name}\""); // writing to a String cannot fail
    }

    fn logical(&mut self, name: &str, logical: &str) {
        let _ = write!(self.out, "{{\"type\":\"{name}\",\"logicalType\":\"{logical}\"}}");
    }

    /// Writes the name of a named type, if it was written before.
    fn again(&mut self, id: NodeId, name: &str) -> bool {
        let known = self.known.get_mut(id as usize).is_some_and(|known| core::mem::replace(known, true));
        if known {
            self.word(name);
        }
        known
    }

    fn node(&mut self, id: NodeId) {
        let schema = self.schema;
        match schema.node(id) {
            Node::Null => self.word("null"),
            Node::Bool => self.word("boolean"),
            Node::Int => self.word("int"),
            Node::Long => self.word("long"),
            Node::Float => self.word("float"),
            Node::Double => self.word("double"),
            Node::Text(Kind::Uuid) => self.logical("string", "uuid"),
            Node::Text(_) => self.word("string"),
            Node::Fixed(size, name) => {
                let name = schema.fixed.get(name as usize).map_or("fixed", String::as_str);
                let _ = write!(self.out, "{{\"type\":\"fixed\",\"name\":\"{name}\",\"size\":{size}}}");
            }
            Node::Enum(index) => self.enumeration(id, index),
            Node::Array(item) => {
                self.put("{\"type\":\"array\",\"items\":");
                self.node(item);
                self.put("}");
            }
            Node::Map(value) => {
                self.put("{\"type\":\"map\",\"values\":");
                self.node(value);
                self.put("}");
            }
            Node::Record(index) => self.record(id, index),
            Node::Union(index) => {
                let branches = schema.union(index).map(|union| &*union.branches).unwrap_or_default();
                for (index, branch) in branches.iter().enumerate() {
                    self.put(if index == 0 { "[" } else { "," });
                    self.node(*branch);
                }
                self.put("]");
            }
            Node::Decimal(Digits { precision, scale, .. }) => {
                let _ = write!(
                    self.out,
                    "{{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":{precision},\"scale\":{scale}}}"
                );
            }
            Node::Date => self.logical("int", "date"),
            Node::Time(Unit::Millis) => self.logical("int", "time-millis"),
            Node::Time(_) => self.logical("long", "time-micros"),
            Node::Timestamp(_) => self.logical("long", "timestamp-micros"),
            Node::Local(_) => self.logical("long", "local-timestamp-micros"),
            // No shape is compiled to the others.
            Node::Bytes | Node::Uuid | Node::Duration => self.word("bytes"),
        }
    }

    fn enumeration(&mut self, id: NodeId, index: u32) {
        let Some(own) = self.schema.enums.get(index as usize) else { return };
        if self.again(id, &own.name) {
            return;
        }
        let _ = write!(self.out, "{{\"type\":\"enum\",\"name\":\"{}\",\"symbols\":[", own.name);
        for symbol in 0..own.names.len() {
            self.put(if symbol == 0 { "\"" } else { "\",\"" });
            self.put(own.names.name_at(symbol));
        }
        self.put("\"]}");
    }

    fn record(&mut self, id: NodeId, index: u32) {
        let Some(own) = self.schema.record(index) else { return };
        if self.again(id, &own.name) {
            return;
        }
        let _ = write!(self.out, "{{\"type\":\"record\",\"name\":\"{}\",\"fields\":[", own.name);
        for (index, field) in own.fields.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(self.out, "{comma}{{\"name\":\"{}\",\"type\":", field.key);
            self.node(field.node);
            // A union begins with null, so that null can be its default.
            self.put(if field.absent == Absent::Null { ",\"default\":null}" } else { "}" });
        }
        self.put("]}");
    }
}
