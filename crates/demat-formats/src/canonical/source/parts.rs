//! Values that are computed and not in the JSON as such; and lists and maps.

use super::CanonicalSource;
use super::frame::{Frame, Next};
use crate::proto::Cardinality;
use demat_core::{Result, Source, Text};

impl<'a, S: Source<'a>> CanonicalSource<'a, S> {
    /// Returns a text that was computed from the JSON.
    #[cold]
    pub(super) fn part_text(&mut self) -> Result<Text<'a, '_>> {
        let next = core::mem::replace(&mut self.next, Next::Value);
        match (next, self.frames.last()) {
            (Next::Url, Some(Frame::Any { url, .. })) => Ok(Text::Scratch(url)),
            (Next::Path(index), Some(Frame::Paths { paths, .. })) if index < paths.len() => {
                Ok(Text::Scratch(&paths[index]))
            }
            _ => self.inner.text(),
        }
    }

    /// Skips the next value if it is a computed one, and returns whether it was.
    pub(super) fn pass_part(&mut self) -> bool {
        self.holds_null = false;
        let next = core::mem::replace(&mut self.next, Next::Value);
        matches!(next, Next::Int(_) | Next::Url | Next::Bytes | Next::Paths | Next::Path(_))
    }

    pub(super) fn open_list(&mut self) -> Result<Option<usize>> {
        if self.next == Next::Paths {
            self.next = Next::Value;
            return Ok(None);
        }
        let len = self.inner.list()?;
        self.begin_many();
        Ok(len)
    }

    pub(super) fn open_map(&mut self) -> Result<Option<usize>> {
        let len = self.inner.map()?;
        self.begin_many();
        Ok(len)
    }

    /// Pushes a frame for a list or map whose items need special treatment.
    fn begin_many(&mut self) {
        let slot = &self.mapping.slots[self.slot as usize];
        if self.options.ignore_unknown && slot.cardinality != Cardinality::Value && slot.names.is_some() {
            self.frames.push(Frame::Names(self.slot));
        } else if !self.frames.is_empty() {
            self.frames.push(Frame::Many);
        }
    }

    pub(super) fn next_item(&mut self) -> Result<bool> {
        match self.frames.last_mut() {
            Some(Frame::Paths { paths, asked, .. }) => {
                let index = *asked;
                let more = index < paths.len();
                if more {
                    *asked += 1;
                    self.next = Next::Path(index);
                }
                return Ok(more);
            }
            Some(Frame::Names(slot)) => {
                let slot = *slot;
                while self.inner.item()? {
                    if !self.is_unknown_name(slot)? {
                        return Ok(true);
                    }
                    self.inner.skip()?;
                }
                self.frames.pop();
                return Ok(false);
            }
            _ => {}
        }
        let more = self.inner.item()?;
        if !more && matches!(self.frames.last(), Some(Frame::Many)) {
            self.frames.pop();
        }
        Ok(more)
    }

    pub(super) fn next_entry(&mut self) -> Result<bool> {
        if let Some(Frame::Names(slot)) = self.frames.last() {
            let slot = *slot;
            while self.inner.entry()? {
                let mark = self.inner.mark();
                self.inner.skip()?;
                self.inner.value()?;
                if !self.is_unknown_name(slot)? {
                    self.inner.reset(mark);
                    return Ok(true);
                }
                self.inner.skip()?;
            }
            self.frames.pop();
            return Ok(false);
        }
        let more = self.inner.entry()?;
        if !more && matches!(self.frames.last(), Some(Frame::Many)) {
            self.frames.pop();
        }
        Ok(more)
    }
}
