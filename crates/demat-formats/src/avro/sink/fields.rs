//! Writes records, and the variants of unions.

use super::super::header::write_number;
use super::super::schema::{Absent, Branch, Node, NodeId};
use super::AvroSink;
use super::fault::{again, astray, missing, no_field, other, unfit};
use super::frame::{Fields, Frame, Part, Stand};
use crate::Drain;
use crate::binary::moves::Move;
use demat_core::{Encode, Kind, Result, Union};

impl<D: Drain> AvroSink<D> {
    /// Begins a record.
    pub(super) fn open_record(&mut self, record: u32) -> Result<()> {
        self.push(Frame::Record(Fields { record, parts: self.parts.len(), last: None, ordered: true }))
    }

    /// Begins the field with this index.
    pub(super) fn begin_field(&mut self, index: usize) -> Result<()> {
        let Some(Frame::Record(fields)) = self.frames.last_mut() else { return Err(astray()) };
        let record = self.schema.record(fields.record).ok_or_else(astray)?;
        let field = record.fields.get(index).ok_or_else(|| no_field(&format!("number {index}")))?;
        fields.ordered &= index == fields.last.map_or(0, |last| last + 1);
        fields.last = Some(index);
        self.parts.push(Part { field: index, start: self.blocks.bytes.len() });
        self.stand = Stand::Value(field.node);
        Ok(())
    }

    /// Begins the field with this key. `expected` is its likely index.
    pub(super) fn named_field(&mut self, key: &str, expected: Option<usize>) -> Result<()> {
        let Some(Frame::Record(fields)) = self.frames.last() else { return Err(astray()) };
        let record = self.schema.record(fields.record).ok_or_else(astray)?;
        let expected = expected.unwrap_or_else(|| fields.last.map_or(0, |last| last + 1));
        let found = match record.fields.get(expected) {
            Some(field) if field.key == key => Some(expected),
            _ => record.fields.iter().position(|field| field.key == key),
        };
        self.begin_field(found.ok_or_else(|| no_field(key))?)
    }

    /// Begins the next field of a record that is written as a list.
    pub(super) fn next_field(&mut self) -> Result<()> {
        let Some(Frame::Record(fields)) = self.frames.last() else { return Err(astray()) };
        let next = fields.last.map_or(0, |last| last + 1);
        let count = self.schema.record(fields.record).map_or(0, |record| record.fields.len());
        if next >= count {
            return Err(unfit(&format!("a list of {count}"), "more items"));
        }
        self.begin_field(next)
    }

    /// Ends a record. Writes what stands for the fields that did not come, and notes how to put all in order.
    pub(super) fn close_record(&mut self, fields: &Fields) -> Result<()> {
        let count = self.schema.record(fields.record).map_or(0, |record| record.fields.len());
        if !fields.ordered || fields.last.map_or(0, |last| last + 1) < count {
            self.complete(fields, count)?;
        }
        self.parts.truncate(fields.parts);
        Ok(())
    }

    #[cold]
    fn complete(&mut self, fields: &Fields, count: usize) -> Result<()> {
        let mut came = vec![false; count];
        for part in &self.parts[fields.parts..] {
            if core::mem::replace(&mut came[part.field], true) {
                let record = self.schema.record(fields.record).ok_or_else(astray)?;
                return Err(again(&record.fields[part.field].key));
            }
        }
        for (index, _) in came.iter().enumerate().filter(|(_, came)| !**came) {
            self.parts.push(Part { field: index, start: self.blocks.bytes.len() });
            self.write_absent(fields.record, index)?;
        }
        let end = self.blocks.bytes.len();
        let own = &self.parts[fields.parts..];
        if own.windows(2).any(|two| two[0].field > two[1].field) {
            let ends = own.iter().skip(1).map(|part| part.start).chain([end]);
            let mut ranges: Vec<_> = own.iter().zip(ends).map(|(part, end)| (part.field, (part.start, end))).collect();
            ranges.sort_by_key(|(field, _)| *field);
            let start = own.first().map_or(end, |part| part.start);
            if start < end {
                let parts = ranges.into_iter().map(|(_, range)| range).collect();
                self.moves.push(Move { start, end, parts });
            }
        }
        Ok(())
    }

    /// Writes what stands for a field that did not come.
    fn write_absent(&mut self, record: u32, index: usize) -> Result<()> {
        let field = self.schema.record(record).and_then(|record| record.fields.get(index)).ok_or_else(astray)?;
        self.stand = Stand::Value(field.node);
        match field.absent.clone() {
            Absent::Null => self.write_null(),
            Absent::Default(value) => value.encode(self),
            // Null has no bytes that could be missing.
            Absent::Refused if self.schema.node(field.node) == Node::Null => self.write_null(),
            Absent::Refused => Err(missing(&field.key)),
        }
    }

    /// Begins a variant.
    pub(super) fn open_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let id = self.standing()?;
        let Node::Union(own) = self.schema.node(id) else {
            return Err(other(self.schema.node(id), "union"));
        };
        let own = self.schema.union(own).ok_or_else(astray)?;
        let branch = own.variants.get(index).copied().filter(|_| own.variants.len() == union.variants().len());
        let branch = branch.ok_or_else(|| unfit("a variant of the type", union.variants()[index].name()))?;
        let (stand, wrapped) = match branch {
            // Its value says which.
            Branch::ByKind => (id, None),
            Branch::Direct(index) | Branch::Wrapped(index) => {
                let node = own.branches.get(index as usize).copied().ok_or_else(astray)?;
                write_number(&mut self.blocks.bytes, index.into());
                match (branch, self.schema.node(node)) {
                    (Branch::Wrapped(_), Node::Record(record)) => (node, Some(record)),
                    _ => (node, None),
                }
            }
        };
        self.push(Frame::Variant { wrapped: wrapped.is_some() })?;
        self.stand = Stand::Value(stand);
        if let Some(record) = wrapped {
            self.open_record(record)?;
            let has_content = self.schema.record(record).is_some_and(|record| !record.fields.is_empty());
            if has_content {
                self.begin_field(0)?;
            }
        }
        Ok(())
    }

    /// Ends a variant.
    pub(super) fn close_variant(&mut self) -> Result<()> {
        if matches!(self.frames.as_slice(), [.., Frame::Variant { wrapped: true }, Frame::Record(_)]) {
            self.close()?;
        }
        match self.frames.pop() {
            Some(Frame::Variant { .. }) => {
                self.finished();
                Ok(())
            }
            _ => Err(astray()),
        }
    }

    /// Writes the index of the branch that a value of this kind belongs to, and returns its node.
    pub(super) fn pick(&mut self, union: u32, kind: Kind) -> Result<NodeId> {
        let own = self.schema.union(union).ok_or_else(astray)?;
        let fits = |accepts: fn(Node, Kind) -> bool| {
            let mut fitting = (0..).zip(&own.branches).filter(|(_, node)| accepts(self.schema.node(**node), kind));
            let first = fitting.next();
            first.map(|first| (first, fitting.next().is_none()))
        };
        let found = fits(|node, kind| node.kind() == Some(kind)).or_else(|| fits(takes));
        match found {
            Some(((index, node), true)) => {
                let node = *node;
                write_number(&mut self.blocks.bytes, index);
                Ok(node)
            }
            Some(_) => Err(unfit("a variant that was chosen", kind)),
            None => {
                let names: Vec<_> = own.branches.iter().map(|node| self.schema.node(*node).name()).collect();
                Err(unfit(&names.join(" or "), kind))
            }
        }
    }

    /// Writes a null: as a branch, or as a value without bytes.
    pub(super) fn write_null(&mut self) -> Result<()> {
        let id = self.target(Kind::Null)?;
        match self.schema.node(id) {
            Node::Null => {
                self.finished();
                Ok(())
            }
            node => Err(other(node, "null")),
        }
    }
}

/// Whether a node takes values of another kind than its own.
fn takes(node: Node, kind: Kind) -> bool {
    match kind {
        Kind::Int => matches!(node, Node::Float | Node::Double | Node::Decimal(_) | Node::Text(Kind::Decimal)),
        Kind::Text => matches!(
            node,
            Node::Text(_) | Node::Date | Node::Time(_) | Node::Timestamp(_) | Node::Local(_) | Node::Decimal(_)
        ),
        // A tuple.
        Kind::List => matches!(node, Node::Record(_)),
        // Where instants are naive.
        Kind::Instant => matches!(node, Node::Local(_)),
        _ => false,
    }
}
