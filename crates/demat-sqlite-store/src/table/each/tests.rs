use crate::{Table, TableOptions};
use demat_place::Format;
use demat_sqlite::Database;
use demat_store::{BulkChange, Encoded, Fault, Query, Store, Verb, When, fault_of};
use std::sync::{Arc, Mutex};

fn query(text: &str) -> Query {
    Query::parse(text).unwrap()
}

/// A table of five rows, three of them done.
fn tasks(declared: &str) -> Table {
    let database = Database::memory().unwrap();
    database.execute(declared).unwrap();
    let sql = "INSERT INTO tasks (title, done) VALUES ('a', 0), ('b', 1), ('c', 0), ('d', 1), ('100%', 1)";
    database.execute(sql).unwrap();
    Table::of(&database, "tasks", None, &TableOptions::default()).unwrap()
}

fn titles(tasks: &Table) -> String {
    let json = tasks.encoded(&[], &query("fields=title&order=title"), Format::JSON, 10_000).unwrap().unwrap();
    let json = String::from_utf8(json.to_vec()).unwrap();
    json.replace("{\"title\":\"", "").replace("\"}", "")
}

const KEYS: [&str; 4] = [
    "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT, done BOOLEAN)",
    "CREATE TABLE tasks (title TEXT PRIMARY KEY, done BOOLEAN) WITHOUT ROWID",
    "CREATE TABLE tasks (title TEXT, done BOOLEAN, PRIMARY KEY (title, done))",
    "CREATE TABLE tasks (title TEXT, done BOOLEAN)",
];

#[test]
fn the_rows_that_a_query_wants_are_deleted_and_no_others() {
    for declared in KEYS {
        let delete =
            |tasks: &Table, text: &str| tasks.change_each(&[], &query(text), BulkChange::Delete, &When::Always);
        let own = tasks(declared);
        assert_eq!(delete(&own, "done=true").unwrap(), 3, "{declared}");
        assert_eq!(titles(&own), "[a,c]", "{declared}");
        assert_eq!(delete(&own, "done=true").unwrap(), 0, "{declared}");
        let own = tasks(declared);
        assert_eq!(delete(&own, "title.contains=%25").unwrap(), 1);
        assert_eq!(titles(&own), "[a,b,c,d]");
        for bad in [
            "",
            "limit=1",
            "done=true&limit=1",
            "order=title",
            "fields=title&done=true",
            "offset=1",
            "nothing=1",
            "done=x",
        ] {
            assert_eq!(fault_of(&delete(&own, bad).unwrap_err()), Some(Fault::BadQuery), "{bad}");
            assert_eq!(titles(&own), "[a,b,c,d]", "{bad}");
        }
    }
}

#[test]
fn the_rows_that_a_query_wants_are_patched_and_no_others() {
    for declared in [KEYS[0], KEYS[1], KEYS[3]] {
        let own = tasks(declared);
        let mut given = Encoded::new(Format::JSON, &br#"{"done":false}"#[..]);
        assert_eq!(
            own.change_each(&[], &query("title.in=b,d,x"), BulkChange::Patch(&mut given), &When::Always).unwrap(),
            2
        );
        assert_eq!(own.count(&[], &query("done=false")).unwrap(), Some(4), "{declared}");
        assert_eq!(titles(&own), "[100%,a,b,c,d]");
    }
}

#[test]
fn what_is_refused_for_one_row_changes_none() {
    let own = tasks("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT UNIQUE, done BOOLEAN)");
    let mut given = Encoded::new(Format::JSON, &br#"{"title":"same"}"#[..]);
    let error = own.change_each(&[], &query("done=true"), BulkChange::Patch(&mut given), &When::Always).unwrap_err();
    assert_eq!(fault_of(&error), Some(Fault::Conflict));
    assert_eq!(titles(&own), "[100%,a,b,c,d]");
    let seen = own.version(&[]).unwrap().unwrap();
    own.patch(&["1".to_string()], &mut Encoded::new(Format::JSON, &br#"{"title":"z"}"#[..]), &When::Always).unwrap();
    let error = own.change_each(&[], &query("done=true"), BulkChange::Delete, &When::Of(vec![seen])).unwrap_err();
    assert_eq!(fault_of(&error), Some(Fault::Changed));
    assert_eq!(titles(&own), "[100%,b,c,d,z]");
    assert!(own.change_each(&["1".to_string()], &query("done=true"), BulkChange::Delete, &When::Always).is_err());
}

#[test]
fn who_watches_is_told_once() {
    let (own, seen) = (tasks(KEYS[0]), Arc::new(Mutex::new(Vec::new())));
    let told = Arc::clone(&seen);
    let _watch = own.watch(&[], Arc::new(move |change| told.lock().unwrap().push((change.verb, change.at.len()))));
    own.change_each(&[], &query("done=true"), BulkChange::Delete, &When::Always).unwrap();
    own.change_each(&[], &query("done=true"), BulkChange::Delete, &When::Always).unwrap();
    assert_eq!(*seen.lock().unwrap(), [(Verb::Delete, 0)]);
}

#[test]
fn a_row_is_added_if_the_table_is_as_it_must_be() {
    let own = tasks(KEYS[0]);
    let given = || Encoded::new(Format::JSON, &br#"{"title":"new"}"#[..]);
    let seen = own.version(&[]).unwrap().unwrap();
    own.post_if(&[], &mut given(), &When::Of(vec![seen])).unwrap();
    for when in [When::Of(vec![seen]), When::Absent, When::Of(Vec::new())] {
        let error = own.post_if(&[], &mut given(), &when).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::Changed), "{when:?}");
    }
    assert_eq!(own.count(&[], &Query::default()).unwrap(), Some(6));
}
