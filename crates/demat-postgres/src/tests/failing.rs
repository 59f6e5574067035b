use super::server::{connection, schema};
use super::{failure, json, load};
use crate::{Address, Connection, TableName, TableSink};
use demat_core::{ErrorKind, Shape, Sink, Trouble, copy};
use demat_formats::json::JsonSource;
use std::error::Error as _;
use std::sync::Arc;

fn rows(from: u64, to: u64) -> String {
    let rows: Vec<_> = (from..to).map(|id| format!("{{\"id\":{id},\"v\":\"{}\"}}", "x".repeat(100))).collect();
    format!("[{}]", rows.join(","))
}

#[test]
fn a_refused_row_leaves_nothing_and_is_named() {
    let Some(connection) = connection() else { return };
    let shape: Shape = "[{id: int, v: text}]".parse().unwrap();
    connection.execute("CREATE TABLE t (id int PRIMARY KEY CHECK (id < 3000), v text)").unwrap();
    let error = load(&connection, "t", &shape, &rows(2_990, 3_010)).unwrap_err();
    assert_eq!((error.kind(), error.position().record), (ErrorKind::Store, Some(11)), "{error}");
    let failure = failure(&error);
    assert_eq!((&*failure.code, failure.constraint.as_deref()), ("23514", Some("t_id_check")));
    load(&connection, "t", &shape, &rows(0, 2)).unwrap();
    let error = load(&connection, "t", &shape, &rows(1, 9)).unwrap_err();
    assert_eq!(error.position().record, Some(1), "{error}");
    assert_eq!(json(&connection, "SELECT count(*) AS n FROM t").unwrap().replace(": ", ":"), "[{\"n\":2}]");
}

#[test]
fn a_connection_lost_in_mid_copy_stores_nothing() {
    let Some(address) = schema() else { return };
    let connection = Connection::open(&address).unwrap();
    let other = Connection::open(&address).unwrap();
    connection.execute("CREATE TABLE t (id int, v text)").unwrap();
    let pid = json(&connection, "SELECT pg_backend_pid() AS p").unwrap();
    let pid: String = pid.chars().filter(char::is_ascii_digit).collect();
    let shape: Shape = "[{id: int, v: text}]".parse().unwrap();
    let table = Arc::new(connection.existing(&TableName::parse("t").unwrap()).unwrap());
    let transaction = connection.transaction().unwrap();
    let mut sink = TableSink::new(Arc::clone(&table), connection.copy_in(&table));
    let mut failed = None;
    for part in 0..2_000 {
        let written = (|| {
            let json = rows(part * 1_000, part * 1_000 + 1_000);
            demat_core::copy_any(
                &mut JsonSource::new(json.as_bytes()),
                shape.row().map(|_| &shape).unwrap(),
                &mut Items(&mut sink),
            )?;
            sink.commit()
        })();
        if let Err(error) = written {
            failed = Some(error);
            break;
        }
        if part == 3 {
            other.execute(&format!("SELECT pg_terminate_backend({pid})")).unwrap();
        }
    }
    let error = failed.or_else(|| sink.finish().err()).unwrap();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    assert!(error.to_string().contains("of which none is stored"), "{error}");
    drop(transaction);
    assert!(connection.is_closed());
    assert_eq!(json(&other, "SELECT count(*) AS n FROM t").unwrap().replace(": ", ":"), "[{\"n\":0}]");
}

/// Passes the items of several lists on as those of one.
struct Items<'s, K>(&'s mut K);

impl<K: Sink> Sink for Items<'_, K> {
    demat_core::forward! { self => self.0; scalars entry value begin_map end_map begin_record field rest end_record marks }

    fn begin_list(&mut self, _: Option<usize>) -> demat_core::Result<()> {
        Ok(())
    }
    fn item(&mut self) -> demat_core::Result<()> {
        Ok(())
    }
    fn end_list(&mut self) -> demat_core::Result<()> {
        Ok(())
    }
}

#[test]
fn a_statement_has_its_time() {
    let Some(connection) = connection() else { return };
    connection.execute("SET statement_timeout = 100").unwrap();
    let error = json(&connection, "SELECT pg_sleep(30)::text AS a").unwrap_err();
    assert!(error.to_string().contains("statement timeout"), "{error}");
    let failure = failure(&error);
    assert_eq!(failure.source().and_then(|cause| cause.downcast_ref()), Some(&Trouble::Busy));
    assert_eq!(json(&connection, "SELECT 1 AS a").unwrap().replace(": ", ":"), "[{\"a\":1}]");
}

#[test]
fn work_that_is_interrupted_ends_on_the_server_too() {
    let Some(address) = schema() else { return };
    let connection = Connection::open(&address).unwrap();
    let error = demat_core::interrupt::listening(|| true, || connection.execute("SELECT pg_sleep(30)")).unwrap_err();
    assert_eq!(error.to_string(), "interrupted");
    let other = Connection::open(&address).unwrap();
    for _ in 0..100 {
        let running = json(
            &other,
            "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(30)'",
        );
        if running.unwrap().replace(": ", ":") == "[{\"n\":0}]" {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("the statement goes on");
}

#[test]
fn large_values_pass() {
    let Some(connection) = connection() else { return };
    connection.execute("CREATE TABLE t (id int, v text, b bytea[])").unwrap();
    let shape: Shape = "[{id: int, v: text, b: [bytes]}]".parse().unwrap();
    let long = "x".repeat(20 << 20);
    let whole = format!(
        "[{{\"id\":1,\"v\":\"{long}\",\"b\":[\"{}\"]}},{{\"id\":2,\"v\":\"\",\"b\":[]}}]",
        "AAAA".repeat(1 << 20)
    );
    load(&connection, "t", &shape, &whole).unwrap();
    assert_eq!(
        json(&connection, "SELECT length(v) AS v, length(b[1]) AS b FROM t ORDER BY id")
            .unwrap()
            .replace(": ", ":")
            .replace(", ", ","),
        format!("[{{\"v\":{},\"b\":{}}},{{\"v\":0,\"b\":null}}]", 20 << 20, 3 << 20)
    );
    assert!(json(&connection, "SELECT * FROM t ORDER BY id").unwrap() == whole);
}

#[test]
fn many_rows_stream() {
    let Some(connection) = connection() else { return };
    let rows = connection.copy_out("SELECT i, i::text AS t FROM generate_series(1, 300000) AS i").unwrap();
    let shape: Shape = "[{i: int, t: text}]".parse().unwrap();
    let text = super::as_json(&mut crate::RowSource::new(rows), &shape).unwrap();
    assert_eq!(text.matches("\"i\"").count(), 300_000);
    // One that is left early does not block the next.
    let statement = connection.prepare("SELECT generate_series(1, 1000000) AS i").unwrap();
    let mut left = statement.query(&[]).unwrap();
    assert!(crate::Rows::step(&mut left).unwrap());
    drop(left);
    assert_eq!(json(&connection, "SELECT 1 AS a").unwrap().replace(": ", ":"), "[{\"a\":1}]");
}

#[test]
fn a_server_that_is_not_there_is_an_error() {
    let address = Address::parse("postgresql://a:hidden@127.0.0.1:1/x?connect_timeout=2").unwrap();
    let error = Connection::open(&address).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("(postgresql://a:***@127.0.0.1:1/x"), "{error}");
}

#[test]
fn rows_are_rolled_back_one_by_one() {
    let Some(connection) = connection() else { return };
    connection.execute("CREATE TABLE t (id int)").unwrap();
    let table = Arc::new(connection.existing(&TableName::parse("t").unwrap()).unwrap());
    let transaction = connection.transaction().unwrap();
    let mut sink = TableSink::new(Arc::clone(&table), connection.copy_in(&table));
    sink.begin_list(None).unwrap();
    for id in 0..10 {
        sink.item().unwrap();
        sink.begin_map(None).unwrap();
        sink.key("id").unwrap();
        sink.i64(id).unwrap();
        if id % 2 == 0 {
            sink.end_map().unwrap();
            sink.commit().unwrap();
        } else {
            sink.rollback().unwrap();
        }
    }
    sink.end_list().unwrap();
    sink.finish().unwrap();
    transaction.commit().unwrap();
    assert_eq!(
        json(&connection, "SELECT sum(id) AS n, count(*) AS c FROM t").unwrap().replace(": ", ":").replace(", ", ","),
        "[{\"n\":20,\"c\":5}]"
    );
    let _ = copy::<JsonSource<'_>, demat_core::Nothing>;
}
