//! Logical types, which say what a number or bytes stand for.

use super::super::decimal::MOST;
use super::{Digits, Node, Unit};
use demat_core::{Error, Kind, Result, Value};

/// Returns the node of a type with the attributes of its definition. A logical type that is unknown, or that the type
/// can't have, is ignored, as the specification demands.
///
/// # Errors
/// If a decimal has too many digits.
pub(super) fn apply(node: Node, definition: &Value) -> Result<Node> {
    let Some(Value::Text(logical)) = definition.get("logicalType") else { return Ok(node) };
    Ok(match (&**logical, node) {
        ("decimal", Node::Bytes) => decimal(definition, None)?.unwrap_or(node),
        // A decimal without a byte would be none that a count of bytes limits.
        ("decimal", Node::Fixed(size @ 1.., _)) => decimal(definition, u32::try_from(size).ok())?.unwrap_or(node),
        ("uuid", Node::Text(_)) => Node::Text(Kind::Uuid),
        ("uuid", Node::Fixed(16, _)) => Node::Uuid,
        ("date", Node::Int) => Node::Date,
        ("time-millis", Node::Int) => Node::Time(Unit::Millis),
        ("time-micros", Node::Long) => Node::Time(Unit::Micros),
        ("timestamp-millis", Node::Long) => Node::Timestamp(Unit::Millis),
        ("timestamp-micros", Node::Long) => Node::Timestamp(Unit::Micros),
        ("timestamp-nanos", Node::Long) => Node::Timestamp(Unit::Nanos),
        ("local-timestamp-millis", Node::Long) => Node::Local(Unit::Millis),
        ("local-timestamp-micros", Node::Long) => Node::Local(Unit::Micros),
        ("local-timestamp-nanos", Node::Long) => Node::Local(Unit::Nanos),
        ("duration", Node::Fixed(12, _)) => Node::Duration,
        _ => node,
    })
}

/// Returns the digits; `None` if they are invalid.
fn decimal(definition: &Value, size: Option<u32>) -> Result<Option<Node>> {
    let number = |key: &str| match definition.get(key) {
        Some(Value::Int(number)) => Some(number.to_i64().and_then(|number| u32::try_from(number).ok())),
        Some(_) => Some(None),
        None => None,
    };
    let (Some(Some(precision)), Some(scale)) = (number("precision"), number("scale").unwrap_or(Some(0))) else {
        return Ok(None);
    };
    if precision == 0 || scale > precision {
        return Ok(None);
    }
    if precision > MOST {
        return Err(Error::limit("the number of digits of a decimal in the schema", MOST));
    }
    Ok(Some(Node::Decimal(Digits { precision, scale, size })))
}
