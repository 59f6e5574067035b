//! Lists and maps.

use super::TxtpbSource;
use super::frame::Frame;
use crate::proto::Form;
use crate::txtpb::tape::Content;
use demat_core::{Kind, Result};

impl TxtpbSource<'_> {
    pub(super) fn open_list(&mut self) -> Result<Option<usize>> {
        let node = self.here()?;
        match node.content {
            _ if self.state.absent => Ok(Some(0)),
            Content::Values { count, .. } => {
                self.enter_values();
                Ok(Some(count as usize))
            }
            Content::Message if self.state.form == Form::Any => self.open_said(Kind::List).map(|()| None),
            _ => Err(self.other_kind(node, "list")),
        }
    }

    pub(super) fn next_item(&mut self) -> Result<bool> {
        if core::mem::take(&mut self.state.absent) || self.close_said() {
            return Ok(false);
        }
        let more = !matches!(self.here()?.content, Content::EndValues);
        self.restore_state();
        if !more {
            self.leave_values();
        }
        Ok(more)
    }

    /// Enters the values of a field.
    fn enter_values(&mut self) {
        self.frames.push(Frame::Values { state: self.state, entry: 0 });
        self.at += 1;
    }

    /// Leaves the values of a field, at their end.
    fn leave_values(&mut self) {
        if let Some(Frame::Values { .. }) = self.frames.last() {
            self.frames.pop();
        }
        self.at += 1;
    }

    /// Makes the state that of the items again: the last one may have been a message or a union.
    fn restore_state(&mut self) {
        if let Some(Frame::Values { state, .. }) = self.frames.last() {
            self.state = *state;
        }
    }

    pub(super) fn open_map(&mut self) -> Result<Option<usize>> {
        let node = self.here()?;
        match node.content {
            _ if self.state.absent => self.state.fresh = true,
            Content::Values { .. } => {
                self.enter_values();
                self.state.fresh = true;
            }
            Content::Message if self.state.form == Form::Any => self.open_said(Kind::Map)?,
            Content::Message => return Err(self.other_kind(node, "map")),
            _ => return Err(self.other_kind(node, "record")),
        }
        Ok(None)
    }

    pub(super) fn next_entry(&mut self) -> Result<bool> {
        self.in_field = false;
        if core::mem::take(&mut self.state.fresh) {
            if core::mem::take(&mut self.state.absent) {
                return Ok(false);
            }
        } else {
            self.leave_entry();
        }
        if self.close_said() {
            return Ok(false);
        }
        let node = self.here()?;
        self.restore_state();
        match node.content {
            Content::EndValues => {
                self.leave_values();
                Ok(false)
            }
            Content::Message => {
                if let Some(Frame::Values { entry, .. } | Frame::Any { entry, .. }) = self.frames.last_mut() {
                    *entry = self.at;
                }
                self.part_of_entry("key")?;
                self.state.in_key = true;
                Ok(true)
            }
            _ => Err(self.other_kind(node, "an entry of a map, as `{ key: … value: … }`")),
        }
    }

    /// Leaves the entry that the last value was in.
    fn leave_entry(&mut self) {
        loop {
            match self.node(self.at).map(|node| node.content) {
                Some(Content::EndValues) => self.at += 1,
                Some(Content::Key(_)) => self.at = self.after_field(self.at),
                Some(Content::End) => break self.at += 1,
                _ => break,
            }
        }
    }

    /// Makes the key or the value of the current entry the next value.
    fn part_of_entry(&mut self, name: &str) -> Result<()> {
        let Some(Frame::Values { entry: begin, .. } | Frame::Any { entry: begin, .. }) = self.frames.last() else {
            return Ok(());
        };
        let begin = *begin;
        let Some(entry) = self.node(begin) else { return Ok(()) };
        let mut found = None;
        let mut key = begin + 1;
        while let Some(Content::Key(_)) = self.node(key).map(|node| node.content) {
            match self.key_at(key) {
                own if own == name => found = Some(key),
                "key" | "value" => {}
                _ if self.options.ignore_unknown => {}
                other => {
                    let other = other.to_string();
                    self.start = key;
                    return Err(self.unknown_field(&other, None));
                }
            }
            key = self.after_field(key);
        }
        self.state.absent = found.is_none();
        if let Some(key) = found {
            return self.single(key);
        }
        self.at = begin + entry.len as usize - 1;
        Ok(())
    }

    pub(super) fn begin_value(&mut self) -> Result<()> {
        // The key may have been a list or a map.
        self.restore_state();
        self.state.in_key = false;
        self.part_of_entry("value")
    }
}
