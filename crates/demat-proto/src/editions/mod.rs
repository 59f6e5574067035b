//! Translates files of the editions 2023 and 2024 to proto2.
//!
//! The crates that parse and hold definitions know only proto2 and proto3. An edition expresses the same with
//! *features*. So its text is parsed with the features as options ([`text`]), and their meaning is translated to
//! options of proto2 ([`lower`]). What proto2 can't express is kept in [`Overrides`].

mod lower;
mod text;

pub(crate) use lower::lower;
pub(crate) use text::edition_file;

use prost_reflect::{EnumDescriptor, FieldDescriptor, Syntax};
use std::collections::HashSet;

/// The differences of an edition's fields and enums from their translation to proto2.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overrides {
    /// The full names of fields whose zero equals an absent field.
    implicit: HashSet<String>,
    /// The full names of open enums.
    open: HashSet<String>,
}

impl Overrides {
    /// Whether an absent field is distinguished from a zero.
    pub(crate) fn has_presence(&self, field: &FieldDescriptor) -> bool {
        field.supports_presence() && !self.implicit.contains(field.full_name())
    }

    /// Whether the enum is open: it allows numbers without a name.
    pub(crate) fn is_open(&self, names: &EnumDescriptor) -> bool {
        names.parent_file().syntax() == Syntax::Proto3 || self.open.contains(names.full_name())
    }
}
