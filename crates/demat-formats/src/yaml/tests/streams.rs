//! Streams of documents, windows and marks.

use super::*;
use crate::stream::Records;
use demat_core::Signal;

const TEXT: &str = "id: 1\ntags: [a, \"b\\n\"]\n---\nid: 2\n...\n---\nid: 3\nmore: {x: ~}\n";

fn streamed(text: &str, size: usize, shape: &str) -> Result<Value> {
    let mut window = Window::with_size(text.as_bytes(), size);
    Value::build(|sink| {
        copy_stream(&mut window, &mut Yaml::default(), &shape.parse().unwrap(), sink, &mut Stop).map(drop)
    })
}

#[test]
fn documents_are_a_list_of_records() {
    let expected = json(r#"[{"id": 1, "tags": ["a", "b\n"]}, {"id": 2}, {"id": 3, "more": {"x": null}}]"#);
    assert_eq!(read(TEXT, "any").unwrap(), expected);
    assert_eq!(read(TEXT, "[any]").unwrap(), expected);
    assert_eq!(read(TEXT, "[{id: int}]").unwrap(), json(r#"[{"id": 1}, {"id": 2}, {"id": 3}]"#));
    assert_eq!(read("id: 1", "[{id: int}]").unwrap(), json(r#"[{"id": 1}]"#));
    assert_eq!(read("- id: 1", "[{id: int}]").unwrap(), json(r#"[{"id": 1}]"#));
    assert_eq!(read("--- [1]\n--- [2]\n", "[[int]]").unwrap(), json("[[1], [2]]"));
    assert_eq!(read("--- 1\n--- 2\n", "[int]").unwrap(), json("[1, 2]"));
    assert!(refusal("--- 1", "[int]").starts_with("expected `list`, found `int`"));
    let message = "expected end of input, found another document (line 4, column 1)";
    assert_eq!(refusal(TEXT, "{id: int}"), message);
}

#[test]
fn a_stream_without_documents_is_null_or_an_empty_list() {
    for text in ["", "# only a comment\n", "\n\n"] {
        assert_eq!(read(text, "any").unwrap(), Value::Null);
        assert_eq!(read(text, "[int]").unwrap(), Value::List(vec![]));
        assert_eq!(read(text, "{id: int}?").unwrap(), Value::Null);
        assert!(refusal(text, "{id: int}").starts_with("expected `record`, found `null`"));
        YamlSource::new(text.as_bytes()).skip().unwrap();
    }
    assert_eq!(read("---\n", "any").unwrap(), Value::Null);
    assert_eq!(read("---\n---\n", "any").unwrap(), json("[null, null]"));
}

#[test]
fn every_window_gives_the_same() {
    for size in (1..90).chain([1 << 16]) {
        for shape in ["any", "[{id: int, tags: [text]?, more: map(text, any)?}]", "[any]"] {
            let found = streamed(TEXT, size, shape).unwrap();
            let Value::List(found) = found else { panic!() };
            assert_eq!(
                found.iter().map(|one| one.get("id").unwrap().clone()).collect::<Vec<_>>(),
                [json("1"), json("2"), json("3")]
            );
        }
        assert_eq!(streamed("a: [1, {b: c}]\n", size, "any").unwrap(), json(r#"{"a": [1, {"b": "c"}]}"#));
    }
}

#[test]
fn records_are_iterated() {
    let many: Vec<_> = (0..1000).map(|id| format!("- {{id: {id}}}\n")).collect();
    let separate: Vec<_> = (0..1000).map(|id| format!("---\nid: {id}\n")).collect();
    for text in [many.concat(), separate.concat()] {
        let window = Window::with_size(text.as_bytes(), 7);
        let records = Records::<_, _, std::collections::BTreeMap<String, i64>>::new(window, Yaml::default());
        let ids: Result<Vec<i64>> = records.map(|record| record.map(|record| record["id"])).collect();
        assert!(ids.unwrap().into_iter().eq(0..1000));
    }
}

#[test]
fn a_part_is_incomplete() {
    for end in 0..TEXT.len() {
        let part = Part { last: false, ..Part::whole(&TEXT.as_bytes()[..end]) };
        let error = YamlSource::over(part, ReadOptions::default()).list().unwrap_err();
        assert_eq!(error.signal(), Some(Signal::Incomplete));
    }
}

#[test]
fn documents_are_written() {
    let value = json(r#"[{"id": 1, "tags": [1]}, {}, {"id": 3}]"#);
    let mut out = sink(WriteOptions { documents: true, ..WriteOptions::default() });
    copy(&mut ValueSource::new(&value), &Shape::Any, &mut out).unwrap();
    let text = text_of(out);
    assert_eq!(text, "---\nid: 1\ntags:\n  - 1\n---\n{}\n---\nid: 3\n");
    assert_eq!(read(&text, "any").unwrap(), value);
    for items in ["[1]", "[[1]]", "[null]", "[\"x\"]"] {
        let mut out = sink(WriteOptions { documents: true, ..WriteOptions::default() });
        let error = copy(&mut ValueSource::new(&json(items)), &Shape::Any, &mut out).unwrap_err();
        assert!(
            error.to_string().starts_with("expected a record, as every one of several documents"),
            "{items}: {error}"
        );
    }
    let mut out = sink(WriteOptions { documents: true, ..WriteOptions::default() });
    copy(&mut ValueSource::new(&json("[]")), &Shape::Any, &mut out).unwrap();
    assert_eq!(text_of(out), "");
}
