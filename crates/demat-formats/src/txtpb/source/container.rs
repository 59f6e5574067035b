//! Lists and maps.

use super::TxtpbSource;
use crate::proto::Form;
use crate::txtpb::tape::Content;
use demat_core::{Kind, Result};

impl TxtpbSource<'_> {
    pub(super) fn open_list(&mut self) -> Result<Option<usize>> {
        let node = self.here()?;
        match node.content {
            _ if self.state.absent => Ok(Some(0)),
            Content::Values { count, .. } => {
                self.at += 1;
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
        self.at += usize::from(!more);
        Ok(more)
    }

    pub(super) fn open_map(&mut self) -> Result<Option<usize>> {
        let node = self.here()?;
        match node.content {
            _ if self.state.absent => self.state.fresh = true,
            Content::Values { .. } => {
                self.at += 1;
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
        match node.content {
            Content::EndValues => {
                self.at += 1;
                Ok(false)
            }
            Content::Message => {
                self.entry = self.at;
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
        self.at = self.entry;
        let Some(entry) = self.node(self.entry) else { return Ok(()) };
        let mut found = None;
        let mut key = self.entry + 1;
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
        self.at = self.entry + entry.len as usize - 1;
        Ok(())
    }

    pub(super) fn begin_value(&mut self) -> Result<()> {
        self.state.in_key = false;
        self.part_of_entry("value")
    }
}
