//! Values that say themselves what they are, as `google.protobuf.Value` does.

use super::frame::Frame;
use super::slot::Slot;
use super::{Drain, ProtoSink, WireType};
use crate::proto::layout::Form;
use demat_core::Result;

impl<D: Drain> ProtoSink<D> {
    /// Tells a single value within the message that says what it is.
    pub(super) fn say(&mut self, number: u32, form: Form, tell: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.write_tag(WireType::Len);
        let length = self.open_length();
        self.slot = Slot::value(number, form);
        tell(self)?;
        self.close_length(length);
        Ok(())
    }

    pub(super) fn open_any_list(&mut self) {
        self.write_tag(WireType::Len);
        let value = self.open_length();
        self.slot = Slot::value(6, Form::Message);
        self.write_tag(WireType::Len);
        let list = self.open_length();
        self.any += 1;
        self.frames.push(Frame::AnyList(value, list));
    }

    pub(super) fn open_any_map(&mut self) {
        self.write_tag(WireType::Len);
        let value = self.open_length();
        self.slot = Slot::value(5, Form::Message);
        self.write_tag(WireType::Len);
        let map = self.open_length();
        self.any += 1;
        self.frames.push(Frame::AnyMap(value, map, None));
    }

    /// A field of a record that is told as a map.
    pub(super) fn any_key(&mut self, key: &str) -> Result<()> {
        self.next_entry()?;
        self.write_text(key)?;
        self.begin_value();
        Ok(())
    }
}
