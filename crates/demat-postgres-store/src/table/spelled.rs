//! The text of values in names of rows and in cursors.

use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid, base64};
use demat_core::{Encode as _, Value};
use demat_postgres::{ColumnType, Param, TypeClass};

/// Returns the text of a value; `None` for null and for what is no scalar.
pub(super) fn text_of(value: &Value) -> Option<String> {
    Some(match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Text(value) => value.to_string(),
        Value::Bytes(value) => {
            let mut text = String::new();
            base64::encode(value, &mut text);
            text
        }
        Value::Decimal(value) => value.as_str().to_string(),
        Value::Date(value) => value.to_string(),
        Value::Time(value) => value.to_string(),
        Value::DateTime(value) => value.to_string(),
        Value::Instant(at, offset) => at.with_offset(*offset).to_string(),
        Value::Duration(value) => value.to_string(),
        Value::Uuid(value) => value.to_string(),
        Value::Null | Value::List(_) | Value::Map(_) => return None,
    })
}

/// Parses the text of a value of a column; `None` if the column has no such value.
pub(super) fn value_of(own: &ColumnType, text: &str) -> Option<Value> {
    Some(match own.class {
        TypeClass::Bool => match text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => return None,
        },
        TypeClass::Int(_) | TypeClass::Oid => Value::Int(Int::from_digits(text)?.into_owned()),
        TypeClass::Float4 | TypeClass::Float8 => Value::Float(text.parse().ok()?),
        TypeClass::Numeric(_) => Value::Decimal(Decimal::parse(text)?.into_owned()),
        TypeClass::Text(_)
        | TypeClass::Char(_)
        | TypeClass::Enum(_)
        | TypeClass::Inet
        | TypeClass::Cidr
        | TypeClass::Mac(_) => Value::Text(text.to_string().into()),
        TypeClass::Bytes => Value::Bytes(base64::decode(text)?.into()),
        TypeClass::Date => Value::Date(Date::parse(text)?),
        TypeClass::Time(_) => Value::Time(Time::parse(text)?),
        TypeClass::Timestamp(_) => Value::DateTime(DateTime::parse(text)?),
        TypeClass::Instant(_) => {
            let value = Instant::parse(text)?;
            Value::Instant(DateTime::new(value.date, value.time), value.offset?)
        }
        TypeClass::Interval(_) | TypeClass::CoarseInterval => Value::Duration(Duration::parse(text)?),
        TypeClass::Uuid => Value::Uuid(Uuid::parse(text)?),
        _ => return None,
    })
}

/// Returns a value as a parameter of a column's type; `None` if the column can't have it.
pub(super) fn param_of(own: &ColumnType, value: &Value) -> Option<Param> {
    Param::encode(own, |sink| value.encode(sink)).ok()
}
