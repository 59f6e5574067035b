//! The suite of `kawanet/msgpack-test-suite`, if it is at hand.

use super::*;
use crate::msgpack::Ext;
use demat_core::Shaped;
use demat_core::scalar::{Instant, Int, Offset};

fn suite() -> Option<serde_json::Value> {
    let text = testing::suite_file("msgpack/msgpack-test-suite.json")?;
    Some(serde_json::from_slice(&text).unwrap())
}

fn bytes_of(hex: &serde_json::Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    hex.split('-').filter(|pair| !pair.is_empty()).map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
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
        "ext" => {
            let entries = [
                ("code", Value::Int(value[0].as_i64().unwrap().into())),
                ("data", Value::Bytes(bytes_of(&value[1]).into())),
            ];
            Some(Value::Map(entries.map(|(key, value)| (Value::Text(key.into()), value)).into()))
        }
        _ => Some(testing::value_of_json(value)),
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
            assert_eq!(testing::streamed(Msgpack::default(), &**bytes, 1, &Shape::Any).unwrap(), found);
        }
        // The first ones are as small as the others, or smaller. Floats of the suite are also written in 32 bits.
        if let Some(wanted) = wanted {
            let is_ext = case.get("ext").is_some();
            let shape = if is_ext { Ext::SHAPE } else { &Shape::Any };
            let ours = written(&wanted, shape).unwrap();
            let smallest = all.iter().min_by_key(|bytes| bytes.len()).unwrap();
            let is_float = matches!(wanted, Value::Float(_));
            assert!(all.contains(&ours), "{wanted:?}: {ours:x?}");
            let is_lossy = matches!(smallest[0], 0xca | 0xcb);
            assert!(is_float || is_lossy || ours.len() == smallest.len(), "{wanted:?}: {ours:x?}, not {smallest:x?}");
        }
    }
    // A timestamp of the year 0. Instants have the years 1 to 9999, as those of Python.
    assert_eq!((encodings, refused), (233, 1));
}
