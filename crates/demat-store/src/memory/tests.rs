use super::Memory;
use crate::{BulkChange, Fault, Put, Query, Reference, Store, ValueBody, Version, When, collected, fault_of};
use demat_core::Value;

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn text(text: &str) -> Value {
    Value::Text(text.to_string().into())
}

#[test]
fn what_is_put_is_there() {
    let store = Memory::new();
    let put = |place: &str, value: Value| store.put(&at(place), &mut ValueBody(&value), &When::Always).unwrap();
    assert_eq!(put("/a/b", text("x")), Put::Created);
    assert_eq!(put("/a/b", text("y")), Put::Replaced);
    assert_eq!(collected(&store, &at("/a/b"), &Query::default()).unwrap(), text("y"));
    let mut names = Vec::new();
    store
        .children(&at("/a"), &mut |name| {
            names.push(name.to_string());
            Ok(())
        })
        .unwrap();
    assert_eq!(names, ["b"]);
    store.delete(&at("/a/b"), &When::Always).unwrap();
    let gone = collected(&store, &at("/a/b"), &Query::default()).unwrap_err();
    assert_eq!(fault_of(&gone), Some(Fault::NotFound));
    assert_eq!(fault_of(&store.delete(&at("/a/b"), &When::Always).unwrap_err()), Some(Fault::NotFound));
}

#[test]
fn lists_are_walked_by_number() {
    let store = Memory::of(Value::List(vec![text("a")]));
    assert_eq!(store.post(&[], &mut ValueBody(&text("b"))).unwrap(), at("/1"));
    assert_eq!(collected(&store, &at("/1"), &Query::default()).unwrap(), text("b"));
    store.delete(&at("/0"), &When::Always).unwrap();
    assert_eq!(collected(&store, &at("/0"), &Query::default()).unwrap(), text("b"));
    assert_eq!(
        fault_of(&store.put(&at("/7"), &mut ValueBody(&Value::Null), &When::Always).unwrap_err()),
        Some(Fault::Conflict)
    );
    store.delete(&[], &When::Always).unwrap();
    assert_eq!(collected(&store, &[], &Query::default()).unwrap(), Value::List(vec![]));
}

#[test]
fn a_patch_is_of_what_it_names() {
    let store = Memory::new();
    let task = Value::Map(vec![(text("title"), text("a")), (text("done"), Value::Bool(false))]);
    store.put(&at("/1"), &mut ValueBody(&task), &When::Always).unwrap();
    let part = Value::Map(vec![(text("done"), Value::Bool(true))]);
    store.patch(&at("/1"), &mut ValueBody(&part), &When::Always).unwrap();
    let whole = collected(&store, &at("/1"), &Query::default()).unwrap();
    assert_eq!((whole.get("title"), whole.get("done")), (Some(&text("a")), Some(&Value::Bool(true))));
    assert_eq!(
        fault_of(&store.patch(&at("/2"), &mut ValueBody(&part), &When::Always).unwrap_err()),
        Some(Fault::NotFound)
    );
}

#[test]
fn conditions_are_looked_at_before_anything_is_done() {
    let store = Memory::new();
    let put = |when: When| store.put(&at("/a"), &mut ValueBody(&Value::Null), &when);
    assert_eq!(fault_of(&put(When::There).unwrap_err()), Some(Fault::Changed));
    put(When::Absent).unwrap();
    assert_eq!(fault_of(&put(When::Absent).unwrap_err()), Some(Fault::Changed));
    let seen = store.version(&at("/a")).unwrap().unwrap();
    put(When::Of(vec![seen])).unwrap();
    assert_eq!(fault_of(&put(When::Of(vec![seen])).unwrap_err()), Some(Fault::Changed));
    assert_ne!(store.version(&at("/a")).unwrap(), Some(seen));
    assert_eq!(fault_of(&put(When::Of(vec![Version(99)])).unwrap_err()), Some(Fault::Changed));
}

#[test]
fn who_is_told_slowly_holds_up_nobody() {
    struct Changes<'s>(&'s Memory, Vec<u8>);
    impl std::io::Write for Changes<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.put(&at("/a"), &mut ValueBody(&text("later")), &When::Always).map_err(std::io::Error::other)?;
            self.1.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let store = Memory::new();
    store.put(&at("/a"), &mut ValueBody(&text("before")), &When::Always).unwrap();
    let mut told = Changes(&store, Vec::new());
    store.read(&[], &Query::default(), demat_place::Format::JSON, &mut told).unwrap();
    assert!(told.1.starts_with(br#"{"a":"before"}"#));
    assert_eq!(collected(&store, &at("/a"), &Query::default()).unwrap(), text("later"));
}

#[test]
fn items_that_a_query_wants_are_changed_together() {
    let rows = || Memory::of(demat_formats::json::decode(br#"[{"n":1},{"n":2},{"n":3},{"n":4}]"#).unwrap());
    let left = |store: &Memory| collected(store, &[], &Query::default()).unwrap();
    let query = |text: &str| Query::parse(text).unwrap();
    let store = rows();
    assert_eq!(store.change_each(&[], &query("n.in=1,3,4"), BulkChange::Delete, &When::Always).unwrap(), 3);
    assert_eq!(left(&store), demat_formats::json::decode(br#"[{"n":2}]"#).unwrap());
    let store = rows();
    let part: Value = demat_formats::json::decode(br#"{"n":0}"#).unwrap();
    assert_eq!(
        store.change_each(&[], &query("n.gt=2"), BulkChange::Patch(&mut ValueBody(&part)), &When::Always).unwrap(),
        2
    );
    assert_eq!(left(&store), demat_formats::json::decode(br#"[{"n":1},{"n":2},{"n":0},{"n":0}]"#).unwrap());
    for bad in ["nothing=1", "n=x", "limit=1", "n=1&limit=1", "order=n", "fields=n", ""] {
        let before = left(&store);
        let error = store.change_each(&[], &query(bad), BulkChange::Delete, &When::Always).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::BadQuery), "{bad}");
        assert_eq!(left(&store), before, "{bad}");
    }
}
