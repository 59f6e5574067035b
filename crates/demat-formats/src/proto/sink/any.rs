//! Values of shape `any`, written as `google.protobuf.Value`.

use super::frame::Frame;
use super::slot::Slot;
use super::{Drain, ProtoSink};
use crate::proto::layout::Form;
use demat_core::Result;

impl<D: Drain> ProtoSink<D> {
    /// Writes a single value within a `google.protobuf.Value`.
    pub(super) fn say(&mut self, number: u32, form: Form, tell: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let length = self.open_delimited();
        self.slot = Slot::value(number, form);
        tell(self)?;
        self.close_length(length);
        Ok(())
    }

    pub(super) fn open_any_list(&mut self) {
        let value = self.open_delimited();
        self.slot = Slot::value(6, Form::Message);
        let list = self.open_delimited();
        self.any += 1;
        self.frames.push(Frame::AnyList(value, list));
    }

    pub(super) fn open_any_map(&mut self) {
        let value = self.open_delimited();
        self.slot = Slot::value(5, Form::Message);
        let map = self.open_delimited();
        self.any += 1;
        self.frames.push(Frame::AnyMap(value, map, None));
    }

    /// Begins a field of a record that is written as a map.
    pub(super) fn any_key(&mut self, key: &str) -> Result<()> {
        self.next_entry()?;
        self.write_text(key)?;
        self.begin_value();
        Ok(())
    }
}
