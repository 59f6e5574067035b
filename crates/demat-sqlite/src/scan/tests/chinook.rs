//! Scans a database that other software has created.

use super::scanned;
use crate::Cell;
use crate::build::tests::{integrity, rows};
use crate::build::{Builder, Options};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::path::{Path, PathBuf};

/// Looks in `DEMAT_SUITES`, or in `shared/suites` beside the repository.
fn database() -> Option<PathBuf> {
    let suites = std::env::var_os("DEMAT_SUITES").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).map(|folder| folder.join("shared/suites"));
    let path = suites.or_else(beside)?.join("sqlite/chinook.db");
    if path.is_file() {
        return Some(path);
    }
    #[allow(clippy::print_stderr)] // the test must not appear to have run
    {
        eprintln!("SKIPPED: no `sqlite/chinook.db`; set DEMAT_SUITES to the folder that has it");
    }
    None
}

#[test]
fn scanned_and_built_again() {
    let Some(path) = database() else { return };
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("chinook.db");
    std::fs::copy(path, &own).unwrap();
    let connection = Connection::open(&own).unwrap();
    let names = rows(&connection, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    let name = |row: &Vec<Value>| match &row[0] {
        Value::Text(name) => name.clone(),
        other => panic!("{other:?}"),
    };
    let names: Vec<String> = names.iter().map(name).collect();
    let sql = "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' \
         AND type IN ('table', 'index') ORDER BY type DESC";
    let sql: Vec<String> = rows(&connection, sql).iter().map(name).collect();
    let built = folder.path().join("built.db");
    let mut builder = Builder::create(&built, &sql.join("\n"), &Options::default()).unwrap();
    for table in &names {
        let found = scanned(&connection, table);
        assert_eq!(found, rows(&connection, &format!("SELECT * FROM \"{table}\" ORDER BY rowid")), "{table}");
        let mut to = builder.rows(table).unwrap();
        for row in &found {
            let cells: Vec<Cell<'_>> = row.iter().map(cell_of).collect();
            to.push(&cells).unwrap();
        }
        to.finish().unwrap();
    }
    builder.finish().unwrap();
    assert_eq!(integrity(&built), "ok");
    let again = Connection::open(&built).unwrap();
    for table in &names {
        assert_eq!(scanned(&again, table), scanned(&connection, table), "{table}");
    }
    let counts = ["artists", "tracks"].map(|table| scanned(&again, table).len());
    assert_eq!(counts, [275, 3503]);
}

fn cell_of(value: &Value) -> Cell<'_> {
    match value {
        Value::Null => Cell::Null,
        Value::Integer(value) => Cell::Int(*value),
        Value::Real(value) => Cell::Real(*value),
        Value::Text(value) => Cell::Text(value),
        Value::Blob(value) => Cell::Blob(value),
    }
}
