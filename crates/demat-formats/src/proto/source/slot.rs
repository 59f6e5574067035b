use super::super::tag::WireType;
use crate::proto::layout::{Cardinality, Form, Wire};

/// What stands where the source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::proto) struct Slot {
    pub(super) at: At,
    pub(super) cardinality: Cardinality,
    pub(super) form: Form,
    pub(super) key: Form,
}

/// How it is delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::proto) enum At {
    /// It is the whole input: a message, or one behind the other with their lengths.
    Whole,
    /// It stands behind its tag, or in a packed run.
    Wire(WireType),
    /// It did not come, and so is zero.
    Zero,
    /// It is the number of a field that the record keeps without having it.
    Number,
    /// It is all that came under that number, tags and all.
    Rest,
}

impl Slot {
    pub(super) const WHOLE: Self =
        Self { at: At::Whole, cardinality: Cardinality::Value, form: Form::Message, key: Form::None };

    /// A single value.
    pub(super) const fn value(at: At, form: Form) -> Self {
        Self { at, cardinality: Cardinality::Value, form, key: Form::None }
    }

    /// What a field with this wire has.
    #[inline]
    pub(in crate::proto) const fn of(at: At, wire: Wire) -> Self {
        Self { at, cardinality: wire.cardinality, form: wire.form, key: wire.key }
    }

    /// As four bytes, for marks.
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

    /// The slot that was packed so; the whole where nothing ever was.
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
