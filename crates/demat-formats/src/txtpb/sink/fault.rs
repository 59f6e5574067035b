//! Errors for values that can't be encoded.

use super::TxtpbSink;
use super::slot::Place;
use crate::Drain;
use crate::proto::{Cardinality, Form};
use demat_core::{Error, ErrorKind};

impl<D: Drain> TxtpbSink<D> {
    /// Returns the error for a value of another kind than the field has.
    #[cold]
    pub(super) fn other(&self, found: &'static str) -> Error {
        let slot = &self.state.slot;
        let expected = match (slot.place, slot.cardinality) {
            (Place::Whole, _) => "a record, which is one message",
            (Place::Rest | Place::Part(1), _) => "bytes",
            (Place::Part(_), _) => "text",
            (_, Cardinality::List) => "list",
            (_, Cardinality::Map) => "map",
            (_, Cardinality::Oneof) => "union",
            _ => match slot.form {
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
                Form::Any => "any",
                Form::None => return formless(),
                _ => "int",
            },
        };
        Error::mismatch(ErrorKind::Encode, expected, found)
    }
}

/// Refuses a value that is written as an absent field, because a reader would read the default.
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

/// Refuses a null in a list or map.
#[cold]
pub(super) fn null_item() -> Error {
    Error::new(ErrorKind::Encode, "Protocol Buffers have no null within a list or map")
}

/// The name of an int's form.
pub(super) fn int_name(form: Form) -> &'static str {
    match form {
        Form::Int32 | Form::Sint32 | Form::Sfixed32 | Form::Enum => "int32",
        Form::Uint32 | Form::Fixed32 => "uint32",
        Form::Uint64 | Form::Fixed64 => "uint64",
        Form::Any | Form::Double | Form::Float => "a whole number that a float has exactly",
        _ => "int64",
    }
}
