//! Refuses comparisons that no value can pass.

use super::compare::moment;
use super::{Condition, Number, Test};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Time, Uuid, base64};
use demat_core::{Enum, Error, ErrorKind, Result, Shape};

impl Condition {
    /// Checks that values of a field with this shape can be compared so.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if none can.
    pub fn verify(&self, shape: &Shape) -> Result<()> {
        let Self { field, test, values } = self;
        if *test == Test::Null {
            return Ok(());
        }
        let is_text = !matches!(shape, Shape::Bool | Shape::Bytes);
        if matches!(shape, Shape::List(_) | Shape::Map(..) | Shape::Tuple(_) | Shape::Record(_) | Shape::Null) {
            let message = format!("`{field}` is a {}, which can only be compared with null", shape.name());
            return Err(refused(message));
        }
        if matches!(test, Test::Like | Test::Contains) {
            let message = || format!("`{field}` is no text, and has nothing to be like");
            return if is_text { Ok(()) } else { Err(refused(message())) };
        }
        if let Shape::Enum(names) = shape
            && test.is_equality()
            && let Some(given) = values.iter().find(|given| !is_in(names, given))
        {
            return Err(refused(format!("`{given}` is no value of `{field}`: it is {}", names.names())));
        }
        match values.iter().find(|given| !can_be(shape, given)) {
            Some(given) => Err(refused(format!("`{given}` is no value of `{field}`"))),
            None => Ok(()),
        }
    }
}

#[cold]
fn refused(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Constraint, message)
}

/// Whether an enum has a name, or a number.
fn is_in(names: &Enum, given: &str) -> bool {
    names.index_of(given).is_some() || number_in(names, given).is_some()
}

/// Returns the index of the number that a text says, if the enum has no such name.
pub(super) fn number_in(names: &Enum, given: &str) -> Option<usize> {
    match names.index_of(given) {
        Some(_) => None,
        None => names.index_of_number(given.parse().ok()?),
    }
}

/// Whether a value of a shape can be compared with a text.
fn can_be(shape: &Shape, given: &str) -> bool {
    match shape {
        Shape::Bool => matches!(given, "true" | "false" | "1" | "0"),
        Shape::Int(_) | Shape::Float(_) => Number::parse(given).is_some(),
        Shape::Decimal => Decimal::parse_lax(given).is_some(),
        Shape::Date => Date::parse(given).is_some(),
        Shape::Time => Time::parse(given).is_some(),
        Shape::DateTime => moment(given, "", DateTime::parse).is_some(),
        Shape::Instant => moment(given, "Z", Instant::parse).is_some_and(|own| own.unix_nanos().is_some()),
        Shape::Duration => Duration::parse(given).is_some(),
        Shape::Uuid => Uuid::parse(given).is_some(),
        Shape::Bytes => base64::decode(given).is_some(),
        _ => true,
    }
}
