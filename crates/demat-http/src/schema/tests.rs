use super::json_schema;
use demat_core::Shape;

fn schema(shape: &str) -> String {
    let shape: Shape = shape.parse().unwrap();
    String::from_utf8(demat_formats::json::encode(&json_schema(&shape)).unwrap()).unwrap()
}

#[test]
fn a_record_within_itself_is_referred_to() {
    let node = concat!(
        r#""type":"object","properties":{"v":{"type":"integer"},"#,
        r##""next":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}},"required":["v"]"##,
    );
    assert_eq!(schema("Node{v: int, next: Node?}"), format!(r#"{{{node},"$defs":{{"Node":{{{node}}}}}}}"#));
}

#[test]
fn a_union_within_itself_is_referred_to() {
    let json = r##"{"anyOf":[{"type":"integer"},{"type":"array","items":{"$ref":"#/$defs/Json"}}]"##;
    assert_eq!(schema("union Json[](a: int, b: [Json])"), format!(r#"{json},"$defs":{{"Json":{json}}}}}}}"#));
}

#[test]
fn a_field_is_read_by_any_of_its_names() {
    let expected = concat!(
        r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"#,
        r#""allOf":[{"anyOf":[{"required":["a"]},{"required":["b"]}]}]}"#,
    );
    assert_eq!(schema("a | b: int"), expected);
}

#[test]
fn records_that_share_records_are_written_once() {
    let mut shape = "T0{a: int}".to_string();
    for level in 1..40 {
        let below = level - 1;
        shape = format!("T{level}{{a: {shape}, b: T{below}}}");
    }
    assert!(schema(&shape).len() < 200_000);
}

#[test]
fn a_tuple_has_as_many_items_as_it_has() {
    let expected = concat!(
        r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"#,
        r#""items":false,"minItems":2,"maxItems":2}"#,
    );
    assert_eq!(schema("(int, text)"), expected);
    assert_eq!(schema("()"), r#"{"type":"array","items":false,"minItems":0,"maxItems":0}"#);
}

#[test]
fn keys_of_maps_are_texts_of_their_kind() {
    assert_eq!(schema("map(text, int)"), r#"{"type":"object","additionalProperties":{"type":"integer"}}"#);
    let names =
        |key: &str| schema(&format!("map({key}, int)")).split_once(r#""propertyNames":"#).unwrap().1.to_string();
    assert_eq!(names("int"), r#"{"pattern":"^-?(0|[1-9][0-9]*)$"}}"#);
    assert_eq!(names("uuid"), r#"{"type":"string","format":"uuid"}}"#);
    assert_eq!(names("bool"), r#"{"enum":["true","false"]}}"#);
    assert_eq!(names("enum(a, b)"), r#"{"enum":["a","b"]}}"#);
}

#[test]
fn what_a_record_does_not_have_is_as_it_says() {
    assert!(schema("a: int, !").ends_with(r#""additionalProperties":false}"#));
    let kept = schema("a: int, ...rest: map(text, int)");
    assert!(kept.ends_with(r#""additionalProperties":{"type":"integer"}}"#) && !kept.contains("rest"), "{kept}");
    assert!(!schema("a: int, ...rest").contains("additionalProperties"));
}

#[test]
fn a_union_has_its_tags() {
    assert_eq!(
        schema("union(a: int, b)"),
        concat!(
            r#"{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},"#,
            r#"{"const":"b"}]}"#,
        )
    );
    assert_eq!(
        schema("union[kind, value](a: int, b)"),
        concat!(
            r#"{"anyOf":[{"type":"object","properties":{"kind":{"const":"a"},"value":{"type":"integer"}},"#,
            r#""required":["kind","value"]},"#,
            r#"{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]}"#,
        )
    );
}

#[test]
fn a_union_with_a_tag_in_its_records_has_a_discriminator() {
    assert_eq!(
        schema("union[kind](a: A{kind: enum(a), x: int}, b: B{kind: enum(b)})"),
        concat!(
            r##"{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"##,
            r##""discriminator":{"propertyName":"kind","mapping":{"a":"#/$defs/A","b":"#/$defs/B"}},"##,
            r##""$defs":{"A":{"type":"object","properties":{"kind":{"enum":["a"]},"x":{"type":"integer"}},"##,
            r##""required":["kind","x"]},"##,
            r##""B":{"type":"object","properties":{"kind":{"enum":["b"]}},"required":["kind"]}}}"##,
        )
    );
}
