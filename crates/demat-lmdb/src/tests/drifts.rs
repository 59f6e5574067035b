use super::{Place, json, key, put, wanted};
use crate::{Compression, Key, Wanted};
use demat_core::Shape;

fn of(shape: &str) -> Wanted {
    Wanted { shape: Some(shape.parse::<Shape>().unwrap()), ..Wanted::default() }
}

/// Opens a collection with one shape, and then with another one; returns the differences.
fn differences(encoding: &str, stored: &str, then: &str) -> Option<String> {
    let place = Place::new();
    let environment = place.open();
    let first = Wanted { encoding: Some(encoding.parse().unwrap()), key: Some(Key::Auto), ..of(stored) };
    environment.collection("tasks", &first).unwrap();
    environment.collection("tasks", &of(then)).err().map(|error| error.reason())
}

#[test]
fn fields_may_come_and_go() {
    for encoding in ["json", "msgpack", "proto"] {
        for (stored, then) in [
            ("id: int64, title: text", "id: int64, title: text, done: bool = false"),
            ("id: int64, title: text", "id: int64, title: text, due: date? = null"),
            ("id: int64, title: text", "id: int64"),
            ("id: int32", "id: int64"),
        ] {
            assert_eq!(differences(encoding, stored, then), None, "{encoding}: {stored} then {then}");
        }
    }
}

#[test]
fn what_was_ever_stored_is_remembered() {
    let place = Place::new();
    let environment = place.open();
    let first = Wanted { key: Some(Key::Auto), ..of("id: int64, title: text") };
    environment.collection("tasks", &first).unwrap();
    environment.collection("tasks", &of("id: int64")).unwrap();
    let error = environment.collection("tasks", &of("id: int64, title: bool")).unwrap_err();
    assert!(error.reason().contains("`title` is `bool` in the class, and `text` in the collection"), "{error}");
    environment.collection("tasks", &of("id: int64, title: text, done: bool")).unwrap();
    let text = environment.collection("tasks", &Wanted::default()).unwrap().definition().shape.to_string();
    assert!(text.contains("title") && text.contains("done"), "{text}");
}

#[test]
fn another_type_is_said() {
    for (encoding, stored, then, expected) in [
        ("json", "id: int64", "id: text", "`id` is `text` in the class, and `int64` in the collection"),
        ("json", "id: int64", "id: int32", "`id` is"),
        ("json", "id: int64?", "id: int64", "`id` is"),
        ("json", "a: [int64]", "a: [text]", "`a` is"),
        ("json", "a: {b: int64}", "a: {b: text}", "`a.b` is"),
        ("json", "id: int64", "id: int64, more: text", "has no default"),
        ("proto", "a: text, b: text", "b: text, a: text", "has the number"),
        ("proto", "a: text", "b: text", "the number 1 is the field `b` in the class, and `a` in the collection"),
    ] {
        let found = differences(encoding, stored, then).unwrap_or_else(|| panic!("{stored} then {then} was accepted"));
        assert!(found.contains(expected), "{stored} then {then}: {found}");
    }
}

#[test]
fn each_difference_of_the_rest_is_said() {
    let place = Place::new();
    let environment = place.open();
    environment.collection("tasks", &wanted("json")).unwrap();
    let other = Wanted {
        key: Some(Key::Auto),
        encoding: Some("proto".parse().unwrap()),
        compression: Some(Some(Compression::Zstd)),
        ..Wanted::default()
    };
    let error = environment.collection("tasks", &other).unwrap_err().reason();
    for part in ["by 3 differences", "the key is auto", "the encoding is proto", "the compression is zstd"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn bad_names_and_missing_collections_are_said() {
    let place = Place::new();
    let environment = place.open();
    for name in ["", "a/b", "a\0", "demat", "a#b"] {
        assert!(environment.collection(name, &wanted("json")).is_err(), "{name:?}");
    }
    put(&environment.collection("tasks", &wanted("json")).unwrap(), &[json(1, "a", &[])]);
    let error = environment.collection("none", &Wanted::default()).unwrap_err();
    assert_eq!(error.reason(), "there is no collection `none`; there are tasks");
    assert!(environment.collection("other", &of("[int64]")).is_err());
    let by_list = Wanted { key: Some(Key::Fields(vec!["tags".into()])), ..wanted("json") };
    assert!(environment.collection("other", &by_list).unwrap_err().reason().contains("can't be part of a key"));
    let tasks = environment.collection("tasks", &Wanted::default()).unwrap();
    assert!(tasks.get(&environment.read().unwrap(), &key(1)).unwrap().is_some());
}

#[test]
fn a_class_that_lacks_fields_changes_nothing() {
    let place = Place::new();
    let environment = place.open();
    let first = Wanted { key: Some(Key::Auto), ..of("id: int64, title: text, done: bool") };
    environment.collection("tasks", &first).unwrap();
    let before = environment.last_transaction();
    for shape in ["id: int64, title: text, done: bool", "id: int64, title: text", "id: int64"] {
        environment.collection("tasks", &of(shape)).unwrap();
    }
    assert_eq!(environment.last_transaction(), before);
}
