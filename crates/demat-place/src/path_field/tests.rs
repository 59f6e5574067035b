use super::PathField;
use demat_core::{Result, Shape, Sink as _, Value, ValueSink, ValueSource, copy};

fn value(text: &str) -> Value {
    demat_formats::json::decode(text.as_bytes()).unwrap()
}

fn with_path(shape: &str, text: &str) -> Result<Value> {
    let shape: Shape = shape.parse().unwrap();
    let field = PathField::new("path");
    field.set(&crate::Place::from("a.json"));
    let added = field.added_to(&shape)?;
    let mut sink = ValueSink::default();
    copy(&mut ValueSource::new(&value(text)), &shape, &mut field.sink(&mut sink, &added))?;
    sink.finish()?;
    Ok(sink.whole())
}

#[test]
fn each_record_gets_the_field() {
    for (shape, text, wanted) in [
        ("any", "[{\"a\":[{\"path\":1}]},{}]", "[{\"a\":[{\"path\":1}],\"path\":\"a.json\"},{\"path\":\"a.json\"}]"),
        ("[{a: int, ...rest}]", "[{\"a\":1,\"b\":2}]", "[{\"a\":1,\"b\":2,\"path\":\"a.json\"}]"),
        ("[{a: {b: int}?}]", "[{\"a\":{\"b\":1}},{}]", "[{\"a\":{\"b\":1},\"path\":\"a.json\"},{\"path\":\"a.json\"}]"),
        ("[{a: int}]", "[]", "[]"),
        ("any", "{\"a\":{}}", "{\"a\":{},\"path\":\"a.json\"}"),
        ("a: {b: int}", "{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1},\"path\":\"a.json\"}"),
    ] {
        assert_eq!(with_path(shape, text).unwrap(), value(wanted), "{shape}");
    }
}

#[test]
fn a_field_of_that_name_is_refused_and_so_are_other_values() {
    for (shape, text, says) in [
        ("any", "[{\"path\":1}]", "there is a field `path` already"),
        ("[{path: int}]", "[]", "there is a field `path` already"),
        ("[{a: int?, ...rest}]", "[{\"path\":1}]", "there is a field `path` already"),
        ("any", "[1]", "only records get a field `path`, and this is a scalar"),
        ("any", "[[1]]", "only records get a field `path`, and this is a list"),
        ("[int]", "[]", "only records get a field `path`, and this is a int"),
    ] {
        let error = with_path(shape, text).unwrap_err();
        assert!(error.to_string().contains(says), "{shape} {text}: {error}");
    }
}
