//! Shapes that are rows of a table.

use demat_core::{Error, ErrorKind, Record, Result, Shape, Tag};

/// Whether the shape of the records is unknown.
pub(crate) fn is_open(shape: &Shape) -> bool {
    match shape.inner() {
        Shape::Any => true,
        Shape::List(item) => *item.inner() == Shape::Any,
        _ => false,
    }
}

/// Refuses a record with a field that is no cell, before anything is written.
pub(crate) fn check(record: &Record) -> Result<()> {
    for field in record.fields() {
        if !is_cell(field.shape()) {
            let message =
                format!("the field `{}` is a {}, and a cell holds one value", field.key(), name(field.shape()));
            return Err(Error::new(ErrorKind::Encode, message));
        }
    }
    Ok(())
}

/// Whether a cell can hold the shape. Values of shape `any` are checked one by one.
fn is_cell(shape: &Shape) -> bool {
    match shape.inner() {
        Shape::Any => true,
        Shape::Union(union) => {
            let union = union.get();
            *union.tag() == Tag::None && union.variants().iter().all(|variant| is_cell(variant.shape()))
        }
        other => other.is_scalar(),
    }
}

fn name(shape: &Shape) -> &'static str {
    match shape.inner() {
        Shape::Union(union) if *union.get().tag() != Tag::None => "union with a tag",
        Shape::Union(_) => "union that may be a list or a record",
        other => other.name(),
    }
}
