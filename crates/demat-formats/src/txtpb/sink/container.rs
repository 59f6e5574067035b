//! Messages, lists, maps and unions.

use super::TxtpbSink;
use super::fault::{absent, formless};
use super::slot::{Frame, Name, Parts, Place, Slot};
use crate::Drain;
use crate::proto::{Cardinality, Form, Presence};
use crate::txtpb::layout::Variants;
use demat_core::{Record, Result, Tag, Union};

impl<D: Drain> TxtpbSink<D> {
    pub(super) fn open_record(&mut self, record: &Record) -> Result<()> {
        let names = self.names(record);
        let slot = &self.state.slot;
        match (slot.place, slot.form) {
            (Place::Rest | Place::Part(_), _) => return Err(self.other("record")),
            _ if slot.cardinality != Cardinality::Value => return Err(self.other("record")),
            (Place::Field | Place::Item, Form::Any) => {
                self.open_any_map();
                return Ok(());
            }
            (Place::Whole, _) | (_, Form::Message | Form::Group) => {}
            _ => return Err(self.other("record")),
        }
        let slot = slot.clone();
        let frame = if names.is_any {
            Frame::Any(Box::new(Parts { slot, url: String::new(), bytes: Vec::new() }))
        } else if slot.place == Place::Whole {
            Frame::Bare
        } else {
            self.open(slot.name.as_str());
            Frame::Message
        };
        self.state.frames.push(frame);
        Ok(())
    }

    pub(super) fn close_record(&mut self) -> Result<()> {
        if let Some(Frame::Any(_)) = self.state.frames.last()
            && let Some(Frame::Any(parts)) = self.state.frames.pop()
        {
            self.write_any(&parts);
            return Ok(());
        }
        self.close_container()
    }

    /// Ends the innermost container.
    pub(super) fn close_container(&mut self) -> Result<()> {
        match self.state.frames.pop() {
            Some(Frame::List { slot, is_empty: true } | Frame::Map { slot, is_empty: true })
                if slot.presence == Presence::Defaulted =>
            {
                let is_map = slot.cardinality == Cardinality::Map;
                return Err(absent(if is_map { "an empty map" } else { "an empty list" }));
            }
            Some(Frame::Message | Frame::Map { is_empty: false, .. }) => self.close(),
            Some(Frame::AnyList) => {
                self.close();
                self.close();
            }
            Some(Frame::AnyMap { in_entry }) => {
                for _ in 0..2 + u32::from(in_entry) {
                    self.close();
                }
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn open_list(&mut self) -> Result<()> {
        let slot = &self.state.slot;
        match (slot.place, slot.cardinality, slot.form) {
            (Place::Field, Cardinality::List, Form::None) => return Err(formless()),
            (Place::Field, Cardinality::List, _) => {
                let slot = slot.clone();
                self.state.frames.push(Frame::List { slot, is_empty: true });
            }
            (Place::Field | Place::Item, Cardinality::Value, Form::Any) => self.open_any_list(),
            _ => return Err(self.other("list")),
        }
        Ok(())
    }

    pub(super) fn next_item(&mut self) -> Result<()> {
        self.state.slot = match self.state.frames.last_mut() {
            Some(Frame::List { slot, is_empty }) => {
                *is_empty = false;
                Slot::item(slot.name.clone(), slot.form)
            }
            Some(Frame::AnyList) => Self::any_slot("values"),
            _ => return Err(self.other("an item")),
        };
        Ok(())
    }

    pub(super) fn open_map(&mut self) -> Result<()> {
        let slot = &self.state.slot;
        match (slot.place, slot.cardinality, slot.form) {
            (Place::Field, Cardinality::Map, form) => {
                if form == Form::None || slot.key == Form::None {
                    return Err(formless());
                }
                let slot = slot.clone();
                self.state.frames.push(Frame::Map { slot, is_empty: true });
            }
            (Place::Field | Place::Item, Cardinality::Value, Form::Any) => self.open_any_map(),
            _ => return Err(self.other("map")),
        }
        Ok(())
    }

    /// Ends the open entry, if there is one, and begins another.
    pub(super) fn next_entry(&mut self) -> Result<()> {
        let (name, key, follows) = match self.state.frames.last_mut() {
            Some(Frame::Map { slot, is_empty }) => (slot.name.clone(), slot.key, !core::mem::replace(is_empty, false)),
            Some(Frame::AnyMap { in_entry }) => (Name::Fixed("fields"), Form::Text, core::mem::replace(in_entry, true)),
            _ => return Err(self.other("a key")),
        };
        if follows {
            self.close();
        }
        self.open(name.as_str());
        self.state.slot = Slot::item(Name::Fixed("key"), key);
        Ok(())
    }

    pub(super) fn begin_value(&mut self) {
        match self.state.frames.last() {
            Some(Frame::Map { slot, .. }) => self.state.slot = Slot::item(Name::Fixed("value"), slot.form),
            Some(Frame::AnyMap { .. }) => self.state.slot = Self::any_slot("value"),
            // The field for unknown fields of the record.
            _ => {}
        }
    }

    pub(super) fn open_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let slot = self.state.slot.clone();
        let frame = match (slot.place, slot.cardinality, slot.form) {
            (Place::Whole, ..) | (_, Cardinality::Oneof, _) => Frame::Bare,
            (_, Cardinality::Value, Form::Any) => return self.open_any_variant(union, index),
            (_, Cardinality::Value, Form::Enum) => {
                // The caller writes the number or the name of an open enum next.
                self.state.frames.push(Frame::Bare);
                return Ok(());
            }
            (_, Cardinality::Value, Form::Union) => {
                self.open(slot.name.as_str());
                Frame::Message
            }
            _ => return Err(self.other("union")),
        };
        self.state.frames.push(frame);
        let named = &Variants::of(union).0[index];
        self.state.slot = Slot { presence: Presence::Explicit, ..Slot::of(named) };
        Self::check_name(&self.state.slot)?;
        let variant = &union.variants()[index];
        // The caller writes the null of an untagged union.
        if variant.is_empty() && *union.tag() != Tag::None { self.write_null() } else { Ok(()) }
    }
}
