//! Values of shape `any`: `google.protobuf.Value`, with its `Struct` and `ListValue`.

use super::frame::{Entry, NO_VALUE, Run};
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
    /// The end of the message.
    pub(super) close: usize,
}

/// From here on, binary64 does not represent all integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl ProtoSource<'_> {
    /// Returns the field of the next `google.protobuf.Value` that is set. If several are, the last one.
    pub(super) fn said(&self) -> Result<Option<Said>> {
        let (begin, close) = self.content_at(self.at, self.end)?;
        let (mut at, mut said) = (begin, None);
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
                said = Some(Said { number, wire, at: next, close });
            }
            at = self.pass(next, wire, number, close)?;
        }
        Ok(said)
    }

    /// As [`said`](Self::said), but fails if none is set.
    fn says(&mut self) -> Result<Said> {
        self.start = self.at;
        self.pieces.clear();
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
            self.at = said.close;
        }
        Ok(said.number == 1)
    }

    /// Enters a `google.protobuf.Value` and makes its content the next value. Returns the end of the message.
    pub(super) fn unwrap_any(&mut self) -> Result<usize> {
        let said = self.says()?;
        let form = match said.number {
            1 => Form::Null,
            2 => Form::Double,
            3 => Form::Text,
            4 => Form::Bool,
            _ => Form::Message,
        };
        self.slot = Slot::value(At::Wire(said.wire), form);
        self.at = said.at;
        Ok(said.close)
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
        let entry = Entry { key: Form::Text, start: begin, end: begin, value: NO_VALUE };
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
        let (begin, close) = self.content_at(said.at, said.close)?;
        self.at = begin;
        self.push(Frame::new(Within::Wrapped, close, said.close))?;
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
