//! The suite `yaml/yaml-test-suite`, if available.

use super::*;
use demat_core::scalar::Int;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Valid documents that we refuse, with the reason.
const REFUSED: [(&str, &str); 17] = [
    ("2JQS", "a key stands there twice"),
    ("2XXW", TAG),
    ("5TYM", TAG),
    ("6CK3", TAG),
    ("6WLZ", TAG),
    ("7FWL", TAG),
    ("9WXW", TAG),
    ("C4HZ", TAG),
    ("CC74", TAG),
    ("CUP7", TAG),
    ("J7PZ", TAG),
    ("M5C3", TAG),
    ("P76L", TAG),
    ("UGM3", TAG),
    ("Z67P", TAG),
    ("Z9M4", TAG),
    ("ZYU8/2", "a version directive of two versions"),
];
const TAG: &str = "a tag beyond the core schema";

/// Documents whose value differs from the suite's JSON, with the reason.
const OTHER: [(&str, &str); 1] = [("565N", "`!!binary` is bytes, not text")];

/// Returns the folder of the suite, in `DEMAT_SUITES` or in `shared/suites` beside the repository.
#[allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]
fn suite() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).map(|parent| parent.join("shared/suites"));
    let suites = std::env::var_os("DEMAT_SUITES").map(PathBuf::from).or_else(beside)?;
    let folder = suites.join("yaml/src");
    if !folder.exists() {
        eprintln!("SKIPPED: no `yaml/src`; set DEMAT_SUITES to the folder that has it");
        return None;
    }
    Some(folder)
}

/// One case of the suite.
struct Case {
    name: String,
    text: String,
    fails: bool,
    json: Option<String>,
}

/// Replaces the symbols with which the suite shows blanks.
fn unmarked(text: &str) -> String {
    let text = text.strip_suffix("∎\n").unwrap_or(text);
    text.replace('␣', " ")
        .replace('—', "")
        .replace('»', "\t")
        .replace('←', "\r")
        .replace('⇔', "\u{feff}")
        .replace('↵', "")
}

fn cases(folder: &Path) -> Vec<Case> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&file).unwrap();
        let cases: Vec<BTreeMap<String, Value>> = crate::yaml::decode(&bytes).unwrap();
        let field = |case: &BTreeMap<String, Value>, key: &str| match case.get(key) {
            Some(Value::Text(text)) => Some(text.to_string()),
            _ => None,
        };
        // A later case of a file inherits missing entries from the case before it.
        let (mut text, mut json) = (String::new(), None);
        for (index, case) in cases.iter().enumerate() {
            let fails = case.get("fail") == Some(&Value::Bool(true));
            text = field(case, "yaml").unwrap_or(text);
            // A case with its own `tree` has its own value.
            json = if case.contains_key("tree") { field(case, "json") } else { field(case, "json").or(json) };
            let json = if fails { None } else { json.clone() };
            let name = if cases.len() == 1 { name.clone() } else { format!("{name}/{index}") };
            found.push(Case { name, text: unmarked(&text), fails, json });
        }
    }
    found
}

/// Formats a value as JSON does, with text as keys.
fn as_json(value: &Value) -> String {
    match value {
        Value::Map(entries) => {
            let mut entries: Vec<_> = entries.iter().map(|(key, value)| (key_text(key), as_json(value))).collect();
            entries.sort();
            format!("{entries:?}")
        }
        Value::List(items) => format!("{:?}", items.iter().map(as_json).collect::<Vec<_>>()),
        Value::Float(float) if float.fract() == 0.0 => format!("{float:.0}"),
        Value::Float(float) => float.to_string(),
        Value::Int(int) => int.to_string(),
        Value::Bytes(bytes) => format!("{bytes:?}"),
        other => format!("{other:?}"),
    }
}

fn key_text(key: &Value) -> String {
    match key {
        Value::Text(text) => text.to_string(),
        Value::Null => String::new(),
        Value::Int(int) => int.to_string(),
        Value::Float(float) => float.to_string(),
        other => format!("{other:?}"),
    }
}

fn value_of(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Array(items) => Value::List(items.iter().map(value_of).collect()),
        serde_json::Value::Object(fields) => {
            Value::Map(fields.iter().map(|(key, value)| (Value::Text(key.clone().into()), value_of(value))).collect())
        }
        serde_json::Value::Number(number) => match Int::from_digits(&number.to_string()) {
            Some(int) => Value::Int(int.into_owned()),
            None => Value::Float(number.as_f64().unwrap()),
        },
        serde_json::Value::String(text) => Value::Text(text.clone().into()),
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::Null => Value::Null,
    }
}

/// Decodes a stream of JSON documents as a YAML reader would.
fn wanted(json: &str) -> Value {
    let documents = serde_json::Deserializer::from_str(json).into_iter::<serde_json::Value>();
    let mut documents: Vec<Value> = documents.map(|document| value_of(&document.unwrap())).collect();
    if documents.len() < 2 { documents.pop().unwrap_or(Value::Null) } else { Value::List(documents) }
}

fn listed<'l>(list: &'l [(&str, &'l str)], name: &str) -> Option<&'l str> {
    list.iter().find(|(listed, _)| *listed == name).map(|(_, reason)| *reason)
}

#[test]
fn the_suite_is_read_and_written() {
    let Some(folder) = suite() else { return };
    let (mut wrong, mut equal, mut parsed, mut refused, mut excepted) = (Vec::new(), 0, 0, 0, 0);
    for Case { name, text, fails, json } in cases(&folder) {
        let mut source = YamlSource::new(text.as_bytes());
        let skipped = source.skip().and_then(|()| source.end());
        if fails {
            match skipped {
                Err(error) => {
                    assert!(error.position().line.is_some(), "{name}: {error}");
                    refused += 1;
                }
                Ok(()) => wrong.push(format!("{name}: accepted\n{text}")),
            }
            continue;
        }
        if let Err(error) = skipped {
            match listed(&REFUSED, &name) {
                Some(_) => excepted += 1,
                None => wrong.push(format!("{name}: {error}\n{text}")),
            }
            continue;
        }
        let Some(json) = json else {
            parsed += 1;
            continue;
        };
        let wanted = as_json(&wanted(&json));
        match read(&text, "any") {
            Ok(found) if as_json(&found) == wanted => {
                equal += 1;
                let again = written(&found, &Shape::Any).unwrap();
                assert_eq!(read(&again, "any").unwrap(), found, "{name}: {again}");
            }
            _ if listed(&OTHER, &name).is_some() => excepted += 1,
            Ok(found) => wrong.push(format!("{name}: {} instead of {wanted}\n{text}", as_json(&found))),
            Err(error) => wrong.push(format!("{name}: {error}\n{text}")),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} equal, {parsed} parsed, {refused} refused, {}:\n{}",
        equal,
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!((equal, parsed, refused, excepted), (264, 30, 94, 18));
}
