//! The values of RFC 8949, appendix A, if they are at hand.

use super::*;
use demat_core::scalar::{Instant, Int};

fn suite() -> Option<serde_json::Value> {
    let text = testing::suite_file("cbor/appendix_a.json")?;
    // serde_json reads ints beyond 64 bits as floats. As texts they keep their digits.
    let mut text = String::from_utf8(text).unwrap();
    for int in ["18446744073709551616", "-18446744073709551616", "-18446744073709551617"] {
        text = text.replace(&format!("\"decoded\": {int}"), &format!("\"diagnostic\": \"{int}\""));
    }
    Some(serde_json::from_str(&text).unwrap())
}

fn int(text: &str) -> Value {
    Value::Int(Int::from_digits(text).unwrap().into_owned())
}

/// A tag without a kind of its own, as it is read without a type.
fn tagged(tag: u64, value: Value) -> Value {
    Value::Map(vec![(Value::Text("tag".into()), Value::Int(Int::from(tag))), (Value::Text("value".into()), value)])
}

/// The value of what the suite has in diagnostic notation; `None` for what is refused.
fn of_diagnostic(text: &str) -> Option<Value> {
    let instant = |text: &str| Value::from(Instant::parse(text).unwrap());
    Some(match text {
        "Infinity" => Value::Float(f64::INFINITY),
        "-Infinity" => Value::Float(f64::NEG_INFINITY),
        "NaN" => Value::Float(f64::NAN),
        "undefined" => Value::Null,
        "0(\"2013-03-21T20:04:00Z\")" | "1(1363896240)" => instant("2013-03-21T20:04:00Z"),
        "1(1363896240.5)" => instant("2013-03-21T20:04:00.5Z"),
        "h'01020304'" => Value::Bytes(vec![1, 2, 3, 4].into()),
        "23(h'01020304')" => tagged(23, Value::Bytes(vec![1, 2, 3, 4].into())),
        "24(h'6449455446')" => tagged(24, Value::Bytes(bytes_of("6449455446").into())),
        "32(\"http://www.example.com\")" => tagged(32, Value::Text("http://www.example.com".to_string().into())),
        "h''" => Value::Bytes(Vec::new().into()),
        "(_ h'0102', h'030405')" => Value::Bytes(vec![1, 2, 3, 4, 5].into()),
        "{1: 2, 3: 4}" => Value::Map(vec![(int("1"), int("2")), (int("3"), int("4"))]),
        text if text.starts_with("simple(") => return None,
        text => int(text),
    })
}

/// What is not written as it stands in the suite: undefined is null, seconds are text, and a value of other tags is a map.
const OTHERWISE: [&str; 6] = [
    "undefined",
    "1(1363896240)",
    "1(1363896240.5)",
    "23(h'01020304')",
    "24(h'6449455446')",
    "32(\"http://www.example.com\")",
];

#[test]
fn appendix_a_is_read_and_written() {
    let Some(suite) = suite() else { return };
    let (mut same, mut refused, mut otherwise) = (0, 0, 0);
    let cases = suite.as_array().unwrap();
    for case in cases {
        let bytes = bytes_of(case["hex"].as_str().unwrap());
        let diagnostic = case.get("diagnostic").and_then(|text| text.as_str());
        // The suite is older than RFC 8949, by which this one is not well-formed.
        let is_old = diagnostic == Some("simple(24)");
        assert_eq!(skipped(&bytes).is_err(), is_old, "{bytes:x?}");
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end], "any").is_err() && skipped(&bytes[..end]).is_err(), "{bytes:x?} {end}");
        }
        let wanted = match diagnostic {
            Some(text) => of_diagnostic(text),
            None => Some(testing::value_of_json(&case["decoded"])),
        };
        let Some(wanted) = wanted else {
            refused += 1;
            assert!(read(&bytes, "any").is_err());
            continue;
        };
        let found = read(&bytes, "any").unwrap();
        // The order of the suite's keys was lost on the way through JSON.
        let one = |value: &Value| written(value, &Shape::Any, DETERMINISTIC).unwrap();
        assert_eq!(one(&found), one(&wanted), "{bytes:x?}: {found:?}, not {wanted:?}");
        for size in [1, 3] {
            let streamed = streamed(&bytes, size, &Shape::Any).unwrap();
            assert!(format!("{streamed:?}") == format!("{found:?}"), "{bytes:x?} {size}");
        }
        if case["roundtrip"] == true {
            let again = one(&found);
            if diagnostic.is_some_and(|text| OTHERWISE.contains(&text)) {
                otherwise += 1;
                let back = read(&again, "any").unwrap();
                assert_eq!(back, found);
            } else {
                same += 1;
                assert_eq!(again, bytes, "{found:?}");
            }
        }
    }
    // Simple values without a meaning are refused.
    assert_eq!((cases.len(), same, otherwise, refused), (82, 56, OTHERWISE.len(), 3));
}
