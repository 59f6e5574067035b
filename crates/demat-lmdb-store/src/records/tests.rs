use crate::{Records, collections};
use demat_core::{Shape, Value};
use demat_lmdb::{By, Collection, Environment, IndexDefinition, Key, Options, Sync, Wanted};
use demat_place::Format;
use demat_store::{
    Body as _, BulkChange, Encoded, Fault, Memory, Put, Query, Reference, Store, Verb, When, collected, fault_of,
};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

const TASK: &str = "id: int64, title: text, done: bool = false, due: date?, tags: [text] = []";

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

/// The record of a JSON text, with its fields in alphabetical order: messages have absent fields last.
fn sorted(text: &str) -> Vec<(String, Value)> {
    let record = Value::build(|sink| given(text).tell(&Shape::Any, sink)).unwrap();
    let Value::Map(entries) = record else { panic!("a record") };
    let mut entries: Vec<_> = entries.into_iter().map(|(key, value)| (format!("{key:?}"), value)).collect();
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    entries
}

fn environment(folder: &TempDir) -> Environment {
    let options = Options { map_size: Some(64 << 20), sync: Sync::Off, ..Options::default() };
    Environment::open(folder.path(), &options).unwrap()
}

fn collection(environment: &Environment, shape: &str, key: &[&str], encoding: &str) -> Collection {
    let key =
        if key.is_empty() { Key::Auto } else { Key::Fields(key.iter().map(|name| (*name).to_string()).collect()) };
    let wanted = Wanted {
        shape: Some(shape.parse().unwrap()),
        key: Some(key),
        encoding: Some(encoding.parse().unwrap()),
        ..Wanted::default()
    };
    environment.collection("tasks", &wanted).unwrap()
}

/// Runs a test for a collection in each encoding.
fn each(shape: &str, key: &[&str], test: impl Fn(&Collection, &Records)) {
    for encoding in ["proto", "msgpack", "json"] {
        let folder = tempfile::tempdir().unwrap();
        let tasks = collection(&environment(&folder), shape, key, encoding);
        test(&tasks, &Records::of(&tasks).unwrap());
    }
}

#[test]
fn records_are_posted_got_patched_put_and_deleted() {
    each(TASK, &["id"], |_, tasks| {
        assert_eq!(json(tasks, "/", ""), "[]");
        assert_eq!(tasks.post(&[], &mut given(r#"{"id":1,"title":"a"}"#)).unwrap(), at("/1"));
        assert_eq!(tasks.post(&[], &mut given(r#"{"id":-7,"title":"b","done":true}"#)).unwrap(), at("/-7"));
        let two = r#"[{"id":9,"title":"c","tags":["x"]},{"id":8,"title":"d"}]"#;
        assert_eq!(tasks.post(&[], &mut given(two)).unwrap(), at("/"));
        assert_eq!(
            sorted(&json(tasks, "/-7", "")),
            sorted(r#"{"id":-7,"title":"b","done":true,"due":null,"tags":[]}"#)
        );
        assert_eq!(json(tasks, "/", "fields=id&order=-id"), r#"[{"id":9},{"id":8},{"id":1},{"id":-7}]"#);
        tasks.patch(&at("/1"), &mut given(r#"{"due":"2026-01-02"}"#), &When::Always).unwrap();
        let patched = r#"{"id":1,"title":"a","done":false,"due":"2026-01-02","tags":[]}"#;
        assert_eq!(sorted(&json(tasks, "/1", "")), sorted(patched));
        assert_eq!(
            (json(tasks, "/1/due", ""), json(tasks, "/9/tags", "")),
            (r#""2026-01-02""#.into(), r#"["x"]"#.into())
        );
        let put = |place: &str, text: &str| tasks.put(&at(place), &mut given(text), &When::Always);
        assert_eq!(put("/1", r#"{"title":"z"}"#).unwrap(), Put::Replaced);
        assert_eq!(json(tasks, "/1", "fields=title,due"), r#"{"title":"z","due":null}"#, "put takes the rest away");
        assert_eq!(put("/5", r#"{"id":5,"title":"e"}"#).unwrap(), Put::Created);
        put("/5/title", r#""f""#).unwrap();
        assert_eq!(json(tasks, "/5/title", ""), r#""f""#);
        tasks.delete(&at("/5"), &When::Always).unwrap();
        assert_eq!(fault_of(&tasks.delete(&at("/5"), &When::Always).unwrap_err()), Some(Fault::NotFound));
        put("/", r#"[{"id":3,"title":"only"}]"#).unwrap();
        assert_eq!(json(tasks, "/", "fields=id,title"), r#"[{"id":3,"title":"only"}]"#);
        tasks.delete(&[], &When::Always).unwrap();
        assert_eq!(json(tasks, "/", ""), "[]");
    });
}

#[test]
fn what_is_refused_leaves_nothing() {
    each(TASK, &["id"], |collection, tasks| {
        let fault = |given: &str| fault_of(&tasks.post(&[], &mut self::given(given)).unwrap_err());
        assert_eq!(fault(r#"[{"id":1,"title":"a"},{"id":2,"title":5}]"#), None);
        assert_eq!(json(tasks, "/", ""), "[]", "of a list all or nothing");
        tasks.post(&[], &mut given(r#"{"id":1,"title":"a"}"#)).unwrap();
        assert_eq!(fault(r#"{"id":1,"title":"b"}"#), Some(Fault::Conflict));
        let index = IndexDefinition { name: "title".into(), by: By::Fields(vec!["title".into()]), unique: true };
        collection.index(&index, None, false).unwrap();
        assert_eq!(fault(r#"{"id":2,"title":"a"}"#), Some(Fault::Conflict));
        tasks.post(&[], &mut given(r#"{"id":2,"title":"b"}"#)).unwrap();
        let patched = tasks.patch(&at("/2"), &mut given(r#"{"title":"a"}"#), &When::Always).unwrap_err();
        assert_eq!(fault_of(&patched), Some(Fault::Conflict));
        let error = tasks.post(&[], &mut given(r#"{"id":3}"#)).unwrap_err();
        assert_eq!(error.to_string(), "expected field `title`, found nothing (line 1, column 8)");
        let error = tasks.put(&at("/1"), &mut given(r#"{"id":2,"title":"b"}"#), &When::Always).unwrap_err();
        assert_eq!(error.to_string(), "the key `id` is another one than that of the reference, `1` at `$.id`");
        let nowhere = tasks.put(&at("/x"), &mut given(r#"{"title":"b"}"#), &When::Always).unwrap_err();
        assert_eq!(fault_of(&nowhere), Some(Fault::NotFound), "no record can be called so");
        for place in ["/x", "/01", "/+1", "/1/nothing", "/1/title/more", "/99"] {
            let error = tasks.encoded(&at(place), &Query::default(), Format::JSON, 100).unwrap_err();
            assert_eq!(fault_of(&error), Some(Fault::NotFound), "{place}");
        }
        for query in ["nothing=1", "id=x", "order=nothing", "fields=nothing", "order=tags", "tags=x"] {
            let query = Query::parse(query).unwrap();
            for error in
                [tasks.encoded(&[], &query, Format::JSON, 100).unwrap_err(), tasks.count(&[], &query).unwrap_err()]
            {
                assert_eq!(fault_of(&error), Some(Fault::BadQuery), "{query}");
            }
        }
        assert_eq!(json(tasks, "/", "fields=id"), r#"[{"id":1},{"id":2}]"#);
        assert!(collection.check(&collection.environment().read().unwrap()).unwrap().is_empty());
    });
}

#[test]
fn a_version_is_another_after_a_change_and_else_the_same() {
    each(TASK, &["id"], |collection, tasks| {
        tasks.post(&[], &mut given(r#"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#)).unwrap();
        let seen = |place: &str| tasks.version(&at(place)).unwrap().unwrap();
        let (all, one, other) = (seen("/"), seen("/1"), seen("/2"));
        json(tasks, "/", "");
        assert_eq!((seen("/"), seen("/1")), (all, one));
        let again = Records::of(collection).unwrap();
        assert_eq!(again.version(&[]).unwrap(), Some(all), "another server of the file has the same tags");
        tasks.patch(&at("/1"), &mut given(r#"{"done":true}"#), &When::Of(vec![one])).unwrap();
        assert_ne!(seen("/"), all);
        assert_ne!(seen("/1"), one);
        assert_eq!(seen("/2"), other, "what others have is not touched");
        let late = tasks.patch(&at("/1"), &mut given(r#"{"done":false}"#), &When::Of(vec![one])).unwrap_err();
        assert_eq!(fault_of(&late), Some(Fault::Changed));
        let late = tasks.post_if(&[], &mut given(r#"{"id":3,"title":"c"}"#), &When::Of(vec![all])).unwrap_err();
        assert_eq!(fault_of(&late), Some(Fault::Changed));
        let all = seen("/");
        tasks.post_if(&[], &mut given(r#"{"id":3,"title":"c"}"#), &When::Of(vec![all])).unwrap();
        let missing = tasks.version(&at("/99/title")).unwrap_err();
        assert_eq!(missing.to_string(), "`/99/title`: not found");
    });
}

#[test]
fn names_have_each_kind_of_key_and_lead_back() {
    let shape = "list: text, place: int, day: date, key: uuid, raw: bytes, on: bool, part: float";
    let key = ["list", "place", "day", "key", "raw", "on", "part"];
    each(shape, &key, |_, tasks| {
        let record = r#"{"list":"a,b\\","place":-2,"day":"1969-12-31","key":"00000000-0000-0000-0000-00000000000a","raw":"AAE=","on":true,"part":0.5}"#;
        let posted = tasks.post(&[], &mut given(record)).unwrap();
        assert_eq!(*posted, [r"a\,b\\,-2,1969-12-31,00000000-0000-0000-0000-00000000000a,AAE=,true,0.5"]);
        assert_eq!(json(tasks, &posted.to_string(), ""), record);
        let mut names = Vec::new();
        let told = tasks.children(&[], &mut |name| {
            names.push(name.to_string());
            Ok(())
        });
        told.unwrap();
        assert_eq!(names, *posted);
        tasks.delete(&posted, &When::Always).unwrap();
        assert_eq!((json(tasks, "/", ""), Store::key(tasks, &[]).len()), ("[]".to_string(), 7));
    });
}

#[test]
fn records_without_a_key_go_by_their_number() {
    each("title: text, made: date?", &[], |_, tasks| {
        assert_eq!(tasks.post(&[], &mut given(r#"{"title":"a"}"#)).unwrap(), at("/1"));
        tasks.patch(&at("/1"), &mut given(r#"{"made":"2026-01-02"}"#), &When::Always).unwrap();
        assert_eq!(tasks.put(&at("/1"), &mut given(r#"{"title":"b"}"#), &When::Always).unwrap(), Put::Replaced);
        assert_eq!(json(tasks, "/1", ""), r#"{"title":"b","made":null}"#);
        let put = tasks.put(&at("/9"), &mut given(r#"{"title":"a"}"#), &When::Always).unwrap_err();
        assert_eq!(fault_of(&put), Some(Fault::Conflict));
    });
}

#[test]
fn records_whose_keys_a_program_makes_can_only_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let environment = environment(&folder);
    let wanted = Wanted { shape: Some(TASK.parse().unwrap()), key: Some(Key::Given), ..Wanted::default() };
    let tasks = Records::of(&environment.collection("tasks", &wanted).unwrap()).unwrap();
    assert_eq!(json(&tasks, "/", "id=1"), "[]");
    assert_eq!(tasks.allows(&[]).to_string(), "get");
    let fault = fault_of(&tasks.post(&[], &mut given(r#"{"id":1,"title":"a"}"#)).unwrap_err());
    assert_eq!(fault, Some(Fault::NotAllowed(Verb::Post)));
}

#[test]
fn fields_that_the_class_lacks_stay_in_a_patch_and_go_with_a_put() {
    each(TASK, &["id"], |collection, tasks| {
        tasks.post(&[], &mut given(r#"{"id":1,"title":"a","tags":["x"]}"#)).unwrap();
        let less = "id: int64, title: text".parse().unwrap();
        let own = Records::of_host(collection, Some(&less), &demat_place::Host::default()).unwrap();
        own.patch(&at("/1"), &mut given(r#"{"title":"b"}"#), &When::Always).unwrap();
        assert_eq!(json(&own, "/1", ""), r#"{"id":1,"title":"b"}"#);
        assert_eq!(json(tasks, "/1", "fields=title,tags"), r#"{"title":"b","tags":["x"]}"#);
        own.put(&at("/1"), &mut given(r#"{"title":"c"}"#), &When::Always).unwrap();
        assert_eq!(json(tasks, "/1", "fields=title,tags"), r#"{"title":"c","tags":[]}"#);
    });
}

#[test]
fn conditions_choose_what_is_changed() {
    each(TASK, &["id"], |_, tasks| {
        let three = r#"[{"id":1,"title":"a"},{"id":2,"title":"b"},{"id":3,"title":"c","done":true}]"#;
        tasks.post(&[], &mut given(three)).unwrap();
        let change = |query: &str, each: BulkChange<'_>| {
            tasks.change_each(&[], &Query::parse(query).unwrap(), each, &When::Always)
        };
        assert_eq!(change("title.in=a,b", BulkChange::Patch(&mut given(r#"{"title":"z"}"#))).unwrap(), 2);
        assert_eq!(json(tasks, "/", "fields=title"), r#"[{"title":"z"},{"title":"z"},{"title":"c"}]"#);
        assert_eq!(change("done=true", BulkChange::Delete).unwrap(), 1);
        assert_eq!(change("done=true", BulkChange::Delete).unwrap(), 0);
        for query in ["", "order=id", "done=true&limit=1"] {
            assert_eq!(fault_of(&change(query, BulkChange::Delete).unwrap_err()), Some(Fault::BadQuery), "{query}");
        }
        assert_eq!(json(tasks, "/", "fields=id"), r#"[{"id":1},{"id":2}]"#);
    });
}

#[test]
fn an_environment_is_its_collections() {
    let folder = tempfile::tempdir().unwrap();
    let environment = environment(&folder);
    collection(&environment, TASK, &["id"], "proto");
    let wanted = Wanted {
        shape: Some("name: text".parse().unwrap()),
        key: Some(Key::Fields(vec!["name".into()])),
        ..Wanted::default()
    };
    environment.collection("health", &wanted).unwrap();
    let all = collections(&environment).unwrap();
    assert_eq!(all.notes(), ["the collection `health` is served as `~health`"]);
    assert_eq!(json(&all, "/", ""), r#"["tasks","~health"]"#);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let watch = all.watch(&at("/tasks"), Arc::new(move |change| told.lock().unwrap().push(change.clone()))).unwrap();
    assert_eq!(all.post(&at("/tasks"), &mut given(r#"{"id":1,"title":"a"}"#)).unwrap(), at("/tasks/1"));
    all.post(&at("/~health"), &mut given(r#"{"name":"x"}"#)).unwrap();
    all.look();
    let again = Records::of(&environment.collection("tasks", &Wanted::default()).unwrap()).unwrap();
    // Another store of the environment reports its changes to the watchers of all.
    again.post(&[], &mut given(r#"{"id":2,"title":"b"}"#)).unwrap();
    all.look();
    let mut writing = environment.write().unwrap();
    assert!(again.collection.delete(&mut writing, &again.named("1").unwrap().key).unwrap());
    writing.commit().unwrap();
    all.look();
    // A transaction that changes nothing has the number of the next one.
    again.delete(&at("/7"), &When::Always).unwrap_err();
    assert_eq!(again.change_each(&[], &Query::parse("id=7").unwrap(), BulkChange::Delete, &When::Always).unwrap(), 0);
    let mut writing = environment.write().unwrap();
    assert!(again.collection.delete(&mut writing, &again.named("2").unwrap().key).unwrap());
    writing.commit().unwrap();
    all.look();
    all.look();
    drop(watch);
    all.delete(&at("/tasks"), &When::Always).unwrap();
    let seen = seen.lock().unwrap();
    let seen: Vec<_> = seen.iter().map(|change| (change.verb, change.at.to_string())).collect();
    // What others have changed is not known in detail.
    let own = |verb, at: &str| (verb, at.to_string());
    let others = || own(Verb::Put, "/tasks");
    assert_eq!(seen, [own(Verb::Post, "/tasks/1"), own(Verb::Post, "/tasks/2"), others(), others()]);
    assert_eq!(json(&all, "/~health/x", ""), r#"{"name":"x"}"#);
}

#[test]
fn of_many_who_have_seen_the_same_one_wins() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = Records::of(&collection(&environment(&folder), TASK, &["id"], "proto")).unwrap();
    tasks.post(&[], &mut given(r#"{"id":1,"title":"a"}"#)).unwrap();
    for turn in 0..20 {
        let place = if turn % 2 == 0 { at("/") } else { at("/1") };
        let seen = When::Of(vec![tasks.version(&place).unwrap().unwrap()]);
        let won: usize = std::thread::scope(|scope| {
            let one = |thread: usize| {
                let (tasks, place, seen) = (&tasks, &place, &seen);
                scope.spawn(move || {
                    let record = format!(r#"{{"id":1,"title":"{turn}.{thread}"}}"#);
                    let all = format!("[{record}]");
                    let put = tasks.put(place, &mut given(if place.is_empty() { &all } else { &record }), seen);
                    assert!(put.is_ok() || fault_of(&put.unwrap_err()) == Some(Fault::Changed));
                    let there = json(tasks, "/1/title", "");
                    usize::from(there == format!("\"{turn}.{thread}\"") && put_won(&there, turn))
                })
            };
            let threads: Vec<_> = (0..4).map(one).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(won, 1, "{turn}");
    }
}

/// Whether a title is one of this turn.
fn put_won(title: &str, turn: usize) -> bool {
    title.starts_with(&format!("\"{turn}."))
}

/// A query in its parts: conditions, order, limit and offset.
fn queries() -> impl Strategy<Value = String> {
    let condition = prop_oneof![
        (prop_oneof![Just("eq"), Just("ne"), Just("lt"), Just("le"), Just("gt"), Just("ge")], -1..6_i64)
            .prop_map(|(test, value)| format!("a.{test}={value}")),
        (prop_oneof![Just("eq"), Just("lt"), Just("ge")], "[ab]{0,2}")
            .prop_map(|(test, value)| format!("b.{test}={value}")),
        (prop_oneof![Just("eq"), Just("gt"), Just("le"), Just("ne")], 0..4_i64)
            .prop_map(|(test, value)| format!("c.{test}={value}")),
        Just("c.null".to_string()),
        Just("d=true".to_string()),
        Just("a.in=1,3".to_string()),
        Just("a.lt=2.5".to_string()),
    ];
    let order = prop_oneof![
        Just(""),
        Just("order=a"),
        Just("order=-a"),
        Just("order=a,b"),
        Just("order=-a,-b"),
        Just("order=-a,b"),
        Just("order=c"),
        Just("order=-c,b"),
        Just("order=d,a")
    ];
    (proptest::collection::vec(condition, 0..3), order, 0..5_u64, 0..5_u64).prop_map(
        |(conditions, order, limit, offset)| {
            let mut parts = conditions;
            // Two equalities of one field are no query.
            parts.sort();
            parts.dedup_by(|one, other| one.split('=').next() == other.split('=').next());
            parts.extend([order.to_string(), if limit > 0 { format!("limit={limit}") } else { String::new() }]);
            parts.push(if offset > 0 { format!("offset={offset}") } else { String::new() });
            parts.retain(|part| !part.is_empty());
            parts.join("&")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// A query in memory is the twin.
    #[test]
    fn queries_answer_as_in_memory(queries in proptest::collection::vec(queries(), 8), encoding in 0..3_usize, indexed: bool) {
        let folder = tempfile::tempdir().unwrap();
        let shape = "a: int64, b: text, c: int64?, d: bool = false";
        let tasks = collection(&environment(&folder), shape, &["a", "b"], ["proto", "msgpack", "json"][encoding]);
        if indexed {
            for name in ["c", "b"] {
                let index = IndexDefinition { name: name.into(), by: By::Fields(vec![name.into()]), unique: false };
                tasks.index(&index, None, false).unwrap();
            }
        }
        let records = Records::of(&tasks).unwrap();
        let mut all = Vec::new();
        for a in 0..5 {
            for b in ["", "a", "ab", "b"] {
                let c = if (a + b.len()) % 3 == 0 { "null".to_string() } else { ((a * 7 + b.len()) % 4).to_string() };
                all.push(format!(r#"{{"a":{a},"b":"{b}","c":{c},"d":{}}}"#, a % 2 == 0));
            }
        }
        records.post(&[], &mut given(&format!("[{}]", all.join(",")))).unwrap();
        let memory = Memory::of(collected(&records, &[], &Query::default()).unwrap());
        for query in queries {
            let query = Query::parse(&query).unwrap();
            let (own, wanted) = (collected(&records, &[], &query).unwrap(), collected(&memory, &[], &query).unwrap());
            prop_assert_eq!(&own, &wanted, "{}", query);
            let Value::List(own) = own else { panic!("a list") };
            prop_assert_eq!(records.count(&[], &query).unwrap(), Some(own.len() as u64), "{}", query);
        }
    }
}
