use super::{Table, TableOptions, tables};
use demat_place::Format;
use demat_sqlite::Database;
use demat_store::{Encoded, Fault, Put, Query, Reference, Store, Verb, When, fault_of};
use std::sync::{Arc, Mutex};

const TASK: &str = "id: int? #sql:key, title: text, done: bool = false, due: date?";

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn json(store: &dyn Store, place: &str, query: &str) -> String {
    let bytes = store.encoded(&at(place), &Query::parse(query).unwrap(), Format::JSON, usize::MAX).unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn given(text: &str) -> Encoded<&[u8]> {
    Encoded::new(Format::JSON, text.as_bytes())
}

fn table(database: &Database, shape: &str) -> Table {
    Table::of(database, "tasks", Some(&shape.parse().unwrap()), &TableOptions::default()).unwrap()
}

/// Runs a test for a database in a file, with several connections, and for one in memory, with only one.
fn both(test: impl Fn(&Database)) {
    test(&Database::memory().unwrap());
    let folder = tempfile::tempdir().unwrap();
    test(&Database::open(&folder.path().join("tasks.db")).unwrap());
}

#[test]
fn rows_are_posted_got_patched_put_and_deleted() {
    both(|database| {
        let tasks = table(database, TASK);
        assert_eq!(json(&tasks, "/", ""), "[]");
        assert_eq!(tasks.post(&[], &mut given(r#"{"title":"a"}"#)).unwrap(), at("/1"));
        assert_eq!(tasks.post(&[], &mut given(r#"{"id":7,"title":"b","done":true}"#)).unwrap(), at("/7"));
        assert_eq!(tasks.post(&[], &mut given(r#"[{"title":"c"},{"title":"d"}]"#)).unwrap(), at("/"));
        assert_eq!(json(&tasks, "/7", ""), r#"{"id":7,"title":"b","done":true,"due":null}"#);
        assert_eq!(json(&tasks, "/", "fields=id&order=-id"), r#"[{"id":9},{"id":8},{"id":7},{"id":1}]"#);
        tasks.patch(&at("/1"), &mut given(r#"{"due":"2026-01-02"}"#), &When::Always).unwrap();
        assert_eq!(json(&tasks, "/1", ""), r#"{"id":1,"title":"a","done":false,"due":"2026-01-02"}"#);
        assert_eq!(json(&tasks, "/1/due", ""), r#""2026-01-02""#);
        assert_eq!(tasks.put(&at("/1"), &mut given(r#"{"title":"z"}"#), &When::Always).unwrap(), Put::Replaced);
        assert_eq!(
            json(&tasks, "/1", ""),
            r#"{"id":1,"title":"z","done":false,"due":null}"#,
            "put takes the rest away"
        );
        assert_eq!(tasks.put(&at("/5"), &mut given(r#"{"id":5,"title":"e"}"#), &When::Always).unwrap(), Put::Created);
        tasks.put(&at("/5/title"), &mut given(r#""f""#), &When::Always).unwrap();
        assert_eq!(json(&tasks, "/5/title", ""), r#""f""#);
        tasks.delete(&at("/5"), &When::Always).unwrap();
        assert_eq!(fault_of(&tasks.delete(&at("/5"), &When::Always).unwrap_err()), Some(Fault::NotFound));
        tasks.put(&[], &mut given(r#"[{"id":3,"title":"only"}]"#), &When::Always).unwrap();
        assert_eq!(json(&tasks, "/", "fields=id,title"), r#"[{"id":3,"title":"only"}]"#);
        tasks.delete(&[], &When::Always).unwrap();
        assert_eq!(json(&tasks, "/", ""), "[]");
    });
}

#[test]
fn what_is_refused_leaves_nothing() {
    both(|database| {
        let tasks = table(database, TASK);
        let fault = |given: &str| fault_of(&tasks.post(&[], &mut self::given(given)).unwrap_err());
        assert_eq!(fault(r#"[{"title":"a"},{"title":5}]"#), None);
        assert_eq!(json(&tasks, "/", ""), "[]", "of a list all or nothing");
        tasks.post(&[], &mut given(r#"{"id":1,"title":"a"}"#)).unwrap();
        assert_eq!(fault(r#"{"id":1,"title":"b"}"#), Some(Fault::Conflict));
        let error = tasks.post(&[], &mut given("{}")).unwrap_err();
        assert_eq!(error.to_string(), "expected field `title`, found nothing (line 1, column 2)");
        let error = tasks.put(&at("/1"), &mut given(r#"{"id":2,"title":"b"}"#), &When::Always).unwrap_err();
        assert_eq!(error.to_string(), "the key `id` is another one than that of the reference, `1` at `$.id`");
        let nowhere = tasks.put(&at("/x"), &mut given(r#"{"title":"b"}"#), &When::Always).unwrap_err();
        assert_eq!(fault_of(&nowhere), Some(Fault::NotFound), "no row can be called so");
        for place in ["/x", "/01", "/+1", "/1/nothing", "/1/title/more", "/99"] {
            let error = tasks.encoded(&at(place), &Query::default(), Format::JSON, 100).unwrap_err();
            assert_eq!(fault_of(&error), Some(Fault::NotFound), "{place}");
        }
        for query in ["nothing=1", "id=x", "order=nothing", "fields=nothing"] {
            let error = tasks.encoded(&[], &Query::parse(query).unwrap(), Format::JSON, 100).unwrap_err();
            assert_eq!(fault_of(&error), Some(Fault::BadQuery), "{query}");
        }
        assert_eq!(json(&tasks, "/", "fields=id"), r#"[{"id":1}]"#);
    });
}

#[test]
fn rows_are_counted_and_their_key_is_known() {
    both(|database| {
        let tasks = table(database, TASK);
        tasks.post(&[], &mut given(r#"[{"title":"a"},{"title":"b"},{"title":"a"}]"#)).unwrap();
        let count = |query: &str| tasks.count(&[], &Query::parse(query).unwrap()).unwrap();
        assert_eq!([count(""), count("title=a"), count("limit=1&order=-id")], [Some(3), Some(2), Some(1)]);
        assert_eq!(tasks.count(&at("/1"), &Query::default()).unwrap(), None);
        assert_eq!(Store::key(&tasks, &[]), ["id"]);
    });
}

#[test]
fn names_and_values_are_no_sql() {
    both(|database| {
        let tasks = table(database, TASK);
        tasks.post(&[], &mut given(r#"{"title":"a' OR 1=1 --"}"#)).unwrap();
        tasks.post(&[], &mut given(r#"{"title":"b"}"#)).unwrap();
        assert_eq!(json(&tasks, "/", "title=a'+OR+1%3D1+--&fields=id"), r#"[{"id":1}]"#);
        assert_eq!(json(&tasks, "/", "title=x'+OR+1%3D1+--&fields=id"), "[]");
        let error = tasks.encoded(&[], &Query::parse("id\"=1").unwrap(), Format::JSON, 100).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::BadQuery));
    });
}

#[test]
fn a_version_is_another_after_a_change_and_else_the_same() {
    both(|database| {
        let tasks = table(database, TASK);
        tasks.post(&[], &mut given(r#"{"title":"a"}"#)).unwrap();
        tasks.post(&[], &mut given(r#"{"title":"b"}"#)).unwrap();
        let seen = |place: &str| tasks.version(&at(place)).unwrap().unwrap();
        let (all, one, other) = (seen("/"), seen("/1"), seen("/2"));
        json(&tasks, "/", "");
        assert_eq!((seen("/"), seen("/1")), (all, one));
        tasks.patch(&at("/1"), &mut given(r#"{"done":true}"#), &When::Of(vec![one])).unwrap();
        assert_ne!(seen("/"), all);
        assert_ne!(seen("/1"), one);
        assert_eq!(seen("/2"), other, "what others have is not touched");
        let late = tasks.patch(&at("/1"), &mut given(r#"{"done":false}"#), &When::Of(vec![one])).unwrap_err();
        assert_eq!(fault_of(&late), Some(Fault::Changed));
        let all = seen("/");
        database.execute("UPDATE tasks SET title = 'by another way'").unwrap();
        assert_ne!(seen("/"), all);
    });
}

#[test]
fn rows_without_a_key_go_by_their_number() {
    both(|database| {
        database.execute("CREATE TABLE tasks(title TEXT NOT NULL, made DATE)").unwrap();
        let tasks = Table::of(database, "tasks", None, &TableOptions::default()).unwrap();
        assert_eq!(tasks.post(&[], &mut given(r#"{"title":"a"}"#)).unwrap(), at("/1"));
        tasks.patch(&at("/1"), &mut given(r#"{"made":"2026-01-02"}"#), &When::Always).unwrap();
        assert_eq!(json(&tasks, "/1", ""), r#"{"title":"a","made":"2026-01-02"}"#);
        let put = tasks.put(&at("/9"), &mut given(r#"{"title":"a"}"#), &When::Always).unwrap_err();
        assert_eq!(fault_of(&put), Some(Fault::Conflict));
    });
}

#[test]
fn keys_of_several_columns_are_one_name() {
    both(|database| {
        let tasks = table(database, "list: text #sql:key, place: int #sql:key, title: text");
        let row = r#"{"list":"a,b\\","place":2,"title":"x"}"#;
        assert_eq!(*tasks.post(&[], &mut given(row)).unwrap(), [r"a\,b\\,2"]);
        let name = at(r"/a%5C,b%5C%5C,2");
        assert_eq!(json(&tasks, &name.to_string(), ""), row);
        tasks.patch(&name, &mut given(r#"{"title":"y"}"#), &When::Always).unwrap();
        let mut names = Vec::new();
        let told = tasks.children(&[], &mut |name| {
            names.push(name.to_string());
            Ok(())
        });
        told.unwrap();
        assert_eq!(names, [r"a\,b\\,2"]);
        tasks.delete(&name, &When::Always).unwrap();
        assert_eq!(json(&tasks, "/", ""), "[]");
    });
}

#[test]
fn a_database_is_its_tables() {
    both(|database| {
        drop(table(database, TASK));
        database.execute("CREATE TABLE lists(name TEXT PRIMARY KEY) WITHOUT ROWID").unwrap();
        let tables = tables(database, &TableOptions::default()).unwrap();
        assert_eq!(json(&tables, "/", ""), r#"["lists","tasks"]"#);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&seen);
        let watch =
            tables.watch(&at("/tasks"), Arc::new(move |change| told.lock().unwrap().push(change.clone()))).unwrap();
        assert_eq!(tables.post(&at("/tasks"), &mut given(r#"{"title":"a"}"#)).unwrap(), at("/tasks/1"));
        tables.post(&at("/lists"), &mut given(r#"{"name":"x"}"#)).unwrap();
        drop(watch);
        tables.delete(&at("/tasks"), &When::Always).unwrap();
        let seen = seen.lock().unwrap();
        assert_eq!(
            seen.iter().map(|change| (change.verb, change.at.to_string())).collect::<Vec<_>>(),
            [(Verb::Post, "/tasks/1".to_string())]
        );
        assert_eq!(json(&tables, "/lists/x", ""), r#"{"name":"x"}"#);
    });
}

#[test]
fn many_write_at_once_and_all_of_it_is_there() {
    both(|database| {
        let tasks = table(database, TASK);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let tasks = &tasks;
                scope.spawn(move || {
                    for number in 0..50 {
                        let id = thread * 1000 + number;
                        let bad = number % 10 == 9;
                        let row = format!(r#"{{"id":{id},"title":{}}}"#, if bad { "5" } else { "\"x\"" });
                        let posted = tasks.post(&[], &mut given(&row));
                        assert_eq!(posted.is_err(), bad);
                        if !bad {
                            let there = json(tasks, &posted.unwrap().to_string(), "fields=id");
                            assert_eq!(there, format!(r#"{{"id":{id}}}"#), "what was acknowledged is there");
                        }
                    }
                });
            }
        });
        assert_eq!(database.number("SELECT count(*) FROM tasks", &[]).unwrap(), 8 * 45);
    });
}

#[test]
fn what_is_too_long_to_be_kept_is_said_so() {
    both(|database| {
        let tasks = table(database, TASK);
        let rows: Vec<_> = (0..5000).map(|id| format!(r#"{{"id":{id},"title":"some title"}}"#)).collect();
        tasks.post(&[], &mut given(&format!("[{}]", rows.join(",")))).unwrap();
        for format in [Format::JSON, Format::CSV, Format::NDJSON, Format::PROTO] {
            assert_eq!(tasks.encoded(&[], &Query::default(), format, 50_000).unwrap(), None, "{format}");
            let all = tasks.encoded(&[], &Query::default(), format, usize::MAX).unwrap().unwrap();
            let mut read = Vec::new();
            tasks.read(&[], &Query::default(), format, &mut read).unwrap();
            assert_eq!(read, all, "{format}");
        }
    });
}

#[test]
fn another_process_is_seen_by_the_index_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tasks.db");
    let database = Database::open(&path).unwrap();
    let tasks = table(&database, TASK);
    let seen = |tasks: &Table| tasks.version(&[]).unwrap().unwrap();
    let other = Database::open(&path).unwrap();
    for turn in 0..50 {
        let before = seen(&tasks);
        assert_eq!(seen(&tasks), before);
        match turn % 4 {
            0 => other.execute("INSERT INTO tasks(title) VALUES ('x')").unwrap(),
            1 => drop(tasks.post(&[], &mut given(r#"{"title":"y"}"#)).unwrap()),
            2 => other.execute("DELETE FROM tasks").unwrap(),
            // After a truncating checkpoint, the log begins anew with the next change.
            _ => {
                other.execute("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
                other.execute("INSERT INTO tasks(title) VALUES ('z')").unwrap();
            }
        }
        assert_ne!(seen(&tasks), before, "{turn}");
        let transaction = other.transaction().unwrap();
        let before = seen(&tasks);
        other.execute("INSERT INTO tasks(title) VALUES ('w')").unwrap();
        assert_eq!(seen(&tasks), before, "what is not committed is not there");
        drop(transaction);
        assert_eq!(seen(&tasks), before);
    }
}

#[test]
fn rows_are_those_of_now_whatever_others_have_done() {
    for log in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tasks.db");
        let other = Database::open(&path).unwrap();
        let options = TableOptions { log, ..TableOptions::default() };
        let tasks = Table::of(&other, "tasks", Some(&TASK.parse().unwrap()), &options).unwrap();
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) \
                    INSERT INTO tasks(title) SELECT 'title ' || i FROM n";
        let steps = [
            "INSERT INTO tasks(title) VALUES ('x')",
            many,
            "DELETE FROM tasks WHERE id % 3 = 0",
            "UPDATE tasks SET title = 'a much longer title than before, again and again ' || id WHERE id % 7 = 0",
            "VACUUM",
            "CREATE TABLE more(a); ",
            "PRAGMA wal_checkpoint(TRUNCATE)",
            many,
            "DELETE FROM tasks",
            "INSERT INTO tasks(title) VALUES ('y')",
            "ALTER TABLE tasks ADD COLUMN extra TEXT DEFAULT 'e'",
            "DROP TABLE more",
            many,
        ];
        for step in steps {
            other.execute(step).unwrap();
            let all = json(&tasks, "/", "");
            // A sorted query runs as a statement.
            assert_eq!(all, json(&tasks, "/", "order=id"), "{step} {log}");
            assert_eq!(json(&tasks, "/", "fields=title"), json(&tasks, "/", "fields=title&order=id"), "{step} {log}");
            let count = other.number("SELECT count(*) FROM tasks", &[]).unwrap();
            assert_eq!(i64::try_from(all.matches("\"id\"").count()), Ok(count), "{step} {log}");
        }
    }
}

#[test]
fn of_many_who_have_seen_the_same_one_wins() {
    both(|database| {
        let tasks = table(database, TASK);
        tasks.post(&[], &mut given(r#"{"id":1,"title":"a"}"#)).unwrap();
        for turn in 0..40 {
            let place = if turn % 2 == 0 { at("/") } else { at("/1") };
            let seen = When::Of(vec![tasks.version(&place).unwrap().unwrap()]);
            let start = std::sync::Barrier::new(6);
            let won: usize = std::thread::scope(|scope| {
                let one = |thread: usize| {
                    let (tasks, place, seen, start) = (&tasks, &place, &seen, &start);
                    scope.spawn(move || {
                        let row = format!(r#"{{"id":1,"title":"{turn}.{thread}"}}"#);
                        let all = format!("[{row}]");
                        start.wait();
                        let put = tasks.put(place, &mut given(if place.is_empty() { &all } else { &row }), seen);
                        let won = put.is_ok();
                        assert!(won || fault_of(&put.unwrap_err()) == Some(Fault::Changed));
                        usize::from(won)
                    })
                };
                let threads: Vec<_> = (0..6).map(one).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).sum()
            });
            assert_eq!(won, 1, "{turn}");
        }
    });
}
