//! Describes messages as lossless shapes. They distinguish absent from zero fields, keep unknown enum numbers and
//! unknown fields, and treat every message as a record, including Google's own. Copies that must follow the
//! specification exactly use them, such as canonical JSON; they are not meant for people to read.

use crate::describe::{form, is_packable, text_name};
use crate::editions::Overrides;
use crate::fault::refused;
use crate::names::{TypeNames, push_name, push_type};
use crate::well_known::well_known;
use core::fmt::Write;
use demat_core::{Result, json_name};
use prost_reflect::{
    Cardinality, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor, OneofDescriptor,
};
use std::collections::HashSet;

/// No field has such a number: these are for unions whose variants are numbered like fields.
const NO_NUMBER: u32 = 1 << 29;

/// The field for unknown fields.
const UNKNOWN: &str = "...\"(unknown)\"@4294967295:map(text, bytes)";

/// Describes a message and everything that it refers to.
pub(crate) struct Exact<'d> {
    out: String,
    written: HashSet<String>,
    names: TypeNames,
    overrides: &'d Overrides,
}

/// The common properties of a field and an extension.
#[allow(clippy::struct_excessive_bools)] // the flags of a field are independent
struct Member {
    name: String,
    json_name: String,
    number: u32,
    kind: Kind,
    list: bool,
    map: bool,
    required: bool,
    presence: bool,
    packed: bool,
    group: bool,
    /// The name in the text format, if it is another one.
    text_name: Option<String>,
}

impl Member {
    fn of(field: &FieldDescriptor, overrides: &Overrides) -> Self {
        Self {
            name: field.name().to_owned(),
            json_name: field.json_name().to_owned(),
            number: field.number(),
            kind: field.kind(),
            list: field.is_list(),
            map: field.is_map(),
            required: field.cardinality() == Cardinality::Required,
            presence: overrides.has_presence(field),
            packed: field.is_packed(),
            group: field.is_group(),
            text_name: text_name(field),
        }
    }

    /// Both names of an extension are its full name in brackets, as in JSON.
    fn of_extension(field: &ExtensionDescriptor) -> Self {
        let name = format!("[{}]", field.full_name());
        Self {
            json_name: name.clone(),
            name,
            number: field.number(),
            kind: field.kind(),
            list: field.is_list(),
            map: false,
            required: false,
            presence: true,
            packed: field.is_packed(),
            group: field.is_group(),
            text_name: None,
        }
    }
}

impl<'d> Exact<'d> {
    pub(crate) fn new(overrides: &'d Overrides) -> Self {
        Self { out: String::new(), written: HashSet::new(), names: TypeNames::default(), overrides }
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
        if !self.written.insert(full.clone()) {
            return Ok(());
        }
        self.out.push('{');
        let mut note = well_known(&full);
        let mut oneofs = HashSet::new();
        for field in message.fields() {
            match field.containing_oneof().filter(|oneof| !oneof.is_synthetic()) {
                Some(oneof) if !oneofs.insert(oneof.full_name().to_owned()) => continue,
                Some(oneof) => self.oneof(&oneof, NO_NUMBER + oneofs.len() as u32)?,
                None => self.field(&Member::of(&field, self.overrides))?,
            }
            if let Some(note) = note.take() {
                let _ = write!(self.out, " #proto:\"json {note}\"");
            }
            self.out.push_str(", ");
        }
        for extension in message.extensions() {
            self.field(&Member::of_extension(&extension))?;
            self.out.push_str(", ");
        }
        self.out.push_str(UNKNOWN);
        for name in message.reserved_names() {
            self.out.push_str(" #proto:");
            push_name(&mut self.out, &format!("reserved {name}"));
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
            let member = Member::of(&field, self.overrides);
            push_name(&mut self.out, &member.name);
            let _ = write!(self.out, "@{}: ", member.number);
            self.kind(&member.kind)?;
            self.notes(&member, &[]);
        }
        self.out.push_str(")? #proto:oneof");
        Ok(())
    }

    fn field(&mut self, member: &Member) -> Result<()> {
        push_name(&mut self.out, &member.name);
        let _ = write!(self.out, "@{}:", member.number);
        if member.map {
            let Kind::Message(entry) = &member.kind else { return Err(refused("a map without entries")) };
            let (key, value) = (entry.map_entry_key_field().kind(), entry.map_entry_value_field().kind());
            self.out.push_str("map(");
            self.kind(&key)?;
            self.out.push_str(", ");
            self.kind(&value)?;
            self.out.push_str(")?");
            let key = form(&key).map(|form| format!("key {form}"));
            let notes: Vec<&str> = key.as_deref().into_iter().chain(form(&value)).collect();
            let member = Member { kind: value, group: false, ..Member::plain(member) };
            self.notes(&member, &notes);
        } else if member.list {
            self.out.push('[');
            self.kind(&member.kind)?;
            self.out.push_str("]?");
            let expanded = is_packable(&member.kind) && !member.packed;
            self.notes(member, if expanded { &["expanded"] } else { &[] });
        } else {
            self.kind(&member.kind)?;
            if member.required {
                self.notes(member, &["required"]);
            } else {
                self.out.push('?');
                self.notes(member, if member.presence { &[] } else { &["implicit"] });
            }
        }
        Ok(())
    }

    /// Writes the notes with what the shape alone does not express.
    fn notes(&mut self, member: &Member, others: &[&str]) {
        let mut notes: Vec<String> = others.iter().map(|&note| note.to_owned()).collect();
        if !member.map {
            notes.extend(form(&member.kind).map(str::to_owned));
        }
        if member.group {
            notes.push("group".to_owned());
        }
        notes.extend(member.text_name.as_ref().map(|name| format!("text_name {name}")));
        if let Kind::Enum(names) = &member.kind
            && !self.overrides.is_open(names)
        {
            notes.push("closed".to_owned());
        }
        if member.json_name != json_name(&member.name) {
            notes.push(format!("json_name {}", member.json_name));
        }
        for note in notes {
            self.out.push_str(" #proto:");
            push_name(&mut self.out, &note);
        }
    }

    /// Writes the shape of a single value.
    fn kind(&mut self, kind: &Kind) -> Result<()> {
        let name = match kind {
            Kind::Double => "float",
            Kind::Float => "float32",
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => "int32",
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => "int64",
            Kind::Uint32 | Kind::Fixed32 => "uint32",
            Kind::Uint64 | Kind::Fixed64 => "uint64",
            Kind::Bool => "bool",
            Kind::String => "text",
            Kind::Bytes => "bytes",
            Kind::Message(message) => return self.record(message),
            Kind::Enum(names) => {
                self.choices(names);
                return Ok(());
            }
        };
        self.out.push_str(name);
        Ok(())
    }

    /// Writes all names of an enum, and allows any other number: a closed enum keeps unknown numbers, too.
    fn choices(&mut self, names: &EnumDescriptor) {
        let full = names.full_name().to_owned();
        let name = self.names.name(&full);
        self.out.push('(');
        if self.written.insert(full) {
            self.out.push_str("enum ");
            push_type(&mut self.out, &name);
            self.out.push('(');
            for (index, value) in names.enum_descriptor_proto().value.iter().enumerate() {
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
        self.out.push_str(" | int32)");
    }
}

impl Member {
    /// Returns the member for the values of a map.
    fn plain(member: &Self) -> Self {
        Self {
            name: member.name.clone(),
            json_name: member.json_name.clone(),
            number: member.number,
            kind: Kind::Bool,
            list: false,
            map: true,
            required: false,
            presence: true,
            packed: false,
            group: false,
            text_name: None,
        }
    }
}
