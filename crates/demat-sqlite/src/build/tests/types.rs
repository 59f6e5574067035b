//! How columns convert values, and which they refuse.

use super::rows;
use crate::Cell;
use crate::build::{Builder, Options};
use demat_core::ErrorKind;
use rusqlite::Connection;

fn refusal(sql: &str, cells: &[Cell<'_>]) -> demat_core::Error {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut builder = Builder::create(&path, sql, &Options::default()).unwrap();
    let mut table = builder.rows("t").unwrap();
    let before: Vec<_> = cells.iter().map(|_| Cell::Null).collect();
    let _ = table.push(&before);
    let error = table.push(cells).unwrap_err();
    drop(table);
    assert!(builder.finish().unwrap_err().to_string().contains("not finished"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    error
}

#[test]
fn a_null_where_there_must_be_none_says_where() {
    let error = refusal("CREATE TABLE t(a, b TEXT NOT NULL)", &[Cell::Int(1), Cell::Null]);
    assert_eq!(error.kind(), ErrorKind::Constraint);
    assert_eq!(error.to_string(), "expected a value, as the column is NOT NULL, found `null` at `$.b` (record 1)");
}

#[test]
fn strict_tables_refuse_other_types() {
    for (kind, cell) in [
        ("INT", Cell::Text("x")),
        ("INTEGER", Cell::Real(1.5)),
        ("INT", Cell::Blob(b"x")),
        ("REAL", Cell::Text("x")),
        ("REAL", Cell::Blob(b"1")),
        ("TEXT", Cell::Blob(b"x")),
        ("BLOB", Cell::Text("x")),
        ("BLOB", Cell::Int(1)),
        ("BLOB", Cell::Real(1.5)),
    ] {
        let error = refusal(&format!("CREATE TABLE t(a {kind}) STRICT"), &[cell]);
        assert_eq!(error.kind(), ErrorKind::Type, "{kind} {cell:?}");
        assert_eq!(error.position().record, Some(2), "{kind} {cell:?}");
        assert_eq!((error.path().as_str(), error.expectation()), ("$.a", Some(kind)));
    }
}

#[test]
fn a_rowid_is_an_integer() {
    for cell in [Cell::Text("x"), Cell::Real(1.5), Cell::Blob(b"1")] {
        let error = refusal("CREATE TABLE t(a INTEGER PRIMARY KEY)", &[cell]);
        assert_eq!((error.kind(), error.expectation()), (ErrorKind::Type, Some("INTEGER")));
    }
}

#[test]
fn the_number_of_values_is_that_of_the_columns() {
    let error = refusal("CREATE TABLE t(a, b)", &[Cell::Null]);
    assert_eq!(error.reason(), "expected 2 values, found 1 values");
}

#[test]
fn all_types_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let sql =
        "CREATE TABLE t(a TEXT); CREATE TABLE s(b REAL, c NUMERIC); CREATE TABLE unused(d); PRAGMA user_version = 7";
    let mut builder = Builder::create(&path, sql, &Options::default()).unwrap();
    let mut table = builder.rows("S").unwrap();
    assert_eq!(table.columns(), ["b", "c"]);
    table.push(&[Cell::Int(1 << 60), Cell::Text(" 12 ")]).unwrap();
    table.push(&[Cell::Real(f64::NAN), Cell::Text("0x10")]).unwrap();
    assert_eq!(table.count(), 2);
    table.finish().unwrap();
    assert!(builder.rows("s").unwrap_err().to_string().contains("begun before"));
    assert!(builder.rows("none").unwrap_err().to_string().contains("no table"));
    let mut table = builder.rows("t").unwrap();
    for value in [1.0, 0.1, 1e300, -0.0, f64::INFINITY] {
        table.push(&[Cell::Real(value)]).unwrap();
    }
    table.finish().unwrap();
    builder.finish().unwrap();
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch("CREATE TEMP TABLE u(a TEXT); INSERT INTO u VALUES(1.0), (0.1), (1e300), (-0.0), (9e999)")
        .unwrap();
    assert_eq!(rows(&connection, "SELECT a FROM t"), rows(&connection, "SELECT a FROM u"));
    let found = rows(&connection, "SELECT b = 1 << 60, typeof(b), c, typeof(c) FROM s");
    use rusqlite::types::Value::{Integer, Null, Text};
    assert_eq!(found[0], [Integer(1), Text("real".into()), Integer(12), Text("integer".into())]);
    assert_eq!(found[1], [Null, Text("null".into()), Text("0x10".into()), Text("text".into())]);
    assert_eq!(rows(&connection, "PRAGMA user_version"), [[Integer(7)]]);
    assert_eq!(super::integrity(&path), "ok");
}
