//! What the direct way knows.

use crate::proto::layout::{Cardinality, Form, Presence, RecordLayout, Wire, oneof};
use crate::proto::tag::WireType;
use demat_core::{Field, Record};

/// How a field is written. Of a constant the compiler works it out: to find the layout would take longer than all else.
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

/// Whether values of a field go the direct way.
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

/// How the values of a field are delimited, as they are written.
#[inline(always)]
pub(super) fn delimited(own: Wire) -> WireType {
    if own.packed { WireType::Len } else { WireType::of_form(own.form) }
}
