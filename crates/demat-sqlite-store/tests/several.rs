//! Tables within stores over several others.

use demat_core::Value;
use demat_place::Format;
use demat_sqlite::Database;
use demat_sqlite_store::{Table, TableOptions};
use demat_store::{Encoded, Mapped, Merge, Query, Relative, Sequence, Store, Switch, collected};
use std::sync::Arc;

fn given(text: &str) -> Encoded<&[u8]> {
    Encoded::new(Format::JSON, text.as_bytes())
}

fn json(store: &dyn Store, query: &str) -> String {
    let bytes = store.encoded(&[], &Query::parse(query).unwrap(), Format::JSON, usize::MAX).unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn lists_within_are_counted_and_name_their_records() {
    let database = Database::memory().unwrap();
    let shape = "id: int? #sql:key, title: text".parse().unwrap();
    let table = Table::of(&database, "tasks", Some(&shape), &TableOptions::default()).unwrap();
    let table: Arc<dyn Store> = Arc::new(table);
    let switch: Arc<dyn Store> = Arc::new(Switch::new().with("tasks", Arc::clone(&table)).unwrap());
    let relative: Arc<dyn Store> = Arc::new(Relative::over(Arc::clone(&switch), "/tasks".parse().unwrap()));
    let sequence = Sequence::of(Arc::new(Mapped::over(relative)), []);
    let tasks = ["tasks".to_string()];
    assert_eq!(switch.count(&tasks, &Query::default()).unwrap(), Some(0));
    assert_eq!(sequence.count(&[], &Query::default()).unwrap(), Some(0));
    assert_eq!((switch.key(&tasks), sequence.key(&[])), (vec!["id".to_string()], vec!["id".to_string()]));
    assert_eq!((switch.key(&[]), switch.count(&[], &Query::default()).unwrap()), (vec![], None));
}

#[test]
fn rows_of_one_shape_keep_it() {
    let table = || {
        let shape = "id: int? #sql:key, due: date?".parse().unwrap();
        let database = Database::memory().unwrap();
        Arc::new(Table::of(&database, "tasks", Some(&shape), &TableOptions::default()).unwrap())
    };
    let (first, second) = (table(), table());
    let store = Merge::of(Arc::clone(&first) as Arc<dyn Store>, [Arc::clone(&second) as Arc<dyn Store>]);
    store.post(&[], &mut given(r#"{"due":"2026-01-02"}"#)).unwrap();
    second.post(&[], &mut given(r#"{"due":"2026-01-03"}"#)).unwrap();
    assert_eq!(json(&store, "fields=due"), r#"[{"due":"2026-01-02"},{"due":"2026-01-03"}]"#);
    let all = collected(&store, &[], &Query::default()).unwrap();
    assert!(matches!(&all, Value::List(rows) if matches!(rows[1].get("due"), Some(Value::Date(_)))));
    let csv = store.encoded(&[], &Query::default(), Format::CSV, 100).unwrap().unwrap();
    assert_eq!(&csv[..], b"id,due\n1,2026-01-02\n1,2026-01-03\n");
}
