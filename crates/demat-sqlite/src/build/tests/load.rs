//! Loads tables of databases in use.

use super::{integrity, rows};
use crate::Cell;
use crate::build::{Load, Options, Refusal};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::fs;
use std::path::Path;

const SQL: &str = "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT NOT NULL, b REAL DEFAULT 2.5); \
     CREATE INDEX one ON t(a, b); CREATE UNIQUE INDEX two ON t(b DESC, id); \
     CREATE TABLE w(a TEXT, b, PRIMARY KEY(b, a)) WITHOUT ROWID; CREATE INDEX three ON w(a)";

fn load(connection: &Connection, table: &str, count: i64) -> demat_core::Result<crate::build::Loaded> {
    let mut load = Load::new(connection, "main", table, &Options::default())?;
    let mut rows = load.rows()?;
    for at in 0..count {
        let text = "x".repeat(usize::try_from(at).unwrap() % 3000);
        match table {
            "t" => rows.push(&[Cell::Null, Cell::Text(&text), Cell::Int(at)])?,
            _ => rows.push(&[Cell::Text(&text), Cell::Int(at)])?,
        }
    }
    rows.finish()?;
    load.finish()
}

fn only(folder: &Path, names: &[&str]) {
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    found.sort();
    assert_eq!(found, names);
}

#[test]
fn who_may_only_read_loads_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let writes = Connection::open(&path).unwrap();
    writes.execute_batch("CREATE TABLE t(a)").unwrap();
    let reads = Connection::open_with_flags(&path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let asks = Connection::open(&path).unwrap();
    asks.execute_batch("PRAGMA query_only = ON").unwrap();
    for connection in [&reads, &asks] {
        let error = Load::new(connection, "main", "t", &Options::default()).unwrap_err();
        assert!(error.to_string().contains("readonly database"), "{error}");
    }
}

#[test]
fn records_are_taken_over_as_they_are() {
    for mode in ["DELETE", "WAL"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(&format!("PRAGMA journal_mode = {mode}; {SQL}")).unwrap();
        connection.execute_batch("INSERT INTO t(a) VALUES('gone'); DELETE FROM t").unwrap();
        for table in ["t", "w"] {
            let loaded = load(&connection, table, 1000).unwrap();
            assert_eq!((loaded.rows, loaded.raw), (1000, true));
            assert!(Refusal::of(&load(&connection, table, 0).unwrap_err()) == Some(&Refusal::NotEmpty));
        }
        // The rowids continue after the deleted one.
        let found = rows(&connection, "SELECT min(id), max(id), sum(b) FROM t");
        assert_eq!(found, [[Value::Integer(2), Value::Integer(1001), Value::Real(499_500.0)]]);
        assert_eq!(rows(&connection, "SELECT seq FROM sqlite_sequence"), [[Value::Integer(1001)]]);
        assert_eq!(
            rows(&connection, "SELECT count(*), sum(b) FROM w"),
            [[Value::Integer(1000), Value::Integer(499_500)]]
        );
        assert_eq!(rows(&connection, "SELECT name FROM pragma_database_list WHERE name LIKE 'demat%'").len(), 0);
        drop(connection);
        assert_eq!(integrity(&path), "ok");
        only(folder.path(), &["a.db"]);
    }
}

#[test]
fn what_would_not_be_done_is_refused() {
    let connection = Connection::open_in_memory().unwrap();
    let refusal = |sql: &str, table: &str| {
        connection.execute_batch(sql).unwrap();
        Refusal::of(&load(&connection, table, 0).unwrap_err()).cloned()
    };
    let sql = "CREATE TABLE p(a PRIMARY KEY); CREATE TABLE c(a, b REFERENCES p)";
    assert_eq!(refusal(sql, "c"), Some(Refusal::ForeignKeys));
    let sql = "CREATE TABLE t(a, b, c); CREATE TEMP TRIGGER x AFTER INSERT ON main.t BEGIN SELECT 1; END";
    assert_eq!(refusal(sql, "t"), Some(Refusal::Trigger("x".to_string())));
    assert_eq!(refusal("BEGIN", "p"), Some(Refusal::InTransaction));
    connection.execute_batch("COMMIT; PRAGMA foreign_keys = 0").unwrap();
    assert!(load(&connection, "c", 3).unwrap().raw);
}

#[test]
fn conditions_are_checked_before() {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open(folder.path().join("a.db")).unwrap();
    connection.execute_batch("CREATE TABLE w(a, b CHECK (b < 100))").unwrap();
    assert!(load(&connection, "w", 101).unwrap_err().to_string().contains("CHECK constraint failed"));
    assert_eq!(rows(&connection, "SELECT count(*) FROM w"), [[Value::Integer(0)]]);
    assert_eq!(load(&connection, "w", 100).unwrap().rows, 100);
    only(folder.path(), &["a.db"]);
}

#[test]
fn a_table_that_changed_in_between_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TABLE w(a, b)").unwrap();
    let other = Connection::open(&path).unwrap();
    for change in ["INSERT INTO w VALUES(1, 2)", "DELETE FROM w; CREATE INDEX late ON w(a)", "DROP TABLE w"] {
        let load = Load::new(&connection, "main", "w", &Options::default());
        let Ok(mut load) = load else { panic!("{change}") };
        load.rows().unwrap().finish().unwrap();
        other.execute_batch(change).unwrap();
        load.finish().unwrap_err();
        assert!(connection.is_autocommit());
        if change.starts_with("INSERT") {
            other.execute_batch("DELETE FROM w").unwrap();
        }
    }
    assert_eq!(rows(&connection, "SELECT name FROM pragma_database_list WHERE name LIKE 'demat%'").len(), 0);
    only(folder.path(), &["a.db"]);
}
