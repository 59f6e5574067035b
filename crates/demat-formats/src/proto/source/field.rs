//! The fields of a record.

use super::slot::{At, Slot};
use super::{ProtoSource, Within};
use crate::proto::layout::{
    Cardinality, FieldLayout, Form, Presence, RecordLayout, UnionLayout, Wire, is_null_if_absent, oneof,
};
use crate::proto::tag::WireType;
use demat_core::{Error, Field, Record, Result, Shape, Unknown};

impl ProtoSource<'_> {
    /// Returns how a field is encoded.
    #[inline(always)]
    fn layout(&mut self, record: &Record, index: usize) -> FieldLayout {
        *self.layouts.field(record, index)
    }

    fn find_oneof(&mut self, record: &Record, number: u32) -> Option<(usize, Wire, Shape)> {
        if self.layouts.has_oneof(record) { find_oneof(record, RecordLayout::of(record), number) } else { None }
    }

    /// Steps to the expected field if it is next, is a single value but no message, and has a tag of one byte or two.
    #[inline(always)]
    pub(super) fn expected_field(&mut self, record: &Record, expected: usize) -> Option<usize> {
        // For a field that the compiler knows, this needs no layout.
        let constant;
        let own = if record.is_constant()
            && let field = record.fields().get(expected)?
            && let Some(wire) = Wire::of_plain_constant(field)
        {
            constant = FieldLayout::new(expected, field, wire);
            &constant
        } else {
            self.layouts.get(record, expected)?
        };
        let len = match own.tag_len {
            1 if self.at < self.end && self.bytes[self.at] == own.tag[0] => 1,
            2 if self.at + 2 <= self.end && self.bytes[self.at..self.at + 2] == own.tag => 2,
            _ => return None,
        };
        self.slot = own.reading;
        self.frames.last_mut()?.seen |= 1 << expected;
        self.number = own.number;
        self.tag = self.at;
        self.at += len;
        Some(expected)
    }

    /// Steps to the next field of the record.
    #[inline(never)]
    pub(super) fn next_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        loop {
            if self.at >= self.end {
                if self.next_piece() {
                    continue;
                }
                return Ok(self.zero_field(record));
            }
            self.start = self.at;
            self.tag = self.at;
            let byte = self.bytes[self.at];
            // Most tags have one byte.
            let (number, wire) = match WireType::of_tag(u64::from(byte)) {
                Some(wire) if (8..0x80).contains(&byte) => {
                    self.at += 1;
                    (u32::from(byte >> 3), wire)
                }
                _ => {
                    let (number, wire, next) = self.tag_at(self.at, self.end)?;
                    self.at = next;
                    (number, wire)
                }
            };
            let fields = record.fields();
            let index = match fields.get(expected) {
                Some(field) if field.number() == number => expected,
                _ => match record.index_of_number(number) {
                    Some(index) => index,
                    None if record.unknown() == Unknown::Ignore && self.find_oneof(record, number).is_none() => {
                        self.at = self.pass(self.at, wire, number, self.end)?;
                        self.pass_others(record);
                        continue;
                    }
                    None => match self.unlisted(record, number, wire)? {
                        Some(index) => return Ok(Some(index)),
                        None => continue,
                    },
                },
            };
            self.number = number;
            let layout = self.layout(record, index);
            let (own, may_give_way) = (layout.wire, layout.may_give_way);
            self.slot = Slot::of(At::Wire(wire), own);
            let again = may_give_way && self.frames.last().is_some_and(|frame| frame.has_seen(index));
            if let Some(frame) = self.frames.last_mut() {
                frame.see(index);
            }
            if may_give_way && wire == layout.wire_type && self.gives_way(record, index, number, again) {
                self.pass_member(&fields[index], own, wire, number)?;
                continue;
            }
            if own.cardinality == Cardinality::Value && !own.form.is_message() {
                if wire != layout.wire_type {
                    return Err(self.bad_wire(self.start, own.form, wire).within_field(fields[index].path_name()));
                }
                return Ok(Some(index));
            }
            if self.compound_field(record, index, number, wire)? {
                return Ok(Some(index));
            }
        }
    }

    /// Skips further fields that the record does not have and ignores, as long as the next tag and its length have one
    /// byte each. Does nothing for a record with oneof variants. Leaves faults for the general code to report.
    #[inline(always)]
    fn pass_others(&mut self, record: &Record) {
        let has_variants = self.layouts.has_oneof(record);
        let bytes = &self.bytes[..self.end];
        while let Some([tag, first]) = bytes.get(self.at..).and_then(<[u8]>::first_chunk)
            && !has_variants
        {
            let next = match tag & 7 {
                0 if *first < 0x80 => self.at + 2,
                1 => self.at + 9,
                2 if *first < 0x80 => self.at + 2 + usize::from(*first),
                5 => self.at + 5,
                _ => return,
            };
            let is_plain = (8..0x80).contains(tag) && next <= self.end;
            if !is_plain || record.index_of_number(u32::from(tag >> 3)).is_some() {
                return;
            }
            self.at = next;
        }
    }

    /// Returns whether to read this field here; its occurrences may be scattered over the message.
    fn compound_field(&mut self, record: &Record, index: usize, number: u32, wire: WireType) -> Result<bool> {
        let field = &record.fields()[index];
        if record.unknown() == Unknown::Keep(index) {
            // A field with the number of the field for unknown fields is itself unknown.
            return self.unlisted(record, number, wire).map(|kept| kept.is_some());
        }
        let own = self.layout(record, index).wire;
        let fits = match own.cardinality {
            Cardinality::List if own.form.reads_packed() => {
                wire == WireType::Len || wire == WireType::of_form(own.form)
            }
            Cardinality::Map => wire == WireType::Len,
            // The wire type of a variant is checked when the variant is chosen.
            Cardinality::Oneof => true,
            _ => wire == WireType::of_form(own.form),
        };
        if !fits {
            let form = if own.cardinality == Cardinality::Map { Form::Message } else { own.form };
            return Err(self.bad_wire(self.start, form, wire).within_field(field.path_name()));
        }
        if own.form == Form::None && own.cardinality != Cardinality::Oneof {
            return Err(self.formless().within_field(field.path_name()));
        }
        self.pieces.clear();
        if !self.is_again(record, number) {
            return Ok(true);
        }
        let overruled = own.cardinality == Cardinality::Value
            && oneof(field).is_some_and(|group| {
                let alike = |index: usize| oneof(&record.fields()[index]) == Some(group);
                let key = (0..index).find(|other| alike(*other)).unwrap_or(index);
                self.is_overruled(key, number, |number| record.index_of_number(number).is_some_and(alike))
            });
        if overruled {
            self.pass_member(field, own, wire, number)?;
            return Ok(false);
        }
        if self.was_done(number) {
            self.at = self.pass(self.at, wire, number, self.end)?;
            return Ok(false);
        }
        if own.cardinality == Cardinality::Value {
            self.find_pieces(number, wire)?;
        }
        Ok(true)
    }

    /// Skips and checks a oneof member that a later member overrides.
    #[cold]
    fn pass_member(&mut self, field: &Field, own: Wire, wire: WireType, number: u32) -> Result<()> {
        let passed = self.pass_overruled(self.at, wire, number, self.end, (own, field.shape()));
        self.at = passed.map_err(|error| error.within_field(field.path_name()))?;
        Ok(())
    }

    /// Handles a number that no field of the record has: the field of a variant, an unknown field to keep, or one to
    /// skip.
    #[cold]
    fn unlisted(&mut self, record: &Record, number: u32, wire: WireType) -> Result<Option<usize>> {
        self.number = number;
        self.pieces.clear();
        if let Some((index, variant, shape)) = self.find_oneof(record, number) {
            self.slot = Slot::of(At::Wire(wire), self.layout(record, index).wire);
            if let Some(frame) = self.frames.last_mut() {
                frame.see(index);
            }
            let merged = variant.cardinality == Cardinality::Value && variant.form.is_message();
            if merged && wire == WireType::of_form(variant.form) && self.is_again(record, number) {
                let layout = RecordLayout::of(record);
                let is_member = |number| find_oneof(record, layout, number).is_some_and(|(own, ..)| own == index);
                if self.is_overruled(index, number, is_member) {
                    self.at = self.pass_overruled(self.at, wire, number, self.end, (variant, &shape))?;
                    return Ok(None);
                }
                if self.was_done(number) {
                    self.at = self.pass(self.at, wire, number, self.end)?;
                    return Ok(None);
                }
                self.find_pieces(number, wire)?;
            }
            return Ok(Some(index));
        }
        let key = number.to_string();
        let kept = record.unknown_key(&key).map_err(|error| error.at(self.position_of(self.start)))?;
        if kept.is_none() || (self.is_again(record, number) && self.was_done(number)) {
            self.at = self.pass(self.at, wire, number, self.end)?;
            return Ok(None);
        }
        self.slot = Slot::value(At::Number, Form::Text);
        self.scratch = key;
        Ok(kept)
    }

    /// At the end of the message: returns the next absent field that is read as zero or null. If there is none, leaves the
    /// message.
    #[inline]
    fn zero_field(&mut self, record: &Record) -> Option<usize> {
        let fields = record.fields();
        if let Some(frame) = self.frames.last_mut() {
            let all = if fields.len() < 64 { (1 << fields.len()) - 1 } else { u64::MAX };
            if (frame.seen != all || fields.len() > 64)
                && let Within::Message { zero, .. } = &mut frame.kind
            {
                let from = *zero as usize;
                for (index, field) in fields.iter().enumerate().skip(from) {
                    let own = self.layouts.field(record, index).wire;
                    if frame.has_seen(index) || !field.required() || record.unknown() == Unknown::Keep(index) {
                        continue;
                    }
                    let slot = match own.presence {
                        Presence::Implicit => Slot::of(At::Zero, own),
                        _ if is_null_if_absent(field, own) => Slot::value(At::Zero, Form::Null),
                        _ => continue,
                    };
                    frame.see(index);
                    frame.kind = Within::Message { looked: true, zero: index as u32 + 1 };
                    self.start = self.at;
                    self.slot = slot;
                    return Some(index);
                }
            }
        }
        self.pop();
        None
    }

    /// Makes the raw bytes of an unknown field the next value.
    pub(super) fn begin_rest(&mut self) {
        self.slot = Slot::value(At::Rest, Form::Bytes);
    }

    /// Returns the error for a variant that the union does not have.
    #[cold]
    pub(super) fn no_variant(&self, names: String, found: impl Into<String>) -> Error {
        let found: String = found.into();
        Error::mismatch(demat_core::ErrorKind::Constraint, names, found).at(self.position_of(self.start))
    }
}

/// Finds the union field with a variant of this number. Returns its index, and the encoding and shape of the variant.
pub(super) fn find_oneof(record: &Record, layout: &RecordLayout, number: u32) -> Option<(usize, Wire, Shape)> {
    if !layout.has_oneof() {
        return None;
    }
    let unions = record.fields().iter().zip(layout.wires()).enumerate();
    for (index, (field, _)) in unions.filter(|(_, (_, own))| own.cardinality == Cardinality::Oneof) {
        if let Shape::Union(union) = field.shape().inner()
            && let union = union.get()
            && let Some(found) = union.variants().iter().position(|variant| variant.number() == number)
        {
            let variant = &union.variants()[found];
            return Some((index, UnionLayout::of(&union).wire(found), variant.shape().clone()));
        }
    }
    None
}
