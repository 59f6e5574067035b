//! Tables that the builder refuses, and duplicates.

use crate::Cell;
use crate::build::{Builder, Options, Refusal};
use demat_core::ErrorKind;
use std::fs;

fn refusal(sql: &str) -> Refusal {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::create(&folder.path().join("a.db"), sql, &Options::default()).unwrap();
    let error = builder.rows("t").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    Refusal::of(&error).unwrap().clone()
}

#[test]
fn refusals_have_names() {
    let name = || "x".to_string();
    assert_eq!(
        refusal("CREATE TABLE t(a); CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END"),
        Refusal::Trigger(name())
    );
    assert_eq!(refusal("CREATE TABLE t(a, x AS (a + 1))"), Refusal::GeneratedColumn(name()));
    assert_eq!(refusal("CREATE TABLE t(a, x AS (a + 1) STORED)"), Refusal::GeneratedColumn(name()));
    assert_eq!(refusal("CREATE TABLE t(a); CREATE INDEX x ON t(a) WHERE a > 1"), Refusal::PartialIndex(name()));
    assert_eq!(refusal("CREATE TABLE t(a); CREATE INDEX x ON t(a + 1)"), Refusal::IndexOfExpression(name()));
    assert_eq!(refusal("CREATE TABLE t(a); INSERT INTO t VALUES(1)"), Refusal::NotEmpty);
}

#[test]
fn other_refusals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let create = |sql: &str, options: &Options| Builder::create(&path, sql, options).unwrap_err();
    let error = create("PRAGMA encoding = 'UTF-16'; CREATE TABLE t(a)", &Options::default());
    assert_eq!(Refusal::of(&error), Some(&Refusal::Utf16));
    let error = create("PRAGMA auto_vacuum = INCREMENTAL; CREATE TABLE t(a)", &Options::default());
    assert_eq!(Refusal::of(&error), Some(&Refusal::AutoVacuum));
    let error = create("PRAGMA page_size = 512; CREATE TABLE t(a)", &Options::default());
    assert!(error.to_string().contains("pages of 512 bytes"), "{error}");
    assert!(create("CREATE", &Options::default()).to_string().contains("SQLite refuses"));
    for page_size in [0, 256, 1000, 131_072] {
        let error = create("CREATE TABLE t(a)", &Options { page_size, ..Options::default() });
        assert!(error.to_string().contains("a page can't have"), "{error}");
    }
    let mut builder =
        Builder::create(&path, "CREATE TABLE t(a PRIMARY KEY) ; CREATE VIEW v AS SELECT 1", &Options::default())
            .unwrap();
    assert!(builder.rows("v").unwrap_err().to_string().contains("no table that has pages"));
    assert!(builder.rows("sqlite_schema").is_err());
    drop(builder);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_there_is_replaced_only_if_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    fs::write(&path, "old").unwrap();
    let sql = "CREATE TABLE t(a)";
    let error = Builder::create(&path, sql, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("is there already"), "{error}");
    let replacing = Options { replace: true, ..Options::default() };
    Builder::create(&path, sql, &replacing).unwrap().finish().unwrap();
    assert_eq!(super::integrity(&path), "ok");
    // Another process has created the file meanwhile.
    fs::remove_file(&path).unwrap();
    let builder = Builder::create(&path, sql, &Options::default()).unwrap();
    fs::write(&path, "new").unwrap();
    assert!(builder.finish().is_err());
    assert_eq!(fs::read(&path).unwrap(), b"new");
    // SQLite would take this for the new database's log.
    fs::remove_file(&path).unwrap();
    fs::write(folder.path().join("a.db-wal"), "log").unwrap();
    assert!(Builder::create(&path, sql, &replacing).is_err());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

fn failure(sql: &str, told: &[&[Cell<'_>]]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut builder = Builder::create(&path, sql, &Options::default()).unwrap();
    let mut rows = builder.rows("t").unwrap();
    let told = told.iter().try_for_each(|row| rows.push(row)).and_then(|()| rows.finish());
    let error = told.and_then(|()| builder.finish()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Constraint);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    error.to_string()
}

#[test]
fn keys_that_come_again_are_named() {
    let one = |id| [Cell::Int(id), Cell::Text("x")];
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, a)";
    assert_eq!(failure(sql, &[&one(5), &one(5)]), "two rows have the same id: 5 (record 2)");
    assert_eq!(failure(sql, &[&one(5), &one(6), &one(5)]), "two rows have the same id: 5");
    assert_eq!(
        failure("CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE)", &[&one(5), &one(9)]),
        "two rows have the same a: 'x'; the rowids are 5 and 9"
    );
    let sql = "CREATE TABLE t(id, a, PRIMARY KEY(a, id)) WITHOUT ROWID";
    assert_eq!(failure(sql, &[&one(5), &one(5)]), "two rows have the same a, id: 'x', 5");
}

#[test]
fn conditions_and_foreign_keys_are_checked_in_the_end() {
    let sql = "CREATE TABLE t(a CHECK (a > 0))";
    assert!(failure(sql, &[&[Cell::Int(1)], &[Cell::Int(0)]]).contains("CHECK constraint failed"));
    let sql = "CREATE TABLE p(a INTEGER PRIMARY KEY); INSERT INTO p VALUES(1); CREATE TABLE t(a REFERENCES p)";
    let error = failure(sql, &[&[Cell::Int(1)], &[Cell::Int(2)]]);
    assert_eq!(error, "the row with rowid 2 of `t` refers to a row of `p` that is not there");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let sql = format!("{sql}; CREATE TABLE s(a CHECK (a > 0))");
    let mut builder = Builder::create(&path, &sql, &Options::default()).unwrap();
    for table in ["t", "s"] {
        let mut rows = builder.rows(table).unwrap();
        rows.push(&[Cell::Int(1)]).unwrap();
        rows.finish().unwrap();
    }
    builder.finish().unwrap();
    assert_eq!(super::integrity(&path), "ok");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}
