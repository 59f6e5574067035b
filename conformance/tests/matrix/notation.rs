//! The notation of values in the case files: JSON, with tags for what JSON lacks.

use demat_core::Value;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Time, Uuid};
use demat_formats::json;

/// Parses JSON text as a value in the notation.
pub(crate) fn parse(text: &str) -> Value {
    value(&json::decode(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}")))
}

/// Returns the value that JSON with tags stands for: `{"$date": "2024-02-29"}` is a date.
pub(crate) fn value(noted: &Value) -> Value {
    match noted {
        Value::List(items) => Value::List(items.iter().map(value).collect()),
        Value::Map(entries) => match &entries[..] {
            [(Value::Text(tag), content)] if tag.starts_with('$') => tagged(&tag[1..], content),
            _ => Value::Map(entries.iter().map(|(key, content)| (key.clone(), value(content))).collect()),
        },
        scalar => scalar.clone(),
    }
}

fn tagged(tag: &str, content: &Value) -> Value {
    let parsed = match (tag, content) {
        ("float", Value::Text(text)) => text.parse().ok().map(Value::Float),
        ("decimal", Value::Text(text)) => Decimal::parse(text).map(|decimal| Value::Decimal(decimal.into_owned())),
        ("date", Value::Text(text)) => Date::parse(text).map(Value::Date),
        ("time", Value::Text(text)) => Time::parse(text).map(Value::Time),
        ("datetime", Value::Text(text)) => DateTime::parse(text).map(Value::DateTime),
        ("instant", Value::Text(text)) => Instant::parse(text).map(Value::from),
        ("duration", Value::Text(text)) => Duration::parse(text).map(Value::Duration),
        ("uuid", Value::Text(text)) => Uuid::parse(text).map(Value::Uuid),
        ("bytes", Value::List(lines)) => {
            let digits: String = lines.iter().map(text).collect();
            let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal digits");
            Some(Value::Bytes((0..digits.len()).step_by(2).map(byte).collect::<Vec<_>>().into()))
        }
        ("text", Value::List(parts)) => Some(Value::Text(text(&parts[0]).repeat(count(&parts[1])).into())),
        ("repeat", Value::List(parts)) => Some(Value::List(vec![value(&parts[0]); count(&parts[1])])),
        ("nest", Value::List(parts)) => {
            Some((0..count(&parts[0])).fold(value(&parts[1]), |inner, _| Value::List(vec![inner])))
        }
        ("chain", Value::List(parts)) => {
            let link = |inner, _| Value::Map(vec![(parts[0].clone(), inner)]);
            Some((0..count(&parts[1])).fold(value(&parts[2]), link))
        }
        ("map", Value::List(entries)) => {
            let entry = |entry: &Value| match entry {
                Value::List(parts) => (value(&parts[0]), value(&parts[1])),
                other => panic!("an entry is a key and a value, not {other:?}"),
            };
            Some(Value::Map(entries.iter().map(entry).collect()))
        }
        _ => None,
    };
    parsed.unwrap_or_else(|| panic!("`${tag}` of {content:?} is no value"))
}

/// Returns the text of a value that is text.
pub(crate) fn text(value: &Value) -> &str {
    match value {
        Value::Text(text) => text,
        other => panic!("expected text, found {other:?}"),
    }
}

fn count(value: &Value) -> usize {
    match value {
        Value::Int(count) => count.to_string().parse().expect("a count"),
        other => panic!("expected a count, found {other:?}"),
    }
}
