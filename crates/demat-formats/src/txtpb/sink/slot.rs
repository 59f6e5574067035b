//! What the sink knows about the next value, and its open containers.

use crate::proto::{Cardinality, Form, Presence};
use crate::txtpb::layout::Named;
use std::sync::Arc;

/// The name of a field.
#[derive(Debug, Clone)]
pub(super) enum Name {
    Fixed(&'static str),
    Shared(Arc<str>),
}

impl Name {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Fixed(name) => name,
            Self::Shared(name) => name,
        }
    }
}

/// The place of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Whole,
    Field,
    Item,
    /// A field of a `google.protobuf.Any`: its URL, then its content.
    Part(usize),
    /// The raw fields of an unknown number.
    Rest,
}

/// The next value.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) name: Name,
    /// Whether the name can be written.
    pub(super) is_valid: bool,
    pub(super) place: Place,
    pub(super) cardinality: Cardinality,
    pub(super) form: Form,
    pub(super) key: Form,
    pub(super) presence: Presence,
    /// Whether it is a member of a oneof of any kind: null is then one that is not set.
    pub(super) is_member: bool,
}

impl Slot {
    /// The slot of the whole output.
    pub(super) const WHOLE: Self = Self {
        name: Name::Fixed(""),
        is_valid: true,
        place: Place::Whole,
        cardinality: Cardinality::Value,
        form: Form::Message,
        key: Form::None,
        presence: Presence::Explicit,
        is_member: false,
    };

    /// Returns the slot of a field or a variant.
    pub(super) fn of(named: &Named) -> Self {
        Self {
            name: Name::Shared(Arc::clone(&named.name)),
            is_valid: named.is_valid,
            place: Place::Field,
            cardinality: named.wire.cardinality,
            form: named.wire.form,
            key: named.wire.key,
            presence: named.wire.presence,
            is_member: named.wire.form == Form::Any && named.member_of.is_some(),
        }
    }

    /// Returns the slot of an item of a list, or of a part of a map's entry.
    pub(super) fn item(name: Name, form: Form) -> Self {
        Self { name, place: Place::Item, form, ..Self::WHOLE }
    }

    /// Whether a zero is left out.
    pub(super) fn is_implicit(&self) -> bool {
        self.presence == Presence::Implicit
    }

    /// Whether it is a single value.
    pub(super) fn is_single(&self) -> bool {
        self.cardinality == Cardinality::Value && matches!(self.place, Place::Field | Place::Item)
    }
}

/// An open container.
#[derive(Debug, Clone)]
pub(super) enum Frame {
    /// What has no brackets of its own: the whole, or a variant.
    Bare,
    /// A message in brackets.
    Message,
    /// A list, or a map, of these values. `is_empty`: whether nothing was written yet.
    List {
        slot: Slot,
        is_empty: bool,
    },
    Map {
        slot: Slot,
        is_empty: bool,
    },
    /// A list or a map within a `google.protobuf.Value`. `in_entry`: whether an entry is open.
    AnyList,
    AnyMap {
        in_entry: bool,
    },
    /// A `google.protobuf.Any`, whose parts are kept until it ends.
    Any(Box<Parts>),
}

/// The parts of a `google.protobuf.Any`.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub(super) slot: Slot,
    pub(super) url: String,
    pub(super) bytes: Vec<u8>,
}
