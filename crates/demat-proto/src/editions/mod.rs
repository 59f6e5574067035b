//! Files of the editions 2023 and 2024, in terms of proto2.
//!
//! The crates that read and hold definitions know proto2 and proto3. An edition says the same things in other words
//! (*features*), so its text is read with these words put aside as options ([`text`]), and what they mean is put where proto2 has a
//! word for it ([`lower`]); for the rest there are [`Overrides`].

mod lower;
mod text;

pub(crate) use lower::lower;
pub(crate) use text::edition_file;

use prost_reflect::{EnumDescriptor, FieldDescriptor, Syntax};
use std::collections::HashSet;

/// Where fields and enums of an edition differ from what proto2 would have of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overrides {
    /// Fields of which zero is the same as none, by full name.
    implicit: HashSet<String>,
    /// Enums that any number is of, by full name.
    open: HashSet<String>,
}

impl Overrides {
    /// Whether a field that did not come is told apart from one that is zero.
    pub(crate) fn has_presence(&self, field: &FieldDescriptor) -> bool {
        field.supports_presence() && !self.implicit.contains(field.full_name())
    }

    /// Whether any number is of the enum.
    pub(crate) fn is_open(&self, names: &EnumDescriptor) -> bool {
        names.parent_file().syntax() == Syntax::Proto3 || self.open.contains(names.full_name())
    }
}
