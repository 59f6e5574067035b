use crate::proto::layout::{Cardinality, Form, Presence, Wire};
/// What is told next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) place: Place,
    pub(super) number: u32,
    pub(super) cardinality: Cardinality,
    pub(super) form: Form,
    pub(super) key: Form,
    pub(super) packed: bool,
    pub(super) presence: Presence,
    /// Whether a tag stands in front of it.
    pub(super) tagged: bool,
}

/// Where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Whole,
    Field,
    Item,
    /// All that came under a number, tags and all.
    Rest,
}

impl Slot {
    /// Whether a zero need not be written.
    #[inline(always)]
    pub(super) fn is_implicit(self) -> bool {
        self.presence == Presence::Implicit
    }

    /// Whether a reader takes an absent field for a default other than null or empty.
    #[inline(always)]
    pub(super) fn is_defaulted(self) -> bool {
        self.presence == Presence::Defaulted
    }

    /// All there is.
    pub(super) const WHOLE: Self = Self {
        place: Place::Whole,
        number: 0,
        cardinality: Cardinality::Value,
        form: Form::Message,
        key: Form::None,
        packed: false,
        presence: Presence::Explicit,
        tagged: false,
    };

    #[inline]
    pub(super) fn of_field(number: u32, wire: Wire) -> Self {
        Self {
            place: Place::Field,
            number,
            cardinality: wire.cardinality,
            form: wire.form,
            key: wire.key,
            packed: wire.packed,
            presence: wire.presence,
            tagged: true,
        }
    }

    /// A single value behind a tag.
    pub(super) const fn value(number: u32, form: Form) -> Self {
        Self { place: Place::Field, number, form, tagged: true, ..Self::WHOLE }
    }

    /// A message among many.
    pub(super) const ITEM: Self = Self { place: Place::Item, ..Self::WHOLE };

    /// One of several values, each behind a tag.
    pub(super) const fn item(number: u32, form: Form) -> Self {
        Self { place: Place::Item, ..Self::value(number, form) }
    }

    /// One of several values with no tags.
    pub(super) const fn bare(form: Form) -> Self {
        Self { place: Place::Item, form, ..Self::WHOLE }
    }
}
