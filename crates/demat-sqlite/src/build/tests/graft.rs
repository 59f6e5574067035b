//! Inserts built trees into databases in use, beside other tables.

use super::{integrity, rows};
use crate::Cell;
use crate::build::graft::Places;
use crate::build::{Load, Loaded, Options, Refusal};
use rusqlite::Connection;
use rusqlite::types::Value;

const TABLES: &str = "CREATE TABLE before(x); CREATE INDEX x ON before(x); \
     CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT NOT NULL UNIQUE, b REAL CHECK (b >= 0)); CREATE INDEX b ON t(b DESC, a); \
     CREATE TABLE k(a TEXT, b, PRIMARY KEY(b, a)) WITHOUT ROWID; CREATE INDEX a ON k(a); \
     CREATE TABLE after(y)";

fn fill(connection: &Connection, table: &str, count: i64) -> demat_core::Result<Loaded> {
    let mut load = Load::new(connection, "main", table, &Options::default())?;
    let mut told = load.rows()?;
    for at in 0..count {
        let text = format!("{:05}", at * 7919 % 100_003);
        match table {
            "t" => told.push(&[Cell::Null, Cell::Text(&text), Cell::Int(at)])?,
            _ => told.push(&[Cell::Text(&text), Cell::Int(at % 13)])?,
        }
    }
    told.finish()?;
    load.finish()
}

fn inserted(connection: &Connection, count: i64) {
    let sql = "WITH RECURSIVE n(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at + 1 < ?1) \
         SELECT at, printf('%05d', at * 7919 % 100003) AS text FROM n WHERE ?1 > 0";
    connection.execute(&format!("INSERT INTO t(a, b) SELECT text, at FROM ({sql})"), [count]).unwrap();
    connection.execute(&format!("INSERT INTO k(a, b) SELECT text, at % 13 FROM ({sql})"), [count]).unwrap();
}

fn all(connection: &Connection) -> Vec<Vec<Vec<Value>>> {
    let queries = [
        "SELECT * FROM t ORDER BY id",
        "SELECT b, a FROM t INDEXED BY b ORDER BY b DESC, a",
        "SELECT * FROM k",
        "SELECT a FROM k INDEXED BY a ORDER BY a",
        "SELECT count(*) FROM before UNION ALL SELECT count(*) FROM after",
    ];
    queries.map(|sql| rows(connection, sql)).into()
}

#[test]
fn every_page_size_and_way_to_commit() {
    for size in [512, 4096, 65_536] {
        for journal in ["DELETE", "WAL", "TRUNCATE", "MEMORY"] {
            for count in [0, 1, 60, 3000] {
                let folder = tempfile::tempdir().unwrap();
                let open = |name: &str| {
                    let path = folder.path().join(name);
                    let connection = Connection::open(&path).unwrap();
                    let sql = format!(
                        "PRAGMA page_size = {size}; PRAGMA journal_mode = {journal}; PRAGMA synchronous = OFF; {TABLES};"
                    );
                    connection.execute_batch(&sql).unwrap();
                    // Rows of other tables, and free pages.
                    let sql = "INSERT INTO before SELECT hex(randomblob(40)) FROM (SELECT 1 FROM pragma_function_list); \
                         INSERT INTO after SELECT x FROM before; DELETE FROM after WHERE rowid % 3 = 0; \
                         SELECT count(*) FROM t";
                    connection.execute_batch(sql).unwrap();
                    (path, connection)
                };
                let ((path, built), (_, expected)) = (open("a.db"), open("b.db"));
                for table in ["t", "k"] {
                    assert_eq!(fill(&built, table, count).unwrap(), Loaded { rows: count.unsigned_abs(), raw: true });
                }
                inserted(&expected, count);
                assert_eq!(all(&built), all(&expected), "{size} {journal} {count}");
                // The database can be changed as usual.
                built.execute_batch("DELETE FROM t WHERE id % 2; DELETE FROM k WHERE b = 3; VACUUM").unwrap();
                drop(built);
                assert_eq!(integrity(&path), "ok", "{size} {journal} {count}");
            }
        }
    }
}

#[test]
fn what_was_built_is_put_and_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open(folder.path().join("a.db")).unwrap();
    connection.execute_batch(TABLES).unwrap();
    let other = Connection::open(folder.path().join("a.db")).unwrap();
    assert_eq!(rows(&other, "SELECT count(*) FROM t"), [[Value::Integer(0)]]);
    let changes = connection.total_changes();
    fill(&connection, "t", 5000).unwrap();
    // Copying rows would count as changes of this connection.
    assert_eq!(connection.total_changes(), changes);
    for each in [&connection, &other] {
        assert_eq!(rows(each, "SELECT count(*), max(id) FROM t"), [[Value::Integer(5000), Value::Integer(5000)]]);
    }
}

#[test]
fn what_can_not_be_put_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    for (at, before) in ["PRAGMA auto_vacuum = FULL", "PRAGMA locking_mode = EXCLUSIVE"].iter().enumerate() {
        let path = folder.path().join(format!("{at}.db"));
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(&format!("{before}; {TABLES}")).unwrap();
        let changes = connection.total_changes();
        assert_eq!(fill(&connection, "t", 500).unwrap(), Loaded { rows: 500, raw: true });
        assert_eq!(connection.total_changes(), changes + 500, "{before}");
        drop(connection);
        assert_eq!(integrity(&path), "ok");
    }
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(TABLES).unwrap();
    assert_eq!(fill(&connection, "t", 500).unwrap().rows, 500);
    assert_eq!(rows(&connection, "SELECT count(*) FROM t"), [[Value::Integer(500)]]);
}

#[cfg(unix)]
#[test]
fn another_file_of_the_name_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(TABLES).unwrap();
    std::fs::rename(&path, folder.path().join("b.db")).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch(TABLES).unwrap();
    let loaded = fill(&connection, "t", 50);
    assert_eq!(rows(&other, "SELECT count(*) FROM t"), [[Value::Integer(0)]]);
    // SQLite itself may refuse to write to a file that was renamed.
    let count = i64::from(loaded.is_ok()) * 50;
    assert_eq!(rows(&connection, "SELECT count(*) FROM t"), [[Value::Integer(count)]]);
}

#[test]
fn conditions_hold_before_anything_is_put() {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open(folder.path().join("a.db")).unwrap();
    connection.execute_batch("CREATE TABLE w(a, b CHECK (b < 100))").unwrap();
    let load = |count: i64| {
        let mut load = Load::new(&connection, "main", "w", &Options::default())?;
        let mut told = load.rows()?;
        for at in 0..count {
            told.push(&[Cell::Null, Cell::Int(at)])?;
        }
        told.finish()?;
        load.finish()
    };
    assert!(load(101).unwrap_err().to_string().contains("CHECK constraint failed"));
    assert_eq!(load(100).unwrap().rows, 100);
    assert_eq!(rows(&connection, "SELECT count(*) FROM w"), [[Value::Integer(100)]]);
}

#[test]
fn a_connection_that_reads_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open(folder.path().join("a.db")).unwrap();
    connection.execute_batch(&format!("{TABLES}; INSERT INTO before VALUES(1), (2), (3)")).unwrap();
    let mut statement = connection.prepare("SELECT x FROM before").unwrap();
    let mut reads = statement.query([]).unwrap();
    assert!(reads.next().unwrap().is_some());
    assert_eq!(Refusal::of(&fill(&connection, "t", 500).unwrap_err()), Some(&Refusal::InTransaction));
    assert!(reads.next().unwrap().is_some());
    drop(reads);
    assert_eq!(fill(&connection, "t", 500).unwrap().rows, 500);
}

#[test]
fn a_reader_elsewhere_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(&format!("PRAGMA busy_timeout = 100; {TABLES}; INSERT INTO before VALUES(1)")).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN; SELECT * FROM before").unwrap();
    assert!(fill(&connection, "t", 500).unwrap_err().to_string().contains("locked"));
    assert!(connection.is_autocommit());
    assert_eq!(rows(&connection, "SELECT count(*) FROM t"), [[Value::Integer(0)]]);
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(fill(&connection, "t", 500).unwrap().rows, 500);
}

#[test]
fn a_writer_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(&format!("PRAGMA busy_timeout = 10000; {TABLES}")).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE; INSERT INTO before VALUES(1)").unwrap();
    let waits = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        other.execute_batch("COMMIT").unwrap();
    });
    assert_eq!(fill(&connection, "k", 100).unwrap().rows, 100);
    waits.join().unwrap();
    assert_eq!(
        rows(&connection, "SELECT (SELECT count(*) FROM k) + (SELECT count(*) FROM before)"),
        [[Value::Integer(101)]]
    );
}

#[test]
fn no_two_pages_become_one_and_none_the_one_that_holds_nothing() {
    // The second page belongs to the schema if the trees begin at other pages.
    for (roots, added) in [([(2, 7), (3, 4)], 4), ([(3, 7), (5, 4)], 7), ([(2, 7), (6, 4)], 8)] {
        for locked in [8, 12, 13, 14, 20, 100] {
            for count in [7, 8, 11, 12, 13, 14, 30] {
                let places = Places { roots: &roots, added, count, locked };
                let there: Vec<_> = (2..40).filter_map(|number| places.of(number)).collect();
                let expected = (count + 1..).filter(|page| *page != locked);
                let pages = (added..40).filter(|number| *number != locked).count();
                let expected: Vec<_> = [7, 4].into_iter().chain(expected.take(pages)).collect();
                assert_eq!(there, expected, "{roots:?} {locked} {count}");
            }
        }
    }
}
