//! A remote store: reads, changes, notifications, and its behaviour when the server fails.
#![cfg(feature = "remote")]

mod served;

use demat_core::{ErrorKind, Value};
use demat_http::{Options, Remote, RemoteOptions};
use demat_place::{Format, ReadOptions};
use demat_sqlite::Database;
use demat_sqlite_store::{Table, TableOptions};
use demat_store::{
    Change, Encoded, Fault, Folder, Memory, Put, Query, Reference, Store, ValueBody, Verb, Verbs, Version, When,
    collected, fault_of,
};
use served::{Served, quick};
use std::io::{self, Read};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

const TASK: &str = "id: int? #sql:key, title: text, done: bool = false, due: date?";

fn table() -> Arc<dyn Store> {
    let shape = TASK.parse().unwrap();
    Arc::new(Table::of(&Database::memory().unwrap(), "tasks", Some(&shape), &TableOptions::default()).unwrap())
}

fn over(served: &Served, options: RemoteOptions) -> Remote {
    Remote::new(&served.url(), options).unwrap()
}

fn plain(served: &Served) -> Remote {
    over(served, RemoteOptions::default())
}

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn json(text: &str) -> Encoded<&[u8]> {
    Encoded::new(Format::JSON, text.as_bytes())
}

fn query(text: &str) -> Query {
    Query::parse(text).unwrap()
}

fn text(store: &dyn Store, reference: &str, asked: &str, format: Format) -> String {
    let bytes = store.encoded(&at(reference), &query(asked), format, usize::MAX).unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_table_is_as_if_it_were_here() {
    let served = Served::new(table(), quick());
    let tasks = plain(&served);
    assert_eq!(tasks.post(&[], &mut json(r#"{"title":"a","due":"2026-01-02"}"#)).unwrap(), at("/1"));
    assert_eq!(tasks.post(&[], &mut json(r#"[{"title":"b"},{"title":"c"}]"#)).unwrap(), at("/"));
    assert_eq!(text(&tasks, "/", "id.gt=1&fields=title", Format::JSON), r#"[{"title":"b"},{"title":"c"}]"#);
    assert_eq!(text(&tasks, "/", "fields=id,title&order=-id", Format::CSV), "id,title\n3,c\n2,b\n1,a\n");
    // The server sends which values are dates, and which fields identify rows.
    let task = collected(&tasks, &at("/1"), &Query::default()).unwrap();
    assert!(matches!(task.get("due"), Some(Value::Date(_))), "{task:?}");
    assert_eq!(tasks.shape(&[]).unwrap(), table().shape(&[]).unwrap());
    assert_eq!(tasks.key(&[]), ["id"]);
    assert_eq!(tasks.count(&[], &query("done=false")).unwrap(), Some(3));
    assert_eq!(tasks.count(&at("/1"), &Query::default()).unwrap(), None);
    assert_eq!(tasks.allows(&at("/1")), Verbs::ALL.without(Verb::Post));
    let mut names = Vec::new();
    tasks
        .children(&[], &mut |name| {
            names.push(name.to_string());
            Ok(())
        })
        .unwrap();
    assert_eq!(names, ["1", "2", "3"]);
    assert_eq!(tasks.describe().to_string(), format!("remote {}\n", served.url()));
}

#[test]
fn what_is_given_in_another_format_is_read_by_whoever_knows_the_shape() {
    let served = Served::new(table(), quick());
    let csv = "title,done,due\na,true,2026-01-02\nb,false,\n";
    let all = "[{\"title\":\"a\",\"done\":true,\"due\":\"2026-01-02\"},{\"title\":\"b\",\"done\":false,\"due\":null}]";
    // Converted by the server, which gets the bytes; or by this side, if the shape is configured.
    let typed = RemoteOptions { shape: Some(format!("[{{{TASK}}}]").parse().unwrap()), ..RemoteOptions::default() };
    for options in [RemoteOptions::default(), typed] {
        let tasks = over(&served, options);
        assert_eq!(tasks.post(&[], &mut Encoded::new(Format::CSV, csv.as_bytes())).unwrap(), at("/"));
        assert_eq!(text(&tasks, "/", "fields=title,done,due", Format::JSON), all);
        // Fields in another order, or a value from a host, give the same result.
        let mut strange = Encoded::new(Format::JSON, all.as_bytes());
        strange = strange.with_options(ReadOptions { window: 1 << 20, ..Format::JSON.read_options() });
        tasks.put(&[], &mut strange, &When::Always).unwrap();
        assert_eq!(text(&tasks, "/", "fields=title,done,due", Format::JSON), all);
        tasks.delete(&[], &When::Always).unwrap();
        // A partial row leaves the other fields unchanged.
        let at_first = tasks.post(&[], &mut json(r#"{"title":"x","done":true}"#)).unwrap();
        tasks.patch(&at_first, &mut json(r#"{"title":"y"}"#), &When::There).unwrap();
        let patched = Value::Map(vec![(Value::Text("due".into()), Value::Text("2026-03-04".into()))]);
        tasks.patch(&at_first, &mut ValueBody(&patched), &When::There).unwrap();
        let row = text(&tasks, &at_first.to_string(), "fields=title,done,due", Format::JSON);
        assert_eq!(row, r#"{"title":"y","done":true,"due":"2026-03-04"}"#);
        tasks.delete(&[], &When::Always).unwrap();
    }
}

#[test]
fn a_shape_that_is_given_is_what_is_read() {
    let served = Served::new(Arc::new(Memory::new()), quick());
    plain(&served).put(&at("/list"), &mut json(r#"[{"n":1,"day":"2026-01-02"}]"#), &When::Always).unwrap();
    for format in [Format::JSON, Format::NDJSON, Format::CSV, Format::ARROW] {
        let shape = Some("list: [{n: int, day: date}]".parse().unwrap());
        let typed = over(&served, RemoteOptions { shape, format, ..RemoteOptions::default() });
        let days = collected(&typed, &at("/list"), &Query::default()).unwrap();
        let Value::List(days) = days else { panic!("{days:?}") };
        assert!(matches!(days[0].get("day"), Some(Value::Date(_))));
        assert_eq!(typed.shape(&at("/list/0/n")).unwrap(), "int".parse().unwrap());
        assert_eq!(fault_of(&typed.shape(&at("/other")).unwrap_err()), Some(Fault::NotFound));
        assert_eq!(text(&typed, "/list", "fields=n", Format::JSON), r#"[{"n":1}]"#);
    }
    let shape = Some("list: [{n: text}]".parse().unwrap());
    let wrong = over(&served, RemoteOptions { shape, ..RemoteOptions::default() });
    let error = collected(&wrong, &at("/list"), &Query::default()).unwrap_err();
    assert_eq!((error.kind(), &*error.path(), error.found()), (ErrorKind::Type, "$[0].n", Some("int")));
    assert!(wrong.encoded(&at("/list"), &Query::default(), Format::JSON, 1000).is_err());
}

#[test]
fn what_the_server_refuses_is_the_fault_that_it_was() {
    let served = Served::new(table(), quick());
    let tasks = plain(&served);
    tasks.put(&at("/1"), &mut json(r#"{"title":"a"}"#), &When::Absent).unwrap();
    let version = tasks.version(&at("/1")).unwrap().unwrap();
    let get = |text: &str, asked: &str| fault_of(&collected(&tasks, &at(text), &query(asked)).unwrap_err());
    assert_eq!(get("/9", ""), Some(Fault::NotFound));
    assert_eq!(get("/", "nothing=1"), Some(Fault::BadQuery));
    let put = |text: &str, when: &When| tasks.put(&at("/1"), &mut json(text), when);
    let fault = |answer: demat_core::Result<Put>| fault_of(&answer.unwrap_err());
    assert_eq!(fault(put(r#"{"title":"b"}"#, &When::Absent)), Some(Fault::Changed));
    assert_eq!(fault(put(r#"{"title":"b"}"#, &When::Of(vec![Version(7)]))), Some(Fault::Changed));
    assert_eq!(fault(put(r#"{"title":"b"}"#, &When::Of(vec![]))), Some(Fault::Changed));
    assert_eq!(fault(put(r#"{"title":"b"}"#, &When::NotOf(vec![version]))), Some(Fault::Changed));
    assert_eq!(put(r#"{"title":"b"}"#, &When::Of(vec![Version(7), version])).unwrap(), Put::Replaced);
    assert_ne!(tasks.version(&at("/1")).unwrap(), Some(version));
    let twice = tasks.post(&[], &mut json(r#"{"id":1,"title":"x"}"#)).unwrap_err();
    assert_eq!(fault_of(&twice), Some(Fault::Conflict));
    assert_eq!(
        fault_of(&tasks.patch(&[], &mut json("{}"), &When::Always).unwrap_err()),
        Some(Fault::Conflict),
        "items are patched where a filter chooses them"
    );
    // The same error as from the store alone, with path and place.
    for value in
        [r#"{"title":5}"#, "{", r#"{"title":"a","due":"x"}"#, r#"{"done":true}"#, r#"[{"title":"a"},{"title":{}}]"#]
    {
        let (over, alone) = (tasks.post(&[], &mut json(value)), table().post(&[], &mut json(value)));
        assert_eq!(format!("{over:?}"), format!("{alone:?}"));
    }
    assert_eq!(tasks.delete(&at("/1"), &When::There).map_err(|error| fault_of(&error)), Ok(()));
    assert_eq!(fault_of(&tasks.delete(&at("/1"), &When::Always).unwrap_err()), Some(Fault::NotFound));
}

#[test]
fn names_are_names_whatever_is_in_them() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "x").unwrap();
    std::fs::create_dir(folder.path().join("below")).unwrap();
    let below = Folder::of(folder.path().join("below")).unwrap().with_suffix(".json").unwrap();
    let served = [Served::new(Arc::new(Memory::new()), quick()), Served::new(Arc::new(below), quick())];
    let notes = plain(&served[0]);
    let names = [
        "a/b",
        "%2F",
        "../secret",
        "?q=1#f",
        "é☃\u{1F600}",
        " ",
        "+",
        "&=;",
        "\"<>\\^`{|}",
        "\n\r\t\u{7f}",
        "...",
        "%",
        "a\u{202e}b",
    ];
    for (number, name) in (0_i64..).zip(names) {
        let place = Reference::of([name]);
        assert_eq!(notes.put(&place, &mut json(&number.to_string()), &When::Absent).unwrap(), Put::Created, "{name}");
        assert_eq!(collected(&notes, &place, &Query::default()).unwrap(), Value::Int(number.into()));
    }
    let mut told = Vec::new();
    let mut tell = |name: &str| {
        told.push(name.to_string());
        Ok(())
    };
    notes.children(&[], &mut tell).unwrap();
    assert_eq!(told, names);
    // An invalid name never reaches another place, even if no one has checked it before.
    let files = plain(&served[1]);
    for name in ["..", ".", "", "a\0b"] {
        let place = ["x".to_string(), name.to_string(), "secret".to_string()];
        for store in [&notes, &files] {
            let error = collected(store, &place, &Query::default()).unwrap_err();
            assert!(matches!(fault_of(&error), Some(Fault::NotFound | Fault::BadReference)), "{name:?}: {error}");
        }
    }
    assert_eq!(
        fault_of(&collected(&files, &["../secret".to_string()], &Query::default()).unwrap_err()),
        Some(Fault::NotFound)
    );
    // Queries, too.
    let odd = query("a%26b=%25%2B%20c&limit.eq=5&count.eq=1&children=2");
    assert_eq!(Query::parse(&odd.to_string()).unwrap(), odd);
    notes
        .put(&at("/l"), &mut json(r#"[{"a&b":"%+ c","limit":5,"count":1,"children":2},{"count":1}]"#), &When::Always)
        .unwrap();
    let odd = "a%26b=%25%2B%20c&limit.eq=5&count.eq=1&children.eq=2&fields=count";
    assert_eq!(text(&notes, "/l", odd, Format::JSON), r#"[{"count":1}]"#);
}

#[test]
fn a_url_is_one_of_a_store() {
    for bad in [
        "",
        "/tasks",
        "tasks",
        "ftp://here/",
        "http://",
        "http:///x",
        "http://me:secret@here/",
        "http://localhost/?a=1",
        "http://localhost/#a",
        "http://localhost/../x",
        "http://he re/",
        "http://localhost:99999/",
    ] {
        let error = Remote::new(bad, RemoteOptions::default()).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::BadReference), "{bad}: {error}");
        assert!(!error.to_string().contains("secret"));
    }
    for (url, told) in [
        ("http://localhost", "http://localhost"),
        ("http://[::1]:80/", "http://[::1]:80"),
        ("http://Here:8080/a%2fb/é/", "http://Here:8080/a%2Fb/%C3%A9"),
    ] {
        assert_eq!(Remote::new(url, RemoteOptions::default()).unwrap().describe().detail, told);
    }
    let token = RemoteOptions { token: Some("a\nb".into()), ..RemoteOptions::default() };
    assert!(Remote::new("http://localhost", token).is_err());
}

#[test]
fn a_token_is_sent_and_never_told() {
    let served = Served::new(table(), Options { token: Some("s3cret".into()), ..quick() });
    let with = |token: Option<&str>| {
        over(&served, RemoteOptions { token: token.map(str::to_string), ..RemoteOptions::default() })
    };
    assert_eq!(text(&with(Some("s3cret")), "/", "", Format::JSON), "[]");
    for wrong in [with(None), with(Some("other"))] {
        let error = collected(&wrong, &[], &Query::default()).unwrap_err();
        assert_eq!((error.kind(), fault_of(&error)), (ErrorKind::Store, None));
        assert!(error.to_string().contains("a token is needed"), "{error}");
        // The shape is secret, too.
        assert_eq!(wrong.shape(&[]).unwrap(), demat_core::Shape::Any);
        assert!(wrong.watch(&[], Arc::new(|_| ())).is_none());
    }
    let own = with(Some("s3cret"));
    assert_ne!(own.shape(&[]).unwrap(), demat_core::Shape::Any);
    assert!(
        !format!("{own:?} {:?}", RemoteOptions { token: Some("s3cret".into()), ..RemoteOptions::default() })
            .contains("s3cret")
    );
}

#[test]
fn what_is_long_comes_and_goes_as_a_stream() {
    let served = Served::new(table(), Options { whole: 10_000, ..quick() });
    let rows: Vec<String> = (1..=40_000).map(|id| format!(r#"{{"id":{id},"title":"some title {id}"}}"#)).collect();
    let all = format!("[{}]", rows.join(","));
    for packed in [false, true] {
        let tasks = over(&served, RemoteOptions { packed, ..RemoteOptions::default() });
        // As bytes from a reader without a length.
        tasks.put(&[], &mut Encoded::new(Format::JSON, Trickle(all.as_bytes())), &When::Always).unwrap();
        assert_eq!(text(&tasks, "/", "fields=id,title", Format::JSON), all);
        // And as a value.
        let value = collected(&tasks, &[], &query("fields=id,title")).unwrap();
        tasks.put(&[], &mut ValueBody(&value), &When::Always).unwrap();
        let mut read = Vec::new();
        tasks.read(&[], &query("fields=id,title"), Format::JSON, &mut read).unwrap();
        assert!(read == all.as_bytes());
        assert_eq!(tasks.encoded(&[], &Query::default(), Format::JSON, 1000).unwrap(), None);
        let small = over(&served, RemoteOptions { packed, max_body: 10_000, ..RemoteOptions::default() });
        for error in [
            small.encoded(&[], &Query::default(), Format::JSON, usize::MAX).unwrap_err(),
            collected(&small, &[], &Query::default()).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        }
    }
    // An error in the middle of encoding changes nothing.
    let tasks = plain(&served);
    let broken = all[..all.len() - 1].to_string() + ",]";
    let options = ReadOptions { window: 1 << 20, ..Format::JSON.read_options() };
    let error = tasks.put(&[], &mut Encoded::new(Format::JSON, broken.as_bytes()).with_options(options), &When::Always);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Syntax);
    let error = tasks.put(&[], &mut Encoded::new(Format::JSON, Broken(all.as_bytes(), 1 << 20)), &When::Always);
    assert!(error.unwrap_err().to_string().contains("the disk is gone"));
    assert_eq!(tasks.count(&[], &Query::default()).unwrap(), Some(40_000));
}

#[test]
fn what_is_too_long_for_the_server_is_refused() {
    let served = Served::new(table(), Options { max_body: 1 << 20, ..quick() });
    let tasks = plain(&served);
    let long = format!(r#"{{"title":"{}"}}"#, "x".repeat(4 << 20));
    let error = tasks.post(&[], &mut json(&long)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit | ErrorKind::Io), "{error}");
    assert_eq!(tasks.count(&[], &Query::default()).unwrap(), Some(0));
}

/// A reader that returns a few bytes at a time.
struct Trickle<'b>(&'b [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let some = bytes.len().min(777);
        self.0.read(&mut bytes[..some])
    }
}

/// A reader that fails after a number of bytes.
struct Broken<'b>(&'b [u8], usize);

impl Read for Broken<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.1 == 0 {
            return Err(io::Error::other("the disk is gone"));
        }
        let some = bytes.len().min(self.1).min(4096);
        self.1 -= some;
        self.0.read(&mut bytes[..some])
    }
}

#[test]
fn a_server_may_go_and_come_again() {
    let notes: Arc<dyn Store> = Arc::new(Memory::new());
    let mut served = Served::new(Arc::clone(&notes), quick());
    let remote = plain(&served);
    remote.put(&at("/a"), &mut json("1"), &When::Always).unwrap();
    let port = served.address.port();
    served.stop();
    for error in [
        collected(&remote, &at("/a"), &Query::default()).unwrap_err(),
        remote.put(&at("/a"), &mut json("2"), &When::Always).unwrap_err(),
        remote.version(&at("/a")).unwrap_err(),
    ] {
        assert_eq!((error.kind(), fault_of(&error)), (ErrorKind::Io, None));
        assert!(error.to_string().contains(&format!("http://127.0.0.1:{port}/s/a")), "{error}");
    }
    assert_eq!(remote.allows(&[]), Verbs::ALL);
    assert!(remote.watch(&[], Arc::new(|_| ())).is_none());
    let again = Served::new(notes, Options { port, ..quick() });
    assert_eq!(remote.put(&at("/a"), &mut json("3"), &When::Always).unwrap(), Put::Replaced);
    assert_eq!(text(&remote, "/a", "", Format::JSON), "3");
    drop(again);
}

#[test]
fn many_threads_ask_at_once() {
    let served = Served::new(table(), quick());
    let tasks = plain(&served);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let tasks = &tasks;
            scope.spawn(move || {
                for number in 0..20 {
                    let made = tasks.post(&[], &mut json(&format!(r#"{{"title":"{thread}-{number}"}}"#))).unwrap();
                    let title = text(tasks, &made.to_string(), "fields=title", Format::JSON);
                    assert_eq!(title, format!(r#"{{"title":"{thread}-{number}"}}"#));
                }
            });
        }
    });
    assert_eq!(tasks.count(&[], &Query::default()).unwrap(), Some(160));
}

fn next(changes: &mpsc::Receiver<Change>) -> (Verb, String) {
    let change = changes.recv_timeout(Duration::from_secs(20)).unwrap();
    (change.verb, change.at.to_string())
}

#[test]
fn who_watches_is_told_by_the_server() {
    let notes: Arc<dyn Store> = Arc::new(Memory::new());
    let mut served = Served::new(Arc::clone(&notes), quick());
    let remote = plain(&served);
    let (to, changes) = mpsc::channel();
    let watch = remote.watch(&[], Arc::new(move |change: &Change| drop(to.send(change.clone())))).unwrap();
    notes.put(&at("/a"), &mut json("1"), &When::Always).unwrap();
    assert_eq!(next(&changes), (Verb::Put, "/a".into()));
    remote.post(&at("/l"), &mut json("1")).unwrap();
    assert_eq!(next(&changes), (Verb::Post, "/l/1".into()));
    notes.delete(&Reference::of(["a"]), &When::Always).unwrap();
    assert_eq!(next(&changes), (Verb::Delete, "/a".into()));
    // While the server was gone, anything may have changed.
    let port = served.address.port();
    served.stop();
    let again = Served::new(Arc::clone(&notes), Options { port, ..quick() });
    assert_eq!(next(&changes), (Verb::Put, "/".into()));
    notes.put(&at("/a/b"), &mut json("1"), &When::Always).unwrap();
    assert_eq!(next(&changes), (Verb::Put, "/a/b".into()));
    // After the subscription is dropped, there are no more notifications, and its thread is gone.
    let begun = Instant::now();
    drop(watch);
    assert!(begun.elapsed() < Duration::from_secs(1));
    notes.put(&at("/c"), &mut json("1"), &When::Always).unwrap();
    assert!(matches!(changes.recv_timeout(Duration::from_secs(20)), Err(mpsc::RecvTimeoutError::Disconnected)));
    drop(again);
}
