//! Whole tables have the same rows when read from pages as when read with statements.

use crate::database::Database;
use crate::rows::{Class, Raw, Rows};
use crate::scan::PagedRows;
use crate::source::{RowSource, copy_rows};
use demat_core::Shape;
use demat_formats::json::CompactSink;
use demat_formats::{Keep, Output};

/// An owned value of a row.
#[derive(Debug, PartialEq)]
enum OwnedValue {
    Null,
    Int(i64),
    Real(f64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
}

fn next(rows: &mut impl Rows) -> Option<Vec<OwnedValue>> {
    if !rows.step().unwrap() {
        return None;
    }
    let own = |column| {
        let raw = match rows.raw(column) {
            Raw::Null => (Class::Null, OwnedValue::Null),
            Raw::Int(value) => (Class::Int, OwnedValue::Int(value)),
            Raw::Real(value) => (Class::Real, OwnedValue::Real(value)),
            Raw::Text(text) => (Class::Text, OwnedValue::Text(text.to_vec())),
            Raw::Blob(bytes) => (Class::Blob, OwnedValue::Blob(bytes.to_vec())),
        };
        assert_eq!(rows.class(column), raw.0);
        match raw.1 {
            OwnedValue::Int(value) => assert_eq!(rows.int(column), value),
            OwnedValue::Real(value) => assert_eq!(rows.real(column).to_bits(), value.to_bits()),
            OwnedValue::Text(ref bytes) | OwnedValue::Blob(ref bytes) => assert_eq!(rows.bytes(column), bytes),
            OwnedValue::Null => {}
        }
        raw.1
    };
    Some((0..rows.columns().len()).map(own).collect())
}

fn all(mut rows: impl Rows) -> Vec<Vec<OwnedValue>> {
    core::iter::from_fn(|| next(&mut rows)).collect()
}

fn names(columns: &str) -> Vec<String> {
    columns.split(", ").map(str::to_string).collect()
}

fn selected(database: &Database, table: &str, columns: &str, at_once: bool) -> PagedRows {
    let statement = database.statement(&format!("SELECT {columns} FROM {table}")).unwrap();
    PagedRows::of_table(statement, database, table, &names(columns), at_once)
}

const ROWS: &str = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 3000) INSERT INTO t \
    SELECT i * 3, CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN i WHEN 2 THEN i / 7.0 WHEN 3 THEN 'text ' || i WHEN 4 \
    THEN zeroblob(i % 50) WHEN 5 THEN -i * 100000000000 ELSE hex(zeroblob(i)) END, i * 1.0 FROM c";

#[test]
fn the_same_rows_either_way() {
    for sql in [
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b REAL)",
        "CREATE TABLE t(id INT, a, b REAL)",
        "CREATE TABLE t(id INT PRIMARY KEY, a, b REAL) WITHOUT ROWID",
    ] {
        let database = Database::memory().unwrap();
        database.execute(sql).unwrap();
        database.execute(ROWS).unwrap();
        // Rows that are older than the column.
        database.execute("ALTER TABLE t ADD COLUMN c TEXT DEFAULT 'new'").unwrap();
        for columns in ["id, a, b, c", "c", "b, id", "a"] {
            let rows = selected(&database, "t", columns, true);
            assert!(rows.is_scanned(), "{sql}");
            let wanted = all(database.statement(&format!("SELECT {columns} FROM t")).unwrap());
            assert_eq!(wanted.len(), 3000);
            assert_eq!(all(rows), wanted, "{sql}: {columns}");
        }
    }
}

#[test]
fn what_is_no_table_of_its_own_is_left_to_the_statement() {
    let database = Database::memory().unwrap();
    for sql in [
        "CREATE TABLE t(id, a, b)",
        ROWS,
        "CREATE VIEW v AS SELECT id FROM t",
        "CREATE TABLE g(id, a AS (id + 1))",
        "INSERT INTO g VALUES (1), (2)",
        "CREATE TABLE k(id PRIMARY KEY) WITHOUT ROWID",
        "INSERT INTO k VALUES (1), (2)",
    ] {
        database.execute(sql).unwrap();
    }
    let rows = |table, at_once| {
        let rows = selected(&database, table, "id", at_once);
        (rows.is_scanned(), all(rows).len())
    };
    assert_eq!(rows("v", true), (false, 3000));
    assert_eq!(rows("g", true), (false, 2));
    assert_eq!(rows("k", true), (true, 2));
    // If it was changed in between, there would be no rowid from which to continue.
    assert_eq!(rows("k", false), (false, 2));
    assert_eq!(rows("t", false), (true, 3000));
    database.execute("CREATE TEMP TABLE t(id)").unwrap();
    assert_eq!(rows("t", true), (false, 0));
    database.execute("DROP TABLE temp.t").unwrap();
    let transaction = database.transaction().unwrap();
    assert_eq!(rows("t", false), (false, 3000));
    assert_eq!(rows("t", true), (true, 3000));
    drop(transaction);
}

#[test]
fn rows_that_are_left_come_by_a_statement_where_something_was_changed() {
    for sql in
        ["CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)", "CREATE TABLE t(id, a, b)", "CREATE TABLE t(rowid, a, b, id)"]
    {
        let database = Database::memory().unwrap();
        database.execute(sql).unwrap();
        let insert = ROWS.replace("INTO t ", "INTO t(a, b) ").replace("SELECT i * 3,", "SELECT ");
        database.execute(&insert).unwrap();
        let mut rows = selected(&database, "t", "b", false);
        assert!(rows.is_scanned());
        for number in 1..=10 {
            assert_eq!(
                next(&mut rows),
                Some(vec![if sql.contains("REAL") { OwnedValue::Null } else { OwnedValue::Real(f64::from(number)) }])
            );
        }
        // As with any statement, changes behind the current row are visible.
        database.execute("DELETE FROM t WHERE b > 2000").unwrap();
        let mut count = 10;
        while let Some(row) = next(&mut rows) {
            count += 1;
            let OwnedValue::Real(value) = row[0] else { panic!("{row:?}") };
            assert!((value - f64::from(count)).abs() < 0.1, "{value} {count}");
        }
        // Rows of a page that was read before may still be returned.
        assert!((2000..2300).contains(&count), "{count}");
        assert!(!rows.is_scanned());
        drop(rows);
        assert!(database.is_idle());
        database.execute("INSERT INTO t(b) VALUES (1)").unwrap();
    }
}

#[test]
fn in_a_format_plain_rows_and_others_are_the_same() {
    let database = Database::memory().unwrap();
    database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a, b REAL)").unwrap();
    database.execute(ROWS).unwrap();
    let shape: Shape = "[{id: int, a: any, b: float}]".parse().unwrap();
    let encoded = |rows: PagedRows| {
        let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
        copy_rows(&mut RowSource::new(rows, &[]), &shape, &mut sink).unwrap();
        String::from_utf8(sink.into_output().into_parts().0).unwrap()
    };
    let wanted = encoded(database.statement("SELECT id, a, b FROM t").unwrap().into());
    assert_eq!(encoded(selected(&database, "t", "id, a, b", true)), wanted);
    assert_eq!(wanted.matches("\"id\":").count(), 3000);
    assert!(wanted.starts_with(r#"[{"id":3,"a":1,"b":1.0},"#), "{}", &wanted[..60]);
}

#[test]
fn a_bad_row_is_told_by_its_number() {
    let database = Database::memory().unwrap();
    database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a)").unwrap();
    database.execute("INSERT INTO t(a) VALUES (1), (2), (3), ('x'), (5)").unwrap();
    let shape: Shape = "[{id: int, a: int}]".parse().unwrap();
    let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
    let rows = selected(&database, "t", "id, a", true);
    let error = copy_rows(&mut RowSource::new(rows, &[]), &shape, &mut sink).unwrap_err();
    assert_eq!(error.to_string(), "expected `int`, found `text` \"x\" at `$[3].a` (record 4)");
}
