//! What the metadata of a stranger's file declares does not become SQL.
#![cfg(all(feature = "arrow", feature = "sqlite"))]

use demat_core::Shape;
use demat_place::{CopyJob, Format, Place};
use demat_sqlite::{Database, OpenOptions};
use std::path::Path;

/// Writes one row as a file of a columnar format, whose metadata has all notes of the shape.
fn written(path: &Path, shape: &str, row: &'static [u8]) {
    let to = Place::from(path);
    let format = to.format().unwrap();
    let job = CopyJob::new(Place::Given("rows".into()), Format::LINES, to, format);
    assert_eq!(job.shape(shape.parse::<Shape>().unwrap()).reader(row).run().unwrap().records, 1);
}

/// Copies a file to a new database. Returns the SQL of its tables, and the number of rows in `t`.
fn copied(from: &Path, to: &Path, shape: Option<&str>) -> (String, i64) {
    let from = Place::from(from);
    let format = from.format().unwrap();
    let named = format!("{}#t", to.display());
    let mut job = CopyJob::new(from, format, Place::named(named.as_ref()), Format::SQLITE);
    if let Some(shape) = shape {
        job = job.shape(shape.parse().unwrap());
    }
    job.run().unwrap();
    let database = Database::open_with(to, OpenOptions { readonly: true, create: false, ..OpenOptions::default() });
    let database = database.unwrap();
    let rows = database.number("SELECT count(*) FROM t", &[]).unwrap();
    assert_eq!(database.tables().unwrap(), ["t"]);
    drop(database);
    // The statement stands in the file as it is.
    let bytes = std::fs::read(to).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let start = text.find("CREATE TABLE").unwrap();
    let end = text[start..].find("\n)").unwrap();
    (text[start..start + end + 2].to_string(), rows)
}

#[test]
fn notes_of_a_file_are_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let notes = [
        "check 1)); CREATE TABLE own (a); ATTACH 'own.db' AS own; --",
        "check a <> 'x'",
        "default (CREATE TABLE own (a))",
        "default 1); CREATE TABLE own (a); --",
        "type TEXT COLLATE NOCASE UNIQUE ON CONFLICT REPLACE",
        "type TEXT GENERATED ALWAYS AS (5)",
        "references t UNIQUE ON CONFLICT REPLACE",
        "what is this",
    ];
    for (at, note) in notes.iter().enumerate() {
        for suffix in ["parquet", "arrow", "arrows"] {
            let from = folder.path().join(format!("{at}.{suffix}"));
            let shape = format!("id: int #sql:key, a: text #sql:{}", serde(note));
            written(&from, &shape, b"{\"id\":1,\"a\":\"x\"}\n");
            for kind in ["new.db", "existing.db"] {
                let to = folder.path().join(format!("{at}.{suffix}.{kind}"));
                if kind == "existing.db" {
                    Database::open(&to).unwrap().execute("PRAGMA user_version = 1").unwrap();
                }
                let (sql, rows) = copied(&from, &to, None);
                assert_eq!(
                    sql, "CREATE TABLE \"t\" (\n  \"id\" INTEGER PRIMARY KEY,\n  \"a\" TEXT NOT NULL\n)",
                    "{note}"
                );
                assert_eq!(rows, 1, "{note}");
            }
            assert!(!folder.path().join("own.db").exists());
        }
    }
}

/// Quotes a note as the text of a shape has it.
fn serde(note: &str) -> String {
    format!("\"{}\"", note.replace('\\', "\\\\").replace('"', "\\\""))
}

#[test]
fn what_is_plain_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("a.parquet");
    let shape = "id: int #sql:key, a: text = \"y'\" #sql:unique #sql:\"type VARCHAR(20)\" #check:\"min_length 1\", \
                 b: int? #sql:\"references t(id) on delete cascade\"";
    written(&from, shape, b"{\"id\":1,\"a\":\"x\",\"b\":1}\n");
    let (sql, _) = copied(&from, &folder.path().join("a.db"), None);
    for part in [
        "\"a\" VARCHAR(20) NOT NULL UNIQUE DEFAULT 'y''' CHECK (length(\"a\") >= 1)",
        "REFERENCES \"t\" (\"id\") ON DELETE CASCADE",
    ] {
        assert!(sql.contains(part), "{sql}");
    }
}

#[test]
fn what_the_caller_declares_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("a.parquet");
    written(&from, "id: int, a: text", b"{\"id\":1,\"a\":\"x\"}\n");
    let shape =
        "id: int, a: text #sql:\"check a <> 'y'\" #sql:\"default lower('Z')\" #sql:\"type TEXT COLLATE NOCASE\"";
    let (sql, rows) = copied(&from, &folder.path().join("a.db"), Some(shape));
    assert!(sql.contains("CHECK (a <> 'y')") && sql.contains("DEFAULT (lower('Z'))"), "{sql}");
    assert_eq!(rows, 1);
}

#[test]
fn a_query_over_a_file_runs_no_notes() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("a.parquet");
    let own = folder.path().join("own.db");
    let note = format!("check 1)); ATTACH '{}' AS own; CREATE TABLE own.t (a); --", own.display());
    written(&from, &format!("id: int #sql:{}", serde(&note)), b"{\"id\":1}\n");
    let place = Place::from(&*from);
    let job = CopyJob::new(place, Format::PARQUET, Place::Given("nowhere".into()), Format::LINES);
    assert_eq!(job.query("SELECT id FROM a").writer(std::io::sink()).run().unwrap().records, 1);
    assert!(!own.exists());
}
