use crate::{Table, TableOptions};
use demat_place::Format;
use demat_sqlite::Database;
use demat_store::{Duplicates, Encoded, Fault, Posted, Query, Store, Verb, When, fault_of};
use std::sync::{Arc, Mutex};

fn table(declared: &str) -> Table {
    let database = Database::memory().unwrap();
    database.execute(declared).unwrap();
    Table::of(&database, "t", None, &TableOptions::default()).unwrap()
}

fn post(own: &Table, json: &str, duplicates: Duplicates) -> demat_core::Result<Posted> {
    own.post_all(&[], &mut Encoded::new(Format::JSON, json.as_bytes()), duplicates, &When::Always)
}

fn rows(own: &Table) -> String {
    String::from_utf8(own.encoded(&[], &Query::default(), Format::JSON, 10_000).unwrap().unwrap().to_vec()).unwrap()
}

#[test]
fn what_is_there_is_merged_and_the_rest_is_added() {
    for (declared, json, names, created, whole) in [
        (
            "CREATE TABLE t (k TEXT PRIMARY KEY, n INTEGER DEFAULT 7, s TEXT)",
            r#"[{"k":"a","s":"x"},{"k":"b"},{"k":"a","n":1}]"#,
            vec!["a", "b", "a"],
            2,
            r#"[{"k":"a","n":1,"s":"x"},{"k":"b","n":7,"s":null}]"#,
        ),
        (
            "CREATE TABLE t (a TEXT, b INTEGER, n INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID",
            r#"[{"a":"x,y","b":1,"n":1},{"a":"x,y","b":1,"n":2},{"a":"x,y","b":2}]"#,
            vec!["x\\,y,1", "x\\,y,1", "x\\,y,2"],
            2,
            r#"[{"a":"x,y","b":1,"n":2},{"a":"x,y","b":2,"n":null}]"#,
        ),
        (
            "CREATE TABLE t (id UUID PRIMARY KEY NOT NULL, n INTEGER)",
            r#"[{"id":"00000000-0000-0000-0000-00000000000A","n":1},{"id":"00000000-0000-0000-0000-00000000000a","n":2}]"#,
            vec!["00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000a"],
            1,
            r#"[{"id":"00000000-0000-0000-0000-00000000000a","n":2}]"#,
        ),
    ] {
        let own = table(declared);
        let posted = post(&own, json, Duplicates::Merge).unwrap();
        assert_eq!(
            (posted.names.iter().map(|name| &**name).collect::<Vec<_>>(), posted.created),
            (names, created),
            "{declared}"
        );
        assert_eq!(rows(&own), whole, "{declared}");
    }
}

#[test]
fn all_rows_are_posted_or_none() {
    let own = table("CREATE TABLE t (k TEXT PRIMARY KEY, n INTEGER NOT NULL CHECK (n > 0), g INTEGER AS (n + 1))");
    post(&own, r#"[{"k":"a","n":1}]"#, Duplicates::Refuse).unwrap();
    for json in [
        r#"[{"k":"a","n":2},{"k":"b","n":0}]"#,
        r#"[{"k":"a","n":2},{"k":"b"}]"#,
        r#"[{"k":"a","n":2},{"k":"a","g":5}]"#,
        r#"[{"k":"a","n":2},{"k":"b","n":"x"}]"#,
        r#"[{"k":"a","n":2},3]"#,
    ] {
        post(&own, json, Duplicates::Merge).unwrap_err();
        assert_eq!(rows(&own), r#"[{"k":"a","n":1,"g":2}]"#, "{json}");
    }
    let error = post(&own, r#"[{"k":"b","n":1},{"k":"a","n":2}]"#, Duplicates::Refuse).unwrap_err();
    assert_eq!(fault_of(&error), Some(Fault::Conflict));
    assert_eq!(rows(&own), r#"[{"k":"a","n":1,"g":2}]"#);
}

#[test]
fn watchers_are_told_once() {
    let own = table("CREATE TABLE t (k TEXT PRIMARY KEY)");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let watcher = Arc::clone(&seen);
    let watch = own.watch(&[], Arc::new(move |change| watcher.lock().unwrap().push(change.verb)));
    post(&own, r#"[{"k":"a"},{"k":"b"}]"#, Duplicates::Merge).unwrap();
    post(&own, "[]", Duplicates::Merge).unwrap();
    drop(watch);
    assert_eq!(*seen.lock().unwrap(), [Verb::Post]);
}

#[test]
fn without_a_key_nothing_is_merged() {
    let own = table("CREATE TABLE t (n INTEGER)");
    let error = post(&own, r#"[{"n":1}]"#, Duplicates::Merge).unwrap_err();
    assert_eq!(fault_of(&error), Some(Fault::BadQuery));
    let posted = post(&own, r#"[{"n":1},{"n":1}]"#, Duplicates::Refuse).unwrap();
    assert_eq!((posted.names, posted.created), (vec!["1".to_string(), "2".to_string()], 2));
}

#[test]
fn an_error_has_the_path_of_its_row() {
    let own = table("CREATE TABLE t (k TEXT PRIMARY KEY, n INTEGER NOT NULL CHECK (n > 0))");
    for json in [r#"[{"k":"a","n":2},{"k":"b","n":0}]"#, r#"[{"k":"a","n":2},{"k":"b","n":null}]"#] {
        let error = post(&own, json, Duplicates::Refuse).unwrap_err();
        assert!(error.path().starts_with("$[1]") && !error.path().contains("[0]"), "{}", error.path());
    }
}
