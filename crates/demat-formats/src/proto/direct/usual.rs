//! The fields that the fast path supports.

use crate::proto::layout::{Cardinality, Form, Presence, RecordLayout, Wire, oneof};
use crate::proto::tag::WireType;
use demat_core::{Field, Record};

/// Returns how a field is encoded. For a constant record the compiler computes it: looking up the layout would take
/// longer than everything else.
#[inline(always)]
pub(super) fn wire_of(record: &Record, index: usize) -> Wire {
    match Wire::of_constant(&record.fields()[index]) {
        Some(own) => own,
        None => of_layout(record, index),
    }
}

#[inline(never)]
fn of_layout(record: &Record, index: usize) -> Wire {
    RecordLayout::of(record).wire(index)
}

/// Whether the fast path supports a field.
#[inline(always)]
pub(super) fn is_usual(field: &Field, own: Wire) -> bool {
    matches!(own.cardinality, Cardinality::Value | Cardinality::List)
        && is_usual_form(own.form)
        && own.presence != Presence::Defaulted
        && (field.notes().is_empty() || oneof(field).is_none())
}

#[inline(always)]
fn is_usual_form(form: Form) -> bool {
    !matches!(
        form,
        Form::Group
            | Form::Union
            | Form::Any
            | Form::Null
            | Form::None
            | Form::Timestamp
            | Form::Duration
            | Form::Ipv4
            | Form::Ip
            | Form::IpPort
    )
}

/// Returns the wire type of a field as it is usually encoded.
#[inline(always)]
pub(super) fn delimited(own: Wire) -> WireType {
    if own.packed { WireType::Len } else { WireType::of_form(own.form) }
}
