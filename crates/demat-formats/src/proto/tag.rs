//! Tags: the number of a field, and its wire type.

use crate::proto::layout::Form;
/// The wire type: how a value is delimited, so that a decoder can skip an unknown field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WireType {
    Varint = 0,
    Eight = 1,
    Len = 2,
    Begin = 3,
    End = 4,
    Four = 5,
}

impl WireType {
    /// Returns the wire type of a tag; `None` for the two undefined ones.
    #[inline]
    pub(super) fn of_tag(tag: u64) -> Option<Self> {
        Some(match tag & 7 {
            0 => Self::Varint,
            1 => Self::Eight,
            2 => Self::Len,
            3 => Self::Begin,
            4 => Self::End,
            5 => Self::Four,
            _ => return None,
        })
    }

    /// Returns the wire type for values of a form.
    #[inline]
    pub(super) fn of_form(form: Form) -> Self {
        match form {
            Form::Bool
            | Form::Int32
            | Form::Int64
            | Form::Uint32
            | Form::Uint64
            | Form::Sint32
            | Form::Sint64
            | Form::Enum
            | Form::Null => Self::Varint,
            Form::Fixed32 | Form::Sfixed32 | Form::Float | Form::Ipv4 => Self::Four,
            Form::Fixed64 | Form::Sfixed64 | Form::Double => Self::Eight,
            Form::Group => Self::Begin,
            Form::Text
            | Form::Bytes
            | Form::Timestamp
            | Form::Duration
            | Form::Message
            | Form::Union
            | Form::Any
            | Form::Ip
            | Form::IpPort
            | Form::None => Self::Len,
        }
    }

    /// The name of the wire type in errors.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Varint => "a varint",
            Self::Eight => "eight bytes",
            Self::Len => "bytes with a length",
            Self::Begin => "the begin of a group",
            Self::End => "the end of a group",
            Self::Four => "four bytes",
        }
    }
}

/// Returns the tag of a field.
#[inline]
pub(super) fn tag(number: u32, wire: WireType) -> u64 {
    u64::from(number) << 3 | wire as u64
}

/// The highest field number.
pub(super) const HIGHEST: u64 = (1 << 29) - 1;

/// The maximum length of a tag in bytes.
pub(super) const LONGEST: usize = 5;
