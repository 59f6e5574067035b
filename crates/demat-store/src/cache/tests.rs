mod race;
mod races;
mod uncounted;
mod written_back;

use super::Cache;
use crate::{Encoded, Fault, Memory, Query, Reference, Store, Timed, ValueBody, Verb, When, collected, fault_of};
use demat_core::Value;
use demat_place::Format;
use std::sync::Arc;
use uncounted::Uncounted;

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn number(value: i64) -> Value {
    Value::Int(value.into())
}

fn put(store: &dyn Store, place: &str, value: &Value) {
    store.put(&at(place), &mut ValueBody(value), &When::Always).unwrap();
}

fn got(store: &dyn Store, place: &str) -> Value {
    collected(store, &at(place), &Query::default()).unwrap()
}

fn json(store: &dyn Store, place: &str, query: &str) -> String {
    let bytes = store.encoded(&at(place), &Query::parse(query).unwrap(), Format::JSON, usize::MAX).unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn what_is_kept_is_got_once() {
    let below = Arc::new(Timed::over(Arc::new(Memory::new())));
    let store = Cache::over(Arc::clone(&below) as Arc<dyn Store>, 1 << 16);
    put(&store, "/a", &number(1));
    for _ in 0..3 {
        assert_eq!(got(&store, "/a"), number(1));
        assert_eq!(json(&store, "/a", ""), "1");
        let mut read = Vec::new();
        store.read(&at("/a"), &Query::default(), Format::JSON, &mut read).unwrap();
        assert_eq!(read, b"1");
    }
    assert_eq!(below.times(Verb::Get).count, 2, "as a value, and in JSON");
    below.put(&at("/a"), &mut ValueBody(&number(2)), &When::Always).unwrap();
    assert_eq!((got(&store, "/a"), json(&store, "/a", "")), (number(2), "2".into()));
    assert_eq!(store.describe().to_string(), "cache 65536 bytes\n└─ timed\n   └─ memory\n");
}

#[test]
fn questions_are_told_apart() {
    let rows: Vec<Value> = (0..3).map(|id| Value::Map(vec![(Value::Text("id".into()), number(id))])).collect();
    let store = Cache::over(Arc::new(Memory::of(Value::List(rows))), 1 << 16);
    for _ in 0..2 {
        assert_eq!(json(&store, "/", "id=1"), r#"[{"id":1}]"#);
        assert_eq!(json(&store, "/", "id.ge=1&limit=1"), r#"[{"id":1}]"#);
        assert_eq!(json(&store, "/", "id.in=1,2"), r#"[{"id":1},{"id":2}]"#);
        assert_eq!(json(&store, "/", "id.in=1%2C2&order=-id"), r#"[{"id":2},{"id":1}]"#);
        assert_eq!(json(&store, "/", "offset=2"), r#"[{"id":2}]"#);
        assert_eq!(json(&store, "/", "limit=2"), r#"[{"id":0},{"id":1}]"#);
        assert_eq!(json(&store, "/1", ""), r#"{"id":1}"#);
        let csv = store.encoded(&[], &Query::parse("id=1").unwrap(), Format::CSV, 100).unwrap().unwrap();
        assert_eq!(&csv[..], b"id\n1\n");
        assert_eq!(store.encoded(&[], &Query::parse("id=1").unwrap(), Format::CSV, 2).unwrap(), None);
    }
    let error = collected(&store, &at("/9"), &Query::default()).unwrap_err();
    assert_eq!(fault_of(&error), Some(Fault::NotFound));
}

#[test]
fn no_more_is_kept_than_wanted_and_the_least_used_goes_first() {
    let below = Arc::new(Timed::over(Arc::new(Memory::new())));
    let store = Cache::over(Arc::clone(&below) as Arc<dyn Store>, 4000);
    for name in 0..100 {
        put(&*below, &format!("/{name}"), &Value::Text("x".repeat(300).into()));
    }
    for name in 0..100 {
        json(&store, &format!("/{name}"), "");
        json(&store, "/0", "");
        assert!(store.bytes() <= 4000);
    }
    assert_eq!(below.times(Verb::Get).count, 100, "what is used again stays");
    put(&*below, "/long", &Value::Text("x".repeat(5000).into()));
    let before = store.bytes();
    for _ in 0..2 {
        assert_eq!(json(&store, "/long", "").len(), 5002);
        assert_eq!(got(&store, "/long"), Value::Text("x".repeat(5000).into()));
    }
    assert!(before > 3000 && store.bytes() <= 4000);
}

#[test]
fn where_nothing_is_counted_changes_are_seen_that_are_told() {
    let below = Arc::new(Uncounted { below: Memory::new(), tells: true });
    let store = Cache::over(Arc::clone(&below) as Arc<dyn Store>, 1 << 16);
    put(&store, "/a/b", &number(1));
    assert_eq!((json(&store, "/a/b", ""), json(&store, "/", "")), ("1".into(), r#"{"a":{"b":1}}"#.into()));
    put(&below.below, "/a/b", &number(2));
    assert_eq!((json(&store, "/a/b", ""), json(&store, "/", "")), ("2".into(), r#"{"a":{"b":2}}"#.into()));
    below.below.delete(&[], &When::Always).unwrap();
    let error = collected(&store, &at("/a/b"), &Query::default()).unwrap_err();
    assert_eq!(fault_of(&error), Some(Fault::NotFound));
}

#[test]
fn where_nothing_is_told_the_own_changes_are_seen() {
    let below = Arc::new(Uncounted { below: Memory::new(), tells: false });
    let store = Cache::over(Arc::clone(&below) as Arc<dyn Store>, 1 << 16);
    put(&store, "/a", &number(1));
    assert_eq!(json(&store, "/a", ""), "1");
    put(&below.below, "/a", &number(2));
    assert_eq!(json(&store, "/a", ""), "1", "nobody has told");
    put(&store, "/b", &number(2));
    store.patch(&[], &mut Encoded::new(Format::JSON, &br#"{"a":3}"#[..]), &When::Always).unwrap();
    assert_eq!(json(&store, "/a", ""), "3");
    store.post(&[], &mut ValueBody(&number(4))).unwrap();
    assert_eq!(json(&store, "/", ""), r#"{"a":3,"b":2,"1":4}"#);
    store.delete(&at("/a"), &When::Always).unwrap();
    assert_eq!(json(&store, "/", ""), r#"{"b":2,"1":4}"#);
}
