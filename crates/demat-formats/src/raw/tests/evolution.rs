//! Data of another shape.

use super::*;

fn evolved(json: &str, old: &str, new: &str) -> Result<Value> {
    let (old, new) = (shape(old), shape(new));
    let bytes = written(&value(json, &old), &old).unwrap();
    let options = ReadOptions { writer: Some(old), ..ReadOptions::default() };
    let found = read_as(&bytes, &new, &options)?;
    for size in [1, 2, 5, 17] {
        let streamed = testing::streamed(Raw::new(&options)?, &*bytes, size, &new);
        assert_eq!(streamed.unwrap(), found, "{size}");
    }
    Ok(found)
}

fn expect(json: &str, old: &str, new: &str, as_json: &str) {
    assert_eq!(evolved(json, old, new).unwrap(), value(as_json, &shape(new)), "{json}: {old} as {new}");
}

#[test]
fn fields_are_added_removed_moved_and_renamed() {
    let old = "{id: int32, title: text, done: bool}";
    let json = r#"{"id": 1, "title": "a", "done": true}"#;
    expect(json, old, "{id: int, title: text}", r#"{"id": 1, "title": "a"}"#);
    expect(json, old, "{done: bool, id: int, title: text}", r#"{"id": 1, "title": "a", "done": true}"#);
    expect(json, old, "{id: int, more: int = 7}", r#"{"id": 1, "more": 7}"#);
    expect(json, old, "{id: int, more: int?}", r#"{"id": 1}"#);
    assert!(evolved(json, old, "{id: int, more: int}").unwrap_err().to_string().starts_with("expected field `more`"));
}

#[test]
fn names_come_before_numbers() {
    use demat_core::{Field, Record};
    let record = |fields: Vec<Field>| Shape::record(Record::new("T", fields).unwrap());
    let old = record(vec![Field::new("a", 3, shape("int")), Field::new("b", 5, shape("text"))]);
    let value = value(r#"{"a": 1, "b": "x"}"#, &old);
    let bytes = written(&value, &old).unwrap();
    let options = ReadOptions { writer: Some(old), ..ReadOptions::default() };
    let renamed = record(vec![
        Field::new("bee", 5, shape("text")),
        Field::new("c", 1, shape("int")).with_aliases(vec!["a".into()]),
    ]);
    let found = read_as(&bytes, &renamed, &options).unwrap();
    assert_eq!((found.get("bee"), found.get("c")), (value.get("b"), value.get("a")));
}

#[test]
fn values_get_wider_optional_and_lists() {
    expect("7", "uint8", "int", "7");
    expect("7", "int32", "float", "7.0");
    expect("1.5", "float32", "float", "1.5");
    expect("7", "int", "decimal", "\"7\"");
    expect("7", "int", "int?", "7");
    expect("7", "int?", "int", "7");
    expect("7", "int", "[int]", "[7]");
    expect("{\"a\": {\"b\": 1}}", "{a: {b: int}}", "{a: [{b: int}]}", "{\"a\": [{\"b\": 1}]}");
    expect("\"b\"", "enum(a, b)", "text", "\"b\"");
    expect("\"b\"", "text", "enum(a, b)", "\"b\"");
    expect("\"b\"", "enum(b, a)", "enum(a, b, c)", "\"b\"");
    expect("{\"a\": 1}", "{a: int}", "map(text, int)", "{\"a\": 1}");
    expect("{\"a\": 1}", "map(text, int)", "{a: int}", "{\"a\": 1}");
    expect("{\"b\": 1}", "union(a: text, b: int)", "union(b: int, c: bool)", "{\"b\": 1}");
    expect("{\"id\": 1}", "{id: int}", "any", "{\"id\": 1}");
    assert!(evolved("null", "int?", "int").is_err());
    assert!(evolved("[1]", "[int]", "int").is_err());
    assert!(evolved("300", "int", "uint8").is_err());
    assert!(evolved("{\"a\": \"x\"}", "union(a: text, b: int)", "union(b: int, c: bool)").is_err());
}

#[test]
fn the_writer_may_say_the_record_of_a_list() {
    let (old, new) = (shape("[{id: int, more: text}]"), shape("[{id: int}]"));
    let bytes = written(&value(r#"[{"id": 1, "more": "x"}]"#, &old), &old).unwrap();
    let options = ReadOptions { writer: Some(shape("{id: int, more: text}")), ..ReadOptions::default() };
    assert_eq!(read_as(&bytes, &new, &options).unwrap(), value(r#"[{"id": 1}]"#, &new));
    // Data that is of the new shape already is read as that.
    let bytes = written(&value(r#"[{"id": 1}]"#, &new), &new).unwrap();
    assert_eq!(read_as(&bytes, &new, &options).unwrap(), value(r#"[{"id": 1}]"#, &new));
}

#[test]
fn other_data_is_refused() {
    let (old, new) = (shape("{id: int}"), shape("{id: text}"));
    let bytes = written(&value(r#"{"id": 1}"#, &old), &old).unwrap();
    let error = read_as(&bytes, &new, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.kind(), demat_core::ErrorKind::Type);
    let message = error.to_string();
    assert!(message.starts_with("expected data of this type, with the fingerprint "), "{message}");
    assert!(message.ends_with("of another type (`written_as`) (byte 0)"), "{message}");
    // Of a list it is known that it is one.
    let listed = written(&value(r#"[{"id": 1}]"#, &shape("[{id: int}]")), &shape("[{id: int}]")).unwrap();
    let message = read_as(&listed, &old, &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(message, "expected `record`, found `list` (byte 8)");
}
