//! Whether stored values have a place in a column of another type.

use crate::affinity::Affinity;
use crate::function::json;
use crate::moment;
use crate::stored::Stored;
use demat_core::scalar::{Date, Decimal, Duration, Int, Time, Uuid};
use rusqlite::types::ValueRef;

/// Returns the class for `demat_fits`.
pub(crate) fn class(stored: Stored, strict: bool) -> &'static str {
    match stored {
        Stored::Digits => "digits",
        // A column of text turns numbers and bytes into text that denotes something else.
        Stored::DateTime | Stored::Instant if strict => "instant text",
        Stored::DateTime | Stored::Instant => "instant",
        Stored::Uuid if strict => "uuid text",
        other => other.name(),
    }
}

/// Returns whether a value, if it is cast to the class, keeps what it says.
pub(crate) fn fits(class: &[u8], value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::Null => true,
        ValueRef::Integer(value) => of_int(class, value),
        ValueRef::Real(value) => of_real(class, value),
        ValueRef::Text(text) => core::str::from_utf8(text).is_ok_and(|text| of_text(class, text)),
        ValueRef::Blob(bytes) => match class {
            b"any" | b"bytes" => true,
            b"text" => core::str::from_utf8(bytes).is_ok(),
            b"uuid" => bytes.len() == 16,
            _ => false,
        },
    }
}

fn of_int(class: &[u8], value: i64) -> bool {
    match class {
        b"any" | b"int" | b"digits" | b"decimal" | b"text" | b"json" => true,
        b"bool" => matches!(value, 0 | 1),
        b"float" => value.unsigned_abs() <= 1 << 53,
        b"instant" => moment::of_value(ValueRef::Integer(value)).is_some(),
        _ => false,
    }
}

#[allow(clippy::float_cmp)] // exact values
fn of_real(class: &[u8], value: f64) -> bool {
    match class {
        b"any" | b"float" => true,
        b"int" => value.fract() == 0.0 && value.abs() < 9e18,
        b"bool" => value == 0.0 || value == 1.0,
        // SQLite writes 15 digits.
        b"decimal" | b"text" | b"json" => value.is_finite() && format!("{value:.14e}").parse() == Ok(value),
        b"instant" => moment::of_value(ValueRef::Real(value)).is_some(),
        _ => false,
    }
}

fn of_text(class: &[u8], text: &str) -> bool {
    match class {
        b"any" | b"text" | b"bytes" => true,
        b"int" => Int::from_digits(text).is_some_and(|int| int.to_i64().is_some()),
        b"digits" => Int::from_digits(text).is_some(),
        b"bool" => matches!(text, "0" | "1"),
        b"float" => is_float(text),
        b"decimal" => Decimal::parse(text).is_some(),
        b"date" => Date::parse(text).is_some(),
        b"time" => Time::parse(text).is_some(),
        b"duration" => Duration::parse(text).is_some(),
        b"uuid" | b"uuid text" => Uuid::parse(text).is_some(),
        b"instant" | b"instant text" => moment::of_value(ValueRef::Text(text.as_bytes())).is_some(),
        b"json" => json(text).is_some(),
        _ => false,
    }
}

/// Returns whether a float keeps the number of a text: an int exactly, and other numbers if the float is written so.
fn is_float(text: &str) -> bool {
    let Some(number) = Decimal::parse(text) else { return false };
    let float = text.parse::<f64>().unwrap_or(f64::INFINITY);
    if let Some(int) = Int::from_digits(text).and_then(|int| int.to_i64()) {
        return int.unsigned_abs() <= 1 << 53;
    }
    let written = format!("{float:e}");
    float.is_finite()
        && (Affinity::Real.keeps_number(text) || Decimal::parse(&written).is_some_and(|written| written == number))
}
