use super::super::tag::WireType;
use crate::proto::layout::{Cardinality, Form, Wire};

/// The properties of the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::proto) struct Slot {
    pub(super) at: At,
    pub(super) cardinality: Cardinality,
    pub(super) form: Form,
    pub(super) key: Form,
}

/// How the value is delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::proto) enum At {
    /// It is the whole input: a message, or a stream of length-prefixed messages.
    Whole,
    /// It follows its tag, or is in a packed run.
    Wire(WireType),
    /// It is absent, and so is zero.
    Zero,
    /// It is the number of an unknown field that the record keeps.
    Number,
    /// It is all fields with that number, with their tags.
    Rest,
}

impl Slot {
    pub(super) const WHOLE: Self =
        Self { at: At::Whole, cardinality: Cardinality::Value, form: Form::Message, key: Form::None };

    /// Returns the slot of a single value.
    pub(super) const fn value(at: At, form: Form) -> Self {
        Self { at, cardinality: Cardinality::Value, form, key: Form::None }
    }

    /// Returns the slot of a field with this encoding.
    #[inline]
    pub(in crate::proto) const fn of(at: At, wire: Wire) -> Self {
        Self { at, cardinality: wire.cardinality, form: wire.form, key: wire.key }
    }

    /// Packs the slot into four bytes, for marks.
    pub(super) fn packed(self) -> u32 {
        let at = match self.at {
            At::Wire(wire) => wire as u8,
            At::Whole => 8,
            At::Zero => 9,
            At::Number => 10,
            At::Rest => 11,
        };
        u32::from_le_bytes([at, self.cardinality as u8, self.form as u8, self.key as u8])
    }

    /// Unpacks a slot. Returns that of the whole input for a mark without one.
    pub(super) fn unpacked(packed: u32) -> Self {
        let [at, cardinality, form, key] = packed.to_le_bytes();
        let at = match at {
            8 => At::Whole,
            9 => At::Zero,
            10 => At::Number,
            11 => At::Rest,
            wire => WireType::of_tag(u64::from(wire)).map_or(At::Whole, At::Wire),
        };
        let cardinality = [Cardinality::Value, Cardinality::List, Cardinality::Map, Cardinality::Oneof]
            .into_iter()
            .find(|own| *own as u8 == cardinality);
        let named = |byte: u8| Form::ALL.get(usize::from(byte)).copied().unwrap_or(Form::None);
        Self { at, cardinality: cardinality.unwrap_or(Cardinality::Value), form: named(form), key: named(key) }
    }
}
