//! Defaults of absent fields.

use crate::{Encode, Result, Shape, Sink, Value};

/// Writes a default as a value of a shape. The name of an enum's member is that member: in formats that number members it
/// is no text.
pub(super) fn write<K: Sink + ?Sized>(default: &Value, shape: &Shape, sink: &mut K) -> Result<()> {
    match (shape.inner(), default) {
        (Shape::Enum(names), Value::Text(name)) if let Some(index) = names.index_of(name) => sink.variant(names, index),
        (Shape::List(item), Value::List(items)) if matches!(item.inner(), Shape::Enum(_)) => {
            sink.begin_list(Some(items.len()))?;
            for own in items {
                sink.item()?;
                write(own, item, sink)?;
            }
            sink.end_list()
        }
        _ => default.encode(sink),
    }
}
