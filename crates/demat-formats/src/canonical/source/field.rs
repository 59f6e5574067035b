//! The fields of messages.

use super::frame::{Frame, Next};
use super::mark::MOST_FRAMES;
use super::number::other_text;
use super::{CanonicalSource, times};
use crate::canonical::mapping::{Known, Target};
use crate::canonical::names::field_path;
use crate::proto::{Cardinality, Form};
use demat_core::{Error, ErrorKind, Kind, Record, Result, Source};

/// The maximum nesting depth. It is less than marks can count.
const DEEPEST: u32 = 100_000;

impl<'a, S: Source<'a>> CanonicalSource<'a, S> {
    pub(super) fn open_record(&mut self, record: &Record) -> Result<()> {
        self.holds_null = false;
        if self.frames.len() + 3 > MOST_FRAMES || self.level >= DEEPEST {
            return Err(Error::limit("the depth of messages", DEEPEST).at(self.inner.position()));
        }
        let place = self.place(record)?;
        let frame = match self.mapping.records[place as usize].known {
            Known::Plain => {
                self.level += 1;
                return self.inner.record(record);
            }
            Known::Timestamp => {
                let (seconds, nanos) = self.read_times(times::read_timestamp, "a timestamp as RFC 3339")?;
                Frame::Times { parts: [seconds, nanos], named: 0 }
            }
            Known::Duration => {
                let (seconds, nanos) = self.read_times(times::read_duration, "a duration in seconds, as `1.5s`")?;
                Frame::Times { parts: [seconds, nanos], named: 0 }
            }
            Known::FieldMask => Frame::Paths { paths: self.read_paths()?, asked: 0, named: false },
            Known::Any => {
                let (url, bytes) = self.read_any()?;
                Frame::Any { url, bytes, named: 0 }
            }
            _ => Frame::Transparent { begun: false },
        };
        self.frames.push(frame);
        Ok(())
    }

    fn read_paths(&mut self) -> Result<Vec<String>> {
        let text = self.inner.text()?;
        let paths: Option<Vec<String>> = match &*text {
            "" => Some(Vec::new()),
            text => text.split(',').map(field_path).collect(),
        };
        let paths = paths.ok_or_else(|| other_text("paths in lowerCamelCase, with commas between", &text));
        paths.map_err(|error| error.at(self.inner.position()))
    }

    #[inline]
    pub(super) fn next_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        let place = self.place(record)?;
        let (known, first) = {
            let own = &self.mapping.records[place as usize];
            (own.known, own.first)
        };
        if known == Known::Plain {
            return self.plain_field(record, place, first, expected);
        }
        Ok(self.part(known, first))
    }

    /// Steps to the next field of a message with a special JSON form.
    fn part(&mut self, known: Known, first: u32) -> Option<usize> {
        let found = match self.frames.last_mut() {
            Some(Frame::Transparent { begun }) if !*begun => {
                *begun = true;
                self.slot = first;
                if known == Known::Value {
                    self.holds_null = true;
                    self.next = Next::Kind;
                }
                Some(0)
            }
            Some(Frame::Times { parts, named }) => {
                let index = (*named..2).find(|index| parts[*index] != 0);
                *named = index.map_or(2, |index| index + 1);
                if let Some(index) = index {
                    self.next = Next::Int(parts[index]);
                }
                index
            }
            Some(Frame::Paths { paths, named, .. }) if !*named && !paths.is_empty() => {
                *named = true;
                self.next = Next::Paths;
                Some(0)
            }
            Some(Frame::Any { url, bytes, named }) => {
                let there = [!url.is_empty(), !bytes.is_empty()];
                let index = (*named..2).find(|index| there[*index]);
                *named = index.map_or(2, |index| index + 1);
                if let Some(index) = index {
                    self.next = if index == 0 { Next::Url } else { Next::Bytes };
                }
                index
            }
            _ => None,
        };
        if found.is_none() {
            self.frames.pop();
        }
        found
    }

    #[inline]
    fn plain_field(&mut self, record: &Record, place: u32, first: u32, expected: usize) -> Result<Option<usize>> {
        loop {
            let target = if let Some(target) = self.likely(record, first, expected) {
                target
            } else {
                if !self.inner.entry()? {
                    self.level = self.level.saturating_sub(1);
                    return Ok(None);
                }
                let key = self.inner.text()?;
                let Some(target) = self.mapping.records[place as usize].names.get(&*key).copied() else {
                    let passed = self.options.ignore_unknown || self.typed && self.level == 1 && &*key == "@type";
                    if !passed {
                        let message = format!("unknown field `{}`", &*key);
                        return Err(Error::new(ErrorKind::Constraint, message).at(self.inner.position()));
                    }
                    self.inner.value()?;
                    self.inner.skip()?;
                    continue;
                };
                self.inner.value()?;
                target
            };
            if self.is_there(target)? {
                return Ok(Some(target.field as usize));
            }
        }
    }

    /// Returns the expected field or the one after it, if its key is next.
    #[inline]
    fn likely(&mut self, record: &Record, first: u32, expected: usize) -> Option<Target> {
        for index in expected..(expected + 2).min(record.fields().len()) {
            let slot = first + index as u32;
            let own = &self.mapping.slots[slot as usize];
            if own.cardinality != Cardinality::Oneof && self.inner.key_is(&own.key, &own.token) {
                return Some(Target { field: index as u32, variant: None, slot });
            }
        }
        None
    }

    /// Whether a value is present. In most fields, null means that the field is absent.
    #[inline]
    fn is_there(&mut self, target: Target) -> Result<bool> {
        let slot = &self.mapping.slots[target.slot as usize];
        let mark = self.inner.mark();
        self.holds_null = false;
        if self.inner.null()? {
            let value = slot.child.is_some_and(|child| self.mapping.records[child as usize].known == Known::Value);
            if slot.cardinality != Cardinality::Value || !(slot.null || value || slot.form == Form::Any) {
                return Ok(false);
            }
            self.inner.reset(mark);
            self.holds_null = slot.form != Form::Any;
        }
        if self.options.ignore_unknown
            && slot.cardinality == Cardinality::Value
            && slot.names.is_some()
            && self.is_unknown_name(target.slot)?
        {
            self.inner.skip()?;
            return Ok(false);
        }
        self.slot = target.slot;
        self.next = target.variant.map_or(Next::Value, Next::Variant);
        Ok(true)
    }

    /// Whether the next value is a text that the slot's enum has no name for. Consumes nothing.
    #[cold]
    pub(super) fn is_unknown_name(&mut self, slot: u32) -> Result<bool> {
        if self.inner.peek()? != Kind::Text {
            return Ok(false);
        }
        let mark = self.inner.mark();
        let text = self.inner.text()?;
        let names = self.mapping.slots[slot as usize].names.as_ref();
        let unknown = names.is_some_and(|names| names.index_of(&text).is_none());
        self.inner.reset(mark);
        Ok(unknown)
    }
}
