//! Describes messages in the text form of shapes, which expresses recursion by names; its parser makes the links.

use crate::editions::Overrides;
use crate::fault::refused;
use crate::names::{TypeNames, push_name, push_quoted, push_type};
use crate::well_known::well_known;
use core::fmt::Write;
use demat_core::{Result, json_name};
use prost_reflect::{Cardinality, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor, OneofDescriptor, Value};
use std::collections::HashSet;

/// No field has such a number: these are for unions whose variants are numbered like fields.
const NO_NUMBER: u32 = 1 << 29;

/// Describes a message and everything that it refers to.
pub(crate) struct Describing<'d> {
    out: String,
    /// The full names of types that were written or are being written.
    written: HashSet<String>,
    names: TypeNames,
    overrides: &'d Overrides,
    /// Whether the fields of a oneof are individual fields.
    apart: bool,
}

impl<'d> Describing<'d> {
    pub(crate) fn new(overrides: &'d Overrides) -> Self {
        Self { out: String::new(), written: HashSet::new(), names: TypeNames::default(), overrides, apart: false }
    }

    /// Returns a description with individual fields for those of a oneof.
    pub(crate) fn apart(overrides: &'d Overrides) -> Self {
        Self { apart: true, ..Self::new(overrides) }
    }

    /// Returns the text of a message's shape.
    pub(crate) fn message(mut self, message: &MessageDescriptor) -> Result<String> {
        self.record(message)?;
        Ok(self.out)
    }

    fn record(&mut self, message: &MessageDescriptor) -> Result<()> {
        let full = message.full_name().to_owned();
        let name = self.names.name(&full);
        push_type(&mut self.out, &name);
        let mut note = well_known(&full);
        if !self.written.insert(full) {
            return Ok(());
        }
        self.out.push('{');
        let mut oneofs = HashSet::new();
        let (mut index, mut unions) = (0, 0);
        for field in message.fields() {
            let oneof = containing(&field).filter(|_| !self.apart);
            if let Some(oneof) = &oneof
                && !oneofs.insert(oneof.full_name().to_owned())
            {
                continue;
            }
            if index > 0 {
                self.out.push_str(", ");
            }
            index += 1;
            if message.reserved_names().any(|reserved| reserved == field.name()) {
                return Err(refused(format!("the name `{}` is reserved in `{}`", field.name(), message.full_name())));
            }
            match oneof {
                Some(oneof) => {
                    self.oneof(&oneof, NO_NUMBER + unions)?;
                    unions += 1;
                }
                None => self.field(&field, index)?,
            }
            if let Some(note) = note.take() {
                let _ = write!(self.out, " #proto:\"json {note}\"");
            }
        }
        self.out.push('}');
        Ok(())
    }

    fn oneof(&mut self, oneof: &OneofDescriptor, number: u32) -> Result<()> {
        push_name(&mut self.out, oneof.name());
        let _ = write!(self.out, "@{number}:union(");
        for (index, field) in oneof.fields().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            push_name(&mut self.out, field.name());
            let _ = write!(self.out, "@{}: ", field.number());
            self.kind(&field)?;
            let group = field.is_group().then_some("group");
            for note in form(&field.kind()).into_iter().chain(group) {
                let _ = write!(self.out, " #proto:{note}");
            }
            if let Some(name) = text_name(&field) {
                let _ = write!(self.out, " #proto:\"text_name {name}\"");
            }
        }
        self.out.push_str(")? #proto:oneof");
        Ok(())
    }

    fn field(&mut self, field: &FieldDescriptor, position: u32) -> Result<()> {
        push_name(&mut self.out, field.name());
        if field.number() != position {
            let _ = write!(self.out, "@{}", field.number());
        }
        self.out.push(':');
        let mut notes = Vec::new();
        if field.is_map() {
            let Kind::Message(entry) = field.kind() else { return Err(refused("a map without entries")) };
            let (key, value) = (entry.map_entry_key_field(), entry.map_entry_value_field());
            self.out.push_str("map(");
            self.kind(&key)?;
            self.out.push_str(", ");
            self.kind(&value)?;
            self.out.push(')');
            notes.extend(form(&key.kind()).map(|form| format!("key {form}")));
            notes.extend(form(&value.kind()).map(str::to_owned));
        } else if field.is_list() {
            self.out.push('[');
            self.kind(field)?;
            self.out.push(']');
            notes.extend(form(&field.kind()).map(str::to_owned));
            if is_packable(&field.kind()) && !field.is_packed() {
                notes.push("expanded".to_owned());
            }
        } else {
            self.kind(field)?;
            if field.cardinality() == Cardinality::Required {
                notes.push("required".to_owned());
            } else if let Some(default) = self.told_default(field) {
                self.default(&default, field)?;
            } else if self.overrides.has_presence(field) && !is_any(field) {
                self.out.push('?');
            }
            notes.extend(form(&field.kind()).map(str::to_owned));
        }
        if field.is_group() {
            notes.push("group".to_owned());
        }
        notes.extend(text_name(field).map(|name| format!("text_name {name}")));
        if let Some(oneof) = containing(field).filter(|_| self.apart) {
            notes.push(format!("in {}", oneof.name()));
        }
        if field.json_name() != json_name(field.name()) {
            notes.push(format!("json_name {}", field.json_name()));
        }
        for note in notes {
            self.out.push_str(" #proto:");
            push_name(&mut self.out, &note);
        }
        Ok(())
    }

    /// Returns the default of an absent field.
    ///
    /// `None` if an absent field is null instead: members of a oneof, which would otherwise count as set, and fields
    /// with a default of zero. So an explicit zero and a set member survive a round trip.
    fn told_default(&self, field: &FieldDescriptor) -> Option<Value> {
        field.field_descriptor_proto().default_value.as_ref()?;
        let default = field.default_value();
        let zero = match field.kind() {
            Kind::Enum(names) => default == Value::EnumNumber(names.default_value().number()),
            // `-0.0` equals zero, but is a different value.
            _ => default.is_default(&field.kind()) && !is_negative_zero(&default),
        };
        let zero = zero && self.overrides.has_presence(field);
        (!zero && containing(field).is_none()).then_some(default)
    }

    /// Writes a default after its shape.
    fn default(&mut self, default: &Value, field: &FieldDescriptor) -> Result<()> {
        let mut literal = String::new();
        match default {
            Value::Bool(value) => literal.push_str(if *value { "true" } else { "false" }),
            Value::I32(value) => literal.push_str(&value.to_string()),
            Value::I64(value) => literal.push_str(&value.to_string()),
            Value::U32(value) => literal.push_str(&value.to_string()),
            Value::U64(value) => literal.push_str(&value.to_string()),
            Value::F32(value) if value.is_finite() => literal = format!("{value:?}"),
            Value::F64(value) if value.is_finite() => literal = format!("{value:?}"),
            Value::String(value) => push_quoted(&mut literal, value),
            Value::Bytes(value) => {
                let mut text = String::new();
                demat_core::scalar::base64::encode(value, &mut text);
                push_quoted(&mut literal, &text);
            }
            Value::EnumNumber(number) => {
                let Kind::Enum(kind) = field.kind() else { return Err(refused("a number for no enum")) };
                let name = kind.get_value(*number).map(|value| value.name().to_owned());
                push_quoted(&mut literal, &name.unwrap_or_default());
            }
            Value::F32(value) => literal = format!("float \"{value:?}\""),
            Value::F64(value) => literal = format!("float \"{value:?}\""),
            _ => return Err(refused("a default of a value that is no scalar")),
        }
        self.out.push_str(" = ");
        self.out.push_str(&literal);
        Ok(())
    }

    /// Writes the shape of a single value.
    fn kind(&mut self, field: &FieldDescriptor) -> Result<()> {
        let name = match field.kind() {
            Kind::Double => "float",
            Kind::Float => "float32",
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => "int32",
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => "int64",
            Kind::Uint32 | Kind::Fixed32 => "uint32",
            Kind::Uint64 | Kind::Fixed64 => "uint64",
            Kind::Bool => "bool",
            Kind::String => "text",
            Kind::Bytes => "bytes",
            Kind::Message(message) => match message.full_name() {
                "google.protobuf.Timestamp" => "instant",
                "google.protobuf.Duration" => "duration",
                "google.protobuf.Value" => "any",
                _ => return self.record(&message),
            },
            Kind::Enum(names) => {
                self.choices(&names);
                return Ok(());
            }
        };
        self.out.push_str(name);
        Ok(())
    }

    /// Writes the names of an enum. An open one also allows all other numbers.
    fn choices(&mut self, names: &EnumDescriptor) {
        let open = self.overrides.is_open(names);
        let full = names.full_name().to_owned();
        let name = self.names.name(&full);
        if open {
            self.out.push('(');
        }
        if self.written.insert(full) {
            self.out.push_str("enum ");
            push_type(&mut self.out, &name);
            self.out.push('(');
            let mut numbers = HashSet::new();
            // Of several names for a number, the first one is used for writing.
            let values = &names.enum_descriptor_proto().value;
            for (index, value) in values.iter().filter(|value| numbers.insert(value.number())).enumerate() {
                if index > 0 {
                    self.out.push_str(", ");
                }
                push_name(&mut self.out, value.name());
                let _ = write!(self.out, " = {}", value.number());
            }
            self.out.push(')');
        } else {
            push_type(&mut self.out, &name);
        }
        if open {
            self.out.push_str(" | int32)");
        }
    }
}

/// Returns the oneof of a field, except a synthetic one for an optional field.
fn containing(field: &FieldDescriptor) -> Option<OneofDescriptor> {
    field.containing_oneof().filter(|oneof| !oneof.is_synthetic())
}

fn is_negative_zero(value: &Value) -> bool {
    match value {
        Value::F32(value) => *value == 0.0 && value.is_sign_negative(),
        Value::F64(value) => *value == 0.0 && value.is_sign_negative(),
        _ => false,
    }
}

/// Returns the note for a kind that has the same shape as another kind.
pub(crate) fn form(kind: &Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Sint32 => "sint32",
        Kind::Sint64 => "sint64",
        Kind::Fixed32 => "fixed32",
        Kind::Fixed64 => "fixed64",
        Kind::Sfixed32 => "sfixed32",
        Kind::Sfixed64 => "sfixed64",
        _ => return None,
    })
}

/// Whether it is a `google.protobuf.Value`, which represents null itself.
fn is_any(field: &FieldDescriptor) -> bool {
    matches!(field.kind(), Kind::Message(message) if message.full_name() == "google.protobuf.Value")
}

/// Returns the name of a field in the text format, if it is not its own: a group that is defined with its field has the
/// name of its message. The field of an edition is such a group if the names and the scopes are those of one.
pub(crate) fn text_name(field: &FieldDescriptor) -> Option<String> {
    let Kind::Message(message) = field.kind() else { return None };
    let alike = field.is_group()
        && message.name().to_lowercase() == field.name()
        && message.parent_file() == field.parent_message().parent_file()
        && message.parent_message().as_ref() == Some(field.parent_message());
    (alike && message.name() != field.name()).then(|| message.name().to_owned())
}

/// Whether lists of a kind can be packed.
pub(crate) fn is_packable(kind: &Kind) -> bool {
    !matches!(kind, Kind::String | Kind::Bytes | Kind::Message(_))
}
