//! Comparison of values.

use super::number::Number;
use core::cmp::Ordering;
use demat_core::Value;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid, base64};
use std::borrow::Cow;

/// Compares a value with a text. Returns `None` if the text is not of the value's kind.
pub fn against(value: &Value, given: &str) -> Option<Ordering> {
    match value {
        Value::Bool(own) => match given {
            "true" | "1" => Some(own.cmp(&true)),
            "false" | "0" => Some(own.cmp(&false)),
            _ => None,
        },
        Value::Int(own) => match Int::from_digits(given) {
            Some(given) => Some(own.cmp(&given)),
            None => Some(Number::parse(given)?.compare_int(own).reverse()),
        },
        Value::Float(own) => Number::parse(given)?.compare_float(*own).map(Ordering::reverse),
        Value::Text(own) => Some((**own).cmp(given)),
        Value::Decimal(own) => Some(own.cmp(&Decimal::parse_lax(given)?)),
        Value::Date(own) => Some(own.cmp(&Date::parse(given)?)),
        Value::Time(own) => Some(own.cmp(&Time::parse(given)?)),
        Value::Uuid(own) => Some(own.cmp(&Uuid::parse(given)?)),
        Value::DateTime(own) => Some(match moment(given, "", DateTime::parse) {
            Some(given) => own.cmp(&given),
            None => own.to_string().as_str().cmp(given),
        }),
        Value::Instant(at, offset) => {
            let own = at.with_offset(*offset);
            Some(match moment(given, "Z", Instant::parse) {
                Some(given) => compare_instants(own, given),
                None => own.to_string().as_str().cmp(given),
            })
        }
        Value::Duration(own) => Some(own.cmp(&Duration::parse(given)?)),
        // Decodes base64, the form in which clients see bytes.
        Value::Bytes(own) => Some((**own).cmp(&base64::decode(given)?)),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}

/// Parses a date and time. A date alone is its midnight; `zone` is then its offset.
pub(crate) fn moment<T>(given: &str, zone: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    match Date::parse(given) {
        Some(_) => parse(&format!("{given}T00:00:00{zone}")),
        None => parse(given),
    }
}

/// Compares points in time, whatever their offsets. Without an offset, an instant compares as its text.
fn compare_instants(one: Instant, other: Instant) -> Ordering {
    match (one.unix_nanos(), other.unix_nanos()) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => one.to_string().cmp(&other.to_string()),
    }
}

/// The sort order of records: missing and null values first, then by kind, then by value.
pub fn compare(one: Option<&Value>, other: Option<&Value>) -> Ordering {
    let (Some(one), Some(other)) = (one, other) else { return rank(one).cmp(&rank(other)) };
    match (one, other) {
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        (Value::Int(one), Value::Int(other)) => one.cmp(other),
        (Value::Int(one), Value::Float(other)) => int_and_float(one, *other),
        (Value::Float(one), Value::Int(other)) => int_and_float(other, *one).reverse(),
        (Value::Float(one), Value::Float(other)) => one.total_cmp(other),
        (Value::Text(one), Value::Text(other)) => one.cmp(other),
        (Value::Bytes(one), Value::Bytes(other)) => one.cmp(other),
        (Value::Decimal(one), Value::Decimal(other)) => one.cmp(other),
        (Value::Date(one), Value::Date(other)) => one.cmp(other),
        (Value::Time(one), Value::Time(other)) => one.cmp(other),
        (Value::DateTime(one), Value::DateTime(other)) => one.cmp(other),
        (Value::Instant(one, at), Value::Instant(other, there)) => {
            compare_instants(one.with_offset(*at), other.with_offset(*there))
        }
        (Value::Duration(one), Value::Duration(other)) => one.cmp(other),
        (Value::Uuid(one), Value::Uuid(other)) => one.cmp(other),
        _ => rank(Some(one)).cmp(&rank(Some(other))),
    }
}

/// The order of numbers by their exact values. As among floats, -0.0 is less than 0, and a NaN is beyond all numbers.
fn int_and_float(int: &Int<'_>, float: f64) -> Ordering {
    match int.compare_f64(float) {
        Some(Ordering::Equal) if float == 0.0 => 0.0_f64.total_cmp(&float),
        Some(order) => order,
        None => 0.0_f64.total_cmp(&float),
    }
}

fn rank(value: Option<&Value>) -> u8 {
    match value {
        None | Some(Value::Null) => 0,
        Some(Value::Bool(_)) => 1,
        Some(Value::Int(_) | Value::Float(_)) => 2,
        Some(Value::Decimal(_)) => 3,
        Some(Value::Text(_)) => 4,
        Some(Value::Bytes(_)) => 5,
        Some(Value::Date(_)) => 6,
        Some(Value::Time(_)) => 7,
        Some(Value::DateTime(_)) => 8,
        Some(Value::Instant(..)) => 9,
        Some(Value::Duration(_)) => 10,
        Some(Value::Uuid(_)) => 11,
        Some(Value::List(_)) => 12,
        Some(Value::Map(_)) => 13,
    }
}

/// Returns the text to search in a value; `None` if the value has no searchable text.
pub(super) fn text_of(value: &Value) -> Option<Cow<'_, str>> {
    Some(match value {
        Value::Text(own) => Cow::Borrowed(own),
        Value::Int(own) => own.to_string().into(),
        Value::Float(own) => format!("{own:?}").into(),
        Value::Decimal(own) => own.as_str().to_string().into(),
        Value::Date(own) => own.to_string().into(),
        Value::Time(own) => own.to_string().into(),
        Value::DateTime(own) => own.to_string().into(),
        Value::Instant(at, offset) => at.with_offset(*offset).to_string().into(),
        Value::Duration(own) => own.to_string().into(),
        Value::Uuid(own) => own.to_string().into(),
        Value::Null | Value::Bool(_) | Value::Bytes(_) | Value::List(_) | Value::Map(_) => return None,
    })
}

/// A character of a pattern.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// Any characters (`%`).
    Any,
    /// One character (`_`).
    One,
    This(char),
}

/// Parses a pattern.
fn parts(pattern: &str) -> Vec<Part> {
    let mut letters = pattern.chars();
    let next = || {
        Some(match letters.next()? {
            '%' => Part::Any,
            '_' => Part::One,
            '\\' => Part::This(letters.next()?),
            own => Part::This(own),
        })
    };
    core::iter::from_fn(next).collect()
}

/// Returns whether a text matches an SQL pattern: `%` matches any characters, `_` matches one, a backslash escapes the
/// next. ASCII letters match in either case.
///
/// It backtracks to the last `%` only, so its time is at most the product of both lengths.
pub(super) fn is_like(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<Part>) = (text.chars().collect(), parts(pattern));
    let (mut at, mut of, mut back) = (0, 0, None);
    while at < text.len() {
        match pattern.get(of) {
            Some(Part::Any) => {
                back = Some((at, of));
                of += 1;
            }
            Some(Part::One) => (at, of) = (at + 1, of + 1),
            Some(Part::This(one)) if one.eq_ignore_ascii_case(&text[at]) => (at, of) = (at + 1, of + 1),
            _ => match back {
                Some((from, any)) => {
                    back = Some((from + 1, any));
                    (at, of) = (from + 1, any + 1);
                }
                None => return false,
            },
        }
    }
    pattern[of..].iter().all(|one| *one == Part::Any)
}
