//! What is written.

use super::*;

const SHAPE: &str = "a:int?, t:text?, f:float?, b:bool?, l:[int], m:M{a:int?, m:M?}?, n:[M], d:map(text, float)";

#[test]
fn messages_are_indented_or_on_one_line() {
    let value = json(
        r#"{"a": -1, "t": "x\"\n", "f": 0.5, "b": true, "l": [1, 2], "m": {"a": null, "m": {"a": 1, "m": null}},
            "n": [{"a": null, "m": null}, {"a": 2, "m": null}], "d": {"k": 1.0}}"#,
    );
    let text = "a: -1\nt: \"x\\\"\\n\"\nf: 0.5\nb: true\nl: 1\nl: 2\nm {\n  m {\n    a: 1\n  }\n}\nn {\n}\n\
                n {\n  a: 2\n}\nd {\n  key: \"k\"\n  value: 1.0\n}\n";
    assert_eq!(written(&value, SHAPE, WriteOptions::default()).unwrap(), text);
    let wide = WriteOptions { indent: 4, ..WriteOptions::default() };
    assert!(written(&value, SHAPE, wide).unwrap().contains("\n    m {\n        a: 1\n    }\n}"));
    let one_line = WriteOptions { indent: 0, ..WriteOptions::default() };
    let line = written(&value, SHAPE, one_line.clone()).unwrap();
    assert_eq!(line, text.split_whitespace().collect::<Vec<_>>().join(" ") + "\n");
    assert_eq!(written(&json("{}"), "a:int?", one_line).unwrap(), "");
    for text in [text, &line] {
        assert_eq!(written(&read(text, SHAPE).unwrap(), SHAPE, WriteOptions::default()).unwrap(), text_of(text));
    }
    fn text_of(text: &str) -> String {
        let shape: Shape = SHAPE.parse().unwrap();
        let wire = to_wire(text, &shape, ReadOptions::default()).unwrap();
        from_wire(&wire, &shape, WriteOptions::default()).unwrap()
    }
}

#[test]
fn zeros_are_left_out_where_they_equal_absence() {
    let value = json(r#"{"a": 0, "b": 0, "t": "", "f": 0.0}"#);
    assert_eq!(written(&value, "a:int, b:int?, t:text, f:float", WriteOptions::default()).unwrap(), "b: 0\n");
    let value = json(r#"{"f": -0.0}"#);
    assert_eq!(written(&value, "f:float", WriteOptions::default()).unwrap(), "f: -0.0\n");
}

#[test]
fn a_member_of_any_kind_that_is_null_is_left_out() {
    let shape = r#"a:any = null #proto:"in k", b:bool? #proto:"in k", c:any"#;
    let text = |json_text: &str| written(&json(json_text), shape, WriteOptions::default()).unwrap();
    assert_eq!(text(r#"{"a": null, "b": false, "c": 1}"#), "b: false\nc {\n  number_value: 1\n}\n");
    assert_eq!(text(r#"{"a": false, "c": null}"#), "a {\n  bool_value: false\n}\nc {\n  null_value: NULL_VALUE\n}\n");
}

#[test]
fn floats_are_words_where_they_are_not_finite() {
    let value = |float: f64| Value::Map(vec![(Value::Text("f".into()), Value::Float(float))]);
    for (float, text) in [(f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf"), (f64::NAN, "nan")] {
        for shape in ["f:float", "f:float32"] {
            let written = written(&value(float), shape, WriteOptions::default()).unwrap();
            assert_eq!(written, format!("f: {text}\n"));
            assert!(read(&written, shape).is_ok());
        }
    }
}

#[test]
fn what_has_no_form_is_refused() {
    for (json_text, shape) in [
        (r#"[{"a": 1}]"#, "[{a:int}]"),
        ("1", "int"),
        (r#"{"a": 1}"#, "map(text, int)"),
        (r#"{"l": [[1]]}"#, "l:[[int]]"),
        (r#"{"l": [null]}"#, "l:[int?]"),
        (r#"{"a b": 1}"#, "\"a b\":int"),
        (r#"{"kä": 1}"#, "\"kä\":int"),
        (r#"{"a": 5000000000}"#, "a:int #proto:int32"),
        (r#"{"a": -1}"#, "a:int #proto:uint64"),
    ] {
        let error = written(&json(json_text), shape, WriteOptions::default()).unwrap_err();
        assert_eq!(error.kind(), demat_core::ErrorKind::Encode, "{shape}: {error}");
    }
}

#[test]
fn a_rollback_leaves_the_last_commit() {
    let Shape::Record(record) = "a:int?, l:[int]".parse().unwrap() else { unreachable!() };
    let record = record.own();
    let mut sink = TxtpbSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    sink.begin_record(&record).unwrap();
    sink.field(&record, 1).unwrap();
    sink.begin_list(None).unwrap();
    sink.item().unwrap();
    sink.i64(1).unwrap();
    sink.commit().unwrap();
    sink.end_list().unwrap();
    sink.field(&record, 0).unwrap();
    sink.i64(2).unwrap();
    sink.rollback().unwrap();
    sink.item().unwrap();
    sink.i64(3).unwrap();
    sink.end_list().unwrap();
    sink.end_record(&record).unwrap();
    sink.finish().unwrap();
    assert_eq!(sink.into_output().into_parts().0, b"l: 1\nl: 3\n");
}
