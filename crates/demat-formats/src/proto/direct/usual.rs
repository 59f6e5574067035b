//! What the direct way knows.

use crate::proto::tag::WireType;
use demat_core::{Class, Field, Form, Presence, Wire};

/// Whether values of a field go the direct way.
#[inline(always)]
pub(super) fn is_usual(field: &Field) -> bool {
    let own = field.wire();
    matches!(own.class, Class::Value | Class::List)
        && is_usual_form(own.form)
        && own.presence != Presence::Defaulted
        && (field.notes().is_empty() || field.oneof().is_none())
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
