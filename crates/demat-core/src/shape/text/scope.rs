//! The types that a name can mean while a text is read.

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
    /// The link to what is being read.
    link: Named,
    /// Unions within have it as a variant, and so it must have these tags: their fields, the variants' names, and
    /// where in the text that is asked.
    demands: Vec<(String, String, usize)>,
}

#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Around this place, outermost first; no more than brackets nest.
    open: Vec<Open>,
    /// Before this place.
    closed: HashMap<String, Named>,
}

impl Scope {
    pub(super) fn open(&mut self, name: &str, link: Named) {
        self.open.push(Open { name: name.to_string(), link, demands: Vec::new() });
    }

    /// Leaves the innermost type; a byte of the text where a tag was demanded that this record does not have.
    pub(super) fn close(&mut self, record: Option<&Record>) -> Option<usize> {
        let open = self.open.pop()?;
        let unmet = |(tag, variant, _): &&(String, String, usize)| !record.is_some_and(|r| tags(r, tag, variant));
        open.demands.iter().find(unmet).map(|demand| demand.2)
    }

    /// What was read can be named from here on.
    pub(super) fn define(&mut self, name: &str, named: Named) {
        if !name.is_empty() {
            self.closed.insert(name.to_string(), named);
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<Named> {
        let open = self.open.iter().rev().find(|open| open.name == name).map(|open| &open.link);
        open.or_else(|| self.closed.get(name)).cloned()
    }

    /// Demands of the open record of this name that it has a tag, once it has all its fields.
    pub(super) fn demand(&mut self, name: &str, tag: &str, variant: &str, at: usize) {
        if let Some(open) = self.open.iter_mut().rev().find(|open| open.name == name) {
            open.demands.push((tag.to_string(), variant.to_string(), at));
        }
    }
}
