//! A cache over a table answers as the table does.

#[path = "../../demat-store/src/cache/tests/race.rs"]
mod race;

use demat_core::Value;
use demat_place::Format;
use demat_sqlite::Database;
use demat_sqlite_store::{Table, TableOptions};
use demat_store::{Cache, Encoded, Put, Query, Reference, Store, ValueBody, When, collected, representation};
use race::{of_int, race};
use std::sync::Arc;

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn number(value: i64) -> Value {
    Value::Int(value.into())
}

fn json(store: &dyn Store, place: &str, query: &str) -> String {
    let bytes = store.encoded(&at(place), &Query::parse(query).unwrap(), Format::JSON, usize::MAX).unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Rows come out of the cache as out of the table: by their shape.
#[test]
fn rows_are_told_by_their_shape() {
    let database = Database::memory().unwrap();
    let shape = "id: int? #sql:key, due: date?, at: instant?, done: bool".parse().unwrap();
    let table = Arc::new(Table::of(&database, "tasks", Some(&shape), &TableOptions::default()).unwrap());
    let store = Cache::over(Arc::clone(&table) as Arc<dyn Store>, 1 << 16);
    let row = r#"{"id":1,"due":"2026-01-02","at":"2026-01-02T03:04:05Z","done":true}"#;
    store.post(&[], &mut Encoded::new(Format::JSON, row.as_bytes())).unwrap();
    for _ in 0..2 {
        for format in [Format::JSON, Format::NDJSON, Format::CSV, Format::PROTO, Format::ARROW] {
            for (place, query) in [("/", ""), ("/", "fields=due,id"), ("/1", ""), ("/1", "fields=done")] {
                let tell = |store: &dyn Store| {
                    let query = Query::parse(query).unwrap();
                    let told = representation(format, usize::MAX, |sink| store.get(&at(place), &query, sink));
                    told.map_err(|error| error.to_string())
                };
                assert_eq!(tell(&store), tell(&*table), "{format} {place} {query}");
            }
        }
    }
}

#[test]
fn rows_are_as_the_table_makes_them() {
    let database = Database::memory().unwrap();
    let shape = "id: int? #sql:key, title: text, done: bool = false, due: date?".parse().unwrap();
    let table: Arc<dyn Store> =
        Arc::new(Table::of(&database, "tasks", Some(&shape), &TableOptions::default()).unwrap());
    let store = Cache::write_back(Arc::clone(&table), 1 << 16);
    let given = |text: &'static str| Encoded::new(Format::JSON, text.as_bytes());
    let put = |text| store.put(&at("/1"), &mut given(text), &When::Always);
    assert_eq!(put(r#"{"title":"a","due":"2026-01-02"}"#).unwrap(), Put::Created);
    assert_eq!(database.number("SELECT count(*) FROM tasks", &[]).unwrap(), 0);
    assert_eq!(json(&store, "/1", ""), r#"{"id":1,"title":"a","done":false,"due":"2026-01-02"}"#);
    store.patch(&at("/1"), &mut given(r#"{"done":true}"#), &When::Always).unwrap();
    assert_eq!(json(&store, "/", "fields=done"), r#"[{"done":true}]"#);
    assert!(put(r#"{"title":5}"#).is_err(), "what is not of the shape is refused at once");
    assert!(store.patch(&at("/"), &mut given("{}"), &When::Always).is_err(), "rows are patched, and not all of them");
}

#[test]
fn nothing_stale_is_got_of_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("tasks.db")).unwrap();
    let shape = "id: int? #sql:key, count: int".parse().unwrap();
    let options = TableOptions { durable: false, ..TableOptions::default() };
    let below: Arc<dyn Store> = Arc::new(Table::of(&database, "tasks", Some(&shape), &options).unwrap());
    let row = |count| Value::Map(vec![(Value::Text("count".into()), number(count))]);
    let count = |row: &Value| of_int(row.get("count").unwrap());
    let store = Cache::over(Arc::clone(&below), 1 << 16);
    race(&store, &store, row, count);
    race(&store, &*below, row, count);
}
