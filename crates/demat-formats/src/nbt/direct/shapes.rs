//! What a constant shape says of a value. The compiler evaluates all of it for a known record.

use super::super::Tag;
use super::super::shapes::value_tag;
use crate::direct::fixed;
use demat_core::{Record, Shape};

/// Returns the tag of all values of a shape, and the shape of those that are not null. Returns `None` if the tag depends
/// on the value.
#[inline(always)]
pub(super) fn known(shape: &'static Shape) -> Option<(Tag, &'static Shape)> {
    let shape = match shape {
        Shape::Option(inner) => fixed(inner)?,
        shape => shape,
    };
    match value_tag(shape, false) {
        // A tuple has items of several shapes, and a union variants.
        Some(tag) if !matches!(shape, Shape::Tuple(_) | Shape::Union(_)) => Some((tag, shape)),
        _ => None,
    }
}

/// Whether only the general source and sink handle the record: one with notes, and one with a required field that may be
/// null, which a compound omits then.
#[inline(always)]
pub(super) fn is_odd(record: &Record) -> bool {
    let is_nullable = |shape: &Shape| matches!(shape, Shape::Option(_) | Shape::Null | Shape::Any | Shape::Union(_));
    record.has_notes() || record.fields().iter().any(|field| field.required() && is_nullable(field.shape()))
}
