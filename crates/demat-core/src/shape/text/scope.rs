//! The types that a name can refer to while a text is parsed.

use super::draft::tags;
use crate::{Enum, Record, RecordRef, Ref, Shape, UnionRef};
use std::collections::HashMap;

/// A type that has a name.
#[derive(Debug, Clone)]
pub(super) enum Named {
    Record(RecordRef),
    Union(UnionRef),
    Enum(Ref<Enum>),
}

impl Named {
    pub(super) fn shape(self) -> Shape {
        match self {
            Self::Record(record) => Shape::Record(record),
            Self::Union(union) => Shape::Union(union),
            Self::Enum(names) => Shape::Enum(names),
        }
    }
}

#[derive(Debug)]
struct Open {
    name: String,
    /// The link to the type that is being parsed.
    link: Named,
    /// Tags that this type must have, because unions within it have it as a variant: the field, the variant's name, and
    /// the offset of the requirement in the text.
    demands: Vec<(String, String, usize)>,
}

#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The enclosing types, outermost first; at most as many as brackets nest.
    open: Vec<Open>,
    /// The types defined before.
    closed: HashMap<String, Named>,
}

impl Scope {
    pub(super) fn open(&mut self, name: &str, link: Named) {
        self.open.push(Open { name: name.to_string(), link, demands: Vec::new() });
    }

    /// Leaves the innermost type. Returns the offset of a requirement for a tag that this record does not have.
    pub(super) fn close(&mut self, record: Option<&Record>) -> Option<usize> {
        let open = self.open.pop()?;
        let unmet = |(tag, variant, _): &&(String, String, usize)| !record.is_some_and(|r| tags(r, tag, variant));
        open.demands.iter().find(unmet).map(|demand| demand.2)
    }

    /// Registers a parsed type, so that later names can refer to it.
    pub(super) fn define(&mut self, name: &str, named: Named) {
        if !name.is_empty() {
            self.closed.insert(name.to_string(), named);
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<Named> {
        let open = self.open.iter().rev().find(|open| open.name == name).map(|open| &open.link);
        open.or_else(|| self.closed.get(name)).cloned()
    }

    /// Requires the open record with this name to have a tag once it is complete.
    pub(super) fn demand(&mut self, name: &str, tag: &str, variant: &str, at: usize) {
        if let Some(open) = self.open.iter_mut().rev().find(|open| open.name == name) {
            open.demands.push((tag.to_string(), variant.to_string(), at));
        }
    }
}
