//! The errors of the source.

use super::ProtoSource;
use super::slot::At;
use crate::proto::layout::{Cardinality, Form};
use crate::proto::tag::{HIGHEST, WireType};
use demat_core::{Error, ErrorKind, Signal, Source};

impl ProtoSource<'_> {
    /// Returns the error for a value of another kind than requested.
    #[cold]
    pub(super) fn other(&self, expected: &'static str) -> Error {
        Error::expected(expected, self.found()).at(self.position())
    }

    fn found(&self) -> &'static str {
        match (self.slot.at, self.slot.cardinality) {
            (At::Whole, _) => "a message",
            (At::Number, _) => "the number of a field",
            (At::Rest, _) => "what came under a number",
            (_, Cardinality::List) => "list",
            (_, Cardinality::Map) => "map",
            _ => match self.slot.form {
                Form::Bool => "bool",
                Form::Float | Form::Double => "float",
                Form::Enum => "enum",
                Form::Text | Form::Ipv4 | Form::Ip | Form::IpPort => "text",
                Form::Bytes => "bytes",
                Form::Timestamp => "instant",
                Form::Duration => "duration",
                Form::Message | Form::Group => "record",
                Form::Union => "union",
                Form::Any => "any",
                Form::Null => "null",
                Form::None => "what has no form in Protocol Buffers",
                _ => "int",
            },
        }
    }

    /// Returns the error for a value that extends beyond its container.
    #[cold]
    pub(super) fn cut_off(&self, at: usize, what: &'static str) -> Error {
        Error::expected(what, "the end of what it stands in").at(self.position_of(at))
    }

    /// Returns the error for a window that ends within a message. It is a syntax error only if the input ends there,
    /// too.
    #[cold]
    pub(super) fn incomplete(&self, at: usize, what: &'static str) -> Error {
        if self.last {
            Error::expected(what, "end of input").at(self.position_of(at))
        } else {
            Error::signalled(Signal::Incomplete)
        }
    }

    #[cold]
    pub(super) fn bad_varint(&self, at: usize) -> Error {
        let left = self.end.min(self.bytes.len()).saturating_sub(at);
        if left < crate::proto::varint::LONGEST {
            return self.cut_off(at, "a whole varint");
        }
        Error::expected("a varint of ten bytes at most", "more").at(self.position_of(at))
    }

    #[cold]
    pub(super) fn bad_tag(&self, at: usize, tag: u64, len: usize) -> Error {
        let found = match tag {
            0..8 => "field number 0".to_owned(),
            _ if WireType::of_tag(tag).is_none() => format!("wire type {}", tag & 7),
            _ if tag >> 3 <= HIGHEST => format!("one of {len} bytes"),
            _ => format!("field number {}", tag >> 3),
        };
        Error::expected("a tag", found).at(self.position_of(at))
    }

    /// Returns the error for a field with a wire type that its form does not have.
    #[cold]
    pub(super) fn bad_wire(&self, at: usize, form: Form, found: WireType) -> Error {
        let expected = WireType::of_form(form).name();
        Error::expected(expected, found.name()).at(self.position_of(at))
    }

    #[cold]
    pub(super) fn too_deep(&self) -> Error {
        Error::limit("the depth", self.options.depth).at(self.position())
    }

    /// Returns the error for reading without a shape: messages do not contain the types of their fields.
    #[cold]
    pub(super) fn shapeless(&self) -> Error {
        let message =
            "Protocol Buffers have no names and kinds of fields in them: a message can only be read as a type";
        Error::new(ErrorKind::Constraint, message).at(self.position())
    }

    #[cold]
    pub(super) fn formless(&self) -> Error {
        let message = "Protocol Buffers have no form for this: a list in a list, or a tuple of several kinds";
        Error::new(ErrorKind::Constraint, message).at(self.position())
    }

    pub(super) fn position_of(&self, at: usize) -> demat_core::Position {
        demat_core::Position { offset: Some(self.base.offset + at as u64), ..demat_core::Position::default() }
    }
}
