//! Functions by which values of one kind are compared, whatever their spelling.

use demat_core::scalar::{Decimal, Duration, Time, Uuid};
use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Error, Result};

/// Returns the text of a value, if it is one.
fn text(value: ValueRef<'_>) -> Option<&str> {
    match value {
        ValueRef::Text(bytes) => core::str::from_utf8(bytes).ok(),
        _ => None,
    }
}

/// Returns bytes that sort as decimals do; `None` if the value is no number.
pub(crate) fn decimal(value: ValueRef<'_>) -> Option<Vec<u8>> {
    match value {
        ValueRef::Integer(value) => Decimal::parse(&value.to_string()).map(|own| own.sort_key()),
        // The digits as which it is read.
        ValueRef::Real(value) if value.is_finite() => Decimal::parse(&format!("{value:?}")).map(|own| own.sort_key()),
        // Beyond the keys of all decimals.
        ValueRef::Real(value) => Some(vec![if value < 0.0 { 0 } else { 0xff }]),
        value => Decimal::parse(text(value)?).map(|own| own.sort_key()),
    }
}

/// Returns bytes that sort as durations do; `None` if the value is none.
pub(crate) fn duration(value: ValueRef<'_>) -> Option<Vec<u8>> {
    let duration = Duration::parse(text(value)?)?;
    Some((duration.total_nanos() ^ i128::MIN).to_be_bytes().to_vec())
}

/// `demat_asked`: the key of a value that a column is compared with.
pub(crate) fn asked(call: &Context<'_>) -> Result<Option<Vec<u8>>> {
    let value = call.get_raw(1);
    if value == ValueRef::Null {
        return Ok(None);
    }
    let (key, kind) = match call.get_raw(0) {
        ValueRef::Text(b"duration") => (duration(value), "a duration"),
        _ => (decimal(value), "a decimal"),
    };
    key.map(Some).ok_or_else(|| other(kind))
}

/// `demat_near`: a float beside a number, below or above, which no float or int that equals the number is beyond.
pub(crate) fn near(call: &Context<'_>) -> Result<Option<f64>> {
    let float = match call.get_raw(0) {
        ValueRef::Null => return Ok(None),
        #[allow(clippy::cast_precision_loss)] // the neighbor is beyond what is lost
        ValueRef::Integer(value) => value as f64,
        ValueRef::Real(value) => value,
        value => text(value).and_then(Decimal::parse).ok_or_else(|| other("a decimal"))?.to_f64(),
    };
    Ok(Some(if call.get::<i64>(1)? < 0 { float.next_down() } else { float.next_up() }))
}

/// `demat_time`: a time with as few digits of its fraction as possible, or with nine.
pub(crate) fn time(call: &Context<'_>) -> Result<Option<String>> {
    let value = call.get_raw(0);
    if value == ValueRef::Null {
        return Ok(None);
    }
    let time = text(value).and_then(Time::parse).ok_or_else(|| other("a time"))?;
    let (second, nanosecond) = (time.second_of_day(), time.nanosecond());
    let whole = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    let full = format!("{whole}.{nanosecond:09}");
    Ok(Some(match (call.get::<i64>(1)?, nanosecond) {
        (0, 0) => whole,
        (0, _) => full.trim_end_matches('0').to_string(),
        _ => full,
    }))
}

/// `demat_uuid`: a UUID in one of the forms in which programs store them.
pub(crate) fn uuid(call: &Context<'_>) -> Result<Value> {
    let uuid = match call.get_raw(0) {
        ValueRef::Null => return Ok(Value::Null),
        ValueRef::Blob(bytes) => bytes.try_into().ok().map(Uuid),
        value => text(value).and_then(Uuid::parse),
    };
    let uuid = uuid.ok_or_else(|| other("a UUID"))?;
    let written = uuid.to_string();
    Ok(match call.get::<i64>(1)? {
        0 => Value::Text(written),
        1 => Value::Blob(uuid.0.to_vec()),
        2 => Value::Text(written.to_ascii_uppercase()),
        3 => Value::Text(written.replace('-', "")),
        _ => Value::Text(written.replace('-', "").to_ascii_uppercase()),
    })
}

#[cold]
fn other(kind: &str) -> Error {
    Error::UserFunctionError(format!("what {kind} is compared with is none").into())
}
