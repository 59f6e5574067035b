use crate::{Table, TableOptions};
use demat_sqlite::{Database, Rows as _};
use demat_store::{Fault, Query, Store, collected, fault_of};

fn table(declared: &str, rows: &str) -> Table {
    let database = Database::memory().unwrap();
    database.execute(declared).unwrap();
    database.execute(&format!("INSERT INTO t VALUES {rows}")).unwrap();
    Table::of(&database, "t", None, &TableOptions::default()).unwrap()
}

/// All rows, page by page.
fn paged(own: &Table, order: &str, limit: u64) -> Vec<demat_core::Value> {
    let mut query = Query { limit: Some(limit), after: Some(String::new()), ..Query::parse(order).unwrap() };
    let mut rows = Vec::new();
    loop {
        let cursor = own.cursor(&[], &query).unwrap();
        let page = Query { until: cursor.clone(), limit: cursor.is_none().then_some(limit), ..query.clone() };
        let demat_core::Value::List(page) = collected(own, &[], &page).unwrap() else { panic!("a list") };
        assert!(page.len() as u64 <= limit);
        rows.extend(page);
        assert!(rows.len() < 100, "{order}: {cursor:?}");
        match cursor {
            Some(cursor) => query.after = Some(cursor),
            None => return rows,
        }
    }
}

#[test]
fn every_kind_of_value_has_a_place() {
    let rows = "(1, NULL, 1.5, 'a', x'00', '2026-01-02T03:04:05Z', 'b'),
                (2, 5, NULL, 'A', NULL, '2026-01-02T03:04:05+01:00', 'a'),
                (3, 5, -1e300, NULL, x'ff', NULL, NULL),
                (4, 'x', 0.1, 'é\"\\', x'', 'never', ''),
                (5, 2.5, 0.1, '', x'00ff', '2025-01-02', 'b')";
    let declared =
        "CREATE TABLE t (id INTEGER PRIMARY KEY, any, r REAL, s TEXT COLLATE NOCASE, b BLOB, at DATETIME, k TEXT)";
    let own = table(declared, rows);
    // `at` holds a text that is no time, so rows are read without it.
    for column in ["any", "r", "s", "b", "at", "k", "any,-r", "-s,any", "b,-at,s", "k,-id"] {
        for way in ["", "-"] {
            let order = format!("fields=id&order={way}{column}").replace("--", "");
            let whole = collected(&own, &[], &Query { limit: Some(100), ..Query::parse(&order).unwrap() }).unwrap();
            for limit in 1..=6 {
                assert_eq!(demat_core::Value::List(paged(&own, &order, limit)), whole, "{order} by {limit}");
            }
        }
    }
}

#[test]
fn keys_of_several_columns_have_a_place() {
    let own = table(
        "CREATE TABLE t (a TEXT, b INTEGER, c TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID",
        "('x', 1, NULL), ('x', 2, 'q'), ('y', 1, 'q'), ('y', -5, NULL), ('', 0, 'z')",
    );
    for order in ["", "order=b", "order=-c", "order=c,-b", "order=-a"] {
        let whole = collected(&own, &[], &Query { limit: Some(100), ..Query::parse(order).unwrap() }).unwrap();
        for limit in 1..=6 {
            assert_eq!(demat_core::Value::List(paged(&own, order, limit)), whole, "{order} by {limit}");
        }
    }
}

#[test]
fn a_page_reads_no_more_of_an_index_than_it_has() {
    let own = table("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)", "(1, 1)");
    let query =
        Query { limit: Some(2), after: Some("[5]".to_string()), until: Some("[7]".to_string()), ..Query::default() };
    let (sql, values) = own.select(&query).unwrap().sql(&own.about).unwrap();
    let plan = own.base.commits.alone(|database| {
        let mut statement = database.statement(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        statement.bind_all(&values)?;
        statement.step()?;
        Ok(String::from_utf8_lossy(statement.bytes(3)).into_owned())
    });
    let plan = plan.unwrap();
    assert!(plan.contains("rowid>? AND rowid<?"), "{plan}");
}

#[test]
fn what_has_no_order_has_no_cursor() {
    let own = table("CREATE TABLE t (a TEXT)", "('x')");
    let query = Query { limit: Some(1), after: Some(String::new()), ..Query::default() };
    assert_eq!(fault_of(&own.cursor(&[], &query).unwrap_err()), Some(Fault::BadQuery));
    assert_eq!(fault_of(&collected(&own, &[], &query).unwrap_err()), Some(Fault::BadQuery));
    let own = table("CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL)", "(1, 9e999), (2, 9e999)");
    let query = Query { limit: Some(1), after: Some(String::new()), ..Query::parse("order=r").unwrap() };
    assert_eq!(fault_of(&own.cursor(&[], &query).unwrap_err()), Some(Fault::BadQuery));
}
