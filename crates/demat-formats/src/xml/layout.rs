//! The mapping of a record's fields to parts of an element, compiled once per record type.

use super::name::{self, NAME, TEXT};
use super::notes::VOCABULARY;
use super::{FieldNote, Role};
use crate::proto::{Presence, Wire};
use demat_core::{Error, ErrorKind, Field, Layout, Record, Result, Shape, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// The part of an element that a field is, and the names by which readers find it.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a property of its own
pub(super) struct FieldLayout {
    pub(super) role: Role,
    /// The name that is written, then the other names that are read.
    pub(super) names: Vec<Box<str>>,
    pub(super) namespace: Option<Box<str>>,
    pub(super) wrapped: Option<Box<str>>,
    /// Whether its name has neither a namespace nor a prefix.
    pub(super) is_plain: bool,
    /// The value of the field if the element lacks it.
    pub(super) absent: Absent,
    /// Whether an empty list is left out, since a missing field is read as one.
    pub(super) empty_is_absent: bool,
    /// Whether a null is left out, since a missing field is read as one.
    pub(super) null_is_absent: bool,
    /// Whether any text is a value of the field.
    pub(super) takes_text: bool,
    /// Whether the field may be a list or something else.
    pub(super) may_be_list: bool,
}

/// The value of a field that the element lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absent {
    /// Missing.
    Missing,
    /// An empty list.
    List,
    /// Null.
    Null,
    /// Empty text.
    Text,
}

impl FieldLayout {
    fn new(field: &Field) -> Self {
        let note = FieldNote::of_field(field);
        let key = field.key();
        let role = note.role.unwrap_or_else(|| match key {
            TEXT => Role::Text,
            NAME => Role::Name,
            _ if key.starts_with('@') => Role::Attribute,
            _ => Role::Element,
        });
        let bare = |name: &str| {
            let name = if role == Role::Attribute { name.strip_prefix('@').unwrap_or(name) } else { name };
            name::encode(name, |_| true).into_owned().into_boxed_str()
        };
        let names: Vec<_> =
            core::iter::once(key).chain(field.aliases().iter().map(|alias| &**alias)).map(bare).collect();
        let (shape, inner) = (field.shape(), field.shape().inner());
        let is_list = matches!(inner, Shape::List(_) | Shape::Tuple(_)) && !shape.allows_null();
        let takes_text = matches!(inner, Shape::Text | Shape::Bytes | Shape::Any | Shape::Enum(_) | Shape::Union(_));
        let absent = match role {
            Role::Name | Role::Mixed | Role::Choice => Absent::Missing,
            _ if !field.required() => Absent::Missing,
            _ if is_list => Absent::List,
            _ if shape.allows_null() => Absent::Null,
            Role::Text if takes_text => Absent::Text,
            _ => Absent::Missing,
        };
        // Hosts describe defaults for Protocol Buffers, which leaves out the same values.
        let presence = field.overridden::<Wire>().map(|wire| wire.presence);
        let (empty_by_default, null_by_default) = match (field.default(), presence) {
            (Some(Value::List(items)), _) => (items.is_empty(), false),
            (Some(default), _) => (false, *default == Value::Null),
            (None, Some(presence)) => (presence == Presence::Implicit, presence == Presence::Explicit),
            (None, None) => (false, true),
        };
        let is_plain = note.namespace.is_none() && names.first().is_some_and(|name| !name.contains(':'));
        Self {
            role,
            names,
            is_plain,
            namespace: note.namespace,
            wrapped: note.wrapped,
            absent,
            empty_is_absent: absent == Absent::List || (is_list && !field.required() && empty_by_default),
            null_is_absent: absent == Absent::Null || (shape.allows_null() && !field.required() && null_by_default),
            takes_text,
            may_be_list: matches!(inner, Shape::Union(_)),
        }
    }

    /// The name that is written.
    pub(super) fn name(&self) -> &str {
        self.names.first().map_or("", |name| name)
    }

    /// Whether an element or attribute is the field: compares the whole name, or the namespace and the local name.
    pub(super) fn is_named(&self, name: &str, namespace: Option<&str>) -> bool {
        match &self.namespace {
            None => self.names.iter().any(|own| **own == *name),
            Some(own) => namespace == Some(&**own) && self.names.iter().any(|own| local(own) == local(name)),
        }
    }

    /// Whether elements with different names may be the field.
    pub(super) fn has_names(&self) -> bool {
        self.namespace.is_some() || self.names.len() > 1
    }
}

/// A name without its prefix.
pub(super) fn local(name: &str) -> &str {
    name.rfind(':').map_or(name, |colon| &name[colon + 1..])
}

/// The mapping of a record's fields.
#[derive(Debug)]
pub(super) struct RecordLayout {
    pub(super) fields: Vec<FieldLayout>,
    /// The fields without a namespace, by name.
    elements: HashMap<Box<str>, usize>,
    attributes: HashMap<Box<str>, usize>,
    /// The fields with a namespace.
    spaced: Vec<usize>,
    pub(super) text: Option<usize>,
    /// The field of all texts and elements, or of all elements.
    pub(super) mixed: Option<usize>,
    pub(super) name: Option<usize>,
    /// Why the record can't be an element: the field, if it is one, and the reason.
    fault: Option<(Option<Box<str>>, String)>,
}

impl Layout<Field> for RecordLayout {
    fn compile(given: &[Field]) -> Self {
        let fields: Vec<_> = given.iter().map(FieldLayout::new).collect();
        let (mut elements, mut attributes, mut spaced) = (HashMap::new(), HashMap::new(), Vec::new());
        let mut fault = given.iter().find_map(wrong_note);
        for (index, field) in fields.iter().enumerate() {
            let table = match field.role {
                Role::Element => &mut elements,
                Role::Attribute => &mut attributes,
                _ => continue,
            };
            if field.namespace.is_some() {
                spaced.push(index);
                continue;
            }
            for name in &field.names {
                if *table.entry(name.clone()).or_insert(index) != index {
                    fault.get_or_insert_with(|| (None, format!("two fields have the name `{name}` in XML")));
                }
            }
        }
        let with = |role| fields.iter().position(|field: &FieldLayout| field.role == role);
        let (text, mixed, name) =
            (with(Role::Text), with(Role::Mixed).or_else(|| with(Role::Choice)), with(Role::Name));
        let of_all = |field: &&FieldLayout| matches!(field.role, Role::Mixed | Role::Choice);
        for (count, what) in [
            (fields.iter().filter(|field| field.role == Role::Text).count(), "the text"),
            (fields.iter().filter(|field| field.role == Role::Name).count(), "the name"),
            (fields.iter().filter(of_all).count(), "all parts"),
        ] {
            if count > 1 {
                fault.get_or_insert_with(|| (None, format!("{count} fields are {what} of one element in XML")));
            }
        }
        Self { fields, elements, attributes, spaced, text, mixed, name, fault }
    }
}

/// Returns a field with wrong notes and the reason.
fn wrong_note(field: &Field) -> Option<(Option<Box<str>>, String)> {
    let notes: Vec<&str> = field.notes_for(VOCABULARY.place).collect();
    let refusal = VOCABULARY.refusal_for(&notes, field.shape())?;
    Some((Some(field.name().into()), refusal.to_string()))
}

impl RecordLayout {
    /// Returns the layout that the record keeps.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if two fields are the same part, or the notes of one are wrong.
    pub(super) fn of(record: &Record) -> Result<Arc<Self>> {
        let layout = record.layout::<Self>();
        if layout.fault.is_some() { Err(layout.refused()) } else { Ok(layout.clone()) }
    }

    #[cold]
    fn refused(&self) -> Error {
        let (field, reason) = self.fault.clone().unwrap_or_default();
        let error = Error::new(ErrorKind::Constraint, reason);
        match field {
            Some(field) => error.within_field(field.into_string()),
            None => error,
        }
    }

    /// Whether an element or attribute of this name, in any namespace, is the field.
    pub(super) fn is(&self, field: usize, role: Role, name: &[u8]) -> bool {
        let field = self.fields.get(field);
        field.is_some_and(|own| own.role == role && own.namespace.is_none() && own.name().as_bytes() == name)
    }

    /// Returns the field for an element or attribute.
    pub(super) fn find(&self, role: Role, name: &str, namespace: Option<&str>) -> Option<usize> {
        if namespace.is_some() {
            let own = |index: &&usize| {
                let field = &self.fields[**index];
                field.role == role && field.is_named(name, namespace)
            };
            if let Some(index) = self.spaced.iter().find(own) {
                return Some(*index);
            }
        }
        let table = if role == Role::Attribute { &self.attributes } else { &self.elements };
        table.get(name).copied()
    }
}
