//! The fields of a record that is still being parsed.

use crate::{Enum, Field, Note, Record, Ref, Result, Shape, Unknown, Value};
use std::borrow::Cow;

/// A parsed field. Its number may depend on the fields before it.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) key: Option<String>,
    pub(super) aliases: Vec<Cow<'static, str>>,
    pub(super) number: Option<u32>,
    pub(super) required: Option<bool>,
    pub(super) shape: Shape,
    pub(super) default: Option<Value>,
    pub(super) notes: Vec<Note>,
}

impl Draft {
    fn field(self, index: usize) -> Field {
        let mut field = Field::new(self.name, self.number.unwrap_or(index as u32 + 1), self.shape);
        if let Some(key) = self.key {
            field = field.with_key(key);
        }
        if !self.aliases.is_empty() {
            field = field.with_aliases(self.aliases);
        }
        if let Some(default) = self.default {
            field = field.with_default(default);
        }
        for (place, note) in self.notes {
            field = field.with_note(place, note);
        }
        match self.required {
            Some(required) => field.with_required(required),
            None => field,
        }
    }
}

/// The parsed fields of a record, and the treatment of unknown ones.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    pub(super) fields: Vec<Draft>,
    pub(super) forbid: bool,
    pub(super) keep: Option<usize>,
}

impl Drafts {
    /// Inserts the tag of a union at the front, unless a field with this key was written.
    pub(super) fn add_tag(&mut self, tag: &str, variant: &str) {
        if self.fields.iter().any(|field| field.key.as_ref().unwrap_or(&field.name) == tag) {
            return;
        }
        let draft = Draft {
            name: tag.to_string(),
            key: None,
            aliases: Vec::new(),
            number: None,
            required: None,
            shape: tag_shape(variant),
            default: None,
            notes: Vec::new(),
        };
        self.fields.insert(0, draft);
        self.keep = self.keep.map(|index| index + 1);
    }

    pub(super) fn record(self, name: &str) -> Result<Record> {
        let fields = self.fields.into_iter().enumerate().map(|(index, draft)| draft.field(index)).collect();
        let unknown = match self.keep {
            Some(index) => Unknown::Keep(index),
            None if self.forbid => Unknown::Forbid,
            None => Unknown::Ignore,
        };
        Ok(Record::new(name.to_string(), fields)?.with_unknown(unknown))
    }
}

/// Returns an enum with one name.
pub(super) fn tag_shape(variant: &str) -> Shape {
    Shape::Enum(Ref::new(Enum::new("", vec![(Cow::Owned(variant.to_string()), 0)])))
}

/// Whether the record has a field with this key that tags it as this variant.
pub(super) fn tags(record: &Record, tag: &str, variant: &str) -> bool {
    let is_tag = |shape: &Shape| matches!(shape, Shape::Enum(names) if names.len() == 1 && names.name_at(0) == variant);
    record.fields().iter().any(|field| field.key() == tag && is_tag(field.shape()))
}
