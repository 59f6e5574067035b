use super::{Place, json, key, put, read, wanted};
use crate::{By, Collection, IndexDefinition, Put, Query, Range, Wanted};
use demat_core::ErrorKind;

fn by(names: &[&str], unique: bool) -> IndexDefinition {
    let fields = names.iter().map(ToString::to_string).collect();
    IndexDefinition { name: "by".into(), by: By::Fields(fields), unique }
}

fn found(tasks: &Collection, prefix: Option<&'static str>) -> Vec<Vec<u8>> {
    let range = prefix.map_or(Range::ALL, |prefix| Range::prefix(&key(prefix)));
    read(tasks, &Query { index: Some("by".into()), range, ..Query::default() })
}

#[test]
fn an_index_is_kept_with_the_records() {
    {
        let place = Place::new();
        let environment = place.open();
        let tasks = environment.collection("tasks", &wanted("json")).unwrap();
        put(&tasks, &[json(1, "b", &["x", "y", "x"]), json(2, "a", &[])]);
        tasks.index(&by(&["tags", "title"], false), None, false).unwrap();
        put(&tasks, &[json(3, "c", &["y"])]);
        assert_eq!(found(&tasks, Some("y")), [json(1, "b", &["x", "y", "x"]), json(3, "c", &["y"])]);
        put(&tasks, &[json(1, "b", &["z"])]);
        assert_eq!(found(&tasks, Some("x")), [] as [Vec<u8>; 0]);
        assert_eq!(found(&tasks, None), [json(3, "c", &["y"]), json(1, "b", &["z"])]);
        assert_eq!(tasks.check(&environment.read().unwrap()).unwrap(), [] as [String; 0]);
        let mut writing = environment.write().unwrap();
        assert!(tasks.delete(&mut writing, &key(3)).unwrap());
        writing.commit().unwrap();
        assert_eq!(found(&tasks, None).len(), 1);
        assert!(tasks.drop_index("by").unwrap());
        assert!(!tasks.drop_index("by").unwrap());
        assert!(tasks.indexes().is_empty());
    }
}

#[test]
fn a_unique_clash_names_both_and_changes_nothing() {
    let place = Place::new();
    let environment = place.open();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    tasks.index(&by(&["title"], true), None, false).unwrap();
    put(&tasks, &[json(1, "a", &[]), json(2, "b", &[])]);
    let mut writing = environment.write().unwrap();
    let error = tasks.put(&mut writing, &key(2), &json(2, "a", &[]), Put::Always).unwrap_err();
    assert_eq!(error.reason(), "the records 1 and 2 have the same key \"a\" in the unique index `by`");
    // A record keeps its own entry, and may take one that became free.
    tasks.put(&mut writing, &key(1), &json(1, "a", &["x"]), Put::Always).unwrap();
    tasks.put(&mut writing, &key(1), &json(1, "c", &[]), Put::Always).unwrap();
    tasks.put(&mut writing, &key(2), &json(2, "a", &[]), Put::Always).unwrap();
    writing.commit().unwrap();
    assert_eq!(found(&tasks, Some("a")), [json(2, "a", &[])]);
    assert!(tasks.check(&environment.read().unwrap()).unwrap().is_empty());
}

#[test]
fn a_unique_index_of_clashing_records_is_not_made() {
    let place = Place::new();
    let environment = place.open();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    put(&tasks, &[json(1, "a", &[]), json(2, "a", &[])]);
    let error = tasks.index(&by(&["title"], true), None, false).unwrap_err();
    assert!(error.reason().contains("1 and 2") || error.reason().contains("2 and 1"), "{error}");
    assert!(tasks.indexes().is_empty());
    tasks.index(&by(&["title"], false), None, false).unwrap();
    assert_eq!(found(&tasks, Some("a")).len(), 2);
}

#[test]
fn a_function_has_a_version() {
    let place = Place::new();
    let environment = place.open();
    let of = |version: &str| IndexDefinition { name: "by".into(), by: By::Function(version.into()), unique: false };
    let length = || -> Option<crate::KeyFunction> {
        Some(Box::new(|record| Ok(vec![key(i64::try_from(record.len()).unwrap())])))
    };
    {
        let tasks = environment.collection("tasks", &wanted("json")).unwrap();
        put(&tasks, &[json(1, "long title", &[]), json(2, "a", &[])]);
        tasks.index(&of("1"), length(), false).unwrap();
        assert_eq!(found(&tasks, None), [json(2, "a", &[]), json(1, "long title", &[])]);
    }
    let tasks = environment.collection("tasks", &Wanted::default()).unwrap();
    // Without the function the records can be read, and not changed.
    assert_eq!(found(&tasks, None).len(), 2);
    let mut writing = environment.write().unwrap();
    let error = tasks.put(&mut writing, &key(3), &json(3, "b", &[]), Put::Always).unwrap_err();
    assert!(error.reason().contains("which this program has not given"), "{error}");
    drop(writing);
    let error = tasks.index(&of("2"), length(), false).unwrap_err();
    assert!(error.reason().contains("`rebuild=True` makes it anew"), "{error}");
    tasks.index(&of("2"), length(), true).unwrap();
    put(&tasks, &[json(3, "b", &[])]);
    assert_eq!(found(&tasks, None).len(), 3);
}

#[test]
fn another_handle_keeps_an_index_that_it_did_not_know() {
    let place = Place::new();
    let environment = place.open();
    let one = environment.collection("tasks", &wanted("json")).unwrap();
    let other = environment.collection("tasks", &Wanted::default()).unwrap();
    one.index(&by(&["title"], false), None, false).unwrap();
    put(&other, &[json(1, "a", &[])]);
    assert_eq!(found(&one, Some("a")).len(), 1);
    assert_eq!(other.indexes(), ["by"]);
}

#[test]
fn a_long_entry_is_refused() {
    let place = Place::new();
    let environment = place.open();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    tasks.index(&by(&["title"], false), None, false).unwrap();
    let mut writing = environment.write().unwrap();
    let error = tasks.put(&mut writing, &key(1), &json(1, &"x".repeat(600), &[]), Put::Always).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(tasks.is_empty(&writing).unwrap());
}
