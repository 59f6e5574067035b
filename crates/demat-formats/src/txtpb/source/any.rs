//! `google.protobuf.Value`, which is a value of shape `any`; and the expanded form of `google.protobuf.Any`.

use super::TxtpbSource;
use super::frame::Frame;
use super::frame::{Part, State};
use crate::proto::{Form, ProtoSink};
use crate::txtpb::options::unknown;
use crate::txtpb::tape::Content;
use crate::{Keep, Output};
use demat_core::{Error, Kind, Result, Sink, copy_any};
use std::sync::Arc;

/// The maximum nesting depth of an expanded `Any` within another.
const DEEPEST: u32 = 50;

/// The field of a `google.protobuf.Value` that is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    pub(super) kind: Kind,
    /// The node of its value.
    pub(super) at: usize,
    /// The node behind the message.
    pub(super) after: usize,
}

impl TxtpbSource<'_> {
    /// Returns the field of the next `google.protobuf.Value` that is set.
    pub(super) fn said(&mut self) -> Result<Said> {
        let node = self.here()?;
        if !matches!(node.content, Content::Message) {
            return Err(self.other_kind(node, "a message"));
        }
        let mut said = None;
        let mut key = self.at + 1;
        while let Some(Content::Key(_)) = self.node(key).map(|node| node.content) {
            self.start = key;
            let kind = match self.key_at(key) {
                "null_value" => Kind::Null,
                "number_value" => Kind::Float,
                "string_value" => Kind::Text,
                "bool_value" => Kind::Bool,
                "struct_value" => Kind::Map,
                "list_value" => Kind::List,
                _ if self.options.ignore_unknown => {
                    key = self.after_field(key);
                    continue;
                }
                name => return Err(self.unknown_field(name, None)),
            };
            if said.is_some() {
                let name = self.key_at(key).to_string();
                return Err(self.refused("one member of a `oneof`", format!("`{name}`, which is another")));
            }
            let at = self.at;
            self.single(key)?;
            let value = core::mem::replace(&mut self.at, at);
            if kind == Kind::Null
                && let Some(node) = self.node(value)
                && !self.is_null(node)
            {
                return Err(self.other_kind(node, "`NULL_VALUE`"));
            }
            said = Some(Said { kind, at: value, after: at + node.len as usize });
            key = self.after_field(key);
        }
        self.start = self.at;
        said.ok_or_else(|| self.refused("a value", "a message without one"))
    }

    /// Enters the list or map in a `google.protobuf.Value`.
    pub(super) fn open_said(&mut self, kind: Kind) -> Result<()> {
        let (expected, field) = if kind == Kind::List { ("list", "values") } else { ("map", "fields") };
        let Said { kind: found, at, after } = self.said()?;
        if found != kind {
            return Err(Error::expected(expected, found.name()).at(self.place()));
        }
        let Some(node) = self.node(at).filter(|node| matches!(node.content, Content::Message)) else {
            return Err(Error::expected(expected, "a scalar").at(self.place()));
        };
        // Without items it ends where the message does; otherwise, where its only field does.
        let (mut close, mut begin) = (at + node.len as usize - 1, at + node.len as usize - 1);
        let mut key = at + 1;
        while let Some(Content::Key(_)) = self.node(key).map(|node| node.content) {
            self.start = key;
            let next = self.after_field(key);
            match self.key_at(key) {
                name if name == field => (begin, close) = (key + 2, next - 1),
                _ if self.options.ignore_unknown => {}
                name => return Err(self.unknown_field(name, None)),
            }
            key = next;
        }
        self.frames.push(Frame::Any { close, after, entry: 0 });
        self.at = begin;
        self.state = State { form: Form::Any, key: Form::Text, fresh: kind == Kind::Map, ..State::START };
        Ok(())
    }

    /// Leaves the list or map in a `google.protobuf.Value`, if it ends here. Returns whether it did.
    pub(super) fn close_said(&mut self) -> bool {
        let Some(Frame::Any { close, after, .. }) = self.frames.last() else { return false };
        if *close != self.at {
            return false;
        }
        self.at = *after;
        self.frames.pop();
        // The container may be part of another one.
        self.state = State { form: Form::Any, key: Form::Text, ..State::START };
        true
    }

    /// Enters the message that stands here if it is a `google.protobuf.Any` in its expanded form. Returns whether it
    /// is.
    pub(super) fn expanded(&mut self) -> Result<bool> {
        let message = self.at;
        let mut key = message + 1;
        let mut url = None;
        let mut count = 0;
        while let Some(Content::Key(_)) = self.node(key).map(|node| node.content) {
            count += 1;
            if let Some(name) = self.key_at(key).strip_prefix('[')
                && name.contains('/')
            {
                url = Some((key, name.trim_end_matches(']').to_string()));
            }
            key = self.after_field(key);
        }
        let Some((key, url)) = url else { return Ok(false) };
        self.start = key;
        if count > 1 {
            return Err(self.refused("no other field beside an expanded `Any`", "another field"));
        }
        self.single(key)?;
        let value = core::mem::replace(&mut self.at, message);
        let bytes = self.expand(value, &url)?;
        self.frames.push(Frame::Expanded { at: message, url, bytes });
        self.state = State::START;
        Ok(true)
    }

    /// Returns the wire format of the message at a node.
    fn expand(&mut self, at: usize, url: &str) -> Result<Vec<u8>> {
        if self.nested >= DEEPEST {
            return Err(Error::limit("the depth of `Any` in `Any`", DEEPEST).at(self.place()));
        }
        let shape = self.options.messages.as_ref().map_or_else(|| Err(unknown(url)), |messages| messages.get(url));
        let shape = shape.map_err(|error| error.at(self.place()))?;
        let mut inner = TxtpbSource::over(self.part, self.options.clone(), None);
        inner.tape = self.tape.as_ref().map(Arc::clone);
        (inner.at, inner.start, inner.nested) = (at, at, self.nested + 1);
        let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
        sink.begin(&shape)?;
        copy_any(&mut inner, &shape, &mut sink)?;
        sink.finish()?;
        Ok(sink.into_output().into_parts().0)
    }

    /// Returns the text or the bytes of an expanded `Any`, if they are the next value.
    pub(super) fn take_part(&mut self) -> Option<(String, Vec<u8>)> {
        let part = core::mem::replace(&mut self.state.part, Part::None);
        match (part, self.frames.last_mut()) {
            (Part::Url, Some(Frame::Expanded { url, .. })) => Some((url.clone(), Vec::new())),
            (Part::Bytes, Some(Frame::Expanded { bytes, .. })) => Some((String::new(), bytes.clone())),
            _ => None,
        }
    }
}
