//! The suite of `kawanet/msgpack-test-suite`, if it is at hand.

use super::*;
use demat_core::scalar::{Instant, Int, Offset};
use std::path::{Path, PathBuf};

/// In `DEMAT_SUITES`, or in `shared/suites` beside the repository.
#[allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]
fn suite() -> Option<serde_json::Value> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).map(|parent| parent.join("shared/suites"));
    let suites = std::env::var_os("DEMAT_SUITES").map(PathBuf::from).or_else(beside)?;
    let text = std::fs::read(suites.join("msgpack/msgpack-test-suite.json")).ok();
    if text.is_none() {
        eprintln!("SKIPPED: no `msgpack/msgpack-test-suite.json`; set DEMAT_SUITES to the folder that has it");
    }
    Some(serde_json::from_slice(&text?).unwrap())
}

fn bytes_of(hex: &serde_json::Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    hex.split('-').filter(|pair| !pair.is_empty()).map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

/// What JSON says, as a value.
fn value_of(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Array(items) => Value::List(items.iter().map(value_of).collect()),
        serde_json::Value::Object(fields) => {
            Value::Map(fields.iter().map(|(key, value)| (Value::Text(key.clone().into()), value_of(value))).collect())
        }
        serde_json::Value::Number(number) => match Int::from_digits(&number.to_string()) {
            Some(int) => Value::Int(int.into_owned()),
            None => Value::Float(number.as_f64().unwrap()),
        },
        serde_json::Value::String(text) => Value::Text(text.clone().into()),
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::Null => Value::Null,
    }
}

/// The value that a case says; `None` for one that is refused.
fn wanted(case: &serde_json::Value) -> Option<Value> {
    let fields = case.as_object().unwrap();
    if let Some(digits) = fields.get("bignum") {
        return Some(Value::Int(Int::from_digits(digits.as_str().unwrap()).unwrap().into_owned()));
    }
    let (kind, value) = fields.iter().find(|(kind, _)| *kind != "msgpack").unwrap();
    match &**kind {
        "binary" => Some(Value::Bytes(bytes_of(value).into())),
        "timestamp" => {
            let nanos = u32::try_from(value[1].as_u64().unwrap()).unwrap();
            Instant::from_unix(value[0].as_i64().unwrap(), nanos, Offset::UTC).map(Value::from)
        }
        "ext" => None,
        _ => Some(value_of(value)),
    }
}

/// Whether both are the same number, of which the suite has encodings as floats.
fn is_same_number(one: &Value, two: &Value) -> bool {
    let float = |value: &Value| match value {
        Value::Int(int) => Some(int.to_f64()),
        Value::Float(float) => Some(*float),
        _ => None,
    };
    // A negative zero becomes zero.
    float(one).zip(float(two)).is_some_and(|(one, two)| (one + 0.0).to_bits() == (two + 0.0).to_bits())
}

#[test]
fn the_suite_is_read_and_written() {
    let Some(suite) = suite() else { return };
    let (mut encodings, mut refused) = (0, 0);
    for case in suite.as_object().unwrap().values().flat_map(|cases| cases.as_array().unwrap()) {
        let wanted = wanted(case);
        let all: Vec<Vec<u8>> = case["msgpack"].as_array().unwrap().iter().map(bytes_of).collect();
        for bytes in &all {
            encodings += 1;
            for end in 0..bytes.len() {
                assert!(read(&bytes[..end], "any").is_err() && skipped(&bytes[..end]).is_err(), "{bytes:x?} {end}");
            }
            let Some(wanted) = &wanted else {
                refused += 1;
                assert!(read(bytes, "any").is_err(), "{bytes:x?}");
                continue;
            };
            skipped(bytes).unwrap();
            let found = read(bytes, "any").unwrap();
            assert!(found == *wanted || is_same_number(&found, wanted), "{bytes:x?}: {found:?}, not {wanted:?}");
            assert_eq!(streamed(&**bytes, 1, &Shape::Any).unwrap(), found);
        }
        // The first ones are as small as the others, or smaller. Floats of the suite are also written in 32 bits.
        if let Some(wanted) = wanted {
            let ours = written(&wanted, &Shape::Any).unwrap();
            let smallest = all.iter().min_by_key(|bytes| bytes.len()).unwrap();
            let is_float = matches!(wanted, Value::Float(_));
            assert!(all.contains(&ours), "{wanted:?}: {ours:x?}");
            let is_lossy = matches!(smallest[0], 0xca | 0xcb);
            assert!(is_float || is_lossy || ours.len() == smallest.len(), "{wanted:?}: {ours:x?}, not {smallest:x?}");
        }
    }
    // Extension types, each in all its forms, and a timestamp of the year 0.
    assert_eq!((encodings, refused), (233, 12));
}
