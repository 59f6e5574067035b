//! Steps through the fields of records.

use super::super::schema::{Bits, FieldNode, Node, Presence, RecordNode};
use super::fault::astray;
use super::frame::{Frame, Within};
use super::stand::Stand;
use super::{Found, RawSource};
use demat_core::{Record, Result, Unknown};

/// A step in a record.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// To a field with a value or null.
    Field(usize),
    /// Into the map of unknown fields.
    Rest,
    /// Out of the record.
    End,
}

impl<'s> RawSource<'_, 's> {
    /// Steps into a record.
    pub(super) fn enter_record(&mut self) -> Result<()> {
        let Stand::Value(node) = self.stand else { return Err(astray()) };
        let schema = self.known()?;
        let Some(record) = schema.record(node) else { return Err(astray()) };
        if !self.part.last && self.part.bytes.len() - self.at < schema.least(node) {
            // Otherwise the same fields would be read again with every piece that arrives.
            return Err(self.ended("a record"));
        }
        let mut bits = Bits::default();
        if record.bits > 0 {
            let bytes = self.content(self.at, record.bits.div_ceil(8) as u128, "the bits of a record")?;
            let read = Bits::read(bytes, record.bits);
            bits = read.ok_or_else(|| self.unexpected(self.at + bytes.len() - 1, "spare bits that are 0", "1"))?;
            self.at += bytes.len();
        }
        self.enter(Frame { within: Within::Record, node, bits, ..Frame::default() })
    }

    /// Returns the innermost record.
    fn record_node(&self) -> Result<&'s RecordNode> {
        let frame = self.top().ok_or_else(astray)?;
        match self.known()?.node(frame.node) {
            Node::Record(record) if frame.within == Within::Record => Ok(record),
            _ => Err(astray()),
        }
    }

    /// Steps to the next field that is present. The position is not yet at its value.
    pub(super) fn next_field(&mut self) -> Result<Step> {
        let record = self.record_node()?;
        loop {
            let Some(frame) = self.top_mut() else { return Err(astray()) };
            let index = frame.cursor.next as usize;
            let Some(field) = record.fields.get(index) else {
                self.leave();
                return Ok(Step::End);
            };
            frame.cursor.next += 1;
            if record.keep == Some(index) {
                let Node::Map(key, value) = self.known()?.node(field.node) else { return Err(astray()) };
                self.start = self.at;
                self.enter_entries(Within::Rest, *key, *value)?;
                return Ok(Step::Rest);
            }
            if matches!(field.presence, Presence::Missing | Presence::Both) && !frame.bits.get(field.bit) {
                if field.presence == Presence::Both && frame.bits.get(field.bit + 1) {
                    return Err(self.unexpected(self.at, "no value of a field that is missing", "a bit that says one"));
                }
                continue;
            }
            return Ok(Step::Field(index));
        }
    }

    /// Moves to the value of a field of the innermost record.
    pub(super) fn stand_at_field(&mut self, index: usize) -> Result<()> {
        let record = self.record_node()?;
        let field = record.fields.get(index).ok_or_else(astray)?;
        let Some(frame) = self.top() else { return Err(astray()) };
        let is_null = match field.presence {
            Presence::Null => !frame.bits.get(field.bit),
            Presence::Both => !frame.bits.get(field.bit + 1),
            Presence::Always | Presence::Missing => false,
        };
        self.stand = if is_null { Stand::Null } else { Stand::Value(field.node) };
        Ok(())
    }

    /// Steps to the next field that the reader's record has or keeps, and skips others.
    pub(super) fn next_wanted(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        loop {
            match self.top().map(|frame| frame.within) {
                Some(Within::Record) => {
                    let own = self.record_node()?;
                    let index = match self.next_field()? {
                        Step::Field(index) => index,
                        Step::Rest => continue,
                        Step::End => return Ok(None),
                    };
                    let field = own.fields.get(index).ok_or_else(astray)?;
                    if let Some(wanted) = self.wanted(own, field, record, expected) {
                        self.stand_at_field(index)?;
                        return Ok(Some(wanted));
                    }
                    self.start = self.at;
                    let kept = record.unknown_key(&field.key).map_err(|error| error.at(self.position_of(self.at)))?;
                    if kept.is_some() {
                        self.stand = Stand::Key(index as u32);
                        return Ok(kept);
                    }
                    self.stand_at_field(index)?;
                    self.pass()?;
                }
                Some(within @ (Within::Map | Within::Rest)) => {
                    if !self.next_key()? {
                        if within == Within::Rest {
                            continue;
                        }
                        return Ok(None);
                    }
                    if let Some(wanted) = self.wanted_entry(record)? {
                        return Ok(Some(wanted));
                    }
                }
                _ => return Err(astray()),
            }
        }
    }

    /// Returns the reader's field for a field of the writer.
    fn wanted(&self, own: &RecordNode, field: &FieldNode, record: &Record, expected: usize) -> Option<usize> {
        let is_rest = |index: &usize| record.unknown() == Unknown::Keep(*index);
        let predicted = record.fields().get(expected).filter(|_| !is_rest(&expected));
        if self.exact {
            // The shapes are equal, and so are the numbers; names may differ between reading and writing.
            return match predicted {
                Some(predicted) if predicted.number() == field.number => Some(expected),
                _ => record.index_of_number(field.number).filter(|index| !is_rest(index)),
            };
        }
        if predicted.is_some_and(|predicted| predicted.key() == field.key) {
            return Some(expected);
        }
        record.index_of(&field.key).or_else(|| {
            let numbered = record.fields().iter().zip(1..).any(|(field, position)| field.number() != position);
            let by_number = if own.numbered && numbered { record.index_of_number(field.number) } else { None };
            by_number.filter(|index| !is_rest(index))
        })
    }

    /// Returns the reader's field for an entry of a map. The source is then at its value, or at the key of a kept
    /// field.
    fn wanted_entry(&mut self, record: &Record) -> Result<Option<usize>> {
        let (before, stand) = (self.at, self.stand);
        let (key, end) = match self.found()? {
            Found::Node(Node::Text) => self.utf8()?,
            Found::Node(Node::Enum(names)) => {
                let (index, end) = self.index_of(names)?;
                (names.name_at(index), end)
            }
            other => return Err(self.other("text", &other)),
        };
        self.done(end);
        if let Some(index) = record.index_of(key) {
            self.step_to_value()?;
            return Ok(Some(index));
        }
        let kept = record.unknown_key(key).map_err(|error| error.at(self.position_of(before)))?;
        if kept.is_some() {
            (self.at, self.stand) = (before, stand);
            return Ok(kept);
        }
        self.step_to_value()?;
        self.pass()?;
        Ok(None)
    }
}
