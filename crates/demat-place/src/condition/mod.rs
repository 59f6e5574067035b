//! Conditions on fields, and conditions on records that are made of them.

mod bound;
mod compare;
mod fast;
mod number;
#[cfg(feature = "postgres")]
mod partly;
#[cfg(feature = "arrow")]
mod possible;
mod sink;
#[cfg(test)]
mod tests;
mod text;
mod verify;
mod whole;

pub use bound::Bound;
pub(crate) use bound::found;
#[cfg(feature = "postgres")]
pub(crate) use compare::moment;
pub use compare::{against, compare};
use fast::{Fast, accepts};
pub use number::Number;
#[cfg(feature = "postgres")]
pub(crate) use partly::{Joins, Partly};
#[cfg(feature = "arrow")]
pub(crate) use possible::{Known, Possible};
pub use sink::WhereSink;
pub use whole::{Term, Where};

use compare::{is_like, text_of};
use core::cmp::Ordering;
use demat_core::Value;

/// A condition on a field.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Condition {
    /// The field.
    pub field: String,
    /// The comparison of its value with the given one.
    pub test: Test,
    /// The given value as text; several for [`Test::In`].
    pub values: Vec<String>,
}

/// The comparisons of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Test {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// The field's value is less.
    Lt,
    /// The field's value is less or equal.
    Le,
    /// The field's value is greater.
    Gt,
    /// The field's value is greater or equal.
    Ge,
    /// The text matches the pattern; ASCII letters match in either case.
    Like,
    /// The text contains the other; ASCII letters match in either case.
    Contains,
    /// The field's value is one of several.
    In,
    /// The field's value is null, or (with `false`) not null.
    Null,
}

impl Test {
    /// Whether values are compared for equality, and in no order.
    fn is_equality(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::In)
    }

    const ALL: [(Self, &'static str); 10] = [
        (Self::Eq, "eq"),
        (Self::Ne, "ne"),
        (Self::Lt, "lt"),
        (Self::Le, "le"),
        (Self::Gt, "gt"),
        (Self::Ge, "ge"),
        (Self::Like, "like"),
        (Self::Contains, "contains"),
        (Self::In, "in"),
        (Self::Null, "null"),
    ];

    /// The name of the test.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Returns the test with this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, own)| *own == name).map(|(test, _)| *test)
    }
}

impl Condition {
    /// Whether the condition holds for a field's value. A missing value counts as null.
    pub fn holds(&self, value: Option<&Value>) -> bool {
        let value = value.filter(|value| **value != Value::Null);
        if self.test == Test::Null {
            return value.is_none() == (self.values[0] != "false");
        }
        let Some(value) = value else { return false };
        let is =
            |wanted: fn(Ordering) -> bool| self.values.iter().any(|given| against(value, given).is_some_and(wanted));
        match self.test {
            Test::Eq | Test::In => is(Ordering::is_eq),
            Test::Ne => !is(Ordering::is_eq),
            Test::Lt => is(Ordering::is_lt),
            Test::Le => is(Ordering::is_le),
            Test::Gt => is(Ordering::is_gt),
            Test::Ge => is(Ordering::is_ge),
            Test::Like => text_of(value).is_some_and(|text| is_like(&text, &self.values[0])),
            Test::Contains => text_of(value).is_some_and(|text| is_like(&text, &like_pattern(&self.values[0]))),
            Test::Null => false,
        }
    }
}

/// Returns the pattern of [`Test::Like`] for a substring, with special characters escaped: for stores that test
/// [`Test::Contains`] by a pattern.
///
/// ```
/// assert_eq!(demat_place::like_pattern("5%"), r"%5\%%");
/// ```
pub fn like_pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern + "%"
}

/// Returns whether a pattern of [`Test::Like`] ends with a backslash that escapes nothing.
pub fn ends_escaping(pattern: &str) -> bool {
    pattern.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
