//! B-trees of several levels.

use super::{integrity, rows};
use crate::Cell;
use crate::build::{Builder, Options};
use rusqlite::Connection;
use rusqlite::types::Value;

#[test]
fn a_million_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT NOT NULL, b); CREATE INDEX one ON t(a)";
    let options = Options { page_size: 1024, durable: false, sort_memory: 4 << 20, ..Options::default() };
    let mut builder = Builder::create(&path, sql, &options).unwrap();
    let mut table = builder.rows("t").unwrap();
    for id in 0..1_000_000 {
        let text = if id % 3 == 0 { "Clean Room" } else { "Check Twitter" };
        table.push(&[Cell::Int(id), Cell::Text(text), Cell::Int(id & 1)]).unwrap();
    }
    table.finish().unwrap();
    builder.finish().unwrap();
    assert_eq!(integrity(&path), "ok");
    let connection = Connection::open(&path).unwrap();
    let found = rows(&connection, "SELECT count(*), sum(id), sum(b), sum(a = 'Clean Room') FROM t");
    let wanted = [1_000_000, 499_999_500_000, 500_000, 333_334].map(Value::Integer);
    assert_eq!(found, [wanted]);
    let scanned = crate::scan::tests::scanned(&connection, "t");
    assert_eq!(scanned.len(), 1_000_000);
    assert_eq!(scanned[999_999], [Value::Integer(999_999), Value::Text("Clean Room".into()), Value::Integer(1)]);
}

/// The smallest pages with the longest keys that fit into them produce the highest trees. Covers every number of rows
/// around the limits of a level.
#[test]
fn every_count_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    for (at, count) in (0..80).chain((80..2500).step_by(97)).enumerate() {
        let path = folder.path().join(format!("{at}.db"));
        let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a); CREATE INDEX one ON t(a); \
             CREATE TABLE w(a PRIMARY KEY) WITHOUT ROWID";
        let options = Options { page_size: 512, durable: false, ..Options::default() };
        let mut builder = Builder::create(&path, sql, &options).unwrap();
        for table in ["t", "w"] {
            let mut rows = builder.rows(table).unwrap();
            for id in 0..count {
                let text = format!("{id:090}");
                let cells = [Cell::Int(i64::MAX / 2 + id), Cell::Text(&text)];
                rows.push(if table == "t" { &cells } else { &cells[1..] }).unwrap();
            }
            rows.finish().unwrap();
        }
        builder.finish().unwrap();
        assert_eq!(integrity(&path), "ok", "{count}");
        let connection = Connection::open(&path).unwrap();
        let found = rows(&connection, "SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM w)");
        assert_eq!(found, [[Value::Integer(count), Value::Integer(count)]]);
    }
}

/// More runs than are merged at once.
#[test]
fn many_runs_are_merged_in_turns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a)";
    let options = Options { durable: false, sort_memory: 1, ..Options::default() };
    let mut builder = Builder::create(&path, sql, &options).unwrap();
    let mut table = builder.rows("t").unwrap();
    let count = 30_011;
    for at in 0..count {
        table.push(&[Cell::Int(at * 7919 % count), Cell::Int(at)]).unwrap();
    }
    table.finish().unwrap();
    builder.finish().unwrap();
    assert_eq!(integrity(&path), "ok");
    let connection = Connection::open(&path).unwrap();
    let wrong = format!("SELECT count(*), sum(id <> a * 7919 % {count}) FROM t");
    assert_eq!(rows(&connection, &wrong), [[Value::Integer(count), Value::Integer(0)]]);
}

/// The lock page stays empty, between leaves and within a value that is longer than a page. It is at an offset of one
/// gigabyte, so the test writes two files of that size, one after the other.
#[test]
fn beyond_the_page_that_holds_nothing() {
    use crate::format::local::{LOCKED, locked_page};
    for len in [3000, 9_000_000] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a BLOB)";
        let options = Options { page_size: 65_536, durable: false, ..Options::default() };
        let mut builder = Builder::create(&path, sql, &options).unwrap();
        let mut table = builder.rows("t").unwrap();
        let value = vec![7; len];
        let count = i64::try_from((LOCKED as usize + (20 << 20)) / len).unwrap();
        for id in 0..count {
            table.push(&[Cell::Int(id), Cell::Blob(&value)]).unwrap();
        }
        table.finish().unwrap();
        builder.finish().unwrap();
        assert_eq!(integrity(&path), "ok", "{len}");
        assert!(std::fs::metadata(&path).unwrap().len() / 65_536 > locked_page(65_536));
        let connection = Connection::open(&path).unwrap();
        let mut scan = crate::scan::Scan::new(&connection, "main", "t").unwrap();
        let mut rows = 0;
        while let Some(row) = scan.next().unwrap() {
            assert!(row.get(1).unwrap() == Cell::Blob(&value));
            rows += 1;
        }
        assert_eq!(rows, count);
    }
}
