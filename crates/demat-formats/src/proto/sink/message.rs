//! Records.

use super::frame::Frame;
use super::slot::Place;
use super::{Drain, ProtoSink};
use crate::proto::layout::{Cardinality, Form};
use demat_core::Result;

impl<D: Drain> ProtoSink<D> {
    #[inline]
    pub(super) fn open_record(&mut self) -> Result<()> {
        let frame = match (self.slot.place, self.slot.form) {
            (Place::Whole, _) => Frame::Whole,
            (Place::Rest, _) => return Err(self.other("record")),
            (_, Form::Message) if self.slot.cardinality == Cardinality::Value => Frame::Length(self.open_delimited()),
            (_, Form::Group) if self.slot.cardinality == Cardinality::Value => {
                self.write_tag(self.slot);
                Frame::Group(self.slot)
            }
            (_, Form::Any) if self.slot.cardinality == Cardinality::Value => {
                self.open_any_map();
                return Ok(());
            }
            _ => return Err(self.other("record")),
        };
        self.frames.push(frame);
        Ok(())
    }

    #[inline]
    pub(super) fn close_record(&mut self) {
        match self.frames.last() {
            Some(Frame::AnyMap(..)) => return self.close_map(),
            Some(Frame::Length(length)) => {
                let length = *length;
                self.close_length(length);
            }
            Some(Frame::Group(group)) => {
                let end = group.end_of_group();
                self.write_tag(end);
            }
            _ => {}
        }
        self.frames.pop();
    }
}
