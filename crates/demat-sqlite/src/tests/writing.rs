use super::{record, rows, table, tell};
use crate::{Database, OpenOptions, Verb};
use demat_core::ErrorKind;
use std::time::Duration;

const SHAPE: &str = "id: int #sql:key, title: text, done: bool = false";

#[test]
fn rows_are_added_replaced_changed_and_deleted() {
    let database = Database::memory().unwrap();
    let table = table(&database, "t", SHAPE);
    let shape = record(SHAPE);
    let tell = |rows: &str, verb| tell(&database, &table, SHAPE, rows, verb);
    assert_eq!(tell(r#"[{"id":1,"title":"a"},{"id":2,"title":"b","done":true}]"#, Verb::Insert).unwrap(), 2);
    assert_eq!(tell(r#"[{"id":2,"title":"c"},{"id":3,"title":"d"}]"#, Verb::Upsert).unwrap(), 2);
    assert_eq!(
        rows(&database, &table, &shape).unwrap(),
        r#"[{"id":1,"title":"a","done":false},{"id":2,"title":"c","done":false},{"id":3,"title":"d","done":false}]"#
    );
    assert_eq!(tell(r#"[{"id":1,"title":"z"},{"id":9,"title":"y"}]"#, Verb::Update).unwrap(), 1);
    assert_eq!(tell(r#"[{"id":2,"title":""},{"id":3,"title":""}]"#, Verb::Delete).unwrap(), 2);
    assert_eq!(rows(&database, &table, &shape).unwrap(), r#"[{"id":1,"title":"z","done":false}]"#);
}

#[test]
fn columns_that_are_not_told_have_the_tables_default() {
    let database = Database::memory().unwrap();
    database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'x', b INT)").unwrap();
    let table = std::sync::Arc::new(database.existing("t").unwrap());
    tell(&database, &table, "a?: text, b?: int", r#"[{"a":"1"},{"b":2},{},{"a":"3","b":3}]"#, Verb::Insert).unwrap();
    let shape = table.record().unwrap();
    assert_eq!(
        rows(&database, &table, &shape).unwrap(),
        r#"[{"id":1,"a":"1","b":null},{"id":2,"a":"x","b":2},{"id":3,"a":"x","b":null},{"id":4,"a":"3","b":3}]"#
    );
    tell(&database, &table, "id: int, b?: int, a?: text", r#"[{"id":1,"b":9},{"id":2,"a":"y"}]"#, Verb::Update)
        .unwrap();
    assert_eq!(
        rows(&database, &table, &shape).unwrap(),
        r#"[{"id":1,"a":"1","b":9},{"id":2,"a":"y","b":2},{"id":3,"a":"x","b":null},{"id":4,"a":"3","b":3}]"#
    );
}

#[test]
fn an_error_says_which_record_and_nothing_is_changed() {
    let database = Database::memory().unwrap();
    let table = table(&database, "t", SHAPE);
    let many: Vec<String> = (0..20_000).map(|id| format!(r#"{{"id":{},"title":"t"}}"#, id % 19_999)).collect();
    let error = tell(&database, &table, SHAPE, &format!("[{}]", many.join(",")), Verb::Insert).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert_eq!(error.position().record, Some(20_000));
    assert!(error.to_string().ends_with("(1555) at `$[19999]` (record 20000)"), "{error}");
    let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<crate::SqliteFailure>());
    assert_eq!(cause.map(|cause| (cause.code, cause.name)), Some((1555, "SQLITE_CONSTRAINT_PRIMARYKEY")));
    assert_eq!(database.number("SELECT count(*) FROM t", &[]).unwrap(), 0);
    assert!(database.is_idle());
}

#[test]
fn a_whole_that_is_done_over_is_told_once() {
    let database = Database::memory().unwrap();
    let table = table(&database, "t", "id: int #sql:key, v: text");
    // The key repeats late, when most rows were passed on already.
    let long = "x".repeat(1000);
    let mut rows: Vec<String> = (0..5_000).map(|id| format!(r#"{{"id":{id},"v":"{long}"}}"#)).collect();
    rows.push(r#"{"id":1,"id":7000,"v":"last"}"#.to_string());
    tell(&database, &table, "id: int #sql:key, v: text", &format!("[{}]", rows.join(",")), Verb::Insert).unwrap();
    assert_eq!(database.number("SELECT count(*) FROM t", &[]).unwrap(), 5_001);
    assert_eq!(database.number("SELECT max(id) FROM t", &[]).unwrap(), 7_000);
}

#[test]
fn files_that_are_locked_readonly_or_none_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let database = Database::open(&path).unwrap();
    let table = table(&database, "t", SHAPE);
    let lock = database.transaction().unwrap();
    let options = OpenOptions { timeout: Duration::from_millis(10), ..OpenOptions::default() };
    let other = Database::open_with(&path, options).unwrap();
    let error = other.transaction().unwrap_err();
    assert_eq!((error.kind(), &*error.reason()), (ErrorKind::Io, "database is locked: SQLITE_BUSY (5)"));
    drop(lock);
    let readonly = Database::open_with(&path, OpenOptions { readonly: true, ..options }).unwrap();
    let error = tell(&readonly, &table, SHAPE, r#"[{"id":1,"title":""}]"#, Verb::Insert).unwrap_err();
    assert_eq!(error.reason(), "attempt to write a readonly database: SQLITE_READONLY (8)");
    let none = folder.path().join("none");
    std::fs::write(&none, "no database at all, and long enough to be looked at as one: ".repeat(20)).unwrap();
    let error = Database::open(&none).unwrap_err();
    assert_eq!(error.reason(), "file is not a database: SQLITE_NOTADB (26)");
    assert!(error.place().unwrap().ends_with("none"));
    let error = Database::open_with(&folder.path().join("x/y"), options).unwrap_err();
    assert_eq!(error.reason(), "unable to open database file: SQLITE_CANTOPEN (14)");
    let error = Database::open_with(&folder.path().join("new"), OpenOptions { create: false, ..options }).unwrap_err();
    assert_eq!(error.reason(), "unable to open database file: SQLITE_CANTOPEN (14)");
}

#[test]
fn two_statements_in_one_text_are_refused() {
    let database = Database::memory().unwrap();
    let error = database.execute("SELECT 1; DROP TABLE t").unwrap_err();
    assert_eq!(error.reason(), "there is more than one statement in the text");
    database.execute("SELECT 1; -- and that is it\n /* all */ ;").unwrap();
    assert_eq!(database.execute(" -- nothing").unwrap_err().reason(), "there is no statement in the text");
    let error = database.change("SELECT ?, ?", &[]).unwrap_err();
    assert_eq!(error.reason(), "the statement has 2 parameters, and 0 values were given");
}
