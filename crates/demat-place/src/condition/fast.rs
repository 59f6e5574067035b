//! Comparisons with values that are parsed beforehand.

use super::{Condition, Number, Test};
use core::cmp::Ordering;
use demat_core::Shape;
use demat_core::scalar::Int;

/// The value that a field is compared with, parsed for the usual kinds. Other kinds compare as [`Condition::holds`]
/// does.
#[derive(Debug, Clone)]
pub(super) enum Fast {
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A float.
    Float(f64),
    /// The condition's text itself.
    Text,
    /// A value of another kind, or several.
    No,
}

impl Fast {
    /// Parses the value of a condition on a field of this shape.
    pub(super) fn of(shape: &Shape, condition: &Condition) -> Self {
        if !matches!(condition.test, Test::Eq | Test::Ne | Test::Lt | Test::Le | Test::Gt | Test::Ge) {
            return Self::No;
        }
        let given = &*condition.values[0];
        match shape {
            Shape::Bool => Self::Bool(matches!(given, "true" | "1")),
            Shape::Int(_) => Int::from_digits(given).and_then(|own| own.to_i64()).map_or(Self::No, Self::Int),
            Shape::Float(_) => Number::parse(given).and_then(|own| own.as_float()).map_or(Self::No, Self::Float),
            Shape::Text => Self::Text,
            _ => Self::No,
        }
    }
}

/// Whether a test accepts the order of a field's value and the given one.
#[inline]
pub(super) fn accepts(test: Test, order: Ordering) -> bool {
    match test {
        Test::Eq => order.is_eq(),
        Test::Ne => order.is_ne(),
        Test::Lt => order.is_lt(),
        Test::Le => order.is_le(),
        Test::Gt => order.is_gt(),
        Test::Ge => order.is_ge(),
        _ => false,
    }
}
