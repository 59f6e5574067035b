//! The names of fields and variants in the text format, compiled once per record or union.

use crate::proto::{Cardinality, Presence, Wire, is_null_if_absent, oneof};
use demat_core::{Field, Layout, Note, Record, Shape, Union, Variant};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The fields of a record.
#[derive(Debug)]
pub(super) struct Names {
    by_name: HashMap<Box<str>, Target>,
    pub(super) fields: Box<[Named]>,
    /// Whether some fields are members of a oneof without being a union.
    pub(super) has_members: bool,
    /// Whether it is `google.protobuf.Any`.
    pub(super) is_any: bool,
    /// The indices of fields that are read as zero or null if they are absent.
    pub(super) zeros: Box<[u32]>,
    reserved: HashSet<Box<str>>,
}

/// The field for a name, and the variant if the name is that of a oneof's variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) field: u32,
    pub(super) variant: Option<u32>,
}

/// A field or a variant.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) wire: Wire,
    /// Its name as it is written.
    pub(super) name: Arc<str>,
    /// Whether the name is an identifier, or one of an extension, so that it can be written.
    pub(super) is_valid: bool,
    /// Whether its enum is closed: numbers without a name are refused.
    pub(super) closed: bool,
    /// The number of the oneof that it is a member of.
    pub(super) member_of: Option<u32>,
}

/// The variants of a union.
#[derive(Debug)]
pub(super) struct Variants(pub(super) Box<[Named]>);

impl Named {
    fn new(key: &str, wire: Wire, notes: &[Note]) -> Self {
        let name = text_name(notes).unwrap_or(key);
        Self {
            wire,
            name: name.into(),
            is_valid: is_valid(name),
            closed: for_proto(notes).any(|note| note == "closed"),
            member_of: None,
        }
    }
}

fn for_proto(notes: &[Note]) -> impl Iterator<Item = &str> {
    notes.iter().filter(|(place, _)| place == "proto").map(|(_, note)| &**note)
}

/// The name of a field in the text format, where that is another one: a group has the name of its type.
fn text_name(notes: &[Note]) -> Option<&str> {
    for_proto(notes).find_map(|note| note.strip_prefix("text_name "))
}

/// Whether the text format has a form for the name.
fn is_valid(name: &str) -> bool {
    let part = |part: &str| {
        let mut bytes = part.bytes();
        bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(full) => full.split('.').all(part),
        None => part(name),
    }
}

/// Whether the text is an identifier.
pub(super) fn is_identifier(text: &str) -> bool {
    !text.starts_with('[') && is_valid(text)
}

impl Layout<Field> for Names {
    fn compile(fields: &[Field]) -> Self {
        let mut by_name = HashMap::new();
        let mut groups: Vec<&str> = Vec::new();
        let mut zeros = Vec::new();
        let mut reserved = HashSet::new();
        let mut all = Vec::with_capacity(fields.len());
        for (index, field) in fields.iter().enumerate() {
            let wire = Wire::of_field(field);
            let mut own = Named::new(field.key(), wire, field.notes());
            let target = Target { field: index as u32, variant: None };
            if wire.cardinality == Cardinality::Oneof {
                if let Shape::Union(union) = field.shape().inner() {
                    for (variant, part) in union.get().variants().iter().enumerate() {
                        let target = Target { variant: Some(variant as u32), ..target };
                        for name in [Some(part.name()), text_name(part.notes())].into_iter().flatten() {
                            by_name.entry(name.into()).or_insert(target);
                        }
                    }
                }
            } else {
                let aliases = field.aliases().iter().map(|alias| &**alias);
                for name in [field.key(), &*own.name].into_iter().chain(aliases) {
                    by_name.entry(name.into()).or_insert(target);
                }
                if let Some(group) = oneof(field) {
                    let number = groups.iter().position(|other| *other == group).unwrap_or(groups.len());
                    if number == groups.len() {
                        groups.push(group);
                    }
                    own.member_of = Some(number as u32);
                }
            }
            if wire.presence == Presence::Implicit && field.required() || is_null_if_absent(field, wire) {
                zeros.push(index as u32);
            }
            let names = field.notes_for("proto").filter_map(|note| note.strip_prefix("reserved "));
            reserved.extend(names.map(Box::from));
            all.push(own);
        }
        let is_any = fields.first().is_some_and(|field| field.notes_for("proto").any(|note| note == "json any"));
        Self { by_name, fields: all.into(), has_members: !groups.is_empty(), is_any, zeros: zeros.into(), reserved }
    }
}

impl Layout<Variant> for Variants {
    fn compile(variants: &[Variant]) -> Self {
        let named = |(index, variant): (usize, &Variant)| {
            // Variants without a name are called as in a `.proto` file of the shape.
            let name = if variant.name().is_empty() {
                Cow::Owned(format!("value_{}", index + 1))
            } else {
                variant.name().into()
            };
            Named::new(&name, Wire::of_variant(variant), variant.notes())
        };
        Self(variants.iter().enumerate().map(named).collect())
    }
}

impl Names {
    /// Returns what the record keeps.
    pub(super) fn of(record: &Record) -> &Arc<Self> {
        record.layout()
    }

    /// Returns the field or variant of a name. `expected` is a guess.
    pub(super) fn find(&self, name: &str, expected: usize) -> Option<Target> {
        if let Some(own) = self.fields.get(expected)
            && *own.name == *name
            && own.wire.cardinality != Cardinality::Oneof
        {
            return Some(Target { field: expected as u32, variant: None });
        }
        self.by_name.get(name).copied()
    }

    /// Whether a field had this name once. The values of such fields are skipped.
    pub(super) fn is_reserved(&self, name: &str) -> bool {
        self.reserved.contains(name)
    }
}

impl Variants {
    /// Returns what the union keeps.
    pub(super) fn of(union: &Union) -> &Arc<Self> {
        union.layout()
    }

    /// Returns the index of the variant with this name.
    pub(super) fn find(&self, union: &Union, name: &str) -> Option<usize> {
        let own = self.0.iter().position(|named| *named.name == *name);
        own.or_else(|| union.index_of(name))
    }
}
