//! Begins and ends of messages, lists, maps and unions.

use super::CanonicalSink;
use super::frame::{Frame, Lead, Special};
use crate::canonical::mapping::{KEY, Known, ROOT};
use crate::proto::{Cardinality, Form};
use demat_core::{Error, ErrorKind, Record, Result, Shape, Sink, Union};

impl<S: Sink> CanonicalSink<S> {
    #[inline]
    pub(super) fn open_record(&mut self, record: &Record) -> Result<()> {
        let likely = self.slot().child.filter(|place| self.mapping.records[*place as usize].id == record.identity());
        let place = match likely {
            Some(place) => place,
            None => self.mapping.place(record)?,
        };
        match self.mapping.records[place as usize].known {
            Known::Plain => {
                self.lead()?;
                self.inner.begin_record(record)?;
                self.cursor.frames.push(Frame::Plain(place));
            }
            known if known.is_transparent() => self.cursor.frames.push(Frame::Transparent { place, told: false }),
            _ => {
                self.cursor.parts = [0; 2];
                self.cursor.text.clear();
                self.cursor.bytes.clear();
                self.cursor.frames.push(Frame::Gathered(place));
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn next_field(&mut self, index: usize) -> Result<()> {
        match self.cursor.frames.last_mut() {
            Some(Frame::Plain(place)) => {
                let slot = self.mapping.records[*place as usize].first + index as u32;
                let own = &self.mapping.slots[slot as usize];
                self.cursor.slot = slot;
                self.cursor.implicit = own.implicit;
                // For a oneof, the key of the variant is written instead.
                self.cursor.lead = if own.cardinality == Cardinality::Oneof { Lead::None } else { Lead::Key(slot) };
            }
            Some(Frame::Transparent { place, told }) => {
                *told = true;
                self.cursor.slot = self.mapping.records[*place as usize].first + index as u32;
                self.cursor.implicit = false;
            }
            Some(Frame::Gathered(place)) => {
                let record = &self.mapping.records[*place as usize];
                self.cursor.slot = record.first + index as u32;
                self.cursor.implicit = false;
                self.cursor.special = Some(Special::Part(record.known, index));
            }
            _ => return Err(Error::new(ErrorKind::Encode, "a field stands outside of a record")),
        }
        Ok(())
    }

    /// The next value is the content of an unknown field.
    pub(super) fn pass_rest(&mut self) {
        self.cursor.implicit = false;
        self.cursor.special = Some(Special::Unknown);
    }

    #[inline]
    pub(super) fn close_record(&mut self) -> Result<()> {
        match self.cursor.frames.pop() {
            Some(Frame::Plain(_)) => self.inner.end_map(),
            Some(Frame::Transparent { place, told: false }) => self.tell_default(place),
            Some(Frame::Gathered(place)) => self.tell_gathered(self.mapping.records[place as usize].known),
            _ => Ok(()),
        }
    }

    /// Writes the default of a message that is written as its only field, when that field is absent.
    #[cold]
    fn tell_default(&mut self, place: u32) -> Result<()> {
        let record = &self.mapping.records[place as usize];
        match record.known {
            Known::Struct => {
                self.lead()?;
                self.inner.begin_map(Some(0))?;
                return self.inner.end_map();
            }
            Known::List => {
                self.lead()?;
                self.inner.begin_list(Some(0))?;
                return self.inner.end_list();
            }
            Known::Value => return Err(Error::mismatch(ErrorKind::Encode, "a value", "a message that says none")),
            _ => {}
        }
        self.cursor.slot = record.first;
        self.cursor.implicit = false;
        match self.slot().form {
            Form::Bool => self.bool(false),
            Form::Text => self.text(""),
            Form::Bytes => self.bytes(&[]),
            Form::Float | Form::Double => self.float(0.0),
            _ => self.i64(0),
        }
    }

    /// Whether the next value is an item of a list or a value of a map, and not a field.
    fn is_child(&self) -> bool {
        matches!(self.cursor.frames.last(), Some(Frame::List { .. } | Frame::Map { .. } | Frame::Untyped))
    }

    /// Whether the next list or map is written even if it is empty.
    fn keeps_empty(&self) -> bool {
        self.cursor.lead == Lead::Item || !matches!(self.cursor.frames.last(), Some(Frame::Plain(_)))
    }

    pub(super) fn open_list(&mut self, len: Option<usize>) -> Result<()> {
        if let Some(Special::Part(Known::FieldMask, _)) = self.cursor.special {
            self.cursor.frames.push(Frame::Paths);
            return Ok(());
        }
        let slot = self.cursor.slot;
        let own = self.slot();
        if self.cursor.frames.is_empty() {
            self.inner.begin_list(len)?;
            self.cursor.frames.push(Frame::Stream);
        } else if own.cardinality == Cardinality::List && !self.is_child() {
            let kept = self.keeps_empty();
            self.cursor.frames.push(Frame::List { slot, begun: false, kept });
        } else if own.form == Form::Any {
            self.lead()?;
            self.inner.begin_list(len)?;
            self.cursor.frames.push(Frame::Untyped);
        } else {
            return Err(Error::new(ErrorKind::Encode, "Protocol Buffers have no form for a list in a list"));
        }
        Ok(())
    }

    #[inline]
    pub(super) fn next_item(&mut self) -> Result<()> {
        match self.cursor.frames.last_mut() {
            Some(Frame::List { slot, begun, .. }) => {
                let slot = *slot;
                if !*begun {
                    *begun = true;
                    self.lead()?;
                    self.inner.begin_list(None)?;
                }
                self.cursor.slot = slot;
                self.cursor.implicit = false;
                self.cursor.lead = Lead::Item;
            }
            Some(Frame::Stream) => {
                self.inner.item()?;
                self.cursor.slot = ROOT;
            }
            Some(Frame::Paths) => {}
            _ => self.inner.item()?,
        }
        Ok(())
    }

    pub(super) fn close_list(&mut self) -> Result<()> {
        match self.cursor.frames.pop() {
            Some(Frame::List { begun: false, kept: false, .. }) => {
                self.cursor.lead = Lead::None;
                Ok(())
            }
            Some(Frame::List { begun: false, .. }) => {
                self.lead()?;
                self.inner.begin_list(Some(0))?;
                self.inner.end_list()
            }
            Some(Frame::Paths) => {
                self.cursor.special = None;
                Ok(())
            }
            _ => {
                // The last item may have been left out.
                self.cursor.lead = Lead::None;
                self.inner.end_list()
            }
        }
    }

    pub(super) fn open_map(&mut self, len: Option<usize>) -> Result<()> {
        let slot = self.cursor.slot;
        let own = self.slot();
        if own.cardinality == Cardinality::Map && !self.is_child() {
            let kept = self.keeps_empty();
            self.cursor.frames.push(Frame::Map { slot, begun: false, kept });
        } else if own.form == Form::Any {
            self.lead()?;
            self.inner.begin_map(len)?;
            self.cursor.frames.push(Frame::Untyped);
        } else {
            return Err(Error::new(ErrorKind::Encode, "Protocol Buffers have no form for a map here"));
        }
        Ok(())
    }

    pub(super) fn next_entry(&mut self) -> Result<()> {
        match self.cursor.frames.last_mut() {
            Some(Frame::Map { slot, begun, .. }) => {
                let slot = *slot;
                if !*begun {
                    *begun = true;
                    self.lead()?;
                    self.inner.begin_map(None)?;
                }
                self.cursor.slot = KEY;
                self.cursor.implicit = false;
                self.cursor.lead = Lead::None;
                // The entry is left out if the number of its enum has no name.
                self.cursor.late_key = self.mapping.slots[slot as usize].closed;
                if self.cursor.late_key { Ok(()) } else { self.inner.entry() }
            }
            _ => self.inner.entry(),
        }
    }

    pub(super) fn begin_value(&mut self) -> Result<()> {
        if self.cursor.special == Some(Special::Unknown) {
            return Ok(());
        }
        match self.cursor.frames.last() {
            Some(Frame::Map { slot, .. }) => {
                self.cursor.slot = *slot;
                if self.cursor.lead == Lead::Entry { Ok(()) } else { self.inner.value() }
            }
            _ => self.inner.value(),
        }
    }

    pub(super) fn close_map(&mut self) -> Result<()> {
        match self.cursor.frames.pop() {
            Some(Frame::Map { begun: false, kept: false, .. }) => {
                self.cursor.lead = Lead::None;
                Ok(())
            }
            Some(Frame::Map { begun: false, .. }) => {
                self.lead()?;
                self.inner.begin_map(Some(0))?;
                self.inner.end_map()
            }
            _ => {
                self.cursor.lead = Lead::None;
                self.inner.end_map()
            }
        }
    }

    pub(super) fn open_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        let own = self.slot();
        if own.cardinality == Cardinality::Oneof {
            let slot = own.variants + index as u32;
            let transparent = matches!(self.cursor.frames.last(), Some(Frame::Transparent { .. }));
            self.cursor.slot = slot;
            self.cursor.implicit = false;
            if !transparent {
                self.cursor.lead = Lead::Key(slot);
            }
            self.cursor.frames.push(Frame::Bare);
            return if matches!(union.variants()[index].shape(), Shape::Null) { self.null() } else { Ok(()) };
        }
        if own.form == Form::Enum {
            self.cursor.frames.push(Frame::Bare);
            return Ok(());
        }
        let message = "canonical JSON has no form for a union that is neither a `oneof` nor an enum";
        Err(Error::new(ErrorKind::Encode, message))
    }
}
