//! What was written as one schema, read as another shape.

use super::*;

/// A record with a field of this type.
fn with(field: &str) -> String {
    format!(r#"{{"type": "record", "name": "R", "fields": [{{"name": "a", "type": {field}}}]}}"#)
}

#[test]
fn numbers_are_promoted() {
    for (schema, data) in [(r#""int""#, &[6][..]), (r#""long""#, &[6]), (r#""float""#, &[0, 0, 0x40, 0x40])] {
        assert_eq!(json(&file(&with(schema), 1, data), "[{a: float}]"), r#"[{"a":3.0}]"#);
    }
    assert_eq!(json(&file(&with(r#""int""#), 1, &[6]), "[{a: int64}]"), r#"[{"a":3}]"#);
    let error = read(&file(&with(r#""double""#), 1, &[0; 8]), "[{a: int}]").unwrap_err();
    assert_eq!(error.reason(), "expected `int`, found `float` 0.0");
}

#[test]
fn strings_are_bytes_and_bytes_are_strings() {
    assert_eq!(json(&file(&with(r#""string""#), 1, b"\x04hi"), "[{a: bytes}]"), r#"[{"a":"aGk="}]"#);
    assert_eq!(json(&file(&with(r#""bytes""#), 1, b"\x04hi"), "[{a: text}]"), r#"[{"a":"hi"}]"#);
    let error = read(&file(&with(r#""bytes""#), 1, b"\x02\xff"), "[{a: text}]").unwrap_err();
    assert_eq!(error.reason(), "expected text in UTF-8, found byte 0xff");
}

#[test]
fn fields_go_by_name() {
    let schema = r#"{"type": "record", "name": "R", "fields": [
        {"name": "gone", "type": {"type": "array", "items": {"type": "map", "values": ["null", "string"]}}},
        {"name": "old", "type": "int"}, {"name": "b", "type": "string"}]}"#;
    // Two items by a negative count with a length, a map each.
    let data = b"\x03\x10\x02\x02k\x02\x02v\x00\x00\x00\x02\x02x";
    let found = json(&file(schema, 1, data), "[{b: text, a | old: int, c: int = 9}]");
    assert_eq!(found, r#"[{"a":1,"b":"x","c":9}]"#);
    let error = read(&file(schema, 1, data), "[{b: text, c: int}]").unwrap_err();
    assert_eq!(error.reason(), "expected field `c`, found nothing");
}

#[test]
fn unions_become_optional_values_and_back() {
    let optional = with(r#"["null", "int"]"#);
    assert_eq!(json(&file(&optional, 2, &[0, 2, 6]), "[{a: int?}]"), r#"[{"a":null},{"a":3}]"#);
    assert_eq!(json(&file(&with(r#""int""#), 1, &[6]), "[{a: int?}]"), r#"[{"a":3}]"#);
    let error = read(&file(&optional, 1, &[0]), "[{a: int}]").unwrap_err();
    assert_eq!(error.reason(), "expected `int`, found `null`");
    // A field with a default takes null for one that is not there.
    assert_eq!(json(&file(&optional, 1, &[0]), "[{a: int = 4}]"), r#"[{"a":4}]"#);
}

#[test]
fn unions_of_records_are_told_by_name() {
    let schema = r#"[{"type": "record", "name": "shapes.Circle", "fields": [{"name": "r", "type": "int"}]},
        {"type": "record", "name": "Square", "namespace": "shapes", "fields": [{"name": "side", "type": "int"}]}]"#;
    let bytes = file(schema, 2, &[2, 6, 0, 4]);
    let found = json(&bytes, "[union(circle: Circle{r: int}, square: Square{side: int})]");
    assert_eq!(found, r#"[{"square":{"side":3}},{"circle":{"r":2}}]"#);
    assert_eq!(json(&bytes, "any"), r#"[{"side":3},{"r":2}]"#);
}

#[test]
fn logical_types_are_what_they_say() {
    let of = |schema: &str, data: &[u8]| json(&file(schema, 1, data), "any");
    let logical = |base: &str, name: &str| format!(r#"{{"type": "{base}", "logicalType": "{name}"}}"#);
    assert_eq!(of(&logical("int", "date"), &[2]), r#"["1970-01-02"]"#);
    assert_eq!(of(&logical("int", "time-millis"), &[2]), r#"["00:00:00.001"]"#);
    assert_eq!(of(&logical("long", "time-micros"), &[2]), r#"["00:00:00.000001"]"#);
    assert_eq!(of(&logical("long", "timestamp-millis"), &[1]), r#"["1969-12-31T23:59:59.999Z"]"#);
    assert_eq!(of(&logical("long", "timestamp-micros"), &[2]), r#"["1970-01-01T00:00:00.000001Z"]"#);
    assert_eq!(of(&logical("long", "timestamp-nanos"), &[2]), r#"["1970-01-01T00:00:00.000000001Z"]"#);
    assert_eq!(of(&logical("long", "local-timestamp-micros"), &[2]), r#"["1970-01-01T00:00:00.000001"]"#);
    assert_eq!(of(&logical("long", "date"), &[2]), "[1]");
    assert_eq!(of(&logical("string", "unheard-of"), b"\x02x"), r#"["x"]"#);
    let fixed = |size: u32, rest: &str| format!(r#"{{"type": "fixed", "name": "F", "size": {size}, {rest}}}"#);
    let days = [&[0; 4][..], &[1, 0, 0, 0], &[0xdc, 5, 0, 0]].concat();
    assert_eq!(of(&fixed(12, r#""logicalType": "duration""#), &days), r#"["P1DT1.5S"]"#);
    let error = read(&file(&fixed(12, r#""logicalType": "duration""#), 1, &[1; 12]), "[duration]").unwrap_err();
    assert_eq!(error.reason(), "expected a duration without months, which differ in length, found `16843009`");
    assert_eq!(of(&fixed(2, r#""logicalType": "decimal", "precision": 4, "scale": 2"#), &[0xff, 0x85]), "[-1.23]");
    assert_eq!(of(&fixed(3, r#""doc": """#), &[1, 2, 3]), r#"["AQID"]"#);
    let uuid = r#"["01020304-0506-0708-090a-0b0c0d0e0f10"]"#;
    let sixteen: Vec<u8> = (1..17).collect();
    assert_eq!(of(&fixed(16, r#""logicalType": "uuid""#), &sixteen), uuid);
    let error = read(&file(&logical("long", "timestamp-micros"), 1, &[2]), "[datetime]").unwrap_err();
    assert!(error.reason().contains("offset"), "{error}");
    assert_eq!(
        json(&file(&logical("long", "local-timestamp-micros"), 1, &[2]), "[instant]"),
        r#"["1970-01-01T00:00:00.000001"]"#
    );
}

#[test]
fn enums_are_texts() {
    let schema = r#"{"type": "enum", "name": "E", "symbols": ["a", "b"]}"#;
    assert_eq!(json(&file(schema, 2, &[2, 0]), "[enum(b, a)]"), r#"["b","a"]"#);
    assert_eq!(json(&file(schema, 1, &[2]), "[text]"), r#"["b"]"#);
    assert_eq!(
        read(&file(schema, 1, &[4]), "[text]").unwrap_err().reason(),
        "expected the index of a name, found 2 of 2"
    );
    assert!(read(&file(schema, 1, &[2]), "[enum(a, c)]").is_err());
}
