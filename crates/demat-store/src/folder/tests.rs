use super::Folder;
use crate::{Encoded, Fault, Put, Query, Reference, Store, ValueBody, Verb, Version, When, collected, fault_of};
use demat_core::{ErrorKind, Value};
use demat_place::Format;
use std::fs;
use tempfile::TempDir;

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn given(text: &str) -> Encoded<&[u8]> {
    Encoded::new(Format::JSON, text.as_bytes())
}

fn json(store: &dyn Store, place: &str, query: &str) -> String {
    let bytes = store.encoded(&at(place), &Query::parse(query).unwrap(), Format::JSON, usize::MAX).unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn fault<T: core::fmt::Debug>(result: demat_core::Result<T>) -> Option<Fault> {
    fault_of(&result.unwrap_err())
}

fn folder() -> (TempDir, Folder) {
    let folder = tempfile::tempdir().unwrap();
    let store = Folder::of(folder.path()).unwrap();
    (folder, store)
}

#[test]
fn files_have_the_value_that_is_in_them() {
    let (folder, store) = folder();
    let task = r#"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#;
    for name in ["/a.json", "/b/c.json.gz", "/b/d.ndjson.zst", "/e.JSON"] {
        assert_eq!(store.put(&at(name), &mut given(task), &When::Always).unwrap(), Put::Created);
        assert_eq!(json(&store, name, ""), task, "{name}");
        assert_eq!(json(&store, name, "id=2&fields=title"), r#"[{"title":"b"}]"#);
        assert_eq!(store.put(&at(name), &mut given(task), &When::Always).unwrap(), Put::Replaced);
    }
    assert_eq!(fs::read(folder.path().join("b/c.json.gz")).unwrap()[..2], [0x1F, 0x8B]);
    assert_eq!(json(&store, "/", ""), r#"["a.json","b","e.JSON"]"#);
    assert_eq!(json(&store, "/b", ""), r#"["c.json.gz","d.ndjson.zst"]"#);
    assert_eq!(fault(store.delete(&at("/b"), &When::Always)), Some(Fault::Conflict));
    store.delete(&at("/b/c.json.gz"), &When::Always).unwrap();
    store.delete(&at("/b/d"), &When::Always).unwrap();
    store.delete(&at("/b"), &When::Always).unwrap();
    assert_eq!(fault(store.delete(&at("/b"), &When::Always)), Some(Fault::NotFound));
    assert_eq!(fault(store.delete(&[], &When::Always)), Some(Fault::NotAllowed(Verb::Delete)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing temporary is left");
}

#[test]
fn a_name_without_suffix_is_the_one_file_of_it() {
    let (folder, store) = folder();
    store.put(&at("/tasks"), &mut given("[1]"), &When::Always).unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("tasks.json")).unwrap(), "[1]\n");
    fs::write(folder.path().join("rows.csv"), "id\n1\n").unwrap();
    assert_eq!(json(&store, "/rows", ""), r#"[{"id":"1"}]"#);
    store.put(&at("/rows"), &mut given(r#"[{"id":2},{"#), &When::Always).unwrap_err();
    assert_eq!(
        fs::read_to_string(folder.path().join("rows.csv")).unwrap(),
        "id\n1\n",
        "what is refused changes nothing"
    );
    fs::write(folder.path().join("tasks.json.gz"), "").unwrap();
    let error = store.version(&at("/tasks")).unwrap_err();
    assert_eq!(error.to_string(), "`tasks` may be any of tasks.json, tasks.json.gz: it conflicts with what is stored");
    fs::write(folder.path().join("notes.txt"), "hello").unwrap();
    assert_eq!(collected(&store, &at("/notes.txt"), &Query::default()).unwrap(), Value::Bytes(b"hello"[..].into()));
    let yaml = Folder::of(folder.path()).unwrap().with_suffix(".html");
    assert_eq!(fault(yaml), Some(Fault::BadReference));
}

#[test]
fn what_is_posted_gets_the_next_number() {
    let (folder, store) = folder();
    fs::write(folder.path().join("7.json"), "7").unwrap();
    assert_eq!(store.post(&[], &mut given("8")).unwrap(), at("/8.json"));
    assert_eq!(store.post(&at("/new"), &mut given("1")).unwrap(), at("/new/1.json"));
    assert_eq!(json(&store, "/new/1", ""), "1");
    assert_eq!(fault(store.post(&at("/8"), &mut given("1"))), Some(Fault::NotAllowed(Verb::Post)));
    store.post(&[], &mut given("{")).unwrap_err();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..8).for_each(|_| drop(store.post(&[], &mut given("0")).unwrap())));
        }
    });
    let mut names = 0;
    let told = store.children(&[], &mut |_| {
        names += 1;
        Ok(())
    });
    told.unwrap();
    assert_eq!(names, 3 + 32);
}

#[test]
fn versions_tell_every_change_and_conditions_hold() {
    let (_folder, store) = folder();
    let place = at("/a.json");
    assert_eq!(fault(store.put(&place, &mut given("0"), &When::There)), Some(Fault::Changed));
    store.put(&place, &mut given("0"), &When::Absent).unwrap();
    let mut seen: Vec<Version> = Vec::new();
    for turn in 0..50 {
        let own = store.version(&place).unwrap().unwrap();
        assert_eq!(store.version(&place).unwrap(), Some(own));
        assert!(!seen.contains(&own), "{turn}");
        seen.push(own);
        store.put(&place, &mut given(&(turn % 10).to_string()), &When::Of(vec![own])).unwrap();
        if turn % 7 == 0 {
            store.delete(&place, &When::Always).unwrap();
            store.put(&place, &mut given("0"), &When::Absent).unwrap();
        }
    }
    assert_eq!(fault(store.put(&place, &mut given("9"), &When::Of(seen.clone()))), Some(Fault::Changed));
    assert_eq!(fault(store.delete(&place, &When::Of(seen))), Some(Fault::Changed));
    assert_eq!(fault(store.delete(&at("/none.json"), &When::There)), Some(Fault::Changed));
}

#[test]
fn names_lead_nowhere_but_down() {
    let outer = tempfile::tempdir().unwrap();
    fs::write(outer.path().join("secret.json"), "1").unwrap();
    fs::create_dir(outer.path().join("root")).unwrap();
    fs::write(outer.path().join("root/.hidden.json"), "1").unwrap();
    let store = Folder::of(outer.path().join("root")).unwrap();
    let bad = ["..", ".", "", "../secret.json", "a/../../secret.json", "/etc/passwd", ".hidden.json", ".hidden", "a\0"];
    for name in bad {
        let place = [name.to_string()];
        assert_eq!(fault(collected(&store, &place, &Query::default())), Some(Fault::NotFound), "{name}");
        assert!(store.put(&place, &mut given("2"), &When::Always).is_err(), "{name}");
        assert!(store.put(&[place[0].clone(), "x".into()], &mut given("2"), &When::Always).is_err(), "{name}");
        assert!(store.post(&place, &mut given("2")).is_err(), "{name}");
        assert!(store.delete(&place, &When::Always).is_err(), "{name}");
    }
    assert_eq!(json(&store, "/", ""), "[]");
    assert_eq!(fs::read_to_string(outer.path().join("secret.json")).unwrap(), "1");
    let long = ["x".repeat(4000)];
    assert_eq!(fault(collected(&store, &long, &Query::default())), Some(Fault::NotFound));
}

#[cfg(unix)]
#[test]
fn links_that_lead_outside_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("root");
    fs::create_dir(&root).unwrap();
    fs::write(outer.path().join("secret.json"), "1").unwrap();
    fs::write(root.join("own.json"), "3").unwrap();
    symlink("../secret.json", root.join("file.json")).unwrap();
    symlink("..", root.join("up")).unwrap();
    symlink("../new.json", root.join("dangling.json")).unwrap();
    symlink("own.json", root.join("within.json")).unwrap();
    let store = Folder::of(&root).unwrap();
    for place in ["/file.json", "/file", "/up/secret.json", "/up", "/up/new.json", "/dangling.json"] {
        assert_eq!(fault(collected(&store, &at(place), &Query::default())), Some(Fault::NotFound), "{place}");
        assert_eq!(fault(store.put(&at(place), &mut given("2"), &When::Always)), Some(Fault::Conflict), "{place}");
        assert_eq!(fault(store.delete(&at(place), &When::Always)), Some(Fault::NotFound), "{place}");
    }
    assert_eq!(fault(store.post(&at("/up"), &mut given("2"))), Some(Fault::Conflict));
    assert_eq!(json(&store, "/within.json", ""), "3");
    assert_eq!(fs::read_to_string(outer.path().join("secret.json")).unwrap(), "1");
    assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_not_there() {
    let (folder, store) = folder();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("a.json")).unwrap();
    assert_eq!(fault(collected(&store, &at("/a.json"), &Query::default())), Some(Fault::NotFound));
    assert_eq!(fault(store.put(&at("/a.json"), &mut given("1"), &When::Always)), Some(Fault::Conflict));
}

#[test]
fn raw_files_are_their_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let store = Folder::raw(folder.path()).unwrap();
    let bytes = Value::Bytes(b"\x00\xFF{"[..].into());
    store.put(&at("/a/b.json.gz"), &mut ValueBody(&bytes), &When::Always).unwrap();
    assert_eq!(fs::read(folder.path().join("a/b.json.gz")).unwrap(), b"\x00\xFF{");
    assert_eq!(collected(&store, &at("/a/b.json.gz"), &Query::default()).unwrap(), bytes);
    assert_eq!(fault(collected(&store, &at("/a/b"), &Query::default())), Some(Fault::NotFound));
    assert_eq!(store.post(&at("/a"), &mut ValueBody(&bytes)).unwrap(), at("/a/1"));
    let refused = store.put(&at("/c"), &mut ValueBody(&Value::Null), &When::Always).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Type);
    assert!(store.open(&at("/a/1")).is_ok() && store.open(&at("/a")).is_err());
    assert_eq!(store.media_type(&at("/x.png")), "image/png");
}

#[test]
fn changes_are_told_of_by_the_whole_name_too() {
    let (_folder, store) = folder();
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let told = std::sync::Arc::clone(&seen);
    let _watch = store.watch(&[], std::sync::Arc::new(move |change| told.lock().unwrap().push(change.at.to_string())));
    store.put(&at("/tasks"), &mut given("1"), &When::Always).unwrap();
    store.delete(&at("/tasks.json"), &When::Always).unwrap();
    assert_eq!(*seen.lock().unwrap(), ["/tasks", "/tasks.json", "/tasks.json"]);
}

#[test]
fn damaged_files_say_where() {
    let (folder, store) = folder();
    fs::write(folder.path().join("a.json"), "{\"a\":x}").unwrap();
    let error = collected(&store, &at("/a"), &Query::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    assert_eq!((error.place(), error.position().line), (Some("/a"), Some(1)));
}
