//! What editions say of fields and enums that the older syntaxes have no word for.

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
