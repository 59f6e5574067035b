use super::number::{self, Block};
use crate::proto::layout::{Cardinality, Form, Presence, Wire};
use crate::proto::tag::WireType;

/// The properties of the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::proto) struct Slot {
    /// The tag as bytes, lowest first, and their number: zero if no tag precedes the value.
    pub(super) tag: u64,
    pub(super) tag_len: u8,
    pub(super) place: Place,
    pub(super) cardinality: Cardinality,
    pub(super) form: Form,
    pub(super) key: Form,
    pub(super) packed: bool,
    pub(super) presence: Presence,
    /// Whether it is a member of a oneof of any kind. Null is then one that is not set: written as a null, it would be
    /// set, in place of another member.
    pub(in crate::proto) is_member: bool,
}

/// The position of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::proto) enum Place {
    Whole,
    Field,
    Item,
    /// The raw fields of an unknown number, with their tags.
    Rest,
}

impl Slot {
    /// Whether a zero is left out.
    #[inline(always)]
    pub(super) fn is_implicit(self) -> bool {
        self.presence == Presence::Implicit
    }

    /// Whether a reader takes an absent field for a default other than null or empty.
    #[inline(always)]
    pub(super) fn is_defaulted(self) -> bool {
        self.presence == Presence::Defaulted
    }

    /// The slot of the whole output.
    pub(super) const WHOLE: Self = Self {
        tag: 0,
        tag_len: 0,
        place: Place::Whole,
        cardinality: Cardinality::Value,
        form: Form::Message,
        key: Form::None,
        packed: false,
        presence: Presence::Explicit,
        is_member: false,
    };

    /// Returns the slot of a field or variant with this number.
    #[inline(always)]
    pub(in crate::proto) fn of_field(number: u32, wire: Wire) -> Self {
        // Packed lists and map entries are length-prefixed, whatever the form of their content.
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
            is_member: false,
        }
    }

    /// Returns the slot of a single value with a tag.
    #[inline]
    pub(super) fn value(number: u32, form: Form) -> Self {
        let (tag, tag_len) = tag(number, WireType::of_form(form));
        Self { tag, tag_len, place: Place::Field, form, ..Self::WHOLE }
    }

    /// Returns a slot with the same tag and another form.
    #[inline]
    pub(super) fn with_form(self, form: Form) -> Self {
        Self { tag: self.tag, tag_len: self.tag_len, place: Place::Field, form, ..Self::WHOLE }
    }

    /// Returns the slot of an item of this list, whose items have its tag.
    #[inline]
    pub(super) fn as_item(self) -> Self {
        Self { place: Place::Item, ..self.with_form(self.form) }
    }

    /// Returns the slot for the end tag of the group that this one begins.
    #[inline]
    pub(super) fn end_of_group(self) -> Self {
        // The wire type is in the lowest bits. That of the end is the next higher one.
        const { assert!(WireType::End as u8 == WireType::Begin as u8 + 1) };
        Self { tag: self.tag + 1, ..self }
    }

    /// The tag of the value.
    #[inline(always)]
    pub(super) fn tag(self) -> Block {
        // At most five bytes. The mask tells the compiler so, and makes the shift that uses it a plain one.
        (u128::from(self.tag), usize::from(self.tag_len & 7))
    }

    /// The slot of a message in a stream.
    pub(super) const ITEM: Self = Self { place: Place::Item, ..Self::WHOLE };

    /// Returns the slot of a list item with a tag.
    #[inline]
    pub(super) fn item(number: u32, form: Form) -> Self {
        Self { place: Place::Item, ..Self::value(number, form) }
    }

    /// Returns the slot of a list item without a tag.
    pub(super) const fn bare(form: Form) -> Self {
        Self { place: Place::Item, form, ..Self::WHOLE }
    }
}

/// Returns a tag as bytes, lowest first, and their number.
#[inline(always)]
fn tag(number: u32, wire: WireType) -> (u64, u8) {
    let (tag, len) = number::tag(number, wire);
    (tag as u64, len as u8)
}
