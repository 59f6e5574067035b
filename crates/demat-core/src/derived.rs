//! Functions for derived code, in addition to the contract. Not for other use: they change without notice.

mod assemble;
mod keys;
mod notes;
#[cfg(test)]
mod tests;
mod untagged;

pub use assemble::{Piece, assemble, assembled};
pub use keys::{Keys, distinct_keys};
pub use notes::{note, noted};
pub use untagged::decode_untagged;

pub use crate::text_as::{decimal_of_text, text_as};

use crate::{Decode, Enum, Error, ErrorKind, Record, Ref, Result, Shape, Shaped, Union, Value, ValueSource};
use std::borrow::Cow;

/// Returns the error for a tuple of another length.
#[cold]
pub fn wrong_count(expected: usize, found: usize) -> Error {
    crate::decode::wrong_count(expected, found)
}

/// A type whose shape is a union. A trait, so that the constants can depend on the type's parameters.
pub trait Variants: Shaped {
    /// The union.
    fn union() -> &'static Union;

    /// The record in the variant with this index. Only for variants that have one.
    fn record<const INDEX: usize>() -> &'static Record;
}

/// Returns the enum of a shape.
///
/// # Panics
/// If the shape is no enum: at compile time, since the derive calls this in constants only.
pub const fn names(shape: &'static Shape) -> &'static Enum {
    match shape {
        Shape::Enum(Ref::Static(names)) => names,
        _ => panic!("the shape is no constant enum"),
    }
}

/// Refuses an enum with two names of the same number, at compile time.
///
/// # Panics
/// If two have the same number: at compile time, since the derive calls this in constants only.
pub const fn distinct(variants: &'static [(Cow<'static, str>, i64)]) -> &'static [(Cow<'static, str>, i64)] {
    let mut i = 0;
    while i < variants.len() {
        let mut j = 0;
        while j < i {
            assert!(variants[i].1 != variants[j].1, "two variants of the enum have the same number");
            j += 1;
        }
        i += 1;
    }
    variants
}

/// Decodes the content of a variant without content: a type whose shape is null.
///
/// # Errors
/// If the type does not accept null though its shape is null.
pub fn decode_nothing<'a, T: Decode<'a>>() -> Result<T> {
    static NULL: Value = Value::Null;
    T::decode(&mut ValueSource::new(&NULL))
}

/// Returns the error for an index that no variant has: a fault of the source.
#[cold]
pub fn no_such_variant(index: usize) -> Error {
    Error::new(ErrorKind::Constraint, format!("the source chose variant {index}, which there is not"))
}

/// Returns the error for an index that no field has: a fault of the source.
#[cold]
pub fn no_such_field(index: usize) -> Error {
    Error::new(ErrorKind::Constraint, format!("the source offers field {index}, which there is not"))
}

/// Whether a field of this shape may be absent, as options may.
pub const fn is_optional(shape: &Shape) -> bool {
    matches!(shape, Shape::Option(_))
}
