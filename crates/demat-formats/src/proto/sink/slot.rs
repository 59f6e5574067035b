use super::number::{self, Block};
use crate::proto::layout::{Cardinality, Form, Presence, Wire};
use crate::proto::tag::WireType;

/// What is told next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::proto) struct Slot {
    /// The tag in front of it as bytes, least first, and how many there are: none where no tag stands there.
    pub(super) tag: u64,
    pub(super) tag_len: u8,
    pub(super) place: Place,
    pub(super) cardinality: Cardinality,
    pub(super) form: Form,
    pub(super) key: Form,
    pub(super) packed: bool,
    pub(super) presence: Presence,
}

/// Where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::proto) enum Place {
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
        tag: 0,
        tag_len: 0,
        place: Place::Whole,
        cardinality: Cardinality::Value,
        form: Form::Message,
        key: Form::None,
        packed: false,
        presence: Presence::Explicit,
    };

    /// Returns the slot of a field or variant with this number.
    #[inline(always)]
    pub(in crate::proto) fn of_field(number: u32, wire: Wire) -> Self {
        // A packed list and an entry of a map have a length, whatever form is in them.
        let is_run = wire.packed || wire.cardinality == Cardinality::Map;
        let (tag, tag_len) = tag(number, if is_run { WireType::Len } else { WireType::of_form(wire.form) });
        Self {
            tag,
            tag_len,
            place: Place::Field,
            cardinality: wire.cardinality,
            form: wire.form,
            key: wire.key,
            packed: wire.packed,
            presence: wire.presence,
        }
    }

    /// A single value behind a tag.
    #[inline]
    pub(super) fn value(number: u32, form: Form) -> Self {
        let (tag, tag_len) = tag(number, WireType::of_form(form));
        Self { tag, tag_len, place: Place::Field, form, ..Self::WHOLE }
    }

    /// The same behind the tag of this one.
    #[inline]
    pub(super) fn with_form(self, form: Form) -> Self {
        Self { tag: self.tag, tag_len: self.tag_len, place: Place::Field, form, ..Self::WHOLE }
    }

    /// One of the items of this list, which each have its tag.
    #[inline]
    pub(super) fn as_item(self) -> Self {
        Self { place: Place::Item, ..self.with_form(self.form) }
    }

    /// The tag that ends the group which this begins.
    #[inline]
    pub(super) fn end_of_group(self) -> Self {
        // The wire type is in the lowest bits, and the next one.
        const { assert!(WireType::End as u8 == WireType::Begin as u8 + 1) };
        Self { tag: self.tag + 1, ..self }
    }

    /// The tag in front of it.
    #[inline(always)]
    pub(super) fn tag(self) -> Block {
        // It has five bytes at most; that compilers know it makes the shift behind it a plain one.
        (u128::from(self.tag), usize::from(self.tag_len & 7))
    }

    /// A message among many.
    pub(super) const ITEM: Self = Self { place: Place::Item, ..Self::WHOLE };

    /// One of several values, each behind a tag.
    #[inline]
    pub(super) fn item(number: u32, form: Form) -> Self {
        Self { place: Place::Item, ..Self::value(number, form) }
    }

    /// One of several values with no tags.
    pub(super) const fn bare(form: Form) -> Self {
        Self { place: Place::Item, form, ..Self::WHOLE }
    }
}

/// A tag as bytes, least first, and how many there are.
#[inline(always)]
fn tag(number: u32, wire: WireType) -> (u64, u8) {
    let (tag, len) = number::tag(number, wire);
    (tag as u64, len as u8)
}
