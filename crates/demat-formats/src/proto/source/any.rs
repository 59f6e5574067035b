//! Values of shape `any`: `google.protobuf.Value`, with its `Struct` and `ListValue`.

use super::frame::{Entry, NO_VALUE, Rare, Run};
use super::slot::{At, Slot};
use super::{Frame, ProtoSource, Within};
use crate::proto::layout::{Cardinality, Form};
use crate::proto::tag::WireType;
use demat_core::{Kind, Result};

/// The field of a `google.protobuf.Value` that is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    number: u32,
    wire: WireType,
    /// The offset of its value.
    pub(super) at: usize,
    /// The end of the message, or of the piece of it that the field is in.
    pub(super) close: usize,
    /// Whether the field is a struct or a list in several pieces.
    many: bool,
}

/// From here on, binary64 does not represent all integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl ProtoSource<'_> {
    /// Returns the field of the next `google.protobuf.Value` that is set. If several are, the last one.
    pub(super) fn said(&self) -> Result<Option<Said>> {
        let mut said = None;
        if self.pieces.is_empty() {
            self.said_in(self.content_at(self.at, self.end)?, &mut said)?;
        }
        for piece in &self.pieces {
            self.said_in(*piece, &mut said)?;
        }
        Ok(said)
    }

    /// Looks for the field that is set in one piece of the message.
    fn said_in(&self, (begin, close): (usize, usize), said: &mut Option<Said>) -> Result<()> {
        let mut at = begin;
        while at < close {
            let (number, wire, next) = self.tag_at(at, close)?;
            let form = match number {
                1 => Form::Null,
                2 => Form::Double,
                3 => Form::Text,
                4 => Form::Bool,
                _ => Form::Message,
            };
            if number <= 6 {
                if wire != WireType::of_form(form) {
                    return Err(self.bad_wire(at, form, wire));
                }
                let many = said.is_some_and(|earlier| earlier.number == number && number >= 5);
                *said = Some(Said { number, wire, at: next, close, many });
            }
            at = self.pass(next, wire, number, close)?;
        }
        Ok(())
    }

    /// Returns the pieces of the struct or list that the next value holds: those behind the last other field.
    #[cold]
    fn contents(&self, held: u32) -> Result<Vec<(usize, usize)>> {
        let mut contents = Vec::new();
        let single = [self.content_at(self.at, self.end)?];
        for (begin, close) in if self.pieces.is_empty() { &single[..] } else { &self.pieces[..] } {
            let mut at = *begin;
            while at < *close {
                let (number, wire, next) = self.tag_at(at, *close)?;
                if number == held {
                    contents.push(self.content_at(next, *close)?);
                } else if number <= 6 {
                    contents.clear();
                }
                at = self.pass(next, wire, number, *close)?;
            }
        }
        Ok(contents)
    }

    /// As [`said`](Self::said), but fails if none is set.
    fn says(&mut self) -> Result<Said> {
        self.start = self.at;
        match self.slot.at {
            At::Wire(WireType::Len) => {
                match self.said()? {
                    Some(said) => Ok(said),
                    None => Err(demat_core::Error::expected("a value", "a message that says none")
                        .at(self.position_of(self.at))),
                }
            }
            _ => Err(self.other("any")),
        }
    }

    pub(super) fn any_kind(&mut self) -> Result<Kind> {
        // The absent value of a map entry.
        if self.slot.at == At::Zero {
            return Ok(Kind::Null);
        }
        let said = self.says()?;
        Ok(match said.number {
            1 => Kind::Null,
            2 if is_whole(self.double_at(said.at, said.close)?) => Kind::Int,
            2 => Kind::Float,
            3 => Kind::Text,
            4 => Kind::Bool,
            5 => Kind::Map,
            _ => Kind::List,
        })
    }

    /// Takes the next value if it is null. Returns whether it was.
    pub(super) fn read_null(&mut self) -> Result<bool> {
        if self.slot.at == At::Zero {
            return Ok(true);
        }
        if self.slot.form == Form::Null {
            self.start = self.at;
            let At::Wire(wire) = self.slot.at else { return Ok(false) };
            self.at = self.pass(self.at, wire, self.number, self.end)?;
            return Ok(true);
        }
        let said = self.says()?;
        if said.number == 1 {
            self.at = self.end_of_any()?;
        }
        Ok(said.number == 1)
    }

    /// Enters a `google.protobuf.Value` and makes its content the next value. Returns where the source continues after
    /// the message.
    pub(super) fn unwrap_any(&mut self) -> Result<usize> {
        let said = self.says()?;
        let form = match said.number {
            1 => Form::Null,
            2 => Form::Double,
            3 => Form::Text,
            4 => Form::Bool,
            _ => Form::Message,
        };
        let after = self.end_of_any()?;
        self.slot = Slot::value(At::Wire(said.wire), form);
        self.at = said.at;
        self.end = said.close;
        Ok(after)
    }

    /// Returns where the source continues after the next value, whose pieces are not needed any more.
    fn end_of_any(&mut self) -> Result<usize> {
        self.pieces.clear();
        Ok(self.content_at(self.at, self.end)?.1)
    }

    pub(super) fn open_any_list(&mut self) -> Result<Option<usize>> {
        let form = Form::Any;
        let run = Run { number: 1, form, tagged: false, packed: false, scattered: true };
        self.open_any(6, Within::List(run), "list")?;
        Ok(None)
    }

    pub(super) fn open_any_map(&mut self) -> Result<Option<usize>> {
        let form = Form::Any;
        let run = Run { number: 1, form, tagged: false, packed: false, scattered: true };
        let (begin, _) = self.open_any(5, Within::Stream, "map")?;
        let entry = Entry { key: Form::Text, start: begin, end: begin, value: NO_VALUE, many: false };
        if let Some(frame) = self.frames.last_mut() {
            frame.kind = Within::Map(run, entry);
        }
        Ok(None)
    }

    /// Enters the list or map in a value.
    fn open_any(&mut self, number: u32, kind: Within, name: &'static str) -> Result<(usize, usize)> {
        let said = self.says()?;
        if said.number != number {
            return Err(self.other(name));
        }
        let pieces = if said.many { self.contents(number)? } else { Vec::new() };
        let (begin, close) = match pieces.first() {
            Some(first) => *first,
            None => self.content_at(said.at, said.close)?,
        };
        let mut wrapped = Frame::new(Within::Wrapped, close, self.end_of_any()?);
        if !pieces.is_empty() {
            wrapped.rare = Some(Box::new(Rare { pieces, ..Rare::default() }));
        }
        self.at = begin;
        self.push(wrapped)?;
        self.push(Frame::new(kind, close, close))?;
        self.slot = Slot { at: At::Whole, cardinality: Cardinality::Value, form: Form::Any, key: Form::None };
        Ok((begin, close))
    }
}

/// Whether a number is read as an integer. All numbers in these values are binary64.
pub(super) fn is_whole(number: f64) -> bool {
    number.trunc().to_bits() == number.to_bits()
        && number.abs() <= EXACT
        && (number != 0.0 || number.is_sign_positive())
}
