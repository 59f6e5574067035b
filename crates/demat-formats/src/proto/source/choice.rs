//! Unions: a member of the record's own fields (`oneof`), or a message that has one field.

use super::frame::Rare;
use super::slot::{At, Slot};
use super::{Frame, ProtoSource, Within};
use crate::proto::layout::{Cardinality, Form, UnionLayout, Wire};
use crate::proto::tag::WireType;
use demat_core::{Result, Shape, Union};

/// Marks a variant that is one of the record's fields: after it, the source continues at its current position.
const ONEOF: usize = usize::MAX;

/// A variant that was found in a message.
struct Found {
    index: usize,
    wire: WireType,
    /// The offsets of its tag and its value.
    tag: usize,
    at: usize,
    /// The end of the piece of the message that it is in, and the offset to continue at afterwards.
    end: usize,
    after: usize,
    /// The pieces of the variant, if it is a message in several pieces.
    pieces: Vec<(usize, usize)>,
}

impl ProtoSource<'_> {
    /// Finds the variant of the next union, and moves to its content.
    pub(super) fn choose_variant(&mut self, union: &Union) -> Result<usize> {
        self.start = self.at;
        match (self.slot.at, self.slot.cardinality) {
            (At::Wire(wire), Cardinality::Oneof) => {
                let Some(index) = with_number(union, self.number) else {
                    return Err(self.no_variant(union.names(), format!("field number {}", self.number)));
                };
                // The variant is one of the record's fields, so leaving it leaves nothing else.
                self.push(Frame::new(Within::Choice, self.end, ONEOF))?;
                self.keep_pieces();
                self.stand_at(union, index, wire, self.at, self.end)?;
                Ok(index)
            }
            (At::Whole | At::Wire(WireType::Len), _) if self.holds_choice() => {
                let Found { index, wire, tag, at, end, after, pieces } = self.find_variant(union)?;
                self.push(Frame::new(Within::Choice, end, after))?;
                self.pieces = pieces;
                self.keep_pieces();
                self.tag = tag;
                self.number = union.variants()[index].number();
                self.stand_at(union, index, wire, at, end)?;
                Ok(index)
            }
            (At::Wire(_) | At::Zero, Cardinality::Value) if self.slot.form == Form::Enum => self.choose_open(union),
            _ => Err(self.other("union")),
        }
    }

    /// Keeps the pieces of a variant, for a reset to its start.
    fn keep_pieces(&mut self) {
        if !self.pieces.is_empty()
            && let Some(frame) = self.frames.last_mut()
        {
            let pieces = self.pieces.clone();
            frame.rare = Some(Box::new(Rare { pieces, ..Rare::default() }));
        }
    }

    /// Chooses the variant of an open enum: whether the number has a name.
    fn choose_open(&mut self, union: &Union) -> Result<usize> {
        let at = self.at;
        let number = self.read_i64()?;
        self.at = at;
        let named = union.variants().iter().position(|variant| match variant.shape() {
            Shape::Enum(names) => names.index_of_number(number).is_some(),
            _ => false,
        });
        let bare = || union.variants().iter().position(|variant| matches!(variant.shape(), Shape::Int(_)));
        let index = named.or_else(bare);
        index.ok_or_else(|| self.no_variant(union.names(), format!("the number {number}")))
    }

    /// Whether the next message can be that of a union. The top of the input can, though no field says so.
    fn holds_choice(&self) -> bool {
        match self.slot.form {
            Form::Union => true,
            Form::Message => self.slot.at == At::Whole || self.within() == Some(Within::Stream),
            _ => false,
        }
    }

    /// Finds the last variant in the message.
    fn find_variant(&mut self, union: &Union) -> Result<Found> {
        let (begin, close) = match self.slot.at {
            At::Whole if !self.last => return Err(self.incomplete(self.bytes.len(), "a message")),
            At::Whole => (self.at, self.end),
            _ => self.content_at(self.at, self.end)?,
        };
        let pieces = if self.pieces.is_empty() { vec![(begin, close)] } else { self.pieces.clone() };
        let layout = UnionLayout::of(union);
        let mut found: Option<Found> = None;
        for (mut at, end) in pieces {
            while at < end {
                let (number, wire, next) = self.tag_at(at, end)?;
                let passed = self.pass(next, wire, number, end)?;
                if let Some(index) = with_number(union, number) {
                    match &mut found {
                        // Of a list, the first tag counts. Several pieces of a message are merged.
                        Some(first) if first.index == index && is_many(layout.wire(index)) => {}
                        Some(first)
                            if first.index == index && first.wire == wire && layout.wire(index).form.is_message() =>
                        {
                            first.pieces.push(self.piece_at(next, wire, number, end)?);
                        }
                        _ => {
                            if let Some(overruled) = &found {
                                self.check_overruled(union, overruled)?;
                            }
                            let pieces = Vec::new();
                            found = Some(Found { index, wire, tag: at, at: next, end, after: close, pieces });
                        }
                    }
                }
                at = passed;
            }
        }
        if let Some(found) = &mut found
            && !found.pieces.is_empty()
        {
            let number = union.variants()[found.index].number();
            found.pieces.insert(0, self.piece_at(found.at, found.wire, number, found.end)?);
        }
        found.ok_or_else(|| self.no_variant(union.names(), "a message that has none of them"))
    }

    /// Checks a variant that a later one overrides, as [`pass_overruled`](Self::pass_overruled) does.
    #[cold]
    fn check_overruled(&self, union: &Union, found: &Found) -> Result<()> {
        let variant = &union.variants()[found.index];
        let part = (UnionLayout::of(union).wire(found.index), variant.shape());
        self.pass_overruled(found.at, found.wire, variant.number(), found.end, part)?;
        // Further pieces of the message, whose ranges exclude the tag.
        for (begin, close) in &found.pieces {
            self.check_piece(*begin, *close, variant.shape())?;
        }
        Ok(())
    }

    /// Makes the content of a variant the next value.
    fn stand_at(&mut self, union: &Union, index: usize, wire: WireType, at: usize, end: usize) -> Result<()> {
        let (variant, own) = (&union.variants()[index], UnionLayout::of(union).wire(index));
        if own.form == Form::None {
            return Err(self.formless());
        }
        let fits =
            wire == WireType::of_form(own.form) || (own.cardinality != Cardinality::Value && wire == WireType::Len);
        if !fits {
            return Err(self.bad_wire(self.start, own.form, wire).within_field(variant.name().to_owned()));
        }
        self.slot = Slot::of(At::Wire(wire), own);
        self.at = at;
        if variant.is_empty() {
            // The only value to read is null.
            self.at = self.pass(at, wire, variant.number(), end)?;
            self.slot = Slot::value(At::Zero, Form::Null);
        }
        Ok(())
    }

    /// Leaves the variant.
    pub(super) fn leave_variant(&mut self) {
        if self.within() == Some(Within::Choice) {
            let at = self.at;
            let oneof = self.frames.last().is_some_and(|frame| frame.after == ONEOF);
            self.pop();
            if oneof {
                self.at = at;
            }
        }
    }
}

fn with_number(union: &Union, number: u32) -> Option<usize> {
    union.variants().iter().position(|variant| variant.number() == number)
}

fn is_many(own: Wire) -> bool {
    matches!(own.cardinality, Cardinality::List | Cardinality::Map)
}
