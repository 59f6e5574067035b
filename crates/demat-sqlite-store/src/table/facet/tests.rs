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
