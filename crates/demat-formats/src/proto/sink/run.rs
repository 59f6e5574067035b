//! Lists and maps.

use super::fault::{absent, formless};
use super::frame::Frame;
use super::slot::{Place, Slot};
use super::{Drain, ProtoSink};
use crate::proto::layout::{Cardinality, Form};
use demat_core::Result;

impl<D: Drain> ProtoSink<D> {
    pub(super) fn open_list(&mut self) -> Result<()> {
        let slot = self.slot;
        self.watch_absence();
        let frame = match (slot.place, slot.cardinality, slot.form) {
            (Place::Whole, ..) => Frame::Stream,
            (Place::Field, Cardinality::List, Form::None) => return Err(formless()),
            (Place::Field, Cardinality::List, form) if slot.packed => {
                let tag = self.output.buffer.len();
                Frame::Packed(self.open_delimited(), form, tag)
            }
            (Place::Field, Cardinality::List, _) => Frame::List(slot.as_item()),
            (Place::Field | Place::Item, Cardinality::Value, Form::Any) => {
                self.open_any_list();
                return Ok(());
            }
            (_, _, Form::None) => return Err(formless()),
            _ => return Err(self.other("list")),
        };
        self.frames.push(frame);
        Ok(())
    }

    /// If the list or map must not be empty, records its beginning.
    #[inline]
    fn watch_absence(&mut self) {
        if self.slot.is_defaulted() {
            let begin = (self.frames.len(), self.output.buffer.len());
            self.rare.get_or_insert_default().defaulted.push(begin);
        }
    }

    /// Refuses the list or map that has just ended if it is empty and must not be.
    #[inline]
    pub(super) fn check_absence(&mut self, found: &'static str) -> Result<()> {
        let Some(rare) = &mut self.rare else { return Ok(()) };
        let depth = self.frames.len();
        match rare.defaulted.pop_if(|(own, _)| *own == depth) {
            Some((_, from)) if from == self.output.buffer.len() => Err(absent(found)),
            _ => Ok(()),
        }
    }

    #[inline]
    pub(super) fn next_item(&mut self) {
        self.slot = match self.frames.last() {
            Some(Frame::Packed(_, form, _)) => Slot::bare(*form),
            Some(Frame::List(item)) => *item,
            Some(Frame::AnyList(..)) => Slot::item(1, Form::Any),
            _ => Slot::ITEM,
        };
    }

    pub(super) fn close_list(&mut self) {
        match self.frames.pop() {
            Some(Frame::Packed(length, _, tag)) => {
                if length.at + 1 == self.output.buffer.len() {
                    // A list without items is not written.
                    self.output.buffer.truncate(tag);
                } else {
                    self.close_length(length);
                }
            }
            Some(Frame::AnyList(value, list)) => {
                self.close_length(list);
                self.close_length(value);
                self.any -= 1;
            }
            _ => {}
        }
    }

    pub(super) fn open_map(&mut self) -> Result<()> {
        let slot = self.slot;
        self.watch_absence();
        match (slot.place, slot.cardinality, slot.form) {
            (Place::Field, Cardinality::Map, form) => {
                if form == Form::None || slot.key == Form::None {
                    return Err(formless());
                }
                self.frames.push(Frame::Map(slot.with_form(Form::Message), slot.key, form, None));
            }
            (Place::Field | Place::Item, Cardinality::Value, Form::Any) => self.open_any_map(),
            _ => return Err(self.other("map")),
        }
        Ok(())
    }

    /// Ends the open entry, if there is one, and begins another.
    pub(super) fn next_entry(&mut self) -> Result<()> {
        self.close_entry();
        let Some(frame) = self.frames.last().copied() else { return Err(self.other("a key")) };
        let (entry, key) = match frame {
            Frame::Map(entry, key, ..) => (entry, key),
            Frame::AnyMap(..) => (Slot::value(1, Form::Message), Form::Text),
            _ => return Err(self.other("a key")),
        };
        self.slot = entry;
        let length = Some(self.open_delimited());
        if let Some(Frame::Map(.., open) | Frame::AnyMap(.., open)) = self.frames.last_mut() {
            *open = length;
        }
        self.slot = Slot::item(1, key);
        Ok(())
    }

    pub(super) fn begin_value(&mut self) {
        self.slot = match self.frames.last() {
            Some(Frame::Map(_, _, form, _)) => Slot::item(2, *form),
            Some(Frame::AnyMap(..)) => Slot::item(2, Form::Any),
            // The field for unknown fields of the record.
            _ => self.slot,
        };
    }

    fn close_entry(&mut self) {
        if let Some(Frame::Map(.., open) | Frame::AnyMap(.., open)) = self.frames.last_mut()
            && let Some(length) = open.take()
        {
            self.close_length(length);
        }
    }

    pub(super) fn close_map(&mut self) {
        self.close_entry();
        if let Some(Frame::AnyMap(value, map, _)) = self.frames.pop() {
            self.close_length(map);
            self.close_length(value);
            self.any -= 1;
        }
    }
}
