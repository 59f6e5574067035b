//! Reads while another process writes.

use super::{owned, scanned};
use crate::build::tests::rows;
use crate::scan::Scan;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PATH: &str = "DEMAT_WRITTEN_DATABASE";

/// The writing process, which runs until it is killed. Does nothing when it runs as a regular test.
#[test]
fn writer() {
    let Some(path) = std::env::var_os(PATH).map(PathBuf::from) else { return };
    let connection = Connection::open(&path).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(20)).unwrap();
    for round in 0.. {
        let sql = "BEGIN IMMEDIATE; UPDATE t SET n = n + 1; DELETE FROM t WHERE id IN (SELECT id FROM t ORDER BY random() LIMIT 40); \
             INSERT INTO t(n, text) SELECT (SELECT max(n) FROM t), hex(randomblob(id * 37 % 3000)) FROM t LIMIT 40; COMMIT";
        connection.execute_batch(sql).unwrap();
        if round % 5 == 0 {
            let _ = connection.execute_batch("VACUUM"); // fails while the reader holds a lock
        }
    }
}

fn while_written(mode: &str, each: impl Fn(&Connection)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let connection = Connection::open(&path).unwrap();
    let sql = "PRAGMA synchronous = OFF; CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER, text TEXT); \
         WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 1000) \
         INSERT INTO t SELECT i, 0, hex(randomblob(i * 37 % 3000)) FROM c";
    connection.execute_batch(&format!("PRAGMA journal_mode = {mode}; {sql}")).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(20)).unwrap();
    let mut child = start(&path);
    for _ in 0..40 {
        each(&connection);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let rounds = rows(&connection, "SELECT max(n) > 0 FROM t");
    assert_eq!(rounds, [[rusqlite::types::Value::Integer(1)]], "nobody wrote");
}

fn start(path: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "scan::tests::writers::writer"])
        .env(PATH, path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_scan_is_of_one_moment() {
    for mode in ["DELETE", "WAL"] {
        while_written(mode, |connection| {
            connection.execute_batch("BEGIN").unwrap();
            let found = scanned(connection, "t");
            // Each transaction of the writer adds one to all rows.
            assert!(found.len() == 1000 && found.iter().all(|row| row[1] == found[0][1]), "{mode}");
            assert_eq!(found, rows(connection, "SELECT * FROM t"));
            connection.execute_batch("COMMIT").unwrap();
            // And in a transaction of its own.
            let found = scanned(connection, "t");
            assert!(found.len() == 1000 && found.iter().all(|row| row[1] == found[0][1]), "{mode}");
        });
    }
}

#[test]
fn what_is_not_committed_is_seen_by_its_own() {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch("CREATE TABLE t(a); BEGIN; INSERT INTO t VALUES(1), (2)").unwrap();
    assert_eq!(scanned(&connection, "t").len(), 2);
    connection.execute_batch("ROLLBACK").unwrap();
    assert_eq!(scanned(&connection, "t").len(), 0);
}

#[test]
fn a_table_that_is_changed_meanwhile_is_not_read_on() {
    let connection = Connection::open_in_memory().unwrap();
    let sql = "CREATE TABLE t(a); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 10000) INSERT INTO t SELECT i FROM c";
    connection.execute_batch(sql).unwrap();
    for (change, end) in [("DELETE FROM t WHERE a = 7000", ""), ("BEGIN", "ROLLBACK"), ("CREATE TABLE u(b)", "")] {
        let mut scan = Scan::new(&connection, "main", "t").unwrap();
        let first = scan.next().unwrap().unwrap();
        assert_eq!(owned(first.get(0).unwrap()), rusqlite::types::Value::Integer(1));
        connection.execute_batch(change).unwrap();
        let error = loop {
            match scan.next() {
                Ok(row) => assert!(row.is_some()),
                Err(error) => break error,
            }
        };
        assert!(error.to_string().contains("while the table was scanned"), "{error}");
        drop(scan);
        connection.execute_batch(end).unwrap();
        assert!(connection.is_autocommit());
    }
}
