//! The messages of `google.protobuf` with a special form.

use demat_core::Record;
use demat_formats::proto::{Form, Wire};

/// Returns the note for a message with a special JSON form.
pub(crate) fn well_known(full: &str) -> Option<&'static str> {
    Some(match full.strip_prefix("google.protobuf.")? {
        "Timestamp" => "timestamp",
        "Duration" => "duration",
        "FieldMask" => "field_mask",
        "Any" => "any",
        "Struct" => "struct",
        "ListValue" => "list",
        "Value" => "value",
        "DoubleValue" | "FloatValue" | "Int64Value" | "UInt64Value" | "Int32Value" | "UInt32Value" | "BoolValue"
        | "StringValue" | "BytesValue" => "wrapper",
        _ => return None,
    })
}

/// Returns the name behind `google.protobuf.` of the message that a record represents, and the file that defines it.
pub(crate) fn name_of(record: &Record) -> Option<(&'static str, &'static str)> {
    let [first, ..] = record.fields() else { return None };
    let note = first.notes_for("proto").find_map(|note| note.strip_prefix("json "))?;
    Some(match note {
        "timestamp" => ("Timestamp", "timestamp"),
        "duration" => ("Duration", "duration"),
        "field_mask" => ("FieldMask", "field_mask"),
        "any" => ("Any", "any"),
        "struct" => ("Struct", "struct"),
        "list" => ("ListValue", "struct"),
        "value" => ("Value", "struct"),
        "wrapper" => {
            let name = match Wire::of_field(first).form {
                Form::Double => "DoubleValue",
                Form::Float => "FloatValue",
                Form::Int64 => "Int64Value",
                Form::Uint64 => "UInt64Value",
                Form::Int32 => "Int32Value",
                Form::Uint32 => "UInt32Value",
                Form::Bool => "BoolValue",
                Form::Text => "StringValue",
                Form::Bytes => "BytesValue",
                _ => return None,
            };
            (name, "wrappers")
        }
        _ => return None,
    })
}
