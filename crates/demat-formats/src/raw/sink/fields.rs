//! Writes the fields of records.

use super::super::schema::{Bits, Node, NodeId, Presence, RecordNode};
use super::super::varint;
use super::fault::{again, astray, missing, no_field, too_late};
use super::{Fields, Frame, Part, RawSink, Stand, node_of};
use crate::Drain;
use crate::binary::moves::Move;
use demat_core::{Kind, Result};

impl<D: Drain> RawSink<D> {
    /// Begins a record.
    pub(super) fn open_record(&mut self, node: NodeId) -> Result<()> {
        let record = self.schema.as_ref().and_then(|schema| schema.record(node));
        let count = record.map_or(0, |record| record.bits);
        let start = self.output.buffer.len();
        self.output.buffer.resize(start + count.div_ceil(8), 0);
        self.push(Frame::Record(Fields {
            node,
            start,
            bits: Bits::new(count),
            parts: self.parts.len(),
            last: None,
            ordered: true,
            flushed: false,
            always: 0,
            rest: None,
        }))
    }

    /// Begins the field with this index.
    #[inline]
    pub(super) fn begin_field(&mut self, index: usize) -> Result<()> {
        let Some(Frame::Record(fields)) = self.frames.last_mut() else { return Err(astray()) };
        let Node::Record(record) = node_of(self.schema.as_ref(), fields.node) else { return Err(astray()) };
        let Some(field) = record.fields.get(index) else { return Err(no_field(&format!("number {index}"))) };
        if fields.last.is_some_and(|last| last >= index) {
            if fields.flushed {
                return Err(too_late(field));
            }
            fields.ordered = false;
        }
        fields.last = Some(index);
        fields.always += usize::from(field.presence == Presence::Always);
        self.parts.push(Part { field: index, start: self.output.buffer.len() });
        self.stand = Stand::Field { node: field.node, presence: field.presence, bit: field.bit };
        Ok(())
    }

    /// Begins the field with this key, if the record is written as a map.
    pub(super) fn named_field(&mut self, key: &str) -> Result<()> {
        let Some(Frame::Record(fields)) = self.frames.last() else { return Err(astray()) };
        let Node::Record(record) = node_of(self.schema.as_ref(), fields.node) else { return Err(astray()) };
        match record.index_of(key, fields.last.map_or(0, |last| last + 1)) {
            Some(index) => self.begin_field(index),
            None => self.begin_rest(key),
        }
    }

    /// Begins an entry that is no field.
    pub(super) fn begin_rest(&mut self, key: &str) -> Result<()> {
        let Some(Frame::Record(fields)) = self.frames.last_mut() else { return Err(astray()) };
        let Node::Record(record) = node_of(self.schema.as_ref(), fields.node) else { return Err(astray()) };
        let keep = record.keep.and_then(|keep| Some((keep, record.fields.get(keep)?)));
        let Some((keep, field)) = keep else { return Err(no_field(key)) };
        let Node::Map(key_node, value) = node_of(self.schema.as_ref(), field.node) else { return Err(astray()) };
        let (key_node, value) = (*key_node, *value);
        if fields.last.is_some_and(|last| last > keep) {
            if fields.flushed {
                return Err(too_late(field));
            }
            fields.ordered = false;
        }
        fields.last = Some(keep);
        self.parts.push(Part { field: keep, start: self.output.buffer.len() });
        fields.rest.get_or_insert_default().child(&mut self.output.buffer);
        self.stand = Stand::Value(key_node);
        self.write_text(key)?;
        self.stand = Stand::Value(value);
        Ok(())
    }

    /// Ends a record. Refuses or marks missing fields. Fields in another order are moved later.
    pub(super) fn close_record(&mut self, mut fields: Fields) -> Result<()> {
        let Node::Record(record) = node_of(self.schema.as_ref(), fields.node) else { return Err(astray()) };
        if let Some(keep) = record.keep {
            let mut rest = fields.rest.take().unwrap_or_default();
            if !rest.closes_in_place() {
                if fields.last.is_some_and(|last| last > keep) {
                    if fields.flushed {
                        return Err(too_late(&record.fields[keep]));
                    }
                    fields.ordered = false;
                }
                self.parts.push(Part { field: keep, start: self.output.buffer.len() });
            }
            rest.close(&mut self.output.buffer)?;
        }
        let end = self.output.buffer.len();
        let own = self.parts.get(fields.parts..).unwrap_or_default();
        if fields.always < record.fields.iter().filter(|field| field.presence == Presence::Always).count() {
            self.check_missing(record, own, &fields)?;
        }
        if !fields.ordered {
            let ends = own.iter().skip(1).map(|part| part.start).chain([end]);
            let mut parts: Vec<(usize, usize, usize)> =
                own.iter().zip(ends).map(|(part, end)| (part.field, part.start, end)).collect();
            parts.sort_by_key(|(field, ..)| *field);
            let twice = parts.windows(2).find(|two| two[0].0 == two[1].0 && record.keep != Some(two[0].0));
            if let Some(field) = twice.and_then(|two| record.fields.get(two[0].0)) {
                return Err(again(field));
            }
            let start = own.first().map_or(end, |part| part.start);
            if start < end {
                let parts = parts.into_iter().map(|(_, start, end)| (start, end)).collect();
                self.moves.push(Move { start, end, parts });
            }
        }
        if let Some(bits) = self.output.buffer.get_mut(fields.start..fields.start + record.bits.div_ceil(8))
            && record.bits > 0
        {
            fields.bits.write(bits);
        }
        self.parts.truncate(fields.parts);
        Ok(())
    }

    /// Refuses a record without a required field, unless the field has no bytes.
    #[cold]
    fn check_missing(&self, record: &RecordNode, own: &[Part], fields: &Fields) -> Result<()> {
        for (index, field) in record.fields.iter().enumerate() {
            let optional = field.presence != Presence::Always || record.keep == Some(index);
            // The first fields of a record that is drained in pieces are forgotten, but they came in order.
            let told = own.iter().any(|part| part.field == index);
            if !optional && !told && !self.is_empty(field.node) && !fields.flushed {
                return Err(missing(field));
            }
        }
        let needed = record.fields.iter().enumerate().filter(|(index, field)| {
            field.presence == Presence::Always && record.keep != Some(*index) && !self.is_empty(field.node)
        });
        if fields.flushed && fields.always < needed.clone().count() {
            return needed.last().map_or(Ok(()), |(_, field)| Err(missing(field)));
        }
        Ok(())
    }

    /// Writes a null: as a presence bit, as an option, or as a value.
    pub(super) fn write_null(&mut self) -> Result<()> {
        let mut id = match self.stand {
            Stand::Field { presence: Presence::Null, .. } => {
                self.finished();
                return Ok(());
            }
            Stand::Field { presence: Presence::Both, bit, .. } => {
                if let Some(Frame::Record(fields)) = self.frames.last_mut() {
                    fields.bits.set(bit);
                }
                self.finished();
                return Ok(());
            }
            _ => self.standing()?,
        };
        loop {
            match node_of(self.schema.as_ref(), id) {
                Node::Null => break,
                Node::Option(_) | Node::Any => {
                    // An option without a value, or the kind null.
                    self.output.buffer.push(0);
                    break;
                }
                Node::Union(_) => id = self.only_variant(id, Kind::Null)?,
                _ => return Err(self.unfit(id, Kind::Null)),
            }
        }
        self.finished();
        Ok(())
    }

    /// Writes the only variant of this kind, for a union whose variant was not chosen.
    #[cold]
    pub(super) fn only_variant(&mut self, id: NodeId, kind: Kind) -> Result<NodeId> {
        let Some(schema) = &self.schema else { return Err(astray()) };
        let Node::Union(union) = schema.node(id) else { return Err(astray()) };
        let accepts = |node: NodeId| match schema.node(node) {
            Node::Any => true,
            Node::Option(inner) => kind == Kind::Null || schema.node(*inner).kind() == Some(kind),
            node => node.kind() == Some(kind),
        };
        let mut fitting = union.variants.iter().enumerate().filter(|(_, (.., node))| accepts(*node));
        match (fitting.next(), fitting.next()) {
            (Some((index, (.., content))), None) => {
                varint::write(&mut self.output.buffer, index as u64);
                Ok(*content)
            }
            _ => Err(super::fault::unfit(&union.names(), kind)),
        }
    }
}
