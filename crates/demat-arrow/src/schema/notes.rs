//! The metadata of an Arrow field whose type does not determine its shape.

use arrow_schema::{Field, Metadata};
use demat_core::Shape;

/// The key of the name of an extension type.
const EXTENSION: &str = "ARROW:extension:name";
/// The key of the shape's text.
pub(crate) const SHAPE: &str = "demat.shape";
/// JSON text in a text column.
pub(crate) const JSON: &str = "arrow.json";
/// Bools of a byte each, in a column of 8-bit integers.
pub(crate) const BOOL: &str = "arrow.bool8";
/// UUIDs in a column of 16 bytes.
pub(crate) const UUID: &str = "arrow.uuid";

/// Returns the field with an extension type.
pub(crate) fn with_extension(field: Field, name: &str) -> Field {
    let mut notes = field.metadata().clone();
    notes.insert(EXTENSION.to_string(), name.to_string());
    field.with_metadata(notes)
}

/// Adds a note with the text of the values' shape.
pub(crate) fn with_shape(field: Field, shape: String) -> Field {
    let mut notes = field.metadata().clone();
    notes.insert(SHAPE.to_string(), shape);
    field.with_metadata(notes)
}

/// Whether the field has this extension type.
pub(crate) fn is_extension(field: &Field, name: &str) -> bool {
    field.metadata().get(EXTENSION).is_some_and(|own| own == name)
}

/// Returns the shape in the metadata, if its text is valid. The caller must check that it matches the type.
pub(crate) fn noted(notes: &Metadata) -> Option<Shape> {
    notes.get(SHAPE)?.parse().ok()
}
