//! `google.protobuf.Value`, for values of shape `any`; and `google.protobuf.Any`, which is expanded.

use super::slot::{Frame, Name, Parts, Slot};
use super::{State, TxtpbSink, literal};
use crate::proto::{Form, ProtoSource};
use crate::{Drain, Keep, Output};
use demat_core::{Result, Tag, Union, copy};

impl<D: Drain> TxtpbSink<D> {
    /// Writes a scalar, within a `google.protobuf.Value` if the slot is one.
    pub(super) fn put(&mut self, said: &'static str, write: impl FnOnce(&mut Vec<u8>)) {
        let slot = self.state.slot.clone();
        if slot.form == Form::Any {
            self.open(slot.name.as_str());
            self.scalar(said, write);
            self.close();
        } else {
            self.scalar(slot.name.as_str(), write);
        }
    }

    pub(super) fn open_any_list(&mut self) {
        let slot = self.state.slot.clone();
        self.open(slot.name.as_str());
        self.open("list_value");
        self.state.frames.push(Frame::AnyList);
    }

    pub(super) fn open_any_map(&mut self) {
        let slot = self.state.slot.clone();
        self.open(slot.name.as_str());
        self.open("struct_value");
        self.state.frames.push(Frame::AnyMap { in_entry: false });
    }

    /// Begins a field of a record that is written as a map.
    pub(super) fn any_key(&mut self, key: &str) -> Result<()> {
        self.next_entry()?;
        self.write_text(key)?;
        self.begin_value();
        Ok(())
    }

    /// Begins a variant within a `google.protobuf.Value`, as the union's tag says.
    pub(super) fn open_any_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let variant = &union.variants()[index];
        match union.tag() {
            Tag::Field(_) | Tag::None => {
                self.state.frames.push(Frame::Bare);
                Ok(())
            }
            Tag::Key if variant.is_empty() => {
                self.state.frames.push(Frame::Bare);
                self.write_text(variant.name())
            }
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

    /// Writes a `google.protobuf.Any`: expanded if its message is known and valid.
    pub(super) fn write_any(&mut self, parts: &Parts) {
        let Parts { slot, url, bytes } = parts;
        let is_whole = self.state.frames.is_empty();
        if !is_whole {
            self.open(slot.name.as_str());
        }
        if let Some(text) = self.expand(url, bytes) {
            self.open(&format!("[{url}]"));
            let follows = self.options.indent == 0 && !text.is_empty();
            self.output.buffer.extend_from_slice(if follows { b" " } else { b"" });
            self.output.buffer.extend_from_slice(&text);
            self.close();
        } else {
            if !url.is_empty() {
                self.scalar("type_url", |out| literal::write_text(out, url));
            }
            if !bytes.is_empty() {
                self.scalar("value", |out| literal::write_bytes(out, bytes));
            }
        }
        if !is_whole {
            self.close();
        }
    }

    /// Returns the fields of a message in the text format, if it is known and valid and its URL has a form.
    fn expand(&self, url: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let messages = self.options.messages.as_ref()?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&()*+,;=/".contains(&byte);
        let shape = Some(url).filter(|url| url.bytes().all(is_plain)).and_then(|url| messages.get(url).ok())?;
        // One level more for the field, and one for the brackets.
        let level = self.state.level + 1;
        let state = State { frames: Vec::new(), slot: Slot::WHOLE, level, begun: false };
        let output = Output::new(Vec::new(), Keep);
        let mut inner = TxtpbSink { output, options: self.options.clone(), saved: state.clone(), state, last: None };
        // Text on one line ends with a line break only at the end of the whole.
        copy(&mut ProtoSource::new(bytes), &shape, &mut inner as &mut dyn demat_core::Sink).ok()?;
        let mut text = inner.into_output().into_parts().0;
        if self.options.indent == 0 && text.last() == Some(&b'\n') {
            text.pop();
        }
        Some(text)
    }

    /// The slot of a value within a list or a map of a `google.protobuf.Value`.
    pub(super) fn any_slot(name: &'static str) -> Slot {
        Slot::item(Name::Fixed(name), Form::Any)
    }
}
