//! Unions.

use super::frame::Frame;
use super::slot::{Place, Slot};
use super::{Drain, ProtoSink};
use crate::proto::layout::{Cardinality, Form, Presence, UnionLayout};
use demat_core::{Result, Tag, Union};

impl<D: Drain> ProtoSink<D> {
    pub(super) fn open_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let variant = &union.variants()[index];
        let slot = self.slot;
        let frame = match (slot.place, slot.cardinality, slot.form) {
            (_, Cardinality::Value, Form::Any) => return self.open_any_variant(union, index),
            (_, Cardinality::Oneof, _) => Frame::Bare,
            (_, Cardinality::Value, Form::Enum) => {
                // For an open enum, the caller writes the number or the name next.
                self.frames.push(Frame::Bare);
                return Ok(());
            }
            (Place::Whole, ..) => Frame::Whole,
            (_, Cardinality::Value, Form::Union) => Frame::Length(self.open_delimited()),
            (Place::Item, Cardinality::Value, Form::Message) if self.frames.last() == Some(&Frame::Stream) => {
                Frame::Length(self.open_delimited())
            }
            _ => return Err(self.other("union")),
        };
        self.frames.push(frame);
        self.slot = Slot {
            presence: Presence::Explicit,
            ..Slot::of_field(variant.number(), UnionLayout::of(union).wire(index))
        };
        // The null of an untagged union is written by the caller.
        if variant.is_empty() && *union.tag() != Tag::None { self.write_null() } else { Ok(()) }
    }

    /// Within a `google.protobuf.Value`, a variant is written according to the union's tag.
    fn open_any_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let variant = &union.variants()[index];
        self.frames.push(Frame::Bare);
        match union.tag() {
            Tag::Field(_) | Tag::None => Ok(()),
            Tag::Key if variant.is_empty() => self.write_text(variant.name()),
            Tag::Key => {
                self.open_any_map();
                self.any_key(variant.name())
            }
            Tag::Pair(pair) => {
                self.open_any_map();
                self.any_key(pair.fields()[0].key())?;
                self.write_text(variant.name())?;
                if variant.is_empty() { Ok(()) } else { self.any_key(pair.fields()[1].key()) }
            }
        }
    }

    pub(super) fn close_variant(&mut self) {
        if let Some(Frame::AnyMap(..)) = self.frames.last() {
            self.close_map();
        }
        if let Some(Frame::Length(length)) = self.frames.pop() {
            self.close_length(length);
        }
    }
}
