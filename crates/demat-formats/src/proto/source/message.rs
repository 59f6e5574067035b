//! Enters and leaves messages, also those in several pieces.

use super::frame::Rare;
use super::slot::At;
use super::{Frame, ProtoSource};
use crate::proto::layout::{Cardinality, Form};
use crate::proto::tag::WireType;
use demat_core::Result;

impl ProtoSource<'_> {
    /// Enters the next message.
    #[inline]
    pub(super) fn open_message(&mut self) -> Result<()> {
        self.start = self.at;
        if self.slot.cardinality != Cardinality::Value || !matches!(self.slot.form, Form::Message | Form::Group) {
            return Err(self.other("record"));
        }
        match self.slot.at {
            At::Wire(WireType::Len) => {
                let (begin, close) = self.content_at(self.at, self.end)?;
                self.at = begin;
                self.push(Frame::message(close, close))?;
                if !self.pieces.is_empty() {
                    self.take_pieces(close);
                }
                Ok(())
            }
            At::Wire(WireType::Begin) => {
                let (close, after) = self.group_at(self.at, self.number, self.end)?;
                self.push(Frame::message(close, after))?;
                if !self.pieces.is_empty() {
                    self.take_pieces(after);
                }
                Ok(())
            }
            At::Whole if self.last => self.push(Frame::message(self.bytes.len(), self.bytes.len())),
            At::Whole => Err(self.incomplete(self.bytes.len(), "a message")),
            // The absent value of a map entry: a message without fields.
            At::Zero => self.push(Frame::message(self.at, self.at)),
            _ => Err(self.other("record")),
        }
    }

    /// Records the pieces of the message that was just entered.
    #[cold]
    fn take_pieces(&mut self, after: usize) {
        let pieces = core::mem::take(&mut self.pieces);
        let Some(frame) = self.frames.last_mut() else { return };
        let (begin, close) = pieces[0];
        frame.rare = Some(Box::new(Rare { pieces, ..Rare::default() }));
        frame.end = close;
        frame.after = after;
        self.at = begin;
        self.end = close;
    }

    /// Continues with the next piece of the current message, if there is one.
    #[inline]
    pub(super) fn next_piece(&mut self) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let Some(rare) = &mut frame.rare else { return false };
        let Some(&(begin, close)) = rare.pieces.get(rare.piece as usize + 1) else { return false };
        rare.piece += 1;
        frame.end = close;
        self.at = begin;
        self.end = close;
        true
    }

    /// The index of the current piece of the message that contains the list or map.
    pub(super) fn outer_piece(&self) -> u32 {
        let outer = self.frames.len().checked_sub(2).map(|outer| &self.frames[outer]);
        outer.and_then(|frame| frame.rare.as_ref()).map_or(0, |rare| rare.piece)
    }
}
