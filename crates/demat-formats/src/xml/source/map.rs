//! Maps: the attributes of an element under `@name`, its child elements by name, its text under `#text`.

use super::super::layout::RecordLayout;
use super::super::tape::{Flags, NodeKind};
use super::frame::{AT_NAME, AT_TEXT, Frame, FrameKind, NONE};
use super::slot::Slot;
use super::{XmlSource, astray};
use demat_core::{Record, Result};

impl XmlSource<'_> {
    /// Enters an element as a record or a map.
    pub(super) fn enter_map(&mut self, record: Option<&Record>) -> Result<()> {
        let Some(node) = self.element()? else { return Err(self.other_kind("record")) };
        if self.flags(node)?.has(Flags::NIL) && !self.flags(node)?.has(Flags::OTHERS) && record.is_none() {
            return Err(self.other_kind("record"));
        }
        let first = if record.is_some() || matches!(self.slot, Slot::Named(_)) { AT_NAME } else { node + 1 };
        let mut frame = Frame::new(if record.is_some() { FrameKind::Record } else { FrameKind::Map }, node, first);
        if let Some(record) = record {
            frame.layout = Some(RecordLayout::of(record)?);
        }
        self.push(frame);
        Ok(())
    }

    /// Steps to the next entry of a map.
    pub(super) fn next_entry(&mut self) -> Result<bool> {
        loop {
            let frame = self.frame()?;
            let (kind, next, element) = (frame.kind, frame.next, frame.node);
            if kind != FrameKind::Map {
                return Err(astray());
            }
            let end = self.node(element)?.next;
            if next == AT_NAME {
                self.frame()?.next = element + 1;
                self.offer(Slot::NameKey, AT_NAME);
                return Ok(true);
            }
            if next == AT_TEXT {
                self.see_end(element)?;
                self.pop();
                return Ok(false);
            }
            if next >= end {
                self.frame()?.next = AT_TEXT;
                if self.flags(element)?.has(Flags::SOLID) {
                    self.offer(Slot::TextKey, AT_TEXT);
                    return Ok(true);
                }
                continue;
            }
            let node = self.node(next)?;
            let (kind, flags) = (node.kind, node.flags);
            self.frame()?.next = self.node(next)?.next;
            let is_entry = match kind {
                NodeKind::Attribute => !flags.has(Flags::HIDDEN),
                NodeKind::Element => flags.has(Flags::FIRST),
                NodeKind::Text | NodeKind::Cdata => false,
            };
            if is_entry {
                self.offer(Slot::Key(next), next);
                self.see()?;
                return Ok(true);
            }
        }
    }

    /// Moves the source to a key or value.
    pub(super) fn offer(&mut self, slot: Slot, current: u32) {
        (self.slot, self.current) = (slot, current);
    }

    /// Sets the position to the end of an element.
    pub(super) fn see_end(&mut self, element: u32) -> Result<()> {
        self.start = self.at + self.node(element)?.end();
        Ok(())
    }

    /// Steps from a key to its value.
    pub(super) fn begin_value(&mut self) -> Result<()> {
        let element = self.frame()?.node;
        self.slot = match self.current {
            AT_NAME => Slot::Name(element),
            AT_TEXT => Slot::Text(element),
            node => match self.node(node)?.kind {
                NodeKind::Attribute => Slot::Attribute(node),
                _ => Slot::Field(node),
            },
        };
        self.current = NONE;
        Ok(())
    }
}
