//! Maps: a field that occurs once per entry, as a message with a key and a value.

use super::frame::{Entry, NO_VALUE, Run};
use super::slot::{At, Slot};
use super::{Frame, ProtoSource, Within};
use crate::proto::layout::{Cardinality, Form};
use crate::proto::tag::WireType;
use demat_core::Result;

impl ProtoSource<'_> {
    /// Enters the next map.
    pub(super) fn open_map(&mut self) -> Result<Option<usize>> {
        self.start = self.at;
        match (self.slot.at, self.slot.cardinality) {
            (At::Zero, Cardinality::Map) => {
                self.push(Frame::new(Within::Empty, self.at, self.at))?;
                Ok(Some(0))
            }
            (At::Wire(WireType::Len), Cardinality::Map) => {
                if self.slot.form == Form::None || self.slot.key == Form::None {
                    return Err(self.formless());
                }
                let entry = Entry { key: self.slot.key, start: self.at, end: self.at, value: NO_VALUE, many: false };
                let kind = Within::Map(self.run(), entry);
                self.push(Frame::new(kind, self.end, self.end))?;
                Ok(None)
            }
            (At::Wire(WireType::Len), _) if self.slot.form == Form::Any => self.open_any_map(),
            (At::Whole, _) => Err(self.shapeless()),
            (_, Cardinality::Value) if matches!(self.slot.form, Form::Message | Form::Group) => Err(self.shapeless()),
            _ => Err(self.other("map")),
        }
    }

    /// Steps to the next key of the map.
    pub(super) fn next_entry(&mut self) -> Result<bool> {
        let Some(Within::Map(mut run, entry)) = self.within() else {
            self.pop();
            return Ok(false);
        };
        if !run.tagged {
            self.at = entry.end;
        }
        self.end = self.outer_end();
        match self.next_of(&mut run)? {
            None => {
                self.leave_run();
                Ok(false)
            }
            Some(WireType::Len) => self.enter_entry(run, entry.key, self.at).map(|()| true),
            Some(wire) => Err(self.bad_wire(self.tag, Form::Message, wire)),
        }
    }

    /// Finds the key and the value of an entry, and moves to the key.
    pub(super) fn enter_entry(&mut self, run: Run, key: Form, start: usize) -> Result<()> {
        let (begin, close) = self.content_at(start, self.end)?;
        let (mut key_at, mut value_at, mut many) = (None, None, false);
        let mut at = begin;
        while at < close {
            let (number, wire, next) = self.tag_at(at, close)?;
            let form = if number == 1 { key } else { run.form };
            if number <= 2 && wire != WireType::of_form(form) {
                return Err(self.bad_wire(at, form, wire));
            }
            // If the key or the value is repeated in an entry, the last one wins, but the earlier ones must be valid;
            // a message is merged.
            let earlier = match number {
                1 => key_at.replace(next),
                2 => value_at.replace(next),
                _ => None,
            };
            if let (Some(earlier), Form::Text) = (earlier, form) {
                self.check_text(earlier, close)?;
            }
            many |= earlier.is_some() && form.is_message();
            at = self.pass(next, wire, number, close)?;
        }
        let entry = Entry { key, start, end: close, value: value_at.unwrap_or(NO_VALUE), many };
        if let Some(frame) = self.frames.last_mut() {
            frame.kind = Within::Map(run, entry);
            frame.end = close;
        }
        self.end = close;
        self.at = key_at.unwrap_or(close);
        self.start = self.at;
        let at = if key_at.is_some() { At::Wire(WireType::of_form(key)) } else { At::Zero };
        self.slot = Slot::value(at, key);
        Ok(())
    }

    /// Steps from the key to its value.
    pub(super) fn begin_value(&mut self) -> Result<()> {
        if self.slot.at == At::Number {
            self.begin_rest();
            return Ok(());
        }
        let Some(Within::Map(run, entry)) = self.within() else { return Ok(()) };
        self.number = 2;
        self.pieces.clear();
        if entry.value == NO_VALUE {
            self.at = entry.end;
            self.slot = Slot::value(At::Zero, run.form);
        } else {
            self.at = entry.value;
            self.slot = Slot::value(At::Wire(WireType::of_form(run.form)), run.form);
        }
        if entry.many {
            self.pieces = self.pieces_of_value(entry)?;
        }
        Ok(())
    }

    /// Returns the pieces of the value of an entry.
    #[cold]
    pub(super) fn pieces_of_value(&self, entry: Entry) -> Result<Vec<(usize, usize)>> {
        let mut pieces = Vec::new();
        let (mut at, close) = self.content_at(entry.start, entry.end)?;
        while at < close {
            let (number, wire, next) = self.tag_at(at, close)?;
            if number == 2 {
                pieces.push(self.content_at(next, close)?);
            }
            at = self.pass(next, wire, number, close)?;
        }
        Ok(pieces)
    }
}
