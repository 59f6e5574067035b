//! The mapping of a record's fields to parts of an element, compiled once per record type.

use super::name::{self, NAME, TEXT};
use crate::proto::{Presence, Wire};
use demat_core::{Field, Layout, Record, Shape, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// The part of an element that a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Each value is a child element.
    #[default]
    Element,
    /// An attribute.
    Attribute,
    /// The text of the element.
    Text,
    /// The texts and elements in the element, in their order.
    Mixed,
    /// The elements in the element, in their order, whatever their names are.
    Choice,
    /// The name of the element.
    Name,
}

/// A field's note for the place `xml`.
///
/// ```
/// use demat_formats::xml::{FieldNote, Role};
/// let note: FieldNote = "attribute, namespace http://www.w3.org/1999/xlink".parse()?;
/// assert_eq!(note.role, Some(Role::Attribute));
/// assert_eq!(note.namespace.as_deref(), Some("http://www.w3.org/1999/xlink"));
/// let error = "wrap".parse::<FieldNote>().unwrap_err();
/// assert!(error.starts_with("`wrap` is not a note for XML"));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldNote {
    /// The part of the element, if the note names one.
    pub role: Option<Role>,
    /// The name of each item, where the items of a list stand in one element.
    pub wrapped: Option<Box<str>>,
    /// The namespace of its name.
    pub namespace: Option<Box<str>>,
}

impl core::str::FromStr for FieldNote {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut note = Self::default();
        let mut rest = text;
        while !rest.is_empty() {
            // A namespace may hold commas, so it comes last.
            if let Some(namespace) = rest.trim_start().strip_prefix("namespace ") {
                note.namespace = Some(namespace.trim().into());
                break;
            }
            let (part, after) = rest.split_once(',').unwrap_or((rest, ""));
            let mut words = part.split_whitespace();
            let role = match (words.next(), words.next(), words.next()) {
                (Some("element"), None, _) => Some(Role::Element),
                (Some("attribute"), None, _) => Some(Role::Attribute),
                (Some("text"), None, _) => Some(Role::Text),
                (Some("mixed"), None, _) => Some(Role::Mixed),
                (Some("choice"), None, _) => Some(Role::Choice),
                (Some("name"), None, _) => Some(Role::Name),
                (Some("wrapped"), item, None) => {
                    note.wrapped = Some(item.unwrap_or("item").into());
                    None
                }
                _ => {
                    return Err(format!(
                        "`{}` is not a note for XML; the notes are element, attribute, text, mixed, choice, \
                         name, wrapped, wrapped with the name of an item, and (last) namespace with a URI",
                        part.trim()
                    ));
                }
            };
            note.role = role.or(note.role);
            rest = after;
        }
        match (&note.wrapped, note.role) {
            (Some(_), Some(Role::Attribute | Role::Text | Role::Mixed | Role::Choice | Role::Name)) => {
                Err("`wrapped` is for lists in an element".to_owned())
            }
            _ => Ok(note),
        }
    }
}

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
        let mut note = FieldNote::default();
        for one in field.notes_for("xml") {
            if let Ok(one) = one.parse::<FieldNote>() {
                note = FieldNote {
                    role: one.role.or(note.role),
                    wrapped: one.wrapped.or(note.wrapped),
                    namespace: one.namespace.or(note.namespace),
                };
            }
        }
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
    /// A name that two fields have, which is an error.
    pub(super) twice: Option<Box<str>>,
}

impl Layout<Field> for RecordLayout {
    fn compile(fields: &[Field]) -> Self {
        let fields: Vec<_> = fields.iter().map(FieldLayout::new).collect();
        let (mut elements, mut attributes, mut spaced) = (HashMap::new(), HashMap::new(), Vec::new());
        let mut twice = None;
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
                    twice = Some(name.clone());
                }
            }
        }
        let with = |role| fields.iter().position(|field: &FieldLayout| field.role == role);
        let (text, mixed, name) =
            (with(Role::Text), with(Role::Mixed).or_else(|| with(Role::Choice)), with(Role::Name));
        Self { fields, elements, attributes, spaced, text, mixed, name, twice }
    }
}

impl RecordLayout {
    pub(super) fn of(record: &Record) -> Arc<Self> {
        record.layout::<Self>().clone()
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
