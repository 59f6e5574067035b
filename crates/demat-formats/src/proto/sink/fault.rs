//! Errors for values that can't be encoded.

use super::slot::Place;
use super::{Drain, ProtoSink};
use crate::proto::layout::{Cardinality, Form};
use demat_core::scalar::Int;
use demat_core::{Error, ErrorKind};

impl<D: Drain> ProtoSink<D> {
    /// Returns the error for a value of another kind than the field has.
    #[cold]
    pub(super) fn other(&self, told: &'static str) -> Error {
        let expected = match (self.slot.place, self.slot.cardinality) {
            (Place::Whole, _) => "a record, or a list of them",
            (Place::Rest, _) => "bytes",
            (_, Cardinality::List) => "list",
            (_, Cardinality::Map) => "map",
            (_, Cardinality::Oneof) => "union",
            _ => match self.slot.form {
                Form::Bool => "bool",
                Form::Float | Form::Double => "float",
                Form::Text | Form::Ipv4 | Form::Ip | Form::IpPort => "text",
                Form::Bytes => "bytes",
                Form::Enum => "enum",
                Form::Timestamp => "instant",
                Form::Duration => "duration",
                Form::Message | Form::Group => "a record",
                Form::Union => "union",
                Form::Null => "null",
                Form::None => return formless(),
                Form::Any => "any",
                _ => "int",
            },
        };
        Error::mismatch(ErrorKind::Encode, expected, told)
    }

    #[cold]
    pub(super) fn too_large(&self, value: &Int<'_>) -> Error {
        let expected = match self.slot.form {
            Form::Uint64 | Form::Fixed64 => "uint64",
            form => int_name(form),
        };
        Error::mismatch(ErrorKind::Encode, expected, value.to_string())
    }
}

/// Returns the name of an integer form in errors.
pub(super) fn int_name(form: Form) -> &'static str {
    match form {
        Form::Int32 | Form::Sint32 | Form::Sfixed32 | Form::Enum => "int32",
        Form::Uint32 | Form::Fixed32 => "uint32",
        Form::Uint64 | Form::Fixed64 => "uint64",
        Form::Any | Form::Double | Form::Float => "a whole number that a float has exactly",
        _ => "int64",
    }
}

/// Refuses a value that is encoded as an absent field, because a reader would read the default.
#[cold]
pub(super) fn absent(found: &'static str) -> Error {
    let message = "Protocol Buffers write this as nothing, which a reader takes for the field's default";
    Error::new(ErrorKind::Encode, format!("{found}: {message}"))
}

#[cold]
pub(super) fn formless() -> Error {
    let message = "Protocol Buffers have no form for this: a list in a list, or a tuple of several kinds";
    Error::new(ErrorKind::Encode, message)
}
