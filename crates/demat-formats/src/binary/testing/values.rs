//! Values to write, and values of the official suites.

use demat_core::scalar::Int;
use demat_core::{Source, Text, Value};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into().into())
}

/// Returns a list of records `{id: int, tags: [text], more: map(text, any)}`. They have up to `tags` tags.
pub(crate) fn records(count: i64, tags: i64) -> Value {
    let record = |id: i64| {
        let tags = (0..id % tags).map(|tag| text(format!("tag {tag}"))).collect();
        let inner = (0..id % 3).map(|at| Value::Map(vec![(text("at"), Value::Int(at.into()))])).collect();
        let more = vec![(text("inner"), Value::List(inner))];
        let fields = [("id", Value::Int(id.into())), ("tags", Value::List(tags)), ("more", Value::Map(more))];
        Value::Map(fields.into_iter().map(|(key, value)| (text(key), value)).collect())
    };
    Value::List((0..count).map(record).collect())
}

/// Returns 500 lists and maps within each other. The lists have other items too, unless all items must be of one kind.
pub(crate) fn deep(one_kind: bool) -> Value {
    let mut value = Value::Int(1.into());
    for level in 0..500 {
        value = if level % 2 != 0 {
            Value::Map(vec![(text("one"), value), (text("two"), Value::Int(level.into()))])
        } else if one_kind {
            Value::List(vec![value])
        } else {
            Value::List(vec![Value::Bool(true), value, Value::Bool(false)])
        };
    }
    value
}

/// Checks that a source of the list `["abc", bytes(0, 1)]` borrows both from its input.
pub(crate) fn decodes_borrowed<'a>(mut source: impl Source<'a>) {
    source.list().unwrap();
    assert!(source.item().unwrap());
    let text: &'a str = match source.text().unwrap() {
        Text::Input(text) => text,
        Text::Scratch(_) => panic!("copied"),
    };
    assert!(source.item().unwrap());
    assert!(matches!(source.bytes().unwrap(), Cow::Borrowed([0, 1])));
    assert_eq!(text, "abc");
}

/// Returns a file of the official suites: in `DEMAT_SUITES`, or in `shared/suites` beside the repository.
#[allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]
pub(crate) fn suite_file(name: &str) -> Option<Vec<u8>> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).map(|parent| parent.join("shared/suites"));
    let suites = std::env::var_os("DEMAT_SUITES").map(PathBuf::from).or_else(beside)?;
    let bytes = std::fs::read(suites.join(name)).ok();
    if bytes.is_none() {
        eprintln!("SKIPPED: no `{name}`; set DEMAT_SUITES to the folder that has it");
    }
    bytes
}

/// Returns the value of JSON.
pub(crate) fn value_of_json(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Array(items) => Value::List(items.iter().map(value_of_json).collect()),
        serde_json::Value::Object(fields) => {
            Value::Map(fields.iter().map(|(key, value)| (text(key.clone()), value_of_json(value))).collect())
        }
        serde_json::Value::Number(number) => match Int::from_digits(&number.to_string()) {
            Some(int) => Value::Int(int.into_owned()),
            None => Value::Float(number.as_f64().unwrap()),
        },
        serde_json::Value::String(content) => text(content.clone()),
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::Null => Value::Null,
    }
}
