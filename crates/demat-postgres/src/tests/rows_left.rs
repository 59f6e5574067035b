//! Rows that are left open while something else is asked of the connection.

use super::server::{connection, schema};
use super::{json, load};
use crate::{Connection, RowWriter, Rows, TableName};
use std::sync::Arc;

const ROWS: &str = "SELECT generate_series(1, 100000) AS i";

/// The numbers in the table, as others see them.
fn stored(other: &Connection) -> String {
    json(other, "SELECT id FROM t ORDER BY id").unwrap().replace([' ', '"'], "").replace("id:", "")
}

#[test]
fn a_transaction_that_ends_while_rows_are_open_leaves_nothing() {
    let Some(address) = schema() else { return };
    let other = Connection::open(&address).unwrap();
    other.execute("CREATE TABLE t (id int)").unwrap();
    let connection = Connection::open(&address).unwrap();
    for commits in [true, false] {
        let transaction = connection.transaction().unwrap();
        connection.execute("INSERT INTO t VALUES (1)").unwrap();
        let mut rows = connection.prepare(ROWS).unwrap().query(&[]).unwrap();
        assert!(rows.step().unwrap());
        if commits {
            assert!(transaction.commit().unwrap_err().to_string().contains("rows are being read"));
        } else {
            transaction.rollback().unwrap();
        }
        assert!(connection.execute("INSERT INTO t VALUES (2)").is_err());
        drop(rows);
        assert_eq!(stored(&other), "[]");
        // What follows is not part of it.
        connection.execute("INSERT INTO t VALUES (3)").unwrap();
        assert_eq!(stored(&other), "[{3}]");
        let transaction = connection.transaction().unwrap();
        connection.execute("DELETE FROM t").unwrap();
        transaction.commit().unwrap();
        assert_eq!(stored(&other), "[]");
    }
}

#[test]
fn a_savepoint_that_ends_while_rows_are_open_leaves_the_rest() {
    let Some(address) = schema() else { return };
    let connection = Connection::open(&address).unwrap();
    connection.execute("CREATE TABLE t (id int)").unwrap();
    let outer = connection.transaction().unwrap();
    connection.execute("INSERT INTO t VALUES (1)").unwrap();
    let inner = connection.transaction().unwrap();
    connection.execute("INSERT INTO t VALUES (2)").unwrap();
    let mut rows = connection.copy_out(ROWS).unwrap();
    assert!(rows.step().unwrap());
    drop(inner);
    drop(rows);
    connection.execute("INSERT INTO t VALUES (3)").unwrap();
    outer.commit().unwrap();
    assert_eq!(stored(&Connection::open(&address).unwrap()), "[{1},{3}]");
}

#[test]
fn nothing_is_asked_while_rows_are_written() {
    let Some(connection) = connection() else { return };
    connection.execute("CREATE TABLE t (id int)").unwrap();
    let table = connection.existing(&TableName::parse("t").unwrap()).unwrap();
    let mut writer = connection.copy_in(&table);
    let columns: Arc<[usize]> = Arc::from([0]);
    writer.write(&columns, &[0, 1, 0, 0, 0, 4, 0, 0, 0, 7], 1).unwrap();
    assert!(connection.execute("SELECT 1").unwrap_err().to_string().contains("rows are being read or written"));
    assert!(connection.copy_out("SELECT 1 AS a").is_err());
    writer.finish().unwrap();
    assert_eq!(stored(&connection), "[{7}]");
    // One that is not finished stores nothing.
    let mut writer = connection.copy_in(&table);
    writer.write(&columns, &[0, 1, 0, 0, 0, 4, 0, 0, 0, 8], 1).unwrap();
    drop(writer);
    assert_eq!(stored(&connection), "[{7}]");
}

#[test]
fn rows_that_are_left_end_on_the_server() {
    let Some(connection) = connection() else { return };
    // To its end it would take hours.
    const ENDLESS: &str = "SELECT generate_series(1, 1000000000000) AS i";
    for copied in [true, false] {
        let mut rows: Box<dyn Rows> = if copied {
            Box::new(connection.copy_out(ENDLESS).unwrap())
        } else {
            Box::new(connection.prepare(ENDLESS).unwrap().query(&[]).unwrap())
        };
        assert!(rows.step().unwrap());
        drop(rows);
        assert_eq!(json(&connection, "SELECT 1 AS a").unwrap().replace(' ', ""), "[{\"a\":1}]");
        // In a transaction that is undone, too.
        let transaction = connection.reading().unwrap();
        let mut rows = connection.copy_out(ENDLESS).unwrap();
        assert!(rows.step().unwrap());
        drop(rows);
        drop(transaction);
        connection.execute("SELECT 1").unwrap();
    }
}

#[test]
fn a_name_that_the_server_would_cut_is_refused() {
    let Some(connection) = connection() else { return };
    let cut = "a".repeat(63);
    connection.execute(&format!("CREATE TABLE {cut} (id int)")).unwrap();
    connection.existing(&TableName::parse(&cut).unwrap()).unwrap();
    let name = TableName { schema: None, name: format!("{cut}b") };
    assert!(connection.find(&name).unwrap_err().to_string().contains("64 bytes"));
    assert!(TableName::parse(&name.name).is_err());
}

#[test]
fn domains_have_defaults() {
    let Some(connection) = connection() else { return };
    connection
        .execute(
            "CREATE DOMAIN mark AS int DEFAULT 7 NOT NULL; CREATE DOMAIN own AS mark; \
             CREATE TABLE t (id int, a own, b mark)",
        )
        .unwrap();
    load(&connection, "t", &demat_core::Shape::Any, r#"[{"id":1},{"id":2,"a":3}]"#).unwrap();
    assert_eq!(
        json(&connection, "SELECT * FROM t ORDER BY id").unwrap().replace(' ', ""),
        r#"[{"id":1,"a":7,"b":7},{"id":2,"a":3,"b":7}]"#
    );
}

#[test]
fn changes_stay_when_their_rows_are_left() {
    let Some(address) = schema() else { return };
    let other = Connection::open(&address).unwrap();
    other.execute("CREATE TABLE t (id int)").unwrap();
    let connection = Connection::open(&address).unwrap();
    for sql in [
        "INSERT INTO t SELECT generate_series(1, 300000) RETURNING id, repeat('x', 100) AS x",
        "WITH own AS (INSERT INTO t SELECT generate_series(1, 300000) RETURNING id) SELECT id, repeat('x', 100) AS x FROM own",
    ] {
        let mut rows = connection.prepare(sql).unwrap().query(&[]).unwrap();
        assert!(rows.step().unwrap());
        drop(rows);
        assert_eq!(other.number("SELECT count(*) FROM t").unwrap(), 300_000, "{sql}");
        connection.execute("DELETE FROM t").unwrap();
    }
    let mut rows = connection
        .copy_out("INSERT INTO t SELECT generate_series(1, 300000) RETURNING id, repeat('x', 100) AS x")
        .unwrap();
    assert!(rows.step().unwrap());
    drop(rows);
    assert_eq!(other.number("SELECT count(*) FROM t").unwrap(), 300_000);
}

#[test]
fn no_later_statement_is_cancelled() {
    let Some(connection) = connection() else { return };
    for rows in [10, 2_000, 20_000, 60_000] {
        for _ in 0..10 {
            let sql = format!("SELECT generate_series(1, {rows}) AS i");
            let mut rows = connection.prepare(&sql).unwrap().query(&[]).unwrap();
            assert!(rows.step().unwrap());
            drop(rows);
            connection.execute("SELECT pg_sleep(0.01)").unwrap();
            let transaction = connection.transaction().unwrap();
            let mut rows = connection.copy_out(&sql).unwrap();
            assert!(rows.step().unwrap());
            drop(rows);
            drop(transaction);
            connection.execute("SELECT pg_sleep(0.01)").unwrap();
        }
    }
}

#[test]
fn a_copy_within_a_statement_is_refused() {
    let Some(connection) = connection() else { return };
    connection.execute("CREATE TABLE t (id int)").unwrap();
    for sql in ["COPY t FROM STDIN", "copy t to stdout"] {
        assert!(connection.execute(sql).unwrap_err().to_string().contains("COPY from STDIN"));
        assert!(connection.prepare(sql).unwrap_err().to_string().contains("COPY from STDIN"));
        assert_eq!(connection.number("SELECT count(*) FROM t").unwrap(), 0);
    }
}
