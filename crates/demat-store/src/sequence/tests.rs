use super::Sequence;
use crate::{
    Body, Cache, Fault, Memory, Merge, Node, Put, Query, ReadOnly, Reference, Store, ValueBody, Verbs, When, collected,
    fault_of,
};
use demat_core::{Result, Sink, Value};
use demat_place::Format;
use std::sync::Arc;

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn number(value: i64) -> Value {
    Value::Int(value.into())
}

fn got(store: &dyn Store, place: &str) -> Option<Value> {
    collected(store, &at(place), &Query::default()).ok()
}

fn put(store: &dyn Store, place: &str, value: i64) {
    store.put(&at(place), &mut ValueBody(&number(value)), &When::Always).unwrap();
}

#[test]
fn the_first_that_has_something_answers() {
    let (first, second): (Arc<dyn Store>, Arc<dyn Store>) = (Arc::new(Memory::new()), Arc::new(Memory::new()));
    let store = Sequence::of(Arc::clone(&first), [Arc::new(ReadOnly::over(Arc::clone(&second))) as Arc<dyn Store>]);
    put(&*second, "/a", 2);
    put(&*second, "/b", 2);
    assert_eq!(got(&store, "/a"), Some(number(2)));
    put(&store, "/a", 1);
    assert_eq!((got(&store, "/a"), got(&*second, "/a")), (Some(number(1)), Some(number(2))));
    assert_eq!(store.encoded(&at("/b"), &Query::default(), Format::JSON, 9).unwrap().as_deref(), Some(&b"2"[..]));
    store.delete(&at("/a"), &When::There).unwrap();
    assert_eq!(got(&store, "/a"), Some(number(2)), "what was hidden comes to light");
    assert_eq!(fault_of(&store.delete(&at("/a"), &When::Always).unwrap_err()), Some(Fault::NotFound));
    assert_eq!(got(&store, "/c"), None);
    assert_eq!(fault_of(&store.version(&at("/c")).unwrap_err()), Some(Fault::NotFound));
    assert_eq!(store.describe().to_string(), "sequence\n├─ memory\n└─ read only\n   └─ memory\n");
}

#[test]
fn conditions_are_about_what_is_got() {
    let (first, second): (Arc<dyn Store>, Arc<dyn Store>) = (Arc::new(Memory::new()), Arc::new(Memory::new()));
    let store = Sequence::of(Arc::clone(&first), [Arc::clone(&second)]);
    let place = at("/a");
    put(&*second, "/a", 2);
    put(&*first, "/other", 0);
    let seen = store.version(&place).unwrap().unwrap();
    let absent = store.put(&place, &mut ValueBody(&number(1)), &When::Absent).unwrap_err();
    assert_eq!(fault_of(&absent), Some(Fault::Changed));
    store.put(&place, &mut ValueBody(&number(1)), &When::Of(vec![seen])).unwrap();
    let now = store.version(&place).unwrap().unwrap();
    assert_ne!(seen, now, "both stores have a first version");
    let late = store.put(&place, &mut ValueBody(&number(3)), &When::Of(vec![seen])).unwrap_err();
    assert_eq!(fault_of(&late), Some(Fault::Changed));
    store.put(&place, &mut ValueBody(&number(3)), &When::Of(vec![now])).unwrap();
}

/// A store that keeps no versions.
struct Unversioned(Memory);

impl Store for Unversioned {
    fn describe(&self) -> Node {
        Node::new("unversioned")
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        self.0.get(at, query, sink)
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        self.0.put(at, value, when)
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.0.delete(at, when)
    }

    fn allows(&self, at: &[String]) -> Verbs {
        self.0.allows(at)
    }

    fn exists(&self, at: &[String]) -> Result<bool> {
        self.0.exists(at)
    }
}

#[test]
fn without_versions_the_stores_say_what_exists() {
    let value = number(1);
    let stored = |store: &dyn Store, when: &When| {
        store.put(&at("/a"), &mut ValueBody(&value), when).map_err(|error| fault_of(&error))
    };
    let two = || -> [Arc<dyn Store>; 2] { [Arc::new(Unversioned(Memory::new())), Arc::new(Memory::new())] };
    let [first, second] = two();
    let sequence = Sequence::of(first, [second]);
    let [first, second] = two();
    let merge = Merge::of(first, [second]);
    for store in [&sequence as &dyn Store, &merge] {
        assert!(!store.exists(&at("/a")).unwrap());
        assert_eq!(stored(store, &When::There), Err(Some(Fault::Changed)));
        assert_eq!(stored(store, &When::Absent), Ok(Put::Created));
        assert!(store.exists(&at("/a")).unwrap());
        assert_eq!(stored(store, &When::Absent), Err(Some(Fault::Changed)));
    }
    let cache = Cache::write_back(Arc::new(Unversioned(Memory::new())), 1 << 10);
    assert_eq!(fault_of(&cache.delete(&at("/a"), &When::Always).unwrap_err()), Some(Fault::NotFound));
    assert_eq!(stored(&cache, &When::Always), Ok(Put::Created));
}
