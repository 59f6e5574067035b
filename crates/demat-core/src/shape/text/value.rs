//! Default values: conversion of text to a kind, and checks against a shape.

use crate::scalar::{Date, DateTime, Duration, Instant, Time, Uuid, base64};
use crate::{Shape, Tag, UnionRef, Value};
use std::borrow::Cow;

/// Converts text to a kind that JSON writes as text. Returns `None` for other kinds, and for text that does not parse.
pub(super) fn typed(kind: &str, text: &str) -> Option<Value> {
    match kind {
        "bytes" => base64::decode(text).map(|bytes| Value::Bytes(Cow::Owned(bytes))),
        "date" => Date::parse(text).map(Value::Date),
        "time" => Time::parse(text).map(Value::Time),
        "datetime" => DateTime::parse(text).map(Value::DateTime),
        "instant" => Instant::parse(text).map(Value::from),
        "duration" => Duration::parse(text).map(Value::Duration),
        "uuid" => Uuid::parse(text).map(Value::Uuid),
        _ => None,
    }
}

/// Whether a value has this shape. Does not check the content of records and tagged unions.
pub(super) fn fits(value: &Value, shape: &Shape) -> bool {
    match (shape, value) {
        // A link may refer to a type that is still being parsed.
        (Shape::Any | Shape::Union(UnionRef::Link(..)), _)
        | (Shape::Option(_) | Shape::Null, Value::Null)
        | (Shape::Bool, Value::Bool(_))
        | (Shape::Float(_), Value::Float(_))
        | (Shape::Text, Value::Text(_))
        | (Shape::Bytes, Value::Bytes(_))
        | (Shape::Decimal, Value::Decimal(_))
        | (Shape::Date, Value::Date(_))
        | (Shape::Time, Value::Time(_))
        | (Shape::DateTime | Shape::Instant, Value::DateTime(_))
        | (Shape::Instant, Value::Instant(..))
        | (Shape::Duration, Value::Duration(_))
        | (Shape::Uuid, Value::Uuid(_))
        | (Shape::Record(_), Value::Map(_)) => true,
        (Shape::Option(inner), value) => fits(value, inner),
        (Shape::Int(width), Value::Int(int)) => width.holds(int),
        (Shape::Enum(names), Value::Text(text)) => names.index_of(text).is_some(),
        (Shape::List(item), Value::List(items)) => items.iter().all(|value| fits(value, item)),
        (Shape::Tuple(shapes), Value::List(items)) => {
            shapes.len() == items.len() && shapes.iter().zip(items).all(|(shape, value)| fits(value, shape))
        }
        (Shape::Map(key, value), Value::Map(entries)) => {
            entries.iter().all(|entry| fits(&entry.0, key) && fits(&entry.1, value))
        }
        (Shape::Union(union), value) => {
            let union = union.get();
            *union.tag() != Tag::None || union.variants().iter().any(|variant| fits(value, variant.shape()))
        }
        _ => false,
    }
}
