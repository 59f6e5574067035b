//! What a constant shape says of a field. The compiler evaluates all of it for a known record.

use super::super::schema::Presence;
use crate::direct::fixed;
use demat_core::{Field, Record, Shape};

/// Returns how the value of a field can be absent, and the shape of the value. `None` for a shape of the run time.
#[inline(always)]
pub(super) fn parts(field: &Field) -> Option<(Presence, &'static Shape)> {
    let shape = field.fixed_shape()?;
    Some(match (field.required(), shape) {
        (true, Shape::Option(inner)) => (Presence::Null, fixed(inner)?),
        (false, Shape::Option(inner)) => (Presence::Both, fixed(inner)?),
        (true, shape) => (Presence::Always, shape),
        (false, shape) => (Presence::Missing, shape),
    })
}

/// Returns how the value of a field can be absent.
#[inline(always)]
pub(super) fn presence(field: &Field) -> Presence {
    match (field.required(), field.shape()) {
        (true, Shape::Option(_)) => Presence::Null,
        (false, Shape::Option(_)) => Presence::Both,
        (true, _) => Presence::Always,
        (false, _) => Presence::Missing,
    }
}

/// Whether a record without the field is refused.
#[inline(always)]
pub(super) fn is_required(field: &Field) -> bool {
    matches!(presence(field), Presence::Always | Presence::Null)
}

/// Returns the number of presence bits of a record.
#[inline(always)]
pub(super) fn bits(record: &Record) -> usize {
    record.fields().iter().map(|field| presence(field).bits()).sum()
}

/// Returns the bits of a field whose first bit is this one, all set.
#[inline(always)]
pub(super) fn ones(presence: Presence, bit: usize) -> u64 {
    match presence {
        Presence::Always => 0,
        Presence::Null | Presence::Missing => 1 << (bit % 64),
        Presence::Both => 1 << (bit % 64) | 1 << ((bit + 1) % 64),
    }
}
