use super::Mapped;
use crate::{Memory, Query, Reference, Store, ValueBody, When, collected};
use demat_core::{Error, ErrorKind, Result, Value};
use demat_place::Format;
use std::sync::{Arc, Mutex};

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn number(value: i64) -> Value {
    Value::Int(value.into())
}

fn plus(value: Value, more: i64) -> Result<Value> {
    match value {
        Value::Int(own) => Ok(number(own.to_i64().unwrap_or(0) + more)),
        other => Err(Error::expected("int", other.kind().name())),
    }
}

#[test]
fn each_function_is_for_its_own_way() {
    let below: Arc<dyn Store> = Arc::new(Memory::new());
    let store = Mapped::over(Arc::clone(&below))
        .with_reference(|at| Ok(Reference::of(["all"]).join(at)))
        .with_written(|_, value| plus(value, 1))
        .with_read(|at, value| if at.is_empty() { Ok(value) } else { plus(value, 10) });
    store.put(&at("/a"), &mut ValueBody(&number(1)), &When::Absent).unwrap();
    assert_eq!(collected(&*below, &at("/all/a"), &Query::default()).unwrap(), number(2));
    assert_eq!(collected(&store, &at("/a"), &Query::default()).unwrap(), number(12));
    assert_eq!(store.encoded(&at("/a"), &Query::default(), Format::JSON, 9).unwrap().as_deref(), Some(&b"12"[..]));
    let mut read = Vec::new();
    store.read(&at("/a"), &Query::default(), Format::JSON, &mut read).unwrap();
    assert_eq!(read, b"12");
    assert_eq!(store.post(&[], &mut ValueBody(&number(4))).unwrap(), at("/1"));
    let refused = store.put(&at("/a"), &mut ValueBody(&Value::Null), &When::Always).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Type);
    assert_eq!(collected(&store, &at("/a"), &Query::default()).unwrap(), number(12), "what is refused changes nothing");
    let wanted = "mapped references, written values, read values\n└─ memory\n";
    assert_eq!(Store::describe(&store).to_string(), wanted);
}

#[test]
fn a_query_is_answered_of_what_the_function_makes() {
    let items = Value::List((0..5).map(number).collect());
    let store = Mapped::over(Arc::new(Memory::of(items))).with_read(|_, value| match value {
        Value::List(items) => Ok(Value::List(items.into_iter().rev().collect())),
        other => Ok(other),
    });
    let two = collected(&store, &[], &Query::parse("limit=2&offset=1").unwrap()).unwrap();
    assert_eq!(two, Value::List(vec![number(3), number(2)]));
}

#[test]
fn changes_are_told_by_the_users_references() {
    let below: Arc<dyn Store> = Arc::new(Memory::new());
    let store = Mapped::over(Arc::clone(&below)).with_reference(|at| Ok(Reference::of(["all"]).join(at)));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let _watch = store.watch(&[], Arc::new(move |change| told.lock().unwrap().push(change.at.to_string())));
    store.put(&at("/a/b"), &mut ValueBody(&Value::Null), &When::Always).unwrap();
    below.put(&at("/other"), &mut ValueBody(&Value::Null), &When::Always).unwrap();
    assert_eq!(*seen.lock().unwrap(), ["/a/b"]);
}
