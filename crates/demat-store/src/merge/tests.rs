use super::Merge;
use crate::{Encoded, Fault, Memory, Query, Reference, Store, When, collected, fault_of};
use demat_place::Format;
use std::sync::Arc;

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn given(text: &str) -> Encoded<&[u8]> {
    Encoded::new(Format::JSON, text.as_bytes())
}

fn memory(text: &str) -> Arc<dyn Store> {
    let store = Memory::new();
    store.put(&[], &mut given(text), &When::Always).unwrap();
    Arc::new(store)
}

fn json(store: &dyn Store, place: &str, query: &str) -> String {
    let bytes = store.encoded(&at(place), &Query::parse(query).unwrap(), Format::JSON, usize::MAX).unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn records_are_joined_and_lists_follow_each_other() {
    let first = memory(r#"{"a":{"x":1,"y":[1]},"b":1,"c":[{"id":1}]}"#);
    let second = memory(r#"{"a":{"y":[2],"z":3},"b":[2],"c":[{"id":2}]}"#);
    let store = Merge::of(first, [second, memory(r#"{"a":{"x":4}}"#)]);
    assert_eq!(json(&store, "/", ""), r#"{"a":{"x":4,"y":[1,2],"z":3},"b":[2],"c":[{"id":1},{"id":2}]}"#);
    assert_eq!(json(&store, "/a", ""), r#"{"x":4,"y":[1,2],"z":3}"#, "a part is the part of the whole");
    assert_eq!(json(&store, "/a/y", ""), "[1,2]");
    assert_eq!(json(&store, "/c", "order=-id&limit=1"), r#"[{"id":2}]"#);
    let mut names = Vec::new();
    let told = store.children(&at("/a"), &mut |name| {
        names.push(name.to_string());
        Ok(())
    });
    told.unwrap();
    assert_eq!(names, ["x", "y", "z"]);
    for place in ["/none", "/a/none"] {
        let error = collected(&store, &at(place), &Query::default()).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::NotFound));
        assert_eq!(fault_of(&store.version(&at(place)).unwrap_err()), Some(Fault::NotFound));
        assert_eq!(fault_of(&store.children(&at(place), &mut |_| Ok(())).unwrap_err()), Some(Fault::NotFound));
    }
}

#[test]
fn changes_go_to_the_first_if_the_whole_is_as_it_must_be() {
    let (first, second) = (memory("{}"), memory(r#"{"a":{"x":1}}"#));
    let store = Merge::of(Arc::clone(&first), [Arc::clone(&second)]);
    let place = at("/a");
    let seen = store.version(&place).unwrap().unwrap();
    second.put(&at("/a/x"), &mut given("2"), &When::Always).unwrap();
    let late = store.put(&place, &mut given("{}"), &When::Of(vec![seen])).unwrap_err();
    assert_eq!(fault_of(&late), Some(Fault::Changed));
    let now = store.version(&place).unwrap().unwrap();
    assert_ne!(now, seen);
    store.put(&place, &mut given(r#"{"y":3}"#), &When::Of(vec![now])).unwrap();
    assert_eq!(json(&store, "/a", ""), r#"{"y":3,"x":2}"#);
    let again = store.put(&place, &mut given("{}"), &When::Absent).unwrap_err();
    assert_eq!(fault_of(&again), Some(Fault::Changed));
}
