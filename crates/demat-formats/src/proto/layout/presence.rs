use super::Wire;
use demat_core::{Field, Shape};

/// Whether a zero value equals an absent field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Yes. The sink leaves a zero out, and the source reads an absent field as zero.
    Implicit,
    /// No. The sink writes every value, including zero.
    Explicit,
    /// As explicit, and a reader gives an absent field a default that is neither null nor empty. This format writes
    /// nothing for null or an empty list, so both would be read as that default.
    Defaulted,
}

/// Whether a required field that may be null is null if it is absent: these formats write nothing for null. One that a
/// note calls required has to come.
pub(crate) fn is_null_if_absent(field: &Field, wire: Wire) -> bool {
    field.required()
        && wire.presence != Presence::Implicit
        && field.default().is_none()
        && matches!(field.shape(), Shape::Option(_))
        && !field.notes_for("proto").any(|note| note == "required")
}
