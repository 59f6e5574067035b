use super::{Place, json, key, read, wanted};
use crate::{CollectionSink, Key, OwnDocument, Put, Query, Wanted, key_of};
use demat_core::{ErrorKind, Sink, Value, copy};
use demat_formats::Format;
use demat_formats::codec::Visitor;
use demat_formats::json::JsonSource;
use demat_formats::stream::{Bordered, Part};
use std::io::Read;

#[test]
fn a_put_knows_what_was_there() {
    let place = Place::new();
    let environment = place.open();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    let mut writing = environment.write().unwrap();
    let (one, other) = (json(1, "a", &[]), json(1, "b", &[]));
    assert!(!tasks.put(&mut writing, &key(1), &one, Put::There).unwrap());
    assert!(!tasks.put(&mut writing, &key(1), &one, Put::New).unwrap());
    assert_eq!(tasks.put(&mut writing, &key(1), &one, Put::New).unwrap_err().kind(), ErrorKind::Store);
    assert!(tasks.put(&mut writing, &key(1), &other, Put::There).unwrap());
    assert_eq!(tasks.get(&writing, &key(1)).unwrap().unwrap(), other);
    assert!(tasks.delete(&mut writing, &key(1)).unwrap());
    assert!(!tasks.delete(&mut writing, &key(1)).unwrap());
}

#[test]
fn a_long_key_is_refused_and_never_cut() {
    let place = Place::new();
    let environment = place.open();
    let by_title = Wanted { key: Some(Key::Fields(vec!["title".into()])), ..wanted("json") };
    let tasks = environment.collection("tasks", &by_title).unwrap();
    let most = environment.max_key() - 3;
    assert_eq!(tasks.key_of(&json(1, &"x".repeat(most), &[])).unwrap().len(), most + 3);
    let error = tasks.key_of(&json(1, &"x".repeat(most + 1), &[])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let mut writing = environment.write().unwrap();
    let long = key("x".repeat(600).leak() as &str);
    assert_eq!(tasks.put(&mut writing, &long, b"{}", Put::Always).unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(tasks.get(&writing, &long).unwrap(), None);
    assert!(!tasks.delete(&mut writing, &long).unwrap());
    assert_eq!(tasks.put(&mut writing, b"", b"{}", Put::Always).unwrap_err().kind(), ErrorKind::Store);
}

#[test]
fn many_are_put_in_any_order() {
    let place = Place::new();
    let environment = place.open();
    let tasks = environment.collection("tasks", &wanted("json")).unwrap();
    let mut writing = environment.write().unwrap();
    let ids: Vec<i64> = (0..500).map(|id| id * 7919 % 501 - 250).chain([3, 3, -250]).collect();
    let mut rest = ids.iter();
    let put = tasks.put_all(&mut writing, Put::Always, |key_bytes, record| {
        let Some(id) = rest.next() else { return Ok(false) };
        key_bytes.extend(key(*id));
        record.extend(json(*id, "t", &[]));
        Ok(true)
    });
    assert_eq!(put.unwrap(), 503);
    writing.commit().unwrap();
    let mut sorted = ids;
    sorted.sort_unstable();
    sorted.dedup();
    let expected: Vec<_> = sorted.iter().map(|id| json(*id, "t", &[])).collect();
    assert_eq!(read(&tasks, &Query::default()), expected);
}

#[test]
fn numbers_are_given_once() {
    let place = Place::new();
    let environment = place.open();
    let auto = Wanted { key: Some(Key::Auto), ..wanted("json") };
    let tasks = environment.collection("tasks", &auto).unwrap();
    let mut writing = environment.write().unwrap();
    assert_eq!((1..4).map(|_| tasks.next_key(&mut writing).unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
    writing.commit().unwrap();
    let mut writing = environment.write().unwrap();
    assert_eq!(tasks.next_key(&mut writing).unwrap(), 4);
}

/// Reads a document with a list of records.
struct ReadAll<'b>(&'b [u8], demat_core::Shape);

impl Visitor for ReadAll<'_> {
    type Output = Value;

    fn visit<F: Bordered + 'static>(self, mut reader: F) -> Value {
        Value::decode_as(&mut reader.source(Part::whole(self.0)), &self.1).unwrap()
    }
}

/// Sorts the fields, since an encoding may leave one out, which then comes last.
fn sorted(value: Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.into_iter().map(sorted).collect()),
        Value::Map(mut fields) => {
            fields.sort_by_key(|(key, _)| format!("{key:?}"));
            Value::Map(fields)
        }
        other => other,
    }
}

#[test]
fn records_come_and_go_as_documents_in_each_encoding() {
    for encoding in crate::Encoding::all() {
        let place = Place::new();
        let environment = place.open();
        let name = encoding.to_string();
        let tasks = environment.collection("tasks", &wanted(&name)).unwrap();
        let shape = tasks.definition().shape.list();
        let records: Vec<Vec<u8>> = (-2..3).map(|id| json(id, "tä", &["x", "y"])).collect();
        let list = [b"[".to_vec(), records.join(&b","[..]), b"]".to_vec()].concat();
        let mut writing = environment.write().unwrap();
        let mut sink = CollectionSink::new(&mut writing, &tasks, &shape, Put::New).unwrap();
        copy(&mut JsonSource::new(&list), &shape, &mut sink).unwrap();
        sink.finish().unwrap();
        assert_eq!(sink.count(), 5, "{encoding}");
        writing.commit().unwrap();
        let mut document = Vec::new();
        OwnDocument::new(&tasks, &Query::default()).unwrap().read_to_end(&mut document).unwrap();
        let expected = Value::decode_as(&mut JsonSource::new(&list), &shape).unwrap();
        let codec = name.parse::<Format>().unwrap().codec().unwrap();
        let reader = codec.reader(&codec.read_options()).unwrap();
        assert_eq!(sorted(reader.visit(ReadAll(&document, shape))), sorted(expected), "{encoding}");
        let split = tasks.split(&document).unwrap();
        assert_eq!(split.iter().map(|record| record.to_vec()).collect::<Vec<_>>(), read(&tasks, &Query::default()));
        let id: Vec<_> = split.iter().map(|record| tasks.key_of(record).unwrap()).collect();
        assert_eq!(id, (-2..3).map(|id| key_of(&[id.into()]).unwrap()).collect::<Vec<_>>(), "{encoding}");
    }
}

#[test]
fn an_empty_collection_is_an_empty_document() {
    for encoding in crate::Encoding::all() {
        let place = Place::new();
        let tasks = place.open().collection("tasks", &wanted(&encoding.to_string())).unwrap();
        let mut document = Vec::new();
        OwnDocument::new(&tasks, &Query::default()).unwrap().read_to_end(&mut document).unwrap();
        assert!(tasks.split(&document).unwrap().is_empty(), "{encoding}");
    }
}
