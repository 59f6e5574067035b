//! Unions: a member of a oneof, a message with one field, or an open enum, which is a name or a number.

use super::TxtpbSource;
use super::frame::{Frame, State};
use crate::proto::Form;
use crate::txtpb::layout::Variants;
use crate::txtpb::number;
use crate::txtpb::tape::Content;
use demat_core::{Enum, Result, Shape, Tag, Union};
use std::sync::Arc;

impl TxtpbSource<'_> {
    pub(super) fn choose_variant(&mut self, union: &Union) -> Result<usize> {
        if self.state.oneof {
            return self.member(union);
        }
        if self.state.form() == Form::Enum {
            let index = self.name_or_number(union)?;
            self.frames.push(Frame::Bare);
            return Ok(index);
        }
        self.only_field(union)
    }

    /// Chooses the variant that has the name of the current field.
    fn member(&mut self, union: &Union) -> Result<usize> {
        self.state.oneof = false;
        let node = self.here()?;
        let key = self.at - if matches!(node.content, Content::Values { .. }) { 1 } else { 2 };
        let name = self.key_at(key);
        let found = Variants::of(union).find(union, name);
        let index = found.ok_or_else(|| self.refused(union.names(), format!("`{}`", self.key_at(key))))?;
        self.enter(union, index)?;
        self.frames.push(Frame::Bare);
        Ok(index)
    }

    /// Chooses the variant whose name is that of the only field in a message.
    fn only_field(&mut self, union: &Union) -> Result<usize> {
        let node = self.here()?;
        if self.state.absent || !matches!(node.content, Content::Message) {
            return Err(self.other_kind(node, "a message with one field"));
        }
        let variants = Arc::clone(Variants::of(union));
        let (begin, after) = (self.at, self.at + node.len as usize);
        let mut chosen: Option<(usize, usize)> = None;
        let mut key = begin + 1;
        while let Some(Content::Key(_)) = self.node(key).map(|node| node.content) {
            self.start = key;
            let name = self.key_at(key);
            match (variants.find(union, name), chosen) {
                (Some(index), None) => chosen = Some((key, index)),
                (Some(_), Some(_)) => {
                    return Err(self.refused("one member of a `oneof`", format!("`{name}`, which is another")));
                }
                (None, _) if self.options.ignore_unknown => {}
                (None, _) => return Err(self.refused(union.names(), format!("`{name}`"))),
            }
            key = self.after_field(key);
        }
        self.start = begin;
        let (key, index) = chosen.ok_or_else(|| self.refused(union.names(), "a message without fields"))?;
        self.stand_at(key, variants.0[index].wire)?;
        self.enter(union, index)?;
        self.frames.push(Frame::Choice { after });
        Ok(index)
    }

    /// Prepares for the content of a variant.
    fn enter(&mut self, union: &Union, index: usize) -> Result<()> {
        let own = &Variants::of(union).0[index];
        self.state = State { form: own.wire.form, key: own.wire.key, closed: own.closed, ..State::START };
        // Nobody reads the content of a variant without one.
        if union.variants()[index].is_empty() && *union.tag() != Tag::None && !self.read_null()? {
            let node = self.here()?;
            return Err(self.other_kind(node, "`NULL_VALUE`"));
        }
        Ok(())
    }

    /// Chooses the variant of an open enum.
    fn name_or_number(&mut self, union: &Union) -> Result<usize> {
        let names = union.variants().iter().position(|variant| matches!(variant.shape(), Shape::Enum(_)));
        let bare = union.variants().iter().position(|variant| matches!(variant.shape(), Shape::Int(_)));
        let node = self.here()?;
        let number = match node.content {
            _ if self.state.absent => Some(0),
            Content::Number { text, negative } => {
                number::int(self.ascii(text), negative).and_then(|int| int.to_i64()).filter(|int| is_int32(*int))
            }
            Content::Word { .. } => return names.ok_or_else(|| self.other_kind(node, "int")),
            _ => None,
        };
        let Some(number) = number else { return Err(self.other_kind(node, "the name or the number of an enum")) };
        if let Some(index) = names
            && let Shape::Enum(own) = union.variants()[index].shape()
        {
            if own.index_of_number(number).is_some() {
                return Ok(index);
            }
            if self.state.closed {
                return Err(self.refused(own.names(), format!("the number {number}")));
            }
        }
        bare.ok_or_else(|| self.refused(union.names(), format!("the number {number}")))
    }

    pub(super) fn read_variant(&mut self, names: &Enum) -> Result<usize> {
        if matches!(self.state.form(), Form::Text | Form::Any) {
            let text = self.read_text()?.to_string();
            return names.index_of(&text).ok_or_else(|| self.refused(names.names(), format!("`{text}`")));
        }
        let node = self.here()?;
        let (index, found) = match node.content {
            _ if self.state.absent => (names.index_of_number(0), "the number 0".to_string()),
            Content::Word { text, negative: false } => {
                let text = self.ascii(text);
                (names.index_of(text), format!("`{text}`"))
            }
            Content::Number { text, negative } => {
                let Some(number) = number::int(self.ascii(text), negative) else {
                    return Err(self.other_kind(node, "the name or the number of an enum"));
                };
                (number.to_i64().and_then(|number| names.index_of_number(number)), format!("the number {number}"))
            }
            _ => return Err(self.other_kind(node, "the name or the number of an enum")),
        };
        let index = index.ok_or_else(|| self.refused(names.names(), found))?;
        self.done(self.at + 1);
        Ok(index)
    }
}

fn is_int32(number: i64) -> bool {
    i32::try_from(number).is_ok()
}
