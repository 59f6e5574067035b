//! Repeated fields, and streams of length-prefixed messages.

use super::frame::Run;
use super::slot::{At, Slot};
use super::{Frame, ProtoSource, Within};
use crate::proto::layout::{Cardinality, Form};
use crate::proto::tag::WireType;
use crate::scan::prefetch_at;
use demat_core::Result;

/// From this length on, the hardware prefetcher does not cover a message by itself.
const FAR: usize = 512;
/// The number of messages ahead that are prefetched.
const AHEAD: usize = 8;

impl ProtoSource<'_> {
    /// Enters the next list.
    pub(super) fn open_list(&mut self) -> Result<Option<usize>> {
        self.start = self.at;
        match (self.slot.at, self.slot.cardinality) {
            (At::Whole, _) => {
                let end = self.bytes.len();
                self.push(Frame::new(Within::Stream, end, end))?;
                Ok(None)
            }
            (At::Zero, Cardinality::List) => {
                self.push(Frame::new(Within::Empty, self.at, self.at))?;
                Ok(Some(0))
            }
            (At::Wire(wire), Cardinality::List) => {
                let run = self.run();
                let len = self.known_len(wire)?;
                let end = self.end;
                self.push(Frame::new(Within::List(run), end, end))?;
                Ok(len)
            }
            (At::Wire(WireType::Len), _) if self.slot.form == Form::Any => self.open_any_list(),
            _ => Err(self.other("list")),
        }
    }

    /// Returns the state for the current field, whose first tag was read.
    pub(super) fn run(&self) -> Run {
        let rare = self.frames.last().and_then(|frame| frame.rare.as_ref());
        let scattered = rare.is_some_and(|rare| rare.again.contains(&self.number));
        let form = self.slot.form;
        Run { number: self.number, form, tagged: true, packed: false, scattered }
    }

    /// Returns the number of items, if one packed run holds all of them.
    fn known_len(&self, wire: WireType) -> Result<Option<usize>> {
        let width = match self.slot.form {
            Form::Fixed32 | Form::Sfixed32 | Form::Float | Form::Ipv4 => 4,
            Form::Fixed64 | Form::Sfixed64 | Form::Double => 8,
            form if form.reads_packed() => 0,
            _ => return Ok(None),
        };
        if wire != WireType::Len {
            return Ok(None);
        }
        let (begin, close) = self.content_at(self.at, self.end)?;
        let pieces = self.frames.last().is_some_and(|frame| frame.rare.is_some());
        // The list may continue in another run.
        if pieces || close < self.end && self.bytes[close] == self.bytes[self.tag] {
            return Ok(None);
        }
        // The last byte of each varint has no top bit.
        let ends = || self.bytes[begin..close].iter().filter(|byte| **byte < 0x80).count();
        Ok(Some((close - begin).checked_div(width).unwrap_or_else(ends)))
    }

    /// Steps to the next item of the list.
    #[inline]
    pub(super) fn next_item(&mut self) -> Result<bool> {
        let Some(frame) = self.frames.last_mut() else { return Ok(false) };
        match &mut frame.kind {
            Within::List(run) => {
                if run.packed && self.at < self.end {
                    self.slot = Slot::value(At::Wire(WireType::of_form(run.form)), run.form);
                    return Ok(true);
                }
                let run = *run;
                self.next_in_run(run)
            }
            Within::Stream => self.next_message(),
            _ => {
                self.pop();
                Ok(false)
            }
        }
    }

    /// Steps to the next item that does not directly follow in a packed run.
    fn next_in_run(&mut self, mut run: Run) -> Result<bool> {
        if run.packed {
            run.packed = false;
            self.end = self.outer_end();
        }
        loop {
            let Some(wire) = self.next_of(&mut run)? else {
                self.leave_run();
                return Ok(false);
            };
            if wire == WireType::Len && run.form.reads_packed() {
                let (begin, close) = self.content_at(self.at, self.end)?;
                self.at = begin;
                if begin == close {
                    continue;
                }
                run.packed = true;
                self.end = close;
            } else if wire != WireType::of_form(run.form) {
                return Err(self.bad_wire(self.tag, run.form, wire));
            }
            self.slot = Slot::value(At::Wire(WireType::of_form(run.form)), run.form);
            self.number = run.number;
            let end = self.end;
            if let Some(frame) = self.frames.last_mut() {
                frame.kind = Within::List(run);
                frame.end = end;
            }
            return Ok(true);
        }
    }

    /// The end of the message, or of its current piece, that contains the list or map.
    pub(super) fn outer_end(&self) -> usize {
        let outer = self.frames.len().checked_sub(2).map(|outer| self.frames[outer].end);
        outer.unwrap_or(self.bytes.len())
    }

    /// Steps to the next occurrence of the field. Returns its wire type, or `None` if there is none.
    pub(super) fn next_of(&mut self, run: &mut Run) -> Result<Option<WireType>> {
        if run.tagged {
            run.tagged = false;
            if let At::Wire(wire) = self.slot.at {
                return Ok(Some(wire));
            }
        }
        loop {
            if self.at >= self.end {
                if !(run.scattered && self.outer_next_piece()) {
                    return Ok(None);
                }
                continue;
            }
            let (number, wire, next) = self.tag_at(self.at, self.end)?;
            if number == run.number {
                self.tag = self.at;
                self.at = next;
                return Ok(Some(wire));
            }
            if !run.scattered {
                return Ok(None);
            }
            self.comes_back((self.at, self.outer_piece()));
            self.at = self.pass(next, wire, number, self.end)?;
        }
    }

    /// Records the offset and the piece where the record continues after all occurrences of the field.
    #[cold]
    fn comes_back(&mut self, back: (usize, u32)) {
        if let Some(frame) = self.frames.last_mut() {
            frame.rare.get_or_insert_default().back.get_or_insert(back);
        }
    }

    /// Continues with the next piece of the enclosing message.
    fn outer_next_piece(&mut self) -> bool {
        let Some(outer) = self.frames.len().checked_sub(2) else { return false };
        let back = (self.at, self.outer_piece());
        let next = self.frames[outer].rare.as_ref().and_then(|rare| rare.pieces.get(rare.piece as usize + 1).copied());
        let Some((begin, close)) = next else { return false };
        self.comes_back(back);
        let frame = &mut self.frames[outer];
        let Some(rare) = &mut frame.rare else { return false };
        rare.piece += 1;
        frame.end = close;
        self.at = begin;
        self.end = close;
        true
    }

    /// Leaves the list or map, and moves to where the record continues.
    pub(super) fn leave_run(&mut self) {
        let at = self.at;
        let back = self.frames.leave().and_then(|frame| frame.rare.as_ref()).and_then(|rare| rare.back);
        self.at = at;
        if let Some(Within::Wrapped) = self.within() {
            return self.pop();
        }
        if let Some((back, piece)) = back {
            self.at = back;
            if let Some(frame) = self.frames.last_mut()
                && let Some(rare) = &mut frame.rare
                && let Some(&(_, close)) = rare.pieces.get(piece as usize)
            {
                rare.piece = piece;
                frame.end = close;
            }
        }
        self.end = self.frames.last().map_or(self.bytes.len(), |frame| frame.end);
    }

    /// Steps to the next message of a stream.
    fn next_message(&mut self) -> Result<bool> {
        self.start = self.at;
        if self.at == self.bytes.len() {
            if !self.last {
                return Err(self.incomplete(self.at, "a message"));
            }
            self.pop();
            return Ok(false);
        }
        let left = &self.bytes[self.at..];
        let complete = match crate::proto::read_varint(left) {
            Some((len, read)) => usize::try_from(len).is_ok_and(|len| {
                if len >= FAR {
                    // The hardware prefetches what follows the accessed bytes, but most of a long message is skipped.
                    // If the next messages have about the same length, this is where one begins and the one before it
                    // ends.
                    let next = self.at.wrapping_add(AHEAD.wrapping_mul(len + read));
                    prefetch_at(self.bytes, next);
                    prefetch_at(self.bytes, next.wrapping_add(64));
                }
                len <= left.len() - read
            }),
            None if left.len() < crate::proto::varint::LONGEST => false,
            None => return Err(self.bad_varint(self.at)),
        };
        if !complete {
            if !self.last {
                return Err(self.incomplete(self.at, "a whole message"));
            }
            self.content_at(self.at, self.bytes.len())?;
        }
        self.slot = Slot::value(At::Wire(WireType::Len), Form::Message);
        Ok(true)
    }
}
