use crate::{Table, TableOptions};
use demat_core::Value;
use demat_sqlite::Database;
use demat_store::{Fault, Query, Store, fault_of};

fn tasks() -> Table {
    let database = Database::memory().unwrap();
    database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, done BOOLEAN, who TEXT, part)").unwrap();
    let rows = "(1, 1, 'a', 1.5), (2, 0, 'b', x'00'), (3, 1, 'a', 'x'), (4, NULL, NULL, 9e999), (5, 1, 'b', 1.5)";
    database.execute(&format!("INSERT INTO t VALUES {rows}")).unwrap();
    Table::of(&database, "t", None, &TableOptions::default()).unwrap()
}

fn facet(own: &Table, query: &str, field: &str, limit: u64) -> demat_core::Result<Vec<(Value, u64)>> {
    own.facet(&[], &Query::parse(query).unwrap(), field, limit)
}

#[test]
fn the_commonest_values_come_first() {
    let own = tasks();
    let text = |text: &str| Value::Text(text.to_string().into());
    assert_eq!(
        facet(&own, "", "done", 10).unwrap(),
        [(Value::Bool(true), 3), (Value::Null, 1), (Value::Bool(false), 1)]
    );
    assert_eq!(facet(&own, "where=done", "who", 10).unwrap(), [(text("a"), 2), (text("b"), 1)]);
    assert_eq!(facet(&own, "", "who", 1).unwrap(), [(text("a"), 2)]);
    assert_eq!(
        facet(&own, "", "part", 10).unwrap(),
        [(Value::Float(1.5), 2), (text("inf"), 1), (text("x"), 1), (text("AA=="), 1)]
    );
    assert!(facet(&own, "id=9", "who", 10).unwrap().is_empty());
}

#[test]
fn what_can_not_be_counted_is_refused() {
    let own = tasks();
    for (query, field) in
        [("", "nothing"), ("limit=1", "who"), ("order=who", "who"), ("fields=id", "who"), ("id=x", "who")]
    {
        let error = facet(&own, query, field, 10).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::BadQuery), "{query} {field}");
    }
    assert!(own.facet(&["1".to_string()], &Query::default(), "who", 10).is_err());
}

#[test]
fn equal_values_are_one() {
    let database = Database::memory().unwrap();
    let shape = "dec: decimal?, td: duration?".parse().unwrap();
    let own = Table::of(&database, "t", Some(&shape), &TableOptions::default()).unwrap();
    let json = br#"[{"dec":"1.10","td":"PT120S"},{"dec":"1.1","td":"PT2M"},{"dec":"2"},{}]"#;
    own.post(&[], &mut demat_store::Encoded::new(demat_place::Format::JSON, &json[..])).unwrap();
    database.execute("INSERT INTO t(dec) VALUES('y'), ('x')").unwrap();
    let decimal = |text: &'static str| Value::Decimal(demat_core::scalar::Decimal::parse(text).unwrap());
    let text = |text: &str| Value::Text(text.to_string().into());
    let found = facet(&own, "", "dec", 10).unwrap();
    assert_eq!(found, [(decimal("1.1"), 2), (Value::Null, 1), (text("x"), 1), (text("y"), 1), (decimal("2"), 1)]);
    assert_eq!(facet(&own, "", "td", 10).unwrap(), [(Value::Null, 4), (text("PT2M"), 2)]);
}
