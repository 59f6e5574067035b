//! Output: compact, indented, ASCII; keys of every kind; rollbacks.

use super::JsonSource;
use crate::json::{self, CompactSink, JsonSink, NonFinite, UuidForm, WriteOptions};
use crate::{Keep, Output, To};
use demat_core::scalar::{Date, Decimal, Int};
use demat_core::{Encode, ErrorKind, Field, IntWidth, Record, Shape, Sink, Value, copy};
use std::collections::BTreeMap;

pub(super) fn written(text: &str, options: WriteOptions) -> String {
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut JsonSource::new(text.as_bytes()), &Shape::Any, &mut sink).unwrap();
    String::from_utf8(sink.into_output().into_parts().0).unwrap()
}

const PLAIN: WriteOptions = WriteOptions {
    indent: None,
    sorted_keys: false,
    ascii: false,
    depth: 1024,
    nonfinite: NonFinite::Refuse,
    decimal_text: false,
    uuids: UuidForm::Text,
};

#[test]
fn indented_output_has_a_line_for_each_child() {
    let pretty = WriteOptions { indent: Some(2), ..PLAIN };
    assert_eq!(
        written(r#"{"a":[1,{"b":[]}],"c":{}}"#, pretty),
        "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}"
    );
    assert_eq!(written("[]", pretty), "[]");
    assert_eq!(written("[[],{}]", pretty), "[\n  [],\n  {}\n]");
    assert_eq!(written("1", pretty), "1");
    assert_eq!(written("[1]", WriteOptions { indent: Some(0), ..PLAIN }), "[\n1\n]");
    let record = Record::new("", vec![Field::new("a", 1, Shape::Any), Field::new("b", 2, Shape::Any)]).unwrap();
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), pretty);
    copy(&mut JsonSource::new(br#"{"b":[1],"a":{}}"#), &Shape::record(record), &mut sink).unwrap();
    assert_eq!(sink.into_output().into_parts().0, b"{\n  \"b\": [\n    1\n  ],\n  \"a\": {}\n}");
}

#[test]
fn ascii_output_is_ascii_and_says_the_same() {
    let ascii = WriteOptions { ascii: true, ..PLAIN };
    let text = "{\"kä\":[\"€\",\"😀\",\"\u{7f}\",\"a long one that has nothing to escape but at the end: ß\"]}";
    let out = written(text, ascii);
    assert!(out.is_ascii(), "{out}");
    assert_eq!(written(&out, PLAIN), text);
    // Keys of records, which are precomputed, too.
    let record = Record::new("", vec![Field::new("ä", 1, Shape::Any), Field::new("b", 2, Shape::Any)]).unwrap();
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), ascii);
    copy(&mut JsonSource::new("{\"ä\":1,\"b\":\"ö\"}".as_bytes()), &Shape::record(record), &mut sink).unwrap();
    assert_eq!(sink.into_output().into_parts().0, br#"{"\u00e4":1,"b":"\u00f6"}"#);
}

#[test]
fn record_keys_of_every_length_are_written_whole() {
    for len in 0..40 {
        for head in ["", "ä", "\"", "\\", "\n", "\u{7f}"] {
            let key = format!("{head}{}", "k".repeat(len));
            let fields = vec![Field::new(key.clone(), 1, Shape::Any), Field::new(format!("{key}2"), 2, Shape::Any)];
            let shape = Shape::record(Record::new("", fields).unwrap());
            let map = Value::Map(vec![
                (Value::Text(key.clone().into()), Value::Null),
                (Value::Text(format!("{key}2").into()), Value::Bool(true)),
            ]);
            let text = json::encode(&map).unwrap();
            for options in [PLAIN, WriteOptions { ascii: true, ..PLAIN }, WriteOptions { sorted_keys: true, ..PLAIN }] {
                let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), options);
                copy(&mut JsonSource::new(&text), &shape, &mut sink).unwrap();
                let out = sink.into_output().into_parts().0;
                assert_eq!(json::decode::<Value>(&out).unwrap(), map);
                if options == PLAIN {
                    assert_eq!(out, text);
                }
            }
        }
    }
}

#[test]
fn keys_that_are_no_text_are_their_text() {
    assert_eq!(json::encode(&BTreeMap::from([(1, "a"), (-2, "b")])).unwrap(), br#"{"-2":"b","1":"a"}"#);
    assert_eq!(json::encode(&BTreeMap::from([(true, 1)])).unwrap(), br#"{"true":1}"#);
    let date = Date::parse("2020-02-29").unwrap();
    let keys = [
        (Value::Float(1.5), "{\"1.5\":null}"),
        (Value::Decimal(Decimal::parse("1.50").unwrap()), "{\"1.50\":null}"),
        (Value::Int(Int::from(u64::MAX)), "{\"18446744073709551615\":null}"),
        (Value::Date(date), "{\"2020-02-29\":null}"),
        (Value::Bytes(vec![0, 255].into()), "{\"AP8=\":null}"),
    ];
    for (key, expected) in keys {
        assert_eq!(String::from_utf8(json::encode(&Value::Map(vec![(key, Value::Null)])).unwrap()).unwrap(), expected);
    }
    for key in [Value::Null, Value::List(vec![]), Value::Map(vec![]), Value::Float(f64::NAN)] {
        let error = json::encode(&Value::Map(vec![(key, Value::Null)])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Encode);
    }
}

type Step = fn(&mut dyn Sink) -> demat_core::Result<()>;

/// Runs the steps on a sink with two commits, rolls back, and runs them again from the second commit on.
fn told_and_taken_back(mut sink: impl Sink, steps: &[Step], [commit, other, back]: [usize; 3]) {
    for (index, step) in steps[..back].iter().enumerate() {
        if index == commit || index == other {
            sink.commit().unwrap();
        }
        step(&mut sink).unwrap();
    }
    if commit == back || other == back {
        sink.commit().unwrap();
    }
    sink.rollback().unwrap();
    for step in &steps[other..] {
        step(&mut sink).unwrap();
    }
    sink.finish().unwrap();
}

/// After a rollback at any point, the committed output is left, and writing can continue.
#[test]
fn what_is_taken_back_leaves_nothing_behind() {
    let steps: Vec<Step> = vec![
        |s| s.begin_map(None),
        |s| s.entry(),
        |s| s.text("b"),
        |s| s.value(),
        |s| s.begin_list(None),
        |s| s.item(),
        |s| s.i64(1),
        |s| s.item(),
        |s| s.begin_map(None),
        |s| s.entry(),
        |s| s.text("y"),
        |s| s.value(),
        |s| s.null(),
        |s| s.entry(),
        |s| s.text("x"),
        |s| s.value(),
        |s| s.bool(true),
        |s| s.end_map(),
        |s| s.end_list(),
        |s| s.entry(),
        |s| s.int(&Int::I64(7)),
        |s| s.value(),
        |s| s.float(0.5),
        |s| s.entry(),
        |s| s.text("a"),
        |s| s.value(),
        |s| s.begin_map(None),
        |s| s.entry(),
        |s| s.text("d"),
        |s| s.value(),
        |s| s.i64(1),
        |s| s.entry(),
        |s| s.text("c"),
        |s| s.value(),
        |s| s.i64(2),
        |s| s.end_map(),
        |s| s.end_map(),
    ];
    for (options, expected) in [
        (PLAIN, r#"{"b":[1,{"y":null,"x":true}],"7":0.5,"a":{"d":1,"c":2}}"#),
        (WriteOptions { sorted_keys: true, ..PLAIN }, r#"{"7":0.5,"a":{"c":2,"d":1},"b":[1,{"x":true,"y":null}]}"#),
        (
            WriteOptions { sorted_keys: true, indent: Some(0), ..PLAIN },
            "{\n\"7\": 0.5,\n\"a\": {\n\"c\": 2,\n\"d\": 1\n},\n\"b\": [\n1,\n{\n\"x\": true,\n\"y\": null\n}\n]\n}",
        ),
    ] {
        for commit in 0..=steps.len() {
            for other in commit..=steps.len() {
                for back in other..=steps.len() {
                    let mut out = Vec::new();
                    told_and_taken_back(
                        JsonSink::new(Output::new(Vec::new(), To(&mut out)), options),
                        &steps,
                        [commit, other, back],
                    );
                    assert_eq!(
                        String::from_utf8(out).unwrap(),
                        expected,
                        "commits at {commit} and {other}, back at {back}"
                    );
                    if options == PLAIN {
                        let mut out = Vec::new();
                        told_and_taken_back(
                            CompactSink::new(Output::new(Vec::new(), To(&mut out))),
                            &steps,
                            [commit, other, back],
                        );
                        assert_eq!(
                            String::from_utf8(out).unwrap(),
                            expected,
                            "commits at {commit} and {other}, back at {back}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_buffer_is_used_again_and_replaced() {
    let mut buffer = b"what was there before".to_vec();
    json::encode_into(&vec![1, 2], &mut buffer).unwrap();
    assert_eq!(buffer, b"[1,2]");
    assert!(json::encode_into(&f64::NAN, &mut buffer).is_err());
    json::encode_into(&"x", &mut buffer).unwrap();
    assert_eq!(buffer, b"\"x\"");
}

#[test]
fn writers_get_everything_and_their_errors_come_back() {
    let mut out = Vec::new();
    let mut sink = JsonSink::new(Output::new(Vec::new(), To(&mut out)), PLAIN);
    let long = "x".repeat(200_000);
    vec![long.as_str(); 3].encode(&mut sink).unwrap();
    sink.finish().unwrap();
    drop(sink);
    assert_eq!(json::decode::<Vec<String>>(&out).unwrap(), vec![long; 3]);
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut sink = JsonSink::new(Output::new(Vec::new(), To(Full)), PLAIN);
    let error = copy(&mut JsonSource::new(b"[1]"), &Shape::Int(IntWidth::Any).list(), &mut sink).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
}

/// The compact sink writes the same as the plain one for any value, large or small, drained or kept.
#[test]
fn the_compact_sink_writes_what_the_plain_one_does() {
    let text = r#"[[],{},[[]],{"a":{}},[1,-7,12345678,123456789,-9223372036854775808,18446744073709551615,1e300],
        {"a":[true,false,null],"with \"quotes\" and more than thirty-two bytes":"x","a key of twenty-four byte":""},
        ["","a","sixteen bytes at","more than sixteen bytes","more than thirty-two bytes, as there are","\n\u0001"]]"#;
    let text = format!("[{}]", vec![text; 1000].join(","));
    let mut kept = CompactSink::new(Output::new(Vec::new(), Keep));
    copy(&mut JsonSource::new(text.as_bytes()), &Shape::Any, &mut kept).unwrap();
    let mut passed = Vec::new();
    copy(
        &mut JsonSource::new(text.as_bytes()),
        &Shape::Any,
        &mut CompactSink::new(Output::new(Vec::new(), To(&mut passed))),
    )
    .unwrap();
    let expected = written(&text, PLAIN);
    assert!(kept.into_output().into_parts().0 == expected.as_bytes());
    assert!(passed == expected.as_bytes());
    let keys = [
        (Value::Int(Int::from(7)), r#"{"7":null}"#),
        (Value::Bool(true), r#"{"true":null}"#),
        (Value::Float(0.5), r#"{"0.5":null}"#),
        (Value::Bytes(vec![0, 255].into()), r#"{"AP8=":null}"#),
        (Value::Decimal(Decimal::parse("1.50").unwrap()), r#"{"1.50":null}"#),
        (Value::Date(Date::parse("2020-02-29").unwrap()), r#"{"2020-02-29":null}"#),
    ];
    for (key, expected) in keys {
        let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
        Value::Map(vec![(key, Value::Null)]).encode(&mut sink).unwrap();
        sink.finish().unwrap();
        assert_eq!(String::from_utf8(sink.into_output().into_parts().0).unwrap(), expected);
    }
    for key in [Value::Null, Value::List(vec![]), Value::Map(vec![]), Value::Float(f64::NAN)] {
        let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
        assert_eq!(Value::Map(vec![(key, Value::Null)]).encode(&mut sink).unwrap_err().kind(), ErrorKind::Encode);
    }
}

#[test]
fn numbers_at_once_are_those_one_by_one() {
    // Runs are of 64 numbers.
    for len in [0, 1, 63, 64, 65, 200] {
        let ints: Vec<i64> = (0..len).map(|at| (i64::MAX >> (at % 64)) * if at % 3 == 0 { -1 } else { 1 }).collect();
        let narrow: Vec<i32> = ints.iter().map(|int| *int as i32).collect();
        let unsigned: Vec<u64> = ints.iter().map(|int| int.cast_unsigned()).collect();
        let unsigned_narrow: Vec<u32> = unsigned.iter().map(|int| *int as u32).collect();
        let floats: Vec<f64> = ints.iter().map(|int| f64::from(*int as i32) / 8.0).collect();
        let value = (ints, narrow, (unsigned, unsigned_narrow, floats));
        let mut general = JsonSink::new(Output::new(Vec::new(), Keep), PLAIN);
        value.encode(&mut general).unwrap();
        let text = String::from_utf8(general.into_output().into_parts().0).unwrap();
        assert_eq!(String::from_utf8(json::encode(&value).unwrap()).unwrap(), text);
        let mut compact = CompactSink::new(Output::new(Vec::new(), Keep));
        value.encode(&mut compact).unwrap();
        compact.finish().unwrap();
        assert_eq!(String::from_utf8(compact.into_output().into_parts().0).unwrap(), text);
    }
}
