use super::{Log, Logged};
use crate::{Memory, Query, Reference, Store, ValueBody, Verb, Verbs, When, collected};
use core::time::Duration;
use demat_core::Value;
use demat_place::Format;
use std::sync::{Arc, Mutex};

#[test]
fn the_verbs_that_are_wanted_are_told_of_with_their_outcome() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    let tell = move |done: &Logged<'_>| {
        seen.lock().unwrap().push(format!("{} {} {}", done.verb, done.at.join("/"), done.error.is_none()));
    };
    let verbs = Verbs::ALL.without(Verb::Post);
    let store = Log::over(Arc::new(Memory::new()), verbs, tell);
    let at: Reference = "/a".parse().unwrap();
    store.put(&at, &mut ValueBody(&Value::Map(vec![])), &When::Always).unwrap();
    store.post(&at, &mut ValueBody(&Value::Null)).unwrap();
    store.patch(&at, &mut ValueBody(&Value::Map(vec![])), &When::Always).unwrap();
    collected(&store, &at, &Query::default()).unwrap();
    store.encoded(&at, &Query::default(), Format::JSON, 100).unwrap();
    store.read(&at, &Query::default(), Format::JSON, &mut Vec::new()).unwrap();
    store.delete(&at, &When::Always).unwrap();
    store.delete(&at, &When::Always).unwrap_err();
    let wanted =
        ["put a true", "patch a true", "get a true", "get a true", "get a true", "delete a true", "delete a false"];
    assert_eq!(*told.lock().unwrap(), wanted);
    assert_eq!(store.describe().to_string(), "log get, put, patch, delete\n└─ memory\n");
}

#[test]
fn a_line_says_all_of_it() {
    let error = crate::Fault::NotFound.about(&["a b".to_string()]);
    let at = ["a b".to_string()];
    let done = Logged { verb: Verb::Get, at: &at, took: Duration::from_micros(12), error: Some(&error) };
    assert_eq!(done.to_string(), "get /a%20b 0.012 ms `/a%20b`: not found");
}
