//! Readers and writers at once.

use super::{Cache, Uncounted, at, collected, number};
use crate::{Memory, Query, Store, Table, TableOptions, When, Whole};
use core::sync::atomic::{AtomicI64, Ordering};
use demat_core::Value;
use demat_place::Format;
use demat_sqlite::Database;
use std::sync::Arc;

const KEYS: usize = 4;
const TURNS: i64 = 300;

/// Each writer counts its own key up and says so once it was acknowledged; nobody may get less than was said before.
fn race(
    store: &dyn Store,
    writer: &dyn Store,
    value: impl Fn(i64) -> Value + Sync,
    count: impl Fn(&Value) -> i64 + Sync,
) {
    let said: Vec<AtomicI64> = (0..KEYS).map(|_| AtomicI64::new(0)).collect();
    let places: Vec<_> = (0..KEYS).map(|key| at(&format!("/{}", key + 1))).collect();
    for place in &places {
        writer.put(place, &mut Whole(&value(0)), &When::Always).unwrap();
    }
    std::thread::scope(|scope| {
        for (place, said) in places.iter().zip(&said) {
            let value = &value;
            scope.spawn(move || {
                for turn in 1..=TURNS {
                    writer.put(place, &mut Whole(&value(turn)), &When::Always).unwrap();
                    said.store(turn, Ordering::SeqCst);
                }
            });
        }
        for reader in 0..2 {
            let (said, places, count) = (&said, &places, &count);
            scope.spawn(move || {
                while said.iter().any(|said| said.load(Ordering::SeqCst) < TURNS) {
                    for (place, said) in places.iter().zip(said) {
                        let least = said.load(Ordering::SeqCst);
                        let value = if reader == 0 {
                            collected(store, place, &Query::default()).unwrap()
                        } else {
                            let json = store.encoded(place, &Query::default(), Format::JSON, 1000).unwrap().unwrap();
                            Value::told(|sink| {
                                let options = Format::JSON.read_options();
                                demat_place::tell(Format::JSON, &options, &json[..], None, sink).map(drop)
                            })
                            .unwrap()
                        };
                        assert!(count(&value) >= least, "{place} {value:?} {least}");
                    }
                }
            });
        }
    });
    for place in &places {
        assert_eq!(count(&collected(store, place, &Query::default()).unwrap()), TURNS);
    }
}

fn of_int(value: &Value) -> i64 {
    match value {
        Value::Int(value) => value.to_i64().unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn nothing_stale_is_got_where_versions_are_counted() {
    let below: Arc<dyn Store> = Arc::new(Memory::new());
    let store = Cache::over(Arc::clone(&below), 1 << 16);
    race(&store, &store, number, of_int);
    race(&store, &*below, number, of_int);
}

#[test]
fn nothing_stale_is_got_where_changes_are_told() {
    let below: Arc<dyn Store> = Arc::new(Uncounted { below: Memory::new(), tells: true });
    let store = Cache::over(Arc::clone(&below), 1 << 16);
    race(&store, &store, number, of_int);
    race(&store, &*below, number, of_int);
    let below: Arc<dyn Store> = Arc::new(Uncounted { below: Memory::new(), tells: false });
    let store = Cache::over(below, 1 << 16);
    race(&store, &store, number, of_int);
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

#[test]
fn what_is_written_back_is_got_by_others_at_once() {
    let below: Arc<dyn Store> = Arc::new(Memory::new());
    let store = Cache::write_back(below, 1 << 12);
    race(&store, &store, number, of_int);
}
