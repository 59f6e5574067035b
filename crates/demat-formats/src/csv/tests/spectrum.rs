//! The `csv-spectrum` suite: twelve tables with the rows that each must decode to.

use super::*;
use std::path::PathBuf;

fn folder() -> Option<PathBuf> {
    let suites = std::env::var_os("DEMAT_SUITES").map(PathBuf::from);
    let beside = || Some(PathBuf::from(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3)?.join("shared/suites"));
    let folder = suites.or_else(beside)?.join("csv/csv-spectrum");
    folder.is_dir().then_some(folder)
}

/// Parses a JSON list of objects of texts, which is all that the suite has. Ignores blanks.
fn rows_of_json(text: &str) -> Vec<Vec<(String, String)>> {
    let mut texts = Vec::new();
    let mut rows = Vec::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '"' => {
                let mut text = String::new();
                loop {
                    match chars.next().expect("a closing quote") {
                        '"' => break,
                        '\\' => match chars.next().expect("an escape") {
                            'n' => text.push('\n'),
                            'r' => text.push('\r'),
                            other => text.push(other),
                        },
                        other => text.push(other),
                    }
                }
                texts.push(text);
            }
            '}' => {
                let mut pairs = texts.drain(..);
                let mut row = Vec::new();
                while let (Some(key), Some(value)) = (pairs.next(), pairs.next()) {
                    row.push((key, value));
                }
                drop(pairs);
                rows.push(row);
            }
            _ => {}
        }
    }
    rows
}

#[test]
#[expect(clippy::print_stderr, reason = "a suite that is not there must not look like one that passed")]
fn every_table_gives_its_rows() {
    let Some(folder) = folder() else {
        eprintln!("SKIPPED: csv-spectrum is not there; say where the suites are in DEMAT_SUITES");
        return;
    };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.join("csvs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let bytes = std::fs::read(&path).unwrap();
        seen += 1;
        let text_rows = Shape::Map(demat_core::Ref::new(Shape::Text), demat_core::Ref::new(Shape::Text)).list();
        let value = read_in(Dialect::default(), &bytes, &text_rows);
        if name == "location_coordinates" {
            // The suite's JSON has another phone number than its table, so only the rest is compared. A copy of the
            // suite that still has the original Latin-1 degree signs must be refused.
            match std::str::from_utf8(&bytes) {
                Ok(text) => {
                    let Value::List(rows) = value.unwrap() else { panic!("{name}") };
                    let Some(Value::Text(county)) = rows[0].get("Counties") else { panic!("{name}: {rows:?}") };
                    assert!(rows.len() == 1 && text.contains(&**county), "{name}: {rows:?}");
                }
                Err(_) => assert!(error(value).to_string().contains("UTF-8")),
            }
            continue;
        }
        let Value::List(rows) = value.unwrap_or_else(|error| panic!("{name}: {error}")) else { panic!("{name}") };
        let expected = rows_of_json(&std::fs::read_to_string(folder.join(format!("json/{name}.json"))).unwrap());
        assert_eq!(rows.len(), expected.len(), "{name}");
        for (row, expected) in rows.iter().zip(expected) {
            let Value::Map(entries) = row else { panic!("{name}") };
            assert_eq!(entries.len(), expected.len(), "{name}");
            for (key, text) in expected {
                assert_eq!(row.get(&key), Some(&Value::Text(text.into())), "{name}: {key}");
            }
        }
    }
    assert_eq!(seen, 12);
}
