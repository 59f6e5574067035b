//! The order of tables and values in a document.

use super::*;

fn laid_out(value: &str) -> String {
    let value = json(value);
    let text = written(&value, &Shape::Any).unwrap();
    let back = read(&text, "any").unwrap();
    assert_eq!(sorted(back), sorted(value), "{text}");
    text
}

/// Sorts the entries of maps by key.
fn sorted(value: Value) -> Value {
    match value {
        Value::Map(entries) => {
            let mut entries: Vec<_> = entries.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by_key(|(key, _)| format!("{key:?}"));
            Value::Map(entries)
        }
        Value::List(items) => Value::List(items.into_iter().map(sorted).collect()),
        value => value,
    }
}

#[test]
fn values_come_before_tables() {
    let text = laid_out(r#"{"owner": {"name": "Tom", "dob": {"y": 1979}}, "title": "x", "ports": [1, 2]}"#);
    let expected = "title = \"x\"\nports = [1, 2]\n\n[owner]\nname = \"Tom\"\n\n[owner.dob]\ny = 1979\n";
    assert_eq!(text, expected);
}

#[test]
fn lists_of_maps_are_arrays_of_tables() {
    let text = laid_out(r#"{"a": [{"x": 1, "b": [{"y": 2}], "c": {"z": 3}}, {}], "e": []}"#);
    assert_eq!(text, "e = []\n\n[[a]]\nx = 1\n\n[[a.b]]\ny = 2\n\n[a.c]\nz = 3\n\n[[a]]\n");
}

#[test]
fn tables_of_tables_need_no_header() {
    assert_eq!(laid_out(r#"{"a": {"b": {"c": 1}, "d": {}}}"#), "[a.b]\nc = 1\n\n[a.d]\n");
    assert_eq!(laid_out(r#"{"a": {}}"#), "[a]\n");
    assert_eq!(laid_out("{}"), "");
    assert_eq!(laid_out(r#"{"a": {"b": [{}]}}"#), "[[a.b]]\n");
    assert_eq!(laid_out(r#"{"x y": {"": 1, "é.z": {"k": 1}}}"#), "[\"x y\"]\n\"\" = 1\n\n[\"x y\".\"é.z\"]\nk = 1\n");
}

#[test]
fn other_maps_in_lists_are_inline() {
    assert_eq!(laid_out(r#"{"a": [1, {"b": 1, "c": []}], "d": [[{}]]}"#), "a = [1, { b = 1, c = [] }]\nd = [[{}]]\n");
    assert_eq!(laid_out(r#"{"a": [{"b": [{"c": 1}]}, 2]}"#), "a = [{ b = [{ c = 1 }] }, 2]\n");
}

#[test]
fn long_arrays_have_a_line_for_each_item() {
    let words = vec!["a word"; 20];
    let value = Value::Map(vec![(Value::Text("a".into()), Value::of(&words).unwrap())]);
    let text = written(&value, &Shape::Any).unwrap();
    assert!(
        text.starts_with("a = [\n    \"a word\",\n    \"a word\",\n") && text.ends_with("    \"a word\",\n]\n"),
        "{text}"
    );
    assert_eq!(read(&text, "any").unwrap(), value);
}
