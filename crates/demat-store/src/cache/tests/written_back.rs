//! Delayed changes.

use super::{Cache, at, collected, got, json, number, put};
use crate::{Encoded, Fault, Folder, Memory, Put, Query, Store, Timed, ValueBody, Verb, When, fault_of};
use demat_core::Value;
use demat_place::Format;
use std::sync::Arc;

fn timed() -> (Arc<Timed>, Cache) {
    let below = Arc::new(Timed::over(Arc::new(Memory::new())));
    let store = Cache::write_back(Arc::clone(&below) as Arc<dyn Store>, 1 << 16);
    (below, store)
}

#[test]
fn changes_wait_and_are_seen() {
    let (below, store) = timed();
    let place = at("/a");
    let whole = |value: i64| store.put(&place, &mut ValueBody(&number(value)), &When::Always).unwrap();
    assert_eq!(whole(1), Put::Created);
    assert_eq!(whole(2), Put::Replaced);
    assert_eq!((got(&store, "/a"), json(&store, "/a", "")), (number(2), "2".into()));
    let mut read = Vec::new();
    store.read(&place, &Query::default(), Format::JSON, &mut read).unwrap();
    assert_eq!(read, b"2");
    assert_eq!((below.times(Verb::Put).count, below.times(Verb::Get).count), (0, 0));
    assert_eq!(json(&store, "/", ""), r#"{"a":2}"#, "for which they are done");
    assert_eq!(below.times(Verb::Put).count, 2);
    store.delete(&place, &When::Always).unwrap();
    assert_eq!(below.times(Verb::Delete).count, 0);
    assert_eq!(fault_of(&collected(&store, &place, &Query::default()).unwrap_err()), Some(Fault::NotFound));
    assert_eq!(fault_of(&store.delete(&place, &When::Always).unwrap_err()), Some(Fault::NotFound));
    let part = store.patch(&place, &mut Encoded::new(Format::JSON, &b"{}"[..]), &When::Always);
    assert_eq!(fault_of(&part.unwrap_err()), Some(Fault::NotFound));
    assert_eq!(Store::describe(&store).line(), "cache 65536 bytes, written back");
}

#[test]
fn they_are_done_in_order_and_at_the_end() {
    let (below, store) = timed();
    put(&store, "/a", &Value::Map(vec![]));
    put(&store, "/a/b", &number(1));
    store.patch(&at("/a"), &mut Encoded::new(Format::JSON, &br#"{"b":2,"c":3}"#[..]), &When::Always).unwrap();
    put(&store, "/d", &number(4));
    drop(store);
    assert_eq!(json(&*below, "/", ""), r#"{"a":{"b":2,"c":3},"d":4}"#);
}

#[test]
fn conditions_and_posts_are_not_put_off() {
    let (below, store) = timed();
    put(&store, "/a", &number(1));
    let place = at("/a");
    let late = store.put(&place, &mut ValueBody(&number(2)), &When::Absent).unwrap_err();
    assert_eq!(fault_of(&late), Some(Fault::Changed));
    assert_eq!(below.times(Verb::Put).count, 2);
    put(&store, "/7", &number(1));
    assert_eq!(store.post(&[], &mut ValueBody(&number(2))).unwrap(), at("/8"));
    let seen = store.version(&place).unwrap().unwrap();
    put(&store, "/a", &number(3));
    assert_ne!(store.version(&place).unwrap(), Some(seen));
}

#[test]
fn what_is_refused_is_given_up_and_the_rest_is_done() {
    let (below, store) = timed();
    put(&store, "/a", &number(1));
    put(&store, "/a/b", &number(2));
    put(&store, "/c", &number(3));
    assert_eq!(json(&store, "/", ""), r#"{"a":1,"c":3}"#, "who asks for something else is not told");
    put(&store, "/d", &number(4));
    assert_eq!(fault_of(&store.flush().unwrap_err()), Some(Fault::Conflict));
    assert_eq!(json(&*below, "/", ""), r#"{"a":1,"c":3,"d":4}"#);
    store.flush().unwrap();
}

#[test]
fn what_the_system_could_not_do_stays() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    std::fs::create_dir(&root).unwrap();
    let store = Cache::write_back(Arc::new(Folder::of(&root).unwrap()), 1 << 16);
    let name = format!("/{}.json", "x".repeat(251));
    put(&store, &name, &number(1));
    put(&store, "/b.json", &number(2));
    // The name is one byte too long for the file system.
    assert_eq!(store.flush().unwrap_err().kind(), demat_core::ErrorKind::Io);
    assert_eq!(store.flush().unwrap_err().kind(), demat_core::ErrorKind::Io);
    assert!(!root.join("b.json").exists(), "what comes behind waits");
}

#[test]
fn no_more_waits_than_is_wanted() {
    let below = Arc::new(Timed::over(Arc::new(Memory::new())));
    let store = Cache::write_back(Arc::clone(&below) as Arc<dyn Store>, 5000);
    for turn in 0..20 {
        put(&store, &format!("/{turn}"), &Value::Text("x".repeat(1000).into()));
    }
    assert!(below.times(Verb::Put).count >= 15);
}
