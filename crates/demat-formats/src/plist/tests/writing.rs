//! Encoding.

use super::*;
use demat_core::ErrorKind;

/// Encodes JSON in both forms, and decodes it again.
fn round(json: &str, of: &str) {
    let shape = shape(of);
    let value = value(json, &shape);
    for variant in [Variant::Xml, Variant::Binary] {
        let bytes = written(&value, &shape, variant).unwrap();
        assert_eq!(read(&bytes, of).unwrap(), value, "{json} {variant:?}");
    }
}

#[test]
fn values_come_back() {
    round("true", "bool");
    for int in ["0", "255", "256", "65536", "4294967296", "-1", "-9223372036854775808", "18446744073709551615"] {
        round(int, "int");
    }
    for float in ["0.0", "-0.0", "1.5", "0.1", "1e300", "5e-324"] {
        round(float, "float");
    }
    round("\"a & <b> \\r\\n\\t é 😀\"", "text");
    round("\"\"", "text");
    round("\"AP8=\"", "bytes");
    round("\"2024-02-29T12:30:00Z\"", "instant");
    round("\"0001-01-01T00:00:00Z\"", "instant");
    round("\"2024-02-29\"", "date");
    round("\"2024-02-29T12:30:00\"", "datetime");
    round("\"1.50\"", "decimal");
    round("\"PT1S\"", "duration");
    round("[]", "[int]");
    round("{}", "map(text, int)");
    round("{\"1\": true}", "map(int, bool)");
    round(r#"{"a": [{"b": "x"}, {}], "c": {"d": {"e": []}}}"#, "any");
    round(r#"{"id": 1, "kind": {"circle": {"r": 1.5}}}"#, "{id: int, kind: union(circle:{r:float}, dot)}");
}

#[test]
fn xml_is_as_apple_writes_it() {
    let bytes =
        written(&value(r#"{"a": [1, {}], "b": "x", "c": []}"#, &Shape::Any), &Shape::Any, Variant::Xml).unwrap();
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
        <plist version=\"1.0\">\n<dict>\n\t<key>a</key>\n\t<array>\n\t\t<integer>1</integer>\n\t\t<dict/>\n\t</array>\n\
        \t<key>b</key>\n\t<string>x</string>\n\t<key>c</key>\n\t<array/>\n</dict>\n</plist>\n";
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
}

#[test]
fn equal_scalars_are_written_once() {
    let items: Vec<_> = (0..1000).map(|_| r#"{"a long name of a field": "a long text", "other": 1.5}"#).collect();
    let value = value(&format!("[{}]", items.join(",")), &Shape::Any);
    let bytes = written(&value, &Shape::Any, Variant::Binary).unwrap();
    let names = memchr::memmem::find_iter(&bytes, b"a long").count();
    assert_eq!(names, 2);
    assert_eq!(read(&bytes, "any").unwrap(), value);
    // 1, 1.0 and true are not equal, nor are the two zeros.
    let mixed = Value::List(vec![
        Value::Int(1.into()),
        Value::Float(1.0),
        Value::Bool(true),
        Value::Float(0.0),
        Value::Float(-0.0),
    ]);
    let bytes = written(&mixed, &Shape::Any, Variant::Binary).unwrap();
    assert_eq!(format!("{:?}", read(&bytes, "any").unwrap()), format!("{mixed:?}"));
}

#[test]
fn nulls_of_records_are_left_out_and_others_refused() {
    let of = "{a: int?, b: int}";
    let bytes = written(&value(r#"{"a": null, "b": 1}"#, &shape(of)), &shape(of), Variant::Xml).unwrap();
    assert!(!String::from_utf8(bytes.clone()).unwrap().contains("<key>a</key>"));
    for (json, of) in [("[null]", "any"), ("null", "any"), ("{\"a\": null}", "any"), ("[1, null]", "[int?]")] {
        for variant in [Variant::Xml, Variant::Binary] {
            let error = written(&value(json, &shape(of)), &shape(of), variant).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Encode, "{json}");
            assert!(error.reason().starts_with("property lists have no null"), "{error}");
        }
    }
}

#[test]
fn what_has_no_form_is_refused() {
    let error =
        |json: &str, of: &str, variant| written(&value(json, &shape(of)), &shape(of), variant).unwrap_err().reason();
    let large = "expected an int from -2^63 to 2^64 - 1, found `18446744073709551616`";
    assert_eq!(error("18446744073709551616", "int", Variant::Binary), large);
    assert!(
        error("\"2024-02-29T12:30:00.5Z\"", "instant", Variant::Xml)
            .starts_with("expected a point of time in whole seconds")
    );
    assert!(error("\"2024-02-29T12:30:00.0000005Z\"", "instant", Variant::Binary).contains("microseconds"));
    assert!(error("\"\\u0000\"", "text", Variant::Xml).starts_with("expected a character that XML has"));
    round_binary("\"\\u0000\"", "text");
    round_binary("\"2024-02-29T12:30:00.123456Z\"", "instant");
}

fn round_binary(json: &str, of: &str) {
    let value = value(json, &shape(of));
    let bytes = written(&value, &shape(of), Variant::Binary).unwrap();
    assert_eq!(read(&bytes, of).unwrap(), value, "{json}");
}

#[test]
fn uids_are_written_where_that_is_asked() {
    let value = value(r#"{"root": {"CF$UID": 300}, "none": {"CF$UID": 1, "x": 2}}"#, &Shape::Any);
    let options = WriteOptions { variant: Variant::Binary, uids: true, ..WriteOptions::default() };
    let mut sink = PlistSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut ValueSource::new(&value), &Shape::Any, &mut sink).unwrap();
    let bytes = sink.into_output().into_parts().0;
    assert!(memchr::memmem::find(&bytes, b"\x81\x01\x2c").is_some());
    assert_eq!(read(&bytes, "any").unwrap(), value);
    assert!(memchr::memmem::find(&written(&value, &Shape::Any, Variant::Binary).unwrap(), b"\x81\x01\x2c").is_none());
}

#[test]
fn what_is_rolled_back_leaves_nothing() {
    for variant in [Variant::Xml, Variant::Binary] {
        let mut sink = sink(variant);
        sink.begin_list(None).unwrap();
        for round in 0..50_i64 {
            sink.commit().unwrap();
            for kept in [false, true] {
                sink.item().unwrap();
                sink.begin_map(None).unwrap();
                sink.key("name").unwrap();
                sink.text(&format!("text {round} {kept}")).unwrap();
                if kept {
                    sink.end_map().unwrap();
                } else {
                    sink.end_map().unwrap();
                    if round % 2 == 0 {
                        sink.end_list().unwrap();
                    }
                    sink.rollback().unwrap();
                }
            }
        }
        sink.end_list().unwrap();
        sink.finish().unwrap();
        let Value::List(items) = read(&sink.into_output().into_parts().0, "any").unwrap() else { panic!("no list") };
        assert_eq!(items.len(), 50);
        assert_eq!(items[7].get("name"), Some(&Value::Text("text 7 true".into())));
    }
}
