//! The fields of a message, for the fast path.

use super::DirectSource;
use super::source::Pending;
use super::usual::{delimited, is_usual, wire_of};
use crate::direct::give_up;
use crate::proto::layout::{Cardinality, Presence, RecordLayout, Wire};
use crate::proto::tag::{HIGHEST, LONGEST, WireType, tag};
use crate::proto::varint::read_varint;
use demat_core::{Record, Result};

/// Whether the fast path gives up when the field comes again, because its occurrences have to be merged.
#[inline(always)]
fn is_once(own: Wire) -> bool {
    own.cardinality == Cardinality::List || own.form.is_message()
}

impl DirectSource<'_, '_> {
    /// Steps to the expected field, if it is next in its usual encoding, with a tag of one byte or two. For a constant
    /// record, the compiler precomputes most of this.
    #[inline(always)]
    pub(super) fn is_expected(&mut self, record: &Record, expected: usize) -> bool {
        let Some(field) = record.fields().get(expected) else { return false };
        let Some(own) = Wire::of_constant(field) else { return false };
        let wire = delimited(own);
        let tag = tag(field.number(), wire);
        if !is_usual(field, own) || tag >= 0x4000 || expected >= 64 {
            return false;
        }
        let rest = match self.rest {
            [first, rest @ ..] if tag < 0x80 && u64::from(*first) == tag => rest,
            [first, second, rest @ ..] if tag >= 0x80 && [*first, *second] == [tag as u8 | 0x80, (tag >> 7) as u8] => {
                rest
            }
            _ => return false,
        };
        let bit = 1 << expected;
        if is_once(own) && self.seen & bit != 0 {
            return false;
        }
        self.seen |= bit;
        self.rest = rest;
        self.stand(field.number(), own, wire);
        true
    }

    /// Steps to the next field of the record.
    #[inline(never)]
    pub(super) fn other_field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        let fields = record.fields();
        while !self.rest.is_empty() {
            let Some((tag, len @ ..=LONGEST)) = read_varint(self.rest) else { return give_up() };
            let (Some(wire), 1..=HIGHEST) = (WireType::of_tag(tag), tag >> 3) else { return give_up() };
            let number = (tag >> 3) as u32;
            self.rest = &self.rest[len..];
            let index = match fields.get(expected) {
                Some(field) if field.number() == number => expected,
                _ => match record.index_of_number(number) {
                    Some(index) => index,
                    // It may be a variant of a union.
                    None if RecordLayout::of(record).has_oneof() => {
                        return self.give_up_type();
                    }
                    None => {
                        self.pass(wire)?;
                        continue;
                    }
                },
            };
            let field = &fields[index];
            let own = wire_of(record, index);
            if !is_usual(field, own) {
                return self.give_up_type();
            }
            let fits = wire == delimited(own)
                || own.cardinality == Cardinality::List
                    && own.form.packable()
                    && (wire == WireType::Len || wire == WireType::of_form(own.form));
            let bit = 1 << index;
            if !fits || is_once(own) && self.seen & bit != 0 {
                return give_up();
            }
            self.seen |= bit;
            self.stand(number, own, wire);
            return Ok(Some(index));
        }
        Ok(self.ended(record))
    }

    /// Skips the value of an unknown field.
    fn pass(&mut self, wire: WireType) -> Result<()> {
        let len = match wire {
            WireType::Varint => return self.varint().map(drop),
            WireType::Len => return self.content().map(drop),
            WireType::Eight => 8,
            WireType::Four => 4,
            WireType::Begin | WireType::End => return give_up(),
        };
        match self.rest.get(len..) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => give_up(),
        }
    }

    /// At the end of the message: returns the next absent field that must be read as zero. If there is none, leaves the
    /// message.
    #[inline(always)]
    pub(super) fn ended(&mut self, record: &Record) -> Option<usize> {
        let all = u64::MAX.checked_shr(64 - record.fields().len() as u32).unwrap_or(0);
        let zero = if self.seen == all { None } else { self.aside(|copy| copy.zero_field(record, all & !copy.seen)) };
        if zero.is_none() {
            self.leave();
        }
        zero
    }

    /// Returns the first of the absent fields `left` that must be read as zero.
    #[inline(never)]
    fn zero_field(&mut self, record: &Record, mut left: u64) -> Option<usize> {
        while left != 0 {
            let index = left.trailing_zeros() as usize;
            let field = &record.fields()[index];
            let own = wire_of(record, index);
            self.seen |= 1 << index;
            if own.presence == Presence::Implicit && field.required() {
                self.at = if own.cardinality == Cardinality::Value { Pending::Zero } else { Pending::Empty };
                self.form = own.form;
                return Some(index);
            }
            left &= left - 1;
        }
        None
    }
}
