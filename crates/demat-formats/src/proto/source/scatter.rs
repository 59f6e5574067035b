//! Fields whose occurrences are scattered over a message.
//!
//! The format allows an encoder to write the items of a list anywhere in the message, and an embedded message in
//! several pieces to merge. Encoders hardly do that on purpose, but every decoder has to support it. So at the first
//! field where it matters, the source scans the tags and lengths in the rest of the message once.

use super::slot::At;
use super::{ProtoSource, Within};
use crate::proto::layout::{Cardinality, RecordLayout};
use crate::proto::tag::WireType;
use crate::proto::varint::read_varint;
use demat_core::{Record, Result};
use std::collections::HashSet;

impl ProtoSource<'_> {
    /// Whether the field whose tag was read has scattered occurrences.
    #[inline]
    pub(super) fn is_again(&mut self, record: &Record, number: u32) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let Within::Message { looked, zero } = frame.kind else { return false };
        if !looked {
            let again = if self.is_in_order(record) { HashSet::new() } else { self.look(record) };
            if let Some(frame) = self.frames.last_mut() {
                frame.kind = Within::Message { looked: true, zero };
                if !again.is_empty() {
                    frame.rare.get_or_insert_default().again = again;
                }
            }
        }
        let frame = self.frames.last();
        frame.and_then(|frame| frame.rare.as_ref()).is_some_and(|rare| rare.again.contains(&number))
    }

    /// Whether the rest of the message is in the usual form: numbers in ascending order and below 2048, and only lists
    /// repeat. False says nothing about the message.
    fn is_in_order(&self, record: &Record) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        if frame.rare.is_some() {
            return false;
        }
        let (mut at, mut last) = (self.tag, 0);
        while at < self.end {
            let Some((tag, len @ (1 | 2))) = read_varint(&self.bytes[at..self.end]) else { return false };
            let number = (tag >> 3) as u32;
            if number < last || number == last && is_one(record, number) {
                return false;
            }
            last = number;
            at += len;
            let passed = match tag & 7 {
                0 => self.varint_at(at, self.end).map(|(_, next)| next),
                1 => Ok(at + 8),
                2 => self.content_at(at, self.end).map(|(_, close)| close),
                5 => Ok(at + 4),
                _ => return false,
            };
            match passed {
                Ok(next) => at = next,
                // A fault here is reported when the field is read.
                Err(_) => return false,
            }
        }
        at == self.end
    }

    /// Returns the numbers of fields that occur again after other fields, and of single messages that occur again at
    /// all.
    fn look(&self, record: &Record) -> HashSet<u32> {
        let (mut again, mut runs) = (HashSet::new(), Runs::default());
        let (mut last, mut last_is_one) = (0, false);
        let mut at = self.tag;
        let mut end = self.end;
        let rare = self.frames.last().and_then(|frame| frame.rare.as_ref());
        let mut later = rare.map_or(&[][..], |rare| &rare.pieces[(rare.piece as usize + 1).min(rare.pieces.len())..]);
        loop {
            while at < end {
                // A fault here is reported when the field is read.
                let Ok((number, wire, next)) = self.tag_at(at, end) else { return again };
                let Ok(next) = self.pass(next, wire, number, end) else { return again };
                at = next;
                if number == last {
                    if last_is_one {
                        again.insert(number);
                    }
                    continue;
                }
                runs.end(last);
                if runs.has_ended(number) {
                    again.insert(number);
                }
                last = number;
                last_is_one = is_one(record, number);
            }
            let Some(((begin, close), rest)) = later.split_first() else { return again };
            (at, end, later) = (*begin, *close, rest);
            // A list is read to the end of its piece. What goes on in the next piece is another occurrence.
            runs.end(last);
            (last, last_is_one) = (0, false);
        }
    }

    /// Whether a field with scattered occurrences was read at its first occurrence already. If not, records that it is
    /// read now.
    pub(super) fn was_done(&mut self, number: u32) -> bool {
        let at = self.tag;
        let Some(rare) = self.frames.last_mut().and_then(|frame| frame.rare.as_mut()) else { return false };
        // After a reset, the first occurrence is met again.
        if let Some((_, first)) = rare.done.iter().find(|(own, _)| *own == number) {
            return *first != at;
        }
        rare.done.push((number, at));
        false
    }

    /// Whether another member of the oneof follows in the message, so that this one is overridden.
    #[cold]
    pub(super) fn is_overruled(&mut self, oneof: usize, number: u32, is_member: impl Fn(u32) -> bool) -> bool {
        let rare = self.frames.last().and_then(|frame| frame.rare.as_ref());
        let known = rare.and_then(|rare| rare.settled.iter().find(|(own, _)| *own == oneof));
        let begin = if let Some((_, begin)) = known {
            *begin
        } else {
            let begin = self.last_run(number, is_member);
            if let Some(frame) = self.frames.last_mut() {
                frame.rare.get_or_insert_default().settled.push((oneof, begin));
            }
            begin
        };
        self.tag < begin
    }

    /// Returns where the last run of one member of a oneof begins. `number` is the current member, which wins if no
    /// other follows.
    pub(super) fn last_run(&self, mut number: u32, is_member: impl Fn(u32) -> bool) -> usize {
        let rare = self.frames.last().and_then(|frame| frame.rare.as_ref());
        let later = rare.map_or(&[][..], |rare| &rare.pieces[(rare.piece as usize + 1).min(rare.pieces.len())..]);
        let mut begin = self.tag;
        for (mut at, end) in core::iter::once((self.tag, self.end)).chain(later.iter().copied()) {
            while at < end {
                // A fault here is reported when the field is read.
                let Ok((own, wire, next)) = self.tag_at(at, end) else { return begin };
                let Ok(next) = self.pass(next, wire, own, end) else { return begin };
                if own != number && is_member(own) {
                    (number, begin) = (own, at);
                }
                at = next;
            }
        }
        begin
    }

    /// Finds all pieces of the message whose first piece is next.
    #[cold]
    pub(super) fn find_pieces(&mut self, number: u32, wire: WireType) -> Result<()> {
        let mut pieces = Vec::new();
        let rare = self.frames.last().and_then(|frame| frame.rare.as_ref());
        let later: Vec<_> =
            rare.map_or(Vec::new(), |rare| rare.pieces[(rare.piece as usize + 1).min(rare.pieces.len())..].to_vec());
        let (mut at, mut own, mut found) = (self.at, number, wire);
        for (begin, end) in [(self.at, self.end)].into_iter().chain(later) {
            if begin != self.at {
                if begin >= end {
                    continue;
                }
                (own, found, at) = self.tag_at(begin, end)?;
            }
            loop {
                if own == number && found == wire {
                    pieces.push(self.piece_at(at, wire, number, end)?);
                }
                at = self.pass(at, found, own, end)?;
                if at >= end {
                    break;
                }
                (own, found, at) = self.tag_at(at, end)?;
            }
        }
        self.pieces = if pieces.len() > 1 { pieces } else { Vec::new() };
        Ok(())
    }

    /// Returns begin and end of the content of a message whose tag was read.
    pub(super) fn piece_at(&self, at: usize, wire: WireType, number: u32, end: usize) -> Result<(usize, usize)> {
        match wire {
            WireType::Begin => Ok((at, self.group_at(at, number, end)?.0)),
            _ => self.content_at(at, end),
        }
    }

    /// Returns all fields with the current number, with their tags, wherever they are in the message.
    pub(super) fn rest_of(&mut self) -> Result<Vec<(usize, usize)>> {
        debug_assert_eq!(self.slot.at, At::Rest);
        let number = self.number;
        let rare = self.frames.last().and_then(|frame| frame.rare.as_ref());
        let scattered = rare.is_some_and(|rare| rare.again.contains(&number));
        let mut later: Vec<_> =
            rare.map_or(Vec::new(), |rare| rare.pieces[(rare.piece as usize + 1).min(rare.pieces.len())..].to_vec());
        later.reverse();
        let (mut at, mut end) = (self.tag, self.end);
        let (mut parts, mut first) = (Vec::<(usize, usize)>::new(), true);
        loop {
            while at < end {
                let (own, wire, next) = self.tag_at(at, end)?;
                let next = self.pass(next, wire, own, end)?;
                if own == number {
                    match parts.last_mut() {
                        Some((_, close)) if *close == at => *close = next,
                        _ => parts.push((at, next)),
                    }
                    if first {
                        self.at = next;
                    }
                } else {
                    first = false;
                    if !scattered {
                        return Ok(parts);
                    }
                }
                at = next;
            }
            first = false;
            match later.pop() {
                Some(piece) if scattered => (at, end) = piece,
                _ => return Ok(parts),
            }
        }
    }
}

/// The numbers of fields of which a run of occurrences has ended.
#[derive(Default)]
struct Runs {
    /// A bit for each number below 64.
    low: u64,
    high: HashSet<u32>,
}

impl Runs {
    fn end(&mut self, number: u32) {
        if number < 64 {
            self.low |= 1 << number;
        } else {
            self.high.insert(number);
        }
    }

    fn has_ended(&self, number: u32) -> bool {
        if number < 64 { self.low >> number & 1 == 1 } else { self.high.contains(&number) }
    }
}

/// Whether the field is a single message and no list.
fn is_one(record: &Record, number: u32) -> bool {
    let Some(index) = record.index_of_number(number) else {
        // The number may be that of a variant, which is a single message, too.
        return true;
    };
    let wire = RecordLayout::of(record).wire(index);
    wire.cardinality == Cardinality::Value && wire.form.is_message()
}
