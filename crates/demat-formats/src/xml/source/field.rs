//! The fields of a record: attributes, elements in any order, and the text.

use super::super::Role;
use super::super::layout::{Absent, RecordLayout};
use super::super::name::{self, TEXT};
use super::super::tape::{Flags, NodeKind};
use super::frame::{AT_ABSENT, AT_NAME, AT_TEXT, FrameKind};
use super::slot::Slot;
use super::{XmlSource, astray};
use demat_core::{Record, Result, Unknown};
use std::sync::Arc;

impl XmlSource<'_> {
    /// Steps to the next field of the record.
    pub(super) fn next_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        let frame = self.frame()?;
        let kind = frame.kind;
        let Some(layout) = frame.layout.take().filter(|_| kind == FrameKind::Record) else {
            return Err(astray());
        };
        let found = self.next_field_of(record, &layout, expected);
        match found {
            Ok(None) => self.pop(),
            _ => self.frame()?.layout = Some(layout),
        }
        found
    }

    /// As [`next_field`](Self::next_field), while the layout is not in the frame. Does not leave the record.
    fn next_field_of(&mut self, record: &Record, layout: &Arc<RecordLayout>, expected: usize) -> Result<Option<usize>> {
        loop {
            let frame = self.frame()?;
            let (next, element) = (frame.next, frame.node);
            let found = if next == AT_NAME {
                self.frame()?.next = element + 1;
                layout.name.map(|index| (Slot::Name(element), index))
            } else if next == AT_TEXT {
                self.frame()?.next = AT_ABSENT;
                match self.text_field(record, layout, element)? {
                    Found::Field(slot, index) => Some((slot, index)),
                    Found::Kept(index) => return Ok(Some(index)),
                    Found::Nothing => None,
                }
            } else if next >= AT_ABSENT {
                let Some(found) = self.absent_field(record, layout, (next - AT_ABSENT) as usize)? else {
                    self.see_end(element)?;
                    return Ok(None);
                };
                Some(found)
            } else if next >= self.node(element)?.next {
                self.frame()?.next = AT_TEXT;
                None
            } else {
                self.frame()?.next = self.node(next)?.next;
                match self.node_field(record, layout, next, expected)? {
                    Found::Field(slot, index) => Some((slot, index)),
                    Found::Kept(index) => return Ok(Some(index)),
                    Found::Nothing => None,
                }
            };
            if let Some((slot, index)) = found {
                self.frame()?.seen.insert(index);
                self.offer(slot, index as u32);
                let _ = self.see();
                return Ok(Some(index));
            }
        }
    }

    /// Returns the field for an attribute or element.
    fn node_field(&mut self, record: &Record, layout: &RecordLayout, at: u32, expected: usize) -> Result<Found> {
        let node = *self.node(at)?;
        let (kind, flags) = (node.kind, node.flags);
        let role = match kind {
            NodeKind::Attribute => Role::Attribute,
            NodeKind::Element if layout.mixed.is_some() => return Ok(Found::Nothing),
            NodeKind::Element => Role::Element,
            NodeKind::Text | NodeKind::Cdata => return Ok(Found::Nothing),
        };
        let found = if layout.is(expected, role, self.name_bytes(&node)) {
            Some(expected)
        } else {
            layout.find(role, self.name_of(at)?, self.state.tape.space_of(&node))
        };
        if let Some(index) = found.filter(|index| record.unknown() != Unknown::Keep(*index)) {
            let gathered = self.frame()?.gathered.iter().any(|(own, first)| *own == index as u32 && *first != at);
            if gathered {
                return Ok(Found::Nothing);
            }
            let slot = if kind == NodeKind::Attribute { Slot::Attribute(at) } else { Slot::Field(at) };
            return Ok(Found::Field(slot, index));
        }
        let passed = match kind {
            NodeKind::Attribute => flags.has(Flags::ASIDE),
            _ => !flags.has(Flags::FIRST) && record.unknown() != Unknown::Forbid,
        };
        if passed {
            return Ok(Found::Nothing);
        }
        let sign = if kind == NodeKind::Attribute { "@" } else { "" };
        let key = format!("{sign}{}", name::decode(self.name_of(at)?));
        self.start = self.at + node.begin();
        self.kept(record, &key, Slot::Key(at), at)
    }

    /// Handles a part of the element that the record has no field for.
    fn kept(&mut self, record: &Record, key: &str, slot: Slot, current: u32) -> Result<Found> {
        let kept = record.unknown_key(key).map_err(|error| error.at(self.position_at(self.start)))?;
        Ok(match kept {
            Some(index) => {
                self.offer(slot, current);
                Found::Kept(index)
            }
            None => Found::Nothing,
        })
    }

    /// Returns the field for the element's text, or for its whole content.
    fn text_field(&mut self, record: &Record, layout: &RecordLayout, element: u32) -> Result<Found> {
        let flags = self.flags(element)?;
        self.start = self.at + self.node(element)?.begin();
        if let Some(index) = layout.text {
            let blank = flags.has(Flags::TEXT) && !flags.has(Flags::CHILDREN) && layout.fields[index].takes_text;
            let there = flags.has(Flags::SOLID) || flags.has(Flags::NIL) || blank;
            return Ok(if there { Found::Field(Slot::Text(element), index) } else { Found::Nothing });
        }
        if let Some(index) = layout.mixed {
            let mixed = layout.fields[index].role == Role::Mixed;
            let slot = if mixed { Slot::Mixed(element) } else { Slot::Choice(element) };
            return Ok(Found::Field(slot, index));
        }
        if flags.has(Flags::SOLID) { self.kept(record, TEXT, Slot::TextKey, AT_TEXT) } else { Ok(Found::Nothing) }
    }

    /// Returns the next absent field that has a value nevertheless.
    fn absent_field(
        &mut self,
        record: &Record,
        layout: &Arc<RecordLayout>,
        from: usize,
    ) -> Result<Option<(Slot, usize)>> {
        for (index, field) in layout.fields.iter().enumerate().skip(from) {
            let slot = match field.absent {
                Absent::Missing => continue,
                Absent::List => Slot::NoList,
                Absent::Null => Slot::NoValue,
                Absent::Text => Slot::Text(self.frame()?.node),
            };
            let frame = self.frame()?;
            if !frame.seen.has(index) && record.unknown() != Unknown::Keep(index) {
                frame.next = AT_ABSENT + index as u32 + 1;
                return Ok(Some((slot, index)));
            }
        }
        Ok(None)
    }

    /// Whether a field of the innermost record is a list of child elements.
    pub(super) fn is_list_field(&mut self, field: u32) -> Result<bool> {
        let layout = self.frame()?.layout.clone();
        let field = layout.as_ref().and_then(|layout| layout.fields.get(field as usize));
        Ok(field.is_some_and(|field| field.absent == Absent::List || field.empty_is_absent))
    }

    /// Records that a field's elements are read as one list from this one on.
    pub(super) fn gather(&mut self, field: u32, first: u32) -> Result<()> {
        let gathered = &mut self.frame()?.gathered;
        if !gathered.iter().any(|(own, _)| *own == field) {
            gathered.push((field, first));
        }
        Ok(())
    }
}

/// The result of matching a part of an element with a record.
enum Found {
    Field(Slot, usize),
    /// The field that keeps unknown keys; the source is at the key.
    Kept(usize),
    Nothing,
}
