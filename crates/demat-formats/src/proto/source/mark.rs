//! Marks and resets.

use super::slot::{At, Slot};
use super::{Frame, ProtoSource, Within};
use crate::proto::layout::Cardinality;
use crate::proto::tag::WireType;
use demat_core::Mark;

/// The bits of a mark's first word. All but these flags are the depth.
const PACKED: u32 = 1 << 31;
const TAGGED: u32 = 1 << 30;
const DEPTH: u32 = TAGGED - 1;

impl ProtoSource<'_> {
    /// Returns a mark: the depth, the next value, the distance to the end of its container, and a value that the
    /// innermost frame needs (the next field to check for zero, or the distance to the start of the map entry).
    pub(super) fn marked(&self) -> Mark {
        let mut depth = self.frames.len() as u32;
        let mut rest = self.number;
        match self.within() {
            Some(Within::Message { zero, .. }) if self.at >= self.end => rest = zero,
            Some(Within::List(run)) => {
                depth |= if run.packed { PACKED } else { 0 };
                depth |= if run.tagged { TAGGED } else { 0 };
            }
            Some(Within::Map(run, entry)) => {
                depth |= if run.tagged { TAGGED } else { 0 };
                rest = (self.at - entry.start) as u32;
            }
            _ => {}
        }
        Mark { offset: self.at, state: [depth, self.slot.packed(), self.end.saturating_sub(self.at) as u32, rest] }
    }

    pub(super) fn go_back(&mut self, mark: Mark) {
        let [depth, slot, left, rest] = mark.state;
        let (flags, depth) = (depth & !DEPTH, (depth & DEPTH) as usize);
        self.at = mark.offset;
        self.start = self.at;
        self.slot = if mark == Mark::default() { Slot::WHOLE } else { Slot::unpacked(slot) };
        self.pieces.clear();
        if depth > self.frames.len() {
            // The mark is used over another window, which begins between two messages of a stream.
            self.frames.push(Frame::new(Within::Stream, self.bytes.len(), self.bytes.len()));
        }
        self.frames.truncate(depth);
        self.number = rest;
        let at = self.at;
        let mut end = self.at + left as usize;
        let mut entry_start = None;
        let stream = self.bytes.len();
        let Some(frame) = self.frames.last_mut() else {
            self.end = self.bytes.len();
            return;
        };
        match &mut frame.kind {
            Within::Stream => end = stream,
            Within::Message { zero, .. } => {
                if left == 0 {
                    *zero = rest;
                }
                if let Some(rare) = &mut frame.rare {
                    let piece = rare.pieces.iter().position(|(begin, close)| (*begin..=*close).contains(&at));
                    rare.piece = piece.unwrap_or(0) as u32;
                }
            }
            Within::Choice => {
                if let Some(rare) = &frame.rare
                    && rare.pieces.first().is_some_and(|(begin, _)| at <= *begin)
                {
                    self.pieces.clone_from(&rare.pieces);
                }
            }
            Within::List(run) => {
                run.packed = flags & PACKED != 0;
                run.tagged = flags & TAGGED != 0;
                self.number = run.number;
            }
            Within::Map(run, entry) => {
                run.tagged = flags & TAGGED != 0;
                self.number = run.number;
                let start = at - rest as usize;
                if start != entry.start && self.slot.at != At::Wire(WireType::End) {
                    entry_start = Some((*run, entry.key, start));
                }
            }
            _ => {}
        }
        frame.end = end;
        self.end = end;
        let again = frame.rare.as_ref().is_some_and(|rare| rare.again.contains(&rest));
        if let (true, At::Wire(wire), Some(Within::Message { .. })) = (again, self.slot.at, self.within())
            && self.slot.cardinality == Cardinality::Value
        {
            // They were found before, so finding them again can't fail.
            let _ = self.find_pieces(rest, wire);
        }
        if let Some((run, key, start)) = entry_start {
            let (slot, number) = (self.slot, self.number);
            // The entry was read before, so this can't fail. Its own end determines where the message continues.
            self.end = self.outer_end();
            if self.enter_entry(run, key, start).is_ok() {
                self.at = at;
                self.slot = slot;
                self.number = number;
            }
        }
        if let Some(Within::Map(_, entry)) = self.within()
            && entry.many
            && entry.value == at
        {
            self.pieces = self.pieces_of_value(entry).unwrap_or_default();
        }
    }
}
