//! SQL functions that Demat registers: they compare values that have several spellings, or that SQLite stores as text.
//!
//! | function | returns |
//! |---|---|
//! | `demat_instant(x)` | bytes that sort like instants; `NULL` if `x` is no timestamp |
//! | `demat_moment(x)` | the same for the other side of a comparison; an error if `x` is no timestamp |
//! | `demat_day(x, n)` | the day `n` days after that instant, as `YYYY-MM-DD` |
//! | `demat_decimal(x)` | bytes that sort like decimals; `NULL` if `x` is no number |
//! | `demat_duration(x)` | bytes that sort like durations; `NULL` if `x` is none |
//! | `demat_asked(kind, x)` | the same for the other side of a comparison; an error if `x` is none of that kind |
//! | `demat_near(x, n)` | a float below (`n` < 0) or above a number and all that equals it |
//! | `demat_time(x, n)` | a time with the digits that its fraction needs, or with nine |
//! | `demat_uuid(x, n)` | a UUID in one of five forms |
//! | `demat_zoned(x)` | 0 if `x` is a timestamp without an offset, 1 with one, 2 if it is a number; else `NULL` |
//! | `demat_kept(class, old, new)` | `old` if both are equal values, else `new` |
//! | `demat_fits(class, x)` | whether `x` becomes a value of a class without loss |
//!
//! A schema can't call them: its triggers and indexes would fail in every other program.

use crate::failure::failed;
use crate::fit;
use crate::moment;
use crate::order_key;
use crate::stored::Stored;
use demat_core::scalar::{Decimal, Duration, Int, Time, Uuid};
use demat_core::{Result, Shape, Value};
use demat_formats::json::JsonSource;
use rusqlite::functions::{Context, FunctionFlags, SqlFnArg};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ffi};

const FLAGS: FunctionFlags =
    FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_DETERMINISTIC).union(FunctionFlags::SQLITE_DIRECTONLY);

/// Registers the functions on a connection.
pub(crate) fn register(connection: &Connection) -> Result<()> {
    let added = connection
        .create_scalar_function("demat_instant", 1, FLAGS, |call| {
            Ok(moment::of_value(call.get_raw(0)).map(|instant| moment::key(instant).to_vec()))
        })
        .and_then(|()| {
            connection.create_scalar_function("demat_moment", 1, FLAGS, |call| {
                let Some(instant) = asked(call)? else { return Ok(None) };
                Ok(Some(moment::key(instant).to_vec()))
            })
        })
        .and_then(|()| connection.create_scalar_function("demat_day", 2, FLAGS, day))
        .and_then(|()| {
            connection.create_scalar_function("demat_decimal", 1, FLAGS, |call| Ok(order_key::decimal(call.get_raw(0))))
        })
        .and_then(|()| {
            connection
                .create_scalar_function("demat_duration", 1, FLAGS, |call| Ok(order_key::duration(call.get_raw(0))))
        })
        .and_then(|()| connection.create_scalar_function("demat_asked", 2, FLAGS, order_key::asked))
        .and_then(|()| connection.create_scalar_function("demat_near", 2, FLAGS, order_key::near))
        .and_then(|()| connection.create_scalar_function("demat_time", 2, FLAGS, order_key::time))
        .and_then(|()| connection.create_scalar_function("demat_uuid", 2, FLAGS, order_key::uuid))
        .and_then(|()| connection.create_scalar_function("demat_zoned", 1, FLAGS, |call| Ok(zoned(call))))
        .and_then(|()| connection.create_scalar_function("demat_kept", 3, FLAGS, |call| Ok(kept(call))))
        .and_then(|()| {
            connection.create_scalar_function("demat_fits", 2, FLAGS, |call| match call.get_raw(0) {
                ValueRef::Text(class) => Ok(fit::fits(class, call.get_raw(1))),
                _ => Ok(false),
            })
        });
    added.map_err(|_| failed(ffi::SQLITE_ERROR, Some("SQLite takes no functions".to_string())))
}

/// Returns the instant of a comparison's right side.
fn asked(call: &Context<'_>) -> rusqlite::Result<Option<demat_core::scalar::Instant>> {
    match call.get_raw(0) {
        ValueRef::Null => Ok(None),
        value => match moment::of_value(value) {
            Some(instant) => Ok(Some(instant)),
            None => Err(Error::UserFunctionError("what a date with a time is compared with is none".into())),
        },
    }
}

fn day(call: &Context<'_>) -> rusqlite::Result<Option<String>> {
    let Some(instant) = asked(call)? else { return Ok(None) };
    let days = moment::nanos(instant).div_euclid(86_400_000_000_000) + i128::from(call.get::<i32>(1)?);
    let date = i32::try_from(days).ok().and_then(demat_core::scalar::Date::from_days_since_epoch);
    // Days out of range: text that sorts before or after all days.
    Ok(Some(date.map_or_else(|| if days < 0 { "" } else { ":" }.to_string(), |date| date.to_string())))
}

fn zoned(call: &Context<'_>) -> Option<i64> {
    let value = call.get_raw(0);
    let instant = moment::of_value(value)?;
    Some(match value {
        ValueRef::Text(_) => i64::from(instant.offset.is_some()),
        _ => 2,
    })
}

fn kept(call: &Context<'_>) -> SqlFnArg {
    let (old, new) = (call.get_raw(1), call.get_raw(2));
    let same = match call.get_raw(0) {
        ValueRef::Text(class) => same(class, &old, &new),
        _ => false,
    };
    call.get_arg(if same { 1 } else { 2 })
}

/// Returns whether two values of a class are equal.
fn same(class: &[u8], old: &ValueRef<'_>, new: &ValueRef<'_>) -> bool {
    if class == b"instant" {
        return moment::of_value(*old).is_some_and(|old| Some(old) == moment::of_value(*new));
    }
    if let (b"uuid", ValueRef::Blob(bytes), Some(new)) = (class, old, text(new)) {
        return Uuid::parse(new).is_some_and(|new| new.0 == **bytes);
    }
    let (Some(old), Some(new)) = (text(old), text(new)) else { return false };
    fn equal<T: PartialEq>(old: &str, new: &str, parse: impl Fn(&str) -> Option<T>) -> bool {
        parse(old).is_some_and(|old| Some(old) == parse(new))
    }
    old == new
        || match class {
            b"time" => equal(old, new, Time::parse),
            b"duration" => equal(old, new, Duration::parse),
            b"uuid" => equal(old, new, Uuid::parse),
            b"int" => equal(old, new, |text: &str| Int::from_digits(text).map(|int| int.to_string())),
            // Compares decimals by their text, since trailing zeros show the precision.
            b"decimal" => {
                equal(old, new, |text: &str| Decimal::parse(text).map(|decimal| decimal.as_str().to_string()))
            }
            b"json" => equal(old, new, json),
            _ => false,
        }
}

fn text<'v>(value: &ValueRef<'v>) -> Option<&'v str> {
    match value {
        ValueRef::Text(bytes) => core::str::from_utf8(bytes).ok(),
        _ => None,
    }
}

/// Parses JSON; `None` if it is none.
pub(crate) fn json(text: &str) -> Option<Value> {
    let mut source = JsonSource::new(text.as_bytes());
    let value = Value::decode_as(&mut source, &Shape::Any).ok()?;
    demat_core::Source::end(&mut source).ok().map(|()| value)
}

/// Returns the class for `demat_kept`; `None` if each value has only one spelling.
pub(crate) fn class(stored: Stored) -> Option<&'static str> {
    match stored {
        // Rewriting either neither removes nor adds an offset.
        Stored::DateTime | Stored::Instant => Some("instant"),
        Stored::Time | Stored::Duration | Stored::Uuid | Stored::Decimal | Stored::Json => Some(stored.name()),
        Stored::Digits => Some("int"),
        Stored::Bool | Stored::Int | Stored::Real | Stored::Text | Stored::Blob | Stored::Date | Stored::Any => None,
    }
}
