//! The suite `toml-lang/toml-test`, if available.

use super::*;
use demat_core::scalar::{Date, DateTime, Instant, Int, Time};
use std::path::{Path, PathBuf};

/// Returns the folder of the suite, in `DEMAT_SUITES` or in `shared/suites` beside the repository.
#[allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]
fn suite() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).map(|parent| parent.join("shared/suites"));
    let suites = std::env::var_os("DEMAT_SUITES").map(PathBuf::from).or_else(beside)?;
    let folder = suites.join("toml/tests");
    if !folder.join("files-toml-1.1.0").exists() {
        eprintln!("SKIPPED: no `toml/tests`; set DEMAT_SUITES to the folder that has it");
        return None;
    }
    Some(folder)
}

/// Converts a tagged value of the suite.
fn wanted(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Array(items) => Value::List(items.iter().map(wanted).collect()),
        serde_json::Value::Object(fields) => {
            if let (2, Some(kind), Some(text)) = (fields.len(), fields.get("type"), fields.get("value"))
                && let (Some(kind), Some(text)) = (kind.as_str(), text.as_str())
            {
                return scalar(kind, text);
            }
            Value::Map(fields.iter().map(|(key, value)| (Value::Text(key.clone().into()), wanted(value))).collect())
        }
        other => panic!("{other}"),
    }
}

fn scalar(kind: &str, text: &str) -> Value {
    match kind {
        "string" => Value::Text(text.to_string().into()),
        "integer" => Value::Int(Int::from_digits(text).unwrap().into_owned()),
        "float" => Value::Float(text.trim_start_matches('+').parse().unwrap()),
        "bool" => Value::Bool(text == "true"),
        "datetime" => Value::from(Instant::parse(text).unwrap()),
        "datetime-local" => Value::DateTime(DateTime::parse(text).unwrap()),
        "date-local" => Value::Date(Date::parse(text).unwrap()),
        "time-local" => Value::Time(Time::parse(text).unwrap()),
        other => panic!("{other}"),
    }
}

/// Formats a value so that equal values have equal text: keys are sorted, and NaN equals itself.
fn shown(value: &Value) -> String {
    match value {
        Value::Map(entries) => {
            let mut entries: Vec<_> = entries.iter().map(|(key, value)| format!("{key:?}: {}", shown(value))).collect();
            entries.sort();
            format!("{{{}}}", entries.join(", "))
        }
        Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Float(float) if float.is_nan() => "NaN".to_string(),
        other => format!("{other:?}"),
    }
}

/// Returns the paths of the documents that the suite lists for a version.
fn cases(folder: &Path, version: &str) -> Vec<String> {
    let list = std::fs::read_to_string(folder.join(format!("files-toml-{version}"))).unwrap();
    list.lines().filter(|line| is_document(line)).map(ToString::to_string).collect()
}

fn is_document(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

/// Returns the paths of all documents in a folder.
fn all(folder: &Path, kind: &str) -> Vec<String> {
    let mut todo = vec![kind.to_string()];
    let mut found = Vec::new();
    while let Some(name) = todo.pop() {
        let path = folder.join(&name);
        if path.is_dir() {
            let inner = std::fs::read_dir(path).unwrap();
            todo.extend(inner.map(|entry| format!("{name}/{}", entry.unwrap().file_name().to_string_lossy())));
        } else if is_document(&name) {
            found.push(name);
        }
    }
    found.sort();
    found
}

#[test]
fn valid_documents_are_read_and_written() {
    let Some(folder) = suite() else { return };
    let (mut read_so, mut wrong) = (0, Vec::new());
    for case in all(&folder, "valid") {
        let bytes = std::fs::read(folder.join(&case)).unwrap();
        let json = std::fs::read(folder.join(case.replace(".toml", ".json"))).unwrap();
        let wanted = wanted(&serde_json::from_slice(&json).unwrap());
        match crate::toml::decode::<Value>(&bytes) {
            Ok(found) if shown(&found) == shown(&wanted) => {
                read_so += 1;
                let again = written(&found, &Shape::Any).unwrap();
                assert_eq!(shown(&read(&again, "any").unwrap()), shown(&wanted), "{case}: {again}");
                assert_eq!(written(&read(&again, "any").unwrap(), &Shape::Any).unwrap(), again, "{case}");
            }
            Ok(found) => wrong.push(format!("{case}: {} instead of {}", shown(&found), shown(&wanted))),
            Err(error) => wrong.push(format!("{case}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(read_so, 268);
}

#[test]
fn invalid_documents_are_refused() {
    let Some(folder) = suite() else { return };
    let (mut refused, mut accepted) = (0, Vec::new());
    // The list for 1.1 does not have the documents that only 1.0 refuses.
    let of_1_1 = cases(&folder, "1.1.0");
    for case in all(&folder, "invalid").into_iter().filter(|case| of_1_1.contains(case)) {
        let bytes = std::fs::read(folder.join(&case)).unwrap();
        match crate::toml::decode::<Value>(&bytes) {
            Ok(value) => accepted.push(format!("{case}: {}", shown(&value))),
            Err(error) => {
                assert!(error.position().line.is_some(), "{case}: {error}");
                refused += 1;
            }
        }
    }
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
    assert_eq!(refused, 492);
}
