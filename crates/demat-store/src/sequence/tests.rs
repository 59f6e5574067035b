use super::Sequence;
use crate::{Fault, Memory, Query, ReadOnly, Reference, Store, ValueBody, When, collected, fault_of};
use demat_core::Value;
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
