use super::Switch;
use crate::{Environment, Fault, Folder, Memory, Query, Reference, Store, ValueBody, Verb, When, collected, fault_of};
use demat_core::Value;
use demat_place::Format;
use std::sync::{Arc, Mutex};

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn json(store: &dyn Store, place: &str) -> String {
    let bytes = store.encoded(&at(place), &Query::default(), Format::JSON, usize::MAX).unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn switch() -> Switch {
    let store = Switch::new().with("a", Arc::new(Memory::new())).unwrap().with("b", Arc::new(Memory::new())).unwrap();
    store.with_default(Arc::new(Memory::new()))
}

#[test]
fn the_first_name_leads() {
    let store = switch();
    for place in ["/a/x", "/b/x/y", "/c/x"] {
        store.put(&at(place), &mut ValueBody(&Value::Text(place.into())), &When::Absent).unwrap();
        assert_eq!(json(&store, place), format!("{place:?}"));
    }
    assert_eq!((json(&store, "/a"), json(&store, "/c")), (r#"{"x":"/a/x"}"#.into(), r#"{"x":"/c/x"}"#.into()));
    assert_eq!(store.post(&at("/a"), &mut ValueBody(&Value::Null)).unwrap(), at("/a/1"));
    assert_eq!(store.post(&at("/c"), &mut ValueBody(&Value::Null)).unwrap(), at("/c/1"));
    store.delete(&at("/b/x"), &When::There).unwrap();
    assert_eq!(json(&store, "/b"), "{}");
    let error = Switch::new().version(&at("/a")).unwrap_err();
    assert_eq!(fault_of(&error), Some(Fault::NotFound));
    assert_eq!(store.describe().to_string(), "switch\n├─ a: memory\n├─ b: memory\n└─ others: memory\n");
    assert!(Switch::new().with(&"x".repeat(9000), Arc::new(Memory::new())).is_err());
}

#[test]
fn the_whole_is_the_names_and_stays_so() {
    let store = switch();
    assert_eq!(json(&store, "/"), r#"["a","b"]"#);
    let two = collected(&store, &[], &Query::parse("limit=1").unwrap()).unwrap();
    assert_eq!(two, Value::List(vec![Value::Text("a".into())]));
    let mut read = Vec::new();
    store.read(&[], &Query::default(), Format::JSON, &mut read).unwrap();
    assert_eq!(read, br#"["a","b"]"#);
    let put = store.put(&[], &mut ValueBody(&Value::Null), &When::Always).unwrap_err();
    assert_eq!(fault_of(&put), Some(Fault::NotAllowed(Verb::Put)));
    assert_eq!(fault_of(&store.delete(&[], &When::Always).unwrap_err()), Some(Fault::NotAllowed(Verb::Delete)));
    assert_eq!(store.allows(&[]).to_string(), "get");
}

#[test]
fn changes_are_told_by_the_whole_reference() {
    let store = switch();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = |prefix: &'static str| {
        let seen = Arc::clone(&seen);
        Arc::new(move |change: &crate::Change| seen.lock().unwrap().push(format!("{prefix}{}", change.at)))
    };
    let _all = store.watch(&[], told("all "));
    let _some = store.watch(&at("/a/x"), told(""));
    for place in ["/a/x", "/a/y", "/c/z"] {
        store.put(&at(place), &mut ValueBody(&Value::Null), &When::Always).unwrap();
    }
    assert_eq!(*seen.lock().unwrap(), ["all /a/x", "/a/x", "all /a/y", "all /c/z"]);
    let deaf = switch().with("env", Arc::new(Environment::new())).unwrap();
    assert!(deaf.watch(&[], told("")).is_none() && deaf.watch(&at("/a"), told("")).is_some());
}

#[test]
fn it_is_as_prompt_as_the_slowest() {
    let folder = tempfile::tempdir().unwrap();
    assert!(switch().is_prompt());
    assert!(!switch().with("c", Arc::new(Folder::of(folder.path()).unwrap())).unwrap().is_prompt());
}
