use super::Relative;
use crate::{Memory, Query, Reference, Store, ValueBody, When, collected};
use demat_core::Value;
use std::sync::{Arc, Mutex};

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

#[test]
fn references_are_of_the_part() {
    let all: Arc<dyn Store> = Arc::new(Memory::new());
    let part = Relative::over(Arc::clone(&all), at("/a/b"));
    part.put(&at("/c"), &mut ValueBody(&Value::Bool(true)), &When::Absent).unwrap();
    assert_eq!(collected(&*all, &at("/a/b/c"), &Query::default()).unwrap(), Value::Bool(true));
    assert_eq!(part.post(&[], &mut ValueBody(&Value::Null)).unwrap(), at("/1"));
    let mut names = Vec::new();
    let told = part.children(&[], &mut |name| {
        names.push(name.to_string());
        Ok(())
    });
    told.unwrap();
    assert_eq!(names, ["c", "1"]);
    assert_eq!(part.version(&at("/c")).unwrap(), all.version(&at("/a/b/c")).unwrap());
    part.delete(&at("/c"), &When::There).unwrap();
    assert!(part.version(&at("/c")).is_err() && part.is_prompt());
    assert_eq!(part.describe().to_string(), "relative /a/b\n└─ memory\n");
}

#[test]
fn changes_are_of_the_part_or_around_it() {
    let all: Arc<dyn Store> = Arc::new(Memory::new());
    let part = Relative::over(Arc::clone(&all), at("/a"));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let _watch = part.watch(&[], Arc::new(move |change| told.lock().unwrap().push(change.at.to_string())));
    for place in ["/a/x", "/b", "/a", "/a/x/y"] {
        all.put(&at(place), &mut ValueBody(&Value::Map(vec![])), &When::Always).unwrap();
    }
    all.delete(&[], &When::Always).unwrap();
    assert_eq!(*seen.lock().unwrap(), ["/x", "/", "/x/y", "/"]);
}
