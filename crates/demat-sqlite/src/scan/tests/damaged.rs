//! Scans of damaged pages.

use crate::scan::Scan;
use proptest::prelude::*;
use rusqlite::Connection;
use std::fs;
use std::path::Path;

const SQL: &str = "PRAGMA page_size = 512; CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b, c REAL); \
     CREATE TABLE w(a TEXT PRIMARY KEY, b) WITHOUT ROWID; \
     WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 200) \
     INSERT INTO t SELECT i, hex(zeroblob(i * 37 % 900)), i * i, i / 3.0 FROM c; INSERT INTO w SELECT id || a, b FROM t";

/// Reads as many rows as possible; returns their number and the error that ended it.
fn read(path: &Path, table: &str) -> (usize, Option<String>) {
    let Ok(connection) = Connection::open(path) else { return (0, None) };
    let mut scan = match Scan::new(&connection, "main", table) {
        Ok(scan) => scan,
        Err(error) => return (0, Some(error.to_string())),
    };
    let mut count = 0;
    loop {
        match scan.next() {
            Ok(Some(row)) => {
                (0..4).for_each(|column| drop(row.get(column).map(|cell| format!("{cell:?}"))));
                count += 1;
            }
            Ok(None) => return (count, None),
            Err(error) => return (count, Some(error.to_string())),
        }
    }
}

fn made(folder: &Path) -> Vec<u8> {
    let path = folder.join("a.db");
    Connection::open(&path).unwrap().execute_batch(SQL).unwrap();
    assert_eq!(read(&path, "t"), (200, None));
    assert_eq!(read(&path, "w"), (200, None));
    fs::read(&path).unwrap()
}

#[test]
fn whatever_is_changed_ends_in_rows_or_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let whole = made(folder.path());
    let path = folder.path().join("b.db");
    let strategy = prop::collection::vec((0..whole.len(), any::<u8>()), 1..12);
    proptest!(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() }, |(changes in strategy)| {
        let mut bytes = whole.clone();
        for (at, byte) in changes {
            // The headers of pages matter most.
            let at = if byte % 3 == 0 { at / 512 * 512 + at % 24 } else { at };
            bytes[at] = byte;
        }
        fs::write(&path, &bytes).unwrap();
        for table in ["t", "w"] {
            let (count, _) = read(&path, table);
            prop_assert!(count < 100_000);
        }
    });
}

#[test]
fn a_file_that_is_cut_ends_in_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let whole = made(folder.path());
    let path = folder.path().join("b.db");
    for pages in 2..whole.len() / 512 {
        fs::write(&path, &whole[..pages * 512]).unwrap();
        let (_, error) = read(&path, "t");
        let (_, other) = read(&path, "w");
        assert!(error.is_some() || other.is_some(), "{pages}");
    }
}

#[test]
fn a_tree_that_goes_in_circles_ends_in_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = made(folder.path());
    let path = folder.path().join("b.db");
    let root = 2usize;
    let page = &mut bytes[(root - 1) * 512..root * 512];
    assert_eq!(page[0], 5);
    page[8..12].copy_from_slice(&(root as u32).to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    let (_, error) = read(&path, "t");
    let error = error.unwrap();
    assert!(error.contains("page 2 of the database is damaged") || error.contains("is referred to again"), "{error}");
}
