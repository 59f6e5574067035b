//! Columns that were added later, and tables that are refused.

use super::scanned;
use crate::Cell;
use crate::build::Refusal;
use crate::scan::Scan;
use rusqlite::Connection;
use rusqlite::types::Value;

#[test]
fn old_rows_have_the_default_of_new_columns() {
    let connection = Connection::open_in_memory().unwrap();
    let sql = "CREATE TABLE t(a); INSERT INTO t VALUES(1); ALTER TABLE t ADD b REAL DEFAULT 3; \
         ALTER TABLE t ADD c TEXT NOT NULL DEFAULT 'it''s'; ALTER TABLE t ADD d; INSERT INTO t(a) VALUES(2); \
         ALTER TABLE t ADD e DEFAULT x'00ff'; ALTER TABLE t ADD f INT DEFAULT -7; ALTER TABLE t ADD g NUMERIC DEFAULT ('12')";
    connection.execute_batch(sql).unwrap();
    let wanted = crate::build::tests::rows(&connection, "SELECT * FROM t");
    assert_eq!(scanned(&connection, "t"), wanted);
    assert_eq!(wanted[0][1], Value::Real(3.0));
    let mut scan = Scan::new(&connection, "main", "t").unwrap().with_columns(&["f", "A"]).unwrap();
    assert_eq!(scan.columns(), ["f", "a"]);
    let row = scan.next().unwrap().unwrap();
    assert_eq!((row.get(0).unwrap(), row.get(1).unwrap(), row.rowid()), (Cell::Int(-7), Cell::Int(1), 1));
    assert!(row.get(2).is_err());
}

#[test]
fn refusals() {
    let connection = Connection::open_in_memory().unwrap();
    let sql = "CREATE TABLE g(a, b AS (a)); CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(a)";
    connection.execute_batch(sql).unwrap();
    let error = |table: &str| Scan::new(&connection, "main", table).map(drop).unwrap_err();
    assert_eq!(Refusal::of(&error("g")), Some(&Refusal::GeneratedColumn("b".to_string())));
    for table in ["v", "f", "none"] {
        assert!(error(table).to_string().contains("table"));
    }
    assert!(Scan::new(&connection, "main", "g").is_err() && connection.is_autocommit());
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a); INSERT INTO t VALUES('x')").unwrap();
    let error = Scan::new(&connection, "main", "t").map(drop).unwrap_err();
    assert_eq!(Refusal::of(&error), Some(&Refusal::Utf16));
}

#[test]
fn text_that_is_no_utf8_is_an_error() {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch("CREATE TABLE t(a); INSERT INTO t VALUES('x'), (CAST(x'ff' AS TEXT))").unwrap();
    let mut scan = Scan::new(&connection, "main", "t").unwrap();
    assert!(scan.next().unwrap().unwrap().get(0).is_ok());
    let error = scan.next().unwrap().unwrap().get(0).unwrap_err();
    assert_eq!(error.to_string(), "expected text in UTF-8, found other bytes at `$.a` (record 2)");
}

#[test]
fn attached_databases() {
    let connection = Connection::open_in_memory().unwrap();
    let sql = "ATTACH ':memory:' AS other; CREATE TABLE t(a); CREATE TABLE other.t(a); INSERT INTO other.t VALUES(5)";
    connection.execute_batch(sql).unwrap();
    let mut scan = Scan::new(&connection, "other", "t").unwrap();
    assert_eq!(scan.next().unwrap().unwrap().get(0).unwrap(), Cell::Int(5));
    drop(scan);
    assert_eq!(scanned(&connection, "t"), [[Value::Null; 0]; 0]);
    assert!(connection.is_autocommit());
}
