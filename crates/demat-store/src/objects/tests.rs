use super::Objects;
use crate::{Fault, Memory, Query, Reference, Store, Verbs, collected, fault_of};
use demat_core::{Encode, Field, IntWidth, Record, Result, Shape, Shaped, Sink, Value};
use demat_place::Format;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

#[derive(Clone)]
struct Task {
    id: i64,
    title: &'static str,
}

static TASK: LazyLock<Record> = LazyLock::new(|| {
    let fields = vec![Field::new("id", 1, Shape::Int(IntWidth::Any)), Field::new("title", 2, Shape::Text)];
    Record::new("Task", fields).unwrap()
});

impl Shaped for Task {
    const SHAPE: &'static Shape = &Shape::Any;
}

impl Encode for Task {
    fn encode<K: Sink + ?Sized>(&self, sink: &mut K) -> Result<()> {
        sink.begin_record(&TASK)?;
        sink.field(&TASK, 0)?;
        self.id.encode(sink)?;
        sink.field(&TASK, 1)?;
        self.title.encode(sink)?;
        sink.end_record(&TASK)
    }
}

fn tasks() -> Objects<Task> {
    Objects::of(vec![Task { id: 7, title: "a" }, Task { id: 5, title: "b" }])
}

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn json(store: &dyn Store, place: &str, query: &str) -> Result<String> {
    let bytes = store.encoded(&at(place), &Query::parse(query)?, Format::JSON, 1000)?;
    Ok(String::from_utf8(bytes.unwrap().to_vec()).unwrap())
}

#[test]
fn answers_as_values_in_memory_do() {
    let own = tasks();
    let other = Memory::of(collected(&own, &[], &Query::default()).unwrap());
    for place in ["/", "/0", "/1", "/1/title", "/0/id", "/2", "/x", "/01", "/0/none", "/0/id/x"] {
        for query in ["", "order=id", "id=7", "fields=title", "limit=1", "offset=1", "count"] {
            let answers = [&own as &dyn Store, &other].map(|store| json(store, place, query).map_err(|e| fault_of(&e)));
            let [own, other] = answers;
            // A list in memory accepts any spelling of an index.
            if place != "/01" {
                assert_eq!(own, other, "{place}?{query}");
            }
        }
    }
    assert_eq!(json(&own, "/", "").unwrap(), r#"[{"id":7,"title":"a"},{"id":5,"title":"b"}]"#);
    assert_eq!(json(&own, "/1", "").unwrap(), r#"{"id":5,"title":"b"}"#);
    assert_eq!(fault_of(&json(&own, "/01", "").unwrap_err()), Some(Fault::NotFound));
}

#[test]
fn is_of_another_version_after_a_change_and_tells_of_it() {
    let (own, told) = (tasks(), Arc::new(AtomicUsize::new(0)));
    let counts = Arc::clone(&told);
    let _watch = own.watch(
        &[],
        Arc::new(move |_| {
            counts.fetch_add(1, Ordering::Relaxed);
        }),
    );
    let before = own.version(&[]).unwrap();
    assert_eq!(own.version(&[]).unwrap(), before);
    assert_eq!(own.change(|tasks| tasks.pop().map(|task| task.id)), Some(5));
    assert_ne!(own.version(&[]).unwrap(), before);
    assert_eq!(told.load(Ordering::Relaxed), 1);
    assert_eq!(fault_of(&own.version(&at("/1")).unwrap_err()), Some(Fault::NotFound));
    assert_eq!(own.count(&[], &Query::default()).unwrap(), Some(1));
}

#[test]
fn nothing_is_told_past_a_limit() {
    assert_eq!(tasks().encoded(&[], &Query::default(), Format::JSON, 10).unwrap(), None);
    assert_eq!(tasks().allows(&[]), Verbs::READ);
}

#[test]
fn has_children() {
    let names = |place: &str| {
        let mut names = Vec::new();
        tasks()
            .children(&at(place), &mut |name| {
                names.push(name.to_string());
                Ok(())
            })
            .map(|()| names)
            .map_err(|error| fault_of(&error))
    };
    assert_eq!(names("/").unwrap(), ["0", "1"]);
    assert_eq!(names("/0").unwrap(), ["id", "title"]);
    assert_eq!(names("/9").unwrap_err(), Some(Fault::NotFound));
    assert_eq!(collected(&tasks(), &at("/0/id"), &Query::default()).unwrap(), Value::Int(7.into()));
}

#[test]
fn who_is_told_slowly_holds_up_nobody() {
    struct Changes<'s>(&'s Objects<Task>, Vec<u8>);
    impl std::io::Write for Changes<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.change(Vec::clear);
            self.0.replace(vec![Task { id: 1, title: "c" }]);
            self.1.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let own = tasks();
    let mut told = Changes(&own, Vec::new());
    own.read(&[], &Query::default(), Format::JSON, &mut told).unwrap();
    assert!(told.1.starts_with(br#"[{"id":7,"title":"a"},{"id":5"#));
    assert_eq!(json(&own, "/", "").unwrap(), r#"[{"id":1,"title":"c"}]"#);
}
