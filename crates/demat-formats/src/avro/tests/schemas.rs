//! The schemas of files, as shapes, and of shapes.

use super::super::schema::Schema;
use super::*;
use demat_core::RecordRef;

fn schema(of: &str) -> Result<String> {
    Schema::compile(&shape(of), &WriteOptions::default()).map(|schema| schema.text())
}

#[test]
fn shapes_become_schemas() {
    for (of, text) in [
        ("int32", r#""int""#),
        ("uint32", r#""long""#),
        ("[text?]", r#"{"type":"array","items":["null","string"]}"#),
        ("map(text, float32)", r#"{"type":"map","values":"float"}"#),
        ("uuid", r#"{"type":"string","logicalType":"uuid"}"#),
        ("datetime", r#"{"type":"long","logicalType":"local-timestamp-micros"}"#),
        (
            "Node{id: int64, next: Node?}",
            r#"{"type":"record","name":"Node","fields":[{"name":"id","type":"long"},{"name":"next","type":["null","Node"],"default":null}]}"#,
        ),
        (
            "(int64, text)",
            r#"{"type":"record","name":"Tuple","fields":[{"name":"_0","type":"long"},{"name":"_1","type":"string"}]}"#,
        ),
    ] {
        assert_eq!(schema(of).unwrap(), text);
        Schema::parse(schema(of).unwrap().as_bytes()).unwrap();
    }
}

#[test]
fn what_avro_cannot_say_is_refused_with_its_path() {
    for (of, message) in [
        ("{a: {b: any}}", "Avro must know the type of a value, and it may be any here: give the type at `$.a.b`"),
        ("{a: map([int], int)}", "the keys of a map are text in Avro, and these are list at `$.a`"),
    ] {
        assert_eq!(schema(of).unwrap_err().to_string(), message);
    }
}

#[test]
fn files_say_their_shape() {
    let node = r#"{"type": "record", "name": "a.Node", "fields": [
        {"name": "id", "type": "long"},
        {"name": "small", "type": "int"},
        {"name": "next", "type": ["null", "Node"]},
        {"name": "either", "type": ["null", "string", "double"]},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}}]}"#;
    assert_eq!(
        declared(&file(node, 0, b"")),
        "Node{id:int64, small:int32, next!:Node?, either!:(text | float)?, at:instant}"
    );
}

#[test]
fn a_schema_that_is_larger_than_a_shape_should_be_is_not_declared() {
    let mut types = vec![r#"{"type": "record", "name": "R0", "fields": []}"#.to_string()];
    for level in 1..40 {
        let below = level - 1;
        types.push(format!(
            r#"{{"type": "record", "name": "R{level}", "fields": [{{"name": "a", "type": "R{below}"}}, {{"name": "b", "type": "R{below}"}}]}}"#
        ));
    }
    let bytes = file(&format!("[{}]", types.join(",")), 1, &[39 * 2]);
    let mut format = Avro::default();
    format.source(Part::whole(&bytes)).list().unwrap();
    assert_eq!(format.declared(), None);
    // And its values without bytes are counted.
    let error = testing::skipped(Avro::default(), &bytes, &Shape::Any).unwrap_err();
    assert!(
        error.to_string().starts_with("the number of values without bytes in a block exceeds the limit of"),
        "{error}"
    );
}

#[test]
fn a_record_that_occurs_again_is_shared_unless_it_refers_to_one_around_it() {
    let of = |text: &str| {
        let mut format = Avro::default();
        let bytes = file(text, 0, b"");
        format.source(Part::whole(&bytes)).list().unwrap();
        format.declared().unwrap()
    };
    let parts = |shape: &Shape| -> Vec<std::sync::Arc<demat_core::Record>> {
        let Shape::Record(record) = shape else { panic!("{shape}") };
        let fields = record.get().fields().to_vec();
        fields
            .iter()
            .map(|field| match field.shape().inner() {
                Shape::Record(RecordRef::Shared(part)) => part.clone(),
                other => panic!("{other}"),
            })
            .collect()
    };
    let twice = of(r#"{"type": "record", "name": "A", "fields": [
        {"name": "a", "type": {"type": "record", "name": "B", "fields": [{"name": "next", "type": ["null", "B"]}]}},
        {"name": "b", "type": ["null", "B"]}]}"#);
    let [a, b] = &*parts(&twice) else { panic!("{twice}") };
    assert!(std::sync::Arc::ptr_eq(a, b));
    let around = of(r#"{"type": "record", "name": "A", "fields": [
        {"name": "a", "type": {"type": "record", "name": "B", "fields": [{"name": "up", "type": ["null", "A"]}]}},
        {"name": "b", "type": "B"}]}"#);
    let [a, b] = &*parts(&around) else { panic!("{around}") };
    assert!(!std::sync::Arc::ptr_eq(a, b));
    assert_eq!(around.to_string(), "A{a:B{up!:A?}, b:B{up!:A?}}");
}

#[test]
fn invalid_schemas_are_refused() {
    for (text, message) in [
        ("", "the schema is invalid: expected a value, found end of input"),
        (r#""unheard""#, "the schema is invalid: no type is called `unheard`"),
        ("1", "the schema is invalid: a type is a text, a list or an object, and no int"),
        (r#"{"type": "record", "name": "R"}"#, "the schema is invalid: a type has no list `fields`"),
        (r#"["null", ["int"]]"#, "the schema is invalid: a union is a branch of another one"),
        (r#"{"type": "fixed", "name": "F", "size": -1}"#, "the schema is invalid: `F` has no size"),
        (
            r#"[{"type": "enum", "name": "E", "symbols": []}, {"type": "enum", "name": "E", "symbols": []}]"#,
            "the schema is invalid: two types are called `E`",
        ),
        (
            r#"{"type": "bytes", "logicalType": "decimal", "precision": 1000000000, "scale": 999999999}"#,
            "the schema is invalid: the number of digits of a decimal in the schema exceeds the limit of 1000",
        ),
    ] {
        assert_eq!(Schema::parse(text.as_bytes()).unwrap_err().reason(), message);
    }
    let deep = format!("{}\"int\"{}", r#"{"type":"array","items":"#.repeat(100_000), "}".repeat(100_000));
    assert_eq!(Schema::parse(deep.as_bytes()).unwrap_err().kind(), demat_core::ErrorKind::Limit);
}

#[test]
fn no_type_is_called_as_one_of_the_specification() {
    for name in ["string", "long", "double", "boolean", "record", "array", "fixed", "error"] {
        let of = format!("[{name}{{x: int}}]");
        let bytes = written(r#"[{"x": 1}]"#, &of, &WriteOptions::default()).unwrap();
        assert_eq!(declared(&bytes), format!("{name}_2{{x:int64}}"));
    }
}

#[test]
fn what_says_nothing_of_values_is_not_kept() {
    let schema = r#"{"doc": [{"type": 1}], "type": "record", "name": "Old", "name": "R", "aliases": [{}], "fields": [
        {"name": "a", "type": "int", "default": {"name": []}, "order": null}]}"#;
    assert_eq!(declared(&file(schema, 0, b"")), "R{a:int32}");
}
