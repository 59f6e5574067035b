//! Unions: the index of the variant, and its content.

use super::super::schema::{Node, UnionNode};
use super::super::varint;
use super::fault::{astray, unfit};
use super::{Frame, RawSink, Stand, node_of};
use crate::Drain;
use demat_core::{Result, Shape, Sink, Tag, Union};

impl<D: Drain> RawSink<D> {
    pub(super) fn open_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let mut id = self.standing()?;
        while let Node::Option(inner) = node_of(self.schema.as_ref(), id) {
            self.output.buffer.push(1);
            id = *inner;
        }
        let Node::Union(own) = node_of(self.schema.as_ref(), id) else {
            self.push(Frame::Variant)?;
            self.stand = Stand::Value(id);
            return self.open_plain(union, index);
        };
        let index = own_index(own, union, index)?;
        let (.., content) = own.variants[index];
        varint::write(&mut self.output.buffer, index as u64);
        self.push(Frame::Variant)?;
        self.stand = Stand::Value(content);
        Ok(())
    }

    /// Begins a variant. If the shape has no union here, it is written as in formats without unions.
    fn open_plain(&mut self, union: &Union, index: usize) -> Result<()> {
        let variant = &union.variants()[index];
        let empty = *variant.shape() == Shape::Null;
        match union.tag() {
            Tag::Field(_) | Tag::None => Ok(()),
            Tag::Key if empty => self.write_text(variant.name()),
            Tag::Key => {
                self.begin_map(Some(1))?;
                self.key(variant.name())
            }
            Tag::Pair(pair) => {
                self.begin_record(pair)?;
                self.field(pair, 0)?;
                self.write_text(variant.name())?;
                if empty { Ok(()) } else { self.field(pair, 1) }
            }
        }
    }

    pub(super) fn close_variant(&mut self) -> Result<()> {
        if !matches!(self.frames.last(), Some(Frame::Variant)) {
            // The map or record around the content.
            self.close()?;
        }
        if let Some(Frame::Variant) = self.frames.pop() {
            self.finished();
            return Ok(());
        }
        Err(astray())
    }
}

/// Returns the index of a variant in the shape, usually `index`.
fn own_index(own: &UnionNode, union: &Union, index: usize) -> Result<usize> {
    if own.variants.len() == union.variants().len() {
        return Ok(index);
    }
    let name = union.variants()[index].name();
    let found = own.variants.iter().position(|(own, ..)| own == name);
    found.ok_or_else(|| unfit(&own.names(), name))
}
