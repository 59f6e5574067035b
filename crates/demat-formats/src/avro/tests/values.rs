//! Values of every kind survive, in every compression.

use super::*;

const TASK: &str = "[Task{id: int, title: text, done: bool?, tags: [text], sizes: map(text, float), kind: enum Kind(a, b), \
                    next: Task?, at: instant, day: date, hour: time, local: datetime, took: duration, price: decimal, \
                    key: uuid, data: bytes, small: int16, half: float32}]";

fn task(id: u32, next: &str) -> String {
    format!(
        r#"{{"id": {id}, "title": "tä{id}", "done": null, "tags": ["x", "y"], "sizes": {{"a": 1.5}}, "kind": "b",
            "next": {next}, "at": "2024-01-02T03:04:05.678901Z", "day": "0001-01-01", "hour": "23:59:59.999999",
            "local": "9999-12-31T23:59:59.999999", "took": "PT1.5S", "price": 12.50,
            "key": "12345678-1234-5678-1234-567812345678", "data": "AAH/", "small": -32768, "half": 0.5}}"#
    )
}

#[test]
fn all_kinds_come_back() {
    let text = format!("[{}, {}]", task(1, "null"), task(2, &task(3, "null")));
    let shape = shape(TASK);
    let value = value(&text, &shape);
    for compression in ALL {
        let bytes = testing::written(&options(compression), &value, &shape).unwrap();
        assert_eq!(testing::read(Avro::default(), &bytes, &shape).unwrap(), value, "{compression:?}");
        assert_eq!(testing::written(&options(compression), &value, &shape).unwrap(), bytes);
        testing::skipped(Avro::default(), &bytes, &shape).unwrap();
        testing::marks_lead_back(&options(compression), &bytes, &shape);
    }
}

#[test]
fn one_value_is_the_only_one_of_its_file() {
    for (of, json) in [("int", "7"), ("text?", "null"), ("{a: int}", r#"{"a":1}"#), ("map(text, int)", r#"{"b":2}"#)] {
        let bytes = written(json, of, &WriteOptions::default()).unwrap();
        assert_eq!(super::json(&bytes, of), json);
        assert_eq!(super::json(&bytes, "any"), json);
        assert_eq!(super::json(&bytes, &format!("[{of}]")), format!("[{json}]"));
    }
    let two = written("[1, 2]", "[int]", &WriteOptions::default()).unwrap();
    assert_eq!(read(&two, "int").unwrap_err().reason(), "expected one value, found an Avro file of several");
    let none = written("[]", "[int]", &WriteOptions::default()).unwrap();
    assert_eq!(super::json(&none, "[int]"), "[]");
    assert_eq!(read(&none, "int").unwrap_err().reason(), "expected a value, found an Avro file without any");
}

#[test]
fn unions_are_told_by_name_or_kind() {
    let keyed = "[union(a: int, b: text, c: [int], d, e: Point{x: int})]";
    let text = r#"[{"a":1},{"b":"t"},{"c":[1,2]},"d",{"e":{"x":5}}]"#;
    let pair = "[union[k, v](a: int, b: text, c: [int], d, e: Point{x: int})]";
    let paired = r#"[{"k":"a","v":1},{"k":"b","v":"t"},{"k":"c","v":[1,2]},{"k":"d"},{"k":"e","v":{"x":5}}]"#;
    let fields = "[union[k](a: A{x: int}, b: B{x: int})]";
    let by_field = r#"[{"k":"b","x":1},{"k":"a","x":2}]"#;
    let plain = "[int | text | [int] | null | Point{x: int}]";
    for (of, text) in [(keyed, text), (pair, paired), (fields, by_field), (plain, r#"[1,"t",[1,2],null,{"x":5}]"#)] {
        let shape = shape(of);
        let value = value(text, &shape);
        let bytes = testing::written(&WriteOptions::default(), &value, &shape).unwrap();
        assert_eq!(testing::read(Avro::default(), &bytes, &shape).unwrap(), value, "{of}");
        testing::skipped(Avro::default(), &bytes, &shape).unwrap();
    }
    let error = written("[[1]]", "[[int] | [text]]", &WriteOptions::default()).unwrap_err();
    assert_eq!(error.reason(), "a union of Avro has one array at most, and this one has several");
}

#[test]
fn decimals_have_the_digits_that_were_asked_for() {
    let decimals = WriteOptions { decimals: Some((9, 2)), ..WriteOptions::default() };
    let bytes = written("[12.5, -0.01, 1e3]", "[decimal]", &decimals).unwrap();
    assert_eq!(super::json(&bytes, "[decimal]"), "[12.50,-0.01,1000.00]");
    assert_eq!(declared(&bytes), "decimal");
    let error = written("[0.001]", "[decimal]", &decimals).unwrap_err();
    assert_eq!(error.to_string(), "expected a decimal of 9 digits, 2 of them after the point, found `0.001` at `$[0]`");
}

#[test]
fn what_does_not_fit_is_refused() {
    for (json, of, reason) in [
        ("[9223372036854775808]", "[int]", "expected `int64`, found `9223372036854775808`"),
        ("[\"00:00:00.000000001\"]", "[time]", "expected a time in microseconds, found `00:00:00.000000001`"),
        (
            "[\"2024-01-01T00:00:00\"]",
            "[instant]",
            "expected an instant with an offset, unless `naive` writes all without, found `2024-01-01T00:00:00`",
        ),
    ] {
        assert_eq!(written(json, of, &WriteOptions::default()).unwrap_err().reason(), reason);
    }
    let naive = WriteOptions { naive: true, ..WriteOptions::default() };
    let bytes = written("[\"2024-01-01T00:00:00+02:00\"]", "[instant]", &naive).unwrap();
    assert_eq!(super::json(&bytes, "[instant]"), "[\"2024-01-01T00:00:00\"]");
}

#[test]
fn fields_come_in_any_order_or_not_at_all() {
    let of = "[{a: int, b: text?, c: int = 5, d: {x: int, y: int}}]";
    let shape = shape(of);
    let mut sink = AvroSink::new(Output::new(Vec::new(), crate::Keep), WriteOptions::default());
    demat_core::copy(&mut crate::json::JsonSource::new(br#"[{"d": {"y": 2, "x": 1}, "a": 7}]"#), &shape, &mut sink)
        .unwrap();
    let bytes = sink.into_output().into_parts().0;
    assert_eq!(super::json(&bytes, of), r#"[{"a":7,"b":null,"c":5,"d":{"x":1,"y":2}}]"#);
}

#[test]
fn the_only_value_may_be_a_list_or_tuple() {
    for (of, json, untyped) in [
        ("(int, text)", r#"[1,"a"]"#, r#"{"_0":1,"_1":"a"}"#),
        ("int | [int]", "[1,2]", "[1,2]"),
        ("int | [int]", "3", "3"),
        ("()", "[]", "{}"),
    ] {
        let bytes = written(json, of, &WriteOptions::default()).unwrap();
        assert_eq!(super::json(&bytes, of), json);
        assert_eq!(super::json(&bytes, "any"), untyped);
        testing::skipped(Avro::default(), &bytes, &shape(of)).unwrap();
    }
    let bytes = written("[1,2]", "int | [int]", &WriteOptions::default()).unwrap();
    assert_eq!(super::json(&bytes, "[int]"), "[1,2]");
}
