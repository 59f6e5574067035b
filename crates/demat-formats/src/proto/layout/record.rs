use super::{Cardinality, Form, Presence, Wire, oneof};
use crate::proto::sink::slot as sink;
use crate::proto::source::slot::{self as source, At};
use crate::proto::tag::{WireType, tag};
use demat_core::{Field, Layout, Record};
use std::sync::Arc;

/// How the fields of a record are encoded.
///
/// ```
/// use demat_core::Shape;
/// use demat_formats::proto::{Form, RecordLayout};
/// let Shape::Record(task) = "id:int #proto:sint64, title:text".parse()? else { unreachable!() };
/// let task = task.own();
/// let layout = RecordLayout::of(&task);
/// assert_eq!((layout.wire(0).form, layout.wire(1).form), (Form::Sint64, Form::Text));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordLayout {
    fields: Arc<[FieldLayout]>,
    has_oneof: bool,
}

/// How a field is encoded, with precomputed data that its reader compares with the input.
#[derive(Debug, Clone, Copy)]
pub(in crate::proto) struct FieldLayout {
    /// The slots that a sink and a source use for the field.
    pub(in crate::proto) writing: sink::Slot,
    pub(in crate::proto) reading: source::Slot,
    pub(in crate::proto) number: u32,
    pub(in crate::proto) wire: Wire,
    pub(in crate::proto) wire_type: WireType,
    /// The tag and its length in bytes: 1 or 2, or 0 if the field needs the general code.
    pub(in crate::proto) tag: [u8; 2],
    pub(in crate::proto) tag_len: u8,
    /// Whether it may be a member of a oneof. Hardly any other field is optional and has notes.
    pub(in crate::proto) may_give_way: bool,
}

/// The number of fields whose presence a frame records in a bit set.
const SEEN: usize = 64;

impl FieldLayout {
    #[inline(always)]
    pub(in crate::proto) fn new(index: usize, field: &Field, wire: Wire) -> Self {
        let wire_type = WireType::of_form(wire.form);
        let number = field.number();
        let (mut writing, reading) = (sink::Slot::of_field(number, wire), source::Slot::of(At::Wire(wire_type), wire));
        writing.is_member = wire.form == Form::Any && oneof(field).is_some();
        let may_give_way = wire.presence != Presence::Implicit && !field.notes().is_empty();
        let tag = tag(number, wire_type);
        let is_plain = wire.cardinality == Cardinality::Value && !wire.form.is_message() && !may_give_way;
        let (tag, tag_len) = match tag {
            0x4000.. => ([0; 2], 0),
            _ if !is_plain || index >= SEEN => ([0; 2], 0),
            0x80.. => ([tag as u8 | 0x80, (tag >> 7) as u8], 2),
            _ => ([tag as u8, 0], 1),
        };
        Self { writing, reading, number, wire, wire_type, tag, tag_len, may_give_way }
    }
}

impl Layout<Field> for RecordLayout {
    fn compile(fields: &[Field]) -> Self {
        let fields: Arc<[_]> = fields
            .iter()
            .enumerate()
            .map(|(index, field)| FieldLayout::new(index, field, Wire::of_field(field)))
            .collect();
        let has_oneof = fields.iter().any(|field| field.wire.cardinality == Cardinality::Oneof);
        Self { fields, has_oneof }
    }
}

impl RecordLayout {
    /// Returns the layout that the record keeps.
    pub fn of(record: &Record) -> &Arc<Self> {
        record.layout()
    }

    /// Returns how the field with this index is encoded.
    ///
    /// # Panics
    /// If the record has no such field.
    #[inline]
    pub fn wire(&self, index: usize) -> Wire {
        self.fields[index].wire
    }

    /// Returns how each field is encoded, in order.
    pub fn wires(&self) -> impl Iterator<Item = Wire> {
        self.fields.iter().map(|field| field.wire)
    }

    /// Whether a field is a union whose variants are numbered like fields.
    #[inline]
    pub(in crate::proto) fn has_oneof(&self) -> bool {
        self.has_oneof
    }

    #[inline]
    pub(in crate::proto) fn fields(&self) -> &Arc<[FieldLayout]> {
        &self.fields
    }
}
