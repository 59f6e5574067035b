//! What the code that the derive writes calls, besides the contract. Not for others: it changes without notice.

mod assemble;
mod keys;
#[cfg(test)]
mod tests;
mod untagged;

pub use assemble::{Piece, assemble, assembled};
pub use keys::{Keys, distinct_keys};
pub use untagged::decode_untagged;

use crate::{Decode, Enum, Error, ErrorKind, Record, Ref, Result, Shape, Shaped, Union, Value, ValueSource};
use std::borrow::Cow;

/// The error for a tuple of another length.
#[cold]
pub fn wrong_count(expected: usize, found: usize) -> Error {
    crate::decode::wrong_count(expected, found)
}

/// A type whose shape is a union; by trait, so that the constants can depend on the type's parameters.
pub trait Variants: Shaped {
    /// The union.
    fn union() -> &'static Union;

    /// The record that the content of the variant with this index is; only for those that are one.
    fn record<const INDEX: usize>() -> &'static Record;
}

/// The enum that a shape is.
///
/// # Panics
/// Where it is none: at compile time, since the derive calls it in constants only.
pub const fn names(shape: &'static Shape) -> &'static Enum {
    match shape {
        Shape::Enum(Ref::Static(names)) => names,
        _ => panic!("the shape is no constant enum"),
    }
}

/// Refuses names of which two have the same number, before the program is built.
///
/// # Panics
/// Then: at compile time, since the derive calls it in constants only.
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

/// Decodes the content of a variant of which the source says that it has none: a type that null is.
///
/// # Errors
/// Where the type does not take a null though its shape is that.
pub fn decode_nothing<'a, T: Decode<'a>>() -> Result<T> {
    static NULL: Value = Value::Null;
    T::decode(&mut ValueSource::new(&NULL))
}

/// The error for an index that no variant has: a fault of the source.
#[cold]
pub fn no_such_variant(index: usize) -> Error {
    Error::new(ErrorKind::Constraint, format!("the source chose variant {index}, which there is not"))
}

/// The error for an index that no field has: a fault of the source.
#[cold]
pub fn no_such_field(index: usize) -> Error {
    Error::new(ErrorKind::Constraint, format!("the source offers field {index}, which there is not"))
}

/// Whether a record may lack a field of this shape: so it is with options.
pub const fn is_optional(shape: &Shape) -> bool {
    matches!(shape, Shape::Option(_))
}
