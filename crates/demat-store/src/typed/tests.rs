use super::Typed;
use crate::{Encoded, Folder, Host, Memory, Query, Reference, Store, ValueBody, Verb, When, collected};
use demat_core::{ErrorKind, Shape, Value};
use demat_place::Format;
use std::sync::Arc;

fn at(text: &str) -> Reference {
    text.parse().unwrap()
}

fn json(store: &dyn Store, place: &str, query: &str) -> String {
    let bytes = store.encoded(&at(place), &Query::parse(query).unwrap(), Format::JSON, usize::MAX).unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn what_is_put_is_encoded_and_what_is_got_decoded() {
    let rows = r#"[{"id":1,"due":"2026-01-02"},{"id":2,"due":"2026-01-03"}]"#;
    for format in [Format::JSON, Format::NDJSON, Format::CSV, Format::PROTO, Format::ARROW, Format::PARQUET] {
        let below: Arc<dyn Store> = Arc::new(Memory::new());
        let shape = "id: int32, due: date?".parse::<Shape>().unwrap().list();
        let store = Typed::over(Arc::clone(&below), format, shape.clone());
        store.put(&at("/a"), &mut Encoded::new(Format::JSON, rows.as_bytes()), &When::Absent).unwrap();
        assert!(matches!(collected(&*below, &at("/a"), &Query::default()).unwrap(), Value::Bytes(_)), "{format}");
        assert_eq!(json(&store, "/a", ""), rows, "{format}");
        assert_eq!(json(&store, "/a", "due=2026-01-02&fields=id"), r#"[{"id":1}]"#, "{format}");
        let mut read = Vec::new();
        store.read(&at("/a"), &Query::default(), Format::CSV, &mut read).unwrap();
        assert_eq!(String::from_utf8(read).unwrap().lines().count(), 3, "{format}");
        assert_eq!(store.shape(&at("/a")).unwrap(), shape);
        assert!(!store.allows(&at("/a")).has(Verb::Patch));
    }
}

#[test]
fn what_is_not_of_the_shape_is_refused() {
    let below: Arc<dyn Store> = Arc::new(Memory::new());
    let store = Typed::over(Arc::clone(&below), Format::JSON, "id: int".parse().unwrap());
    let error = store.put(&at("/a"), &mut Host("no record"), &When::Always);
    assert!(error.is_ok(), "the store below accepts the unchecked value");
    let error = collected(&store, &at("/a"), &Query::default()).unwrap_err();
    assert_eq!((error.kind(), error.place()), (ErrorKind::Type, Some("/a")));
    let refused = store.put(&at("/b"), &mut ValueBody(&Value::Null), &When::Always).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Type);
    assert!(below.version(&at("/b")).is_err());
    below.put(&at("/c"), &mut ValueBody(&Value::Bool(true)), &When::Always).unwrap();
    assert_eq!(
        collected(&store, &at("/c"), &Query::default()).unwrap_err().to_string(),
        "expected `bytes`, found `bool`"
    );
}

#[test]
fn names_of_folders_are_no_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let store = Typed::over(Arc::new(Folder::raw(folder.path()).unwrap()), Format::JSON, Shape::Bool);
    assert_eq!(store.post(&[], &mut ValueBody(&Value::Bool(true))).unwrap(), at("/1"));
    assert_eq!((json(&store, "/", ""), json(&store, "/1", "")), (r#"["1"]"#.into(), "true".into()));
    assert_eq!(store.describe().line(), "typed json bool");
}
