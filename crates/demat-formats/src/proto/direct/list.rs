//! Repeated fields, and streams of messages, for the fast path.

use super::DirectSource;
use super::run::Run;
use super::source::Pending;
use crate::direct::give_up;
use crate::proto::layout::Form;
use crate::proto::tag::{WireType, tag};
use crate::proto::varint::read_varint;
use demat_core::Result;

impl DirectSource<'_, '_> {
    #[inline(always)]
    pub(super) fn open_list(&mut self) -> Result<Option<usize>> {
        match self.at {
            Pending::List(WireType::Len) if self.form.packable() => {
                let inner = self.content()?;
                let len = match self.form {
                    Form::Fixed32 | Form::Sfixed32 | Form::Float => inner.len() / 4,
                    Form::Fixed64 | Form::Sfixed64 | Form::Double => inner.len() / 8,
                    // The last byte of each varint has no top bit.
                    _ => inner.iter().filter(|byte| **byte < 0x80).count(),
                };
                self.at = Pending::Value;
                self.enter(inner, Run::Packed)?;
                Ok(Some(len))
            }
            Pending::List(wire) => {
                let run = Run::Tagged { number: self.number, wire, form: self.form, first: true };
                self.enter(self.rest, run)?;
                Ok(None)
            }
            Pending::Empty => {
                self.enter(self.rest, Run::Empty)?;
                Ok(Some(0))
            }
            Pending::Whole => {
                self.enter(self.rest, Run::Stream)?;
                Ok(None)
            }
            _ => self.give_up_type(),
        }
    }

    /// Takes the items of a packed list, up to one that `take` does not know.
    #[inline(always)]
    pub(super) fn take_items<T>(&mut self, items: &mut Vec<T>, take: impl Fn(u64) -> T) {
        // In a register, even if the source is not.
        let mut rest = self.rest;
        while !rest.is_empty() {
            match read_varint(rest) {
                Some((number, len)) => {
                    items.push(take(number));
                    rest = &rest[len..];
                }
                None => break,
            }
        }
        self.rest = rest;
    }

    /// Takes all items of a packed list of numbers of one size, if there is no part of another one.
    #[inline(always)]
    pub(super) fn take_chunks<T, const N: usize>(&mut self, items: &mut Vec<T>, number: fn([u8; N]) -> T) {
        if let (all, []) = self.rest.as_chunks() {
            items.extend(all.iter().map(|bytes| number(*bytes)));
            self.rest = &[];
        }
    }

    /// Steps to the next item of the list.
    #[inline(always)]
    pub(super) fn next_item(&mut self) -> Result<bool> {
        // Reading a number does not change the current field.
        if matches!(self.run, Run::Packed) && !self.rest.is_empty() {
            return Ok(true);
        }
        self.next_other()
    }

    #[inline(always)]
    fn next_other(&mut self) -> Result<bool> {
        let rest = self.rest;
        match self.run {
            Run::Tagged { number, wire, form, ref mut first } => {
                if *first {
                    *first = false;
                } else {
                    match read_varint(rest) {
                        Some((next, len)) if next == tag(number, wire) => self.rest = &rest[len..],
                        _ => {
                            self.leave();
                            // The items were among the fields of the message.
                            self.rest = rest;
                            return Ok(false);
                        }
                    }
                }
                (self.at, self.number, self.form) = (Pending::Value, number, form);
                Ok(true)
            }
            Run::Stream if !rest.is_empty() => {
                (self.at, self.form) = (Pending::Value, Form::Message);
                Ok(true)
            }
            Run::Fields => give_up(),
            Run::Packed | Run::Stream | Run::Empty => {
                self.leave();
                Ok(false)
            }
        }
    }
}
