//! Windows, blocks, and what leaves the memory when.

use super::*;
use crate::To;
use crate::binary::testing::Watched;
use std::cell::RefCell;

const SHAPE: &str =
    "[{id: int, tags: [text], more: map(text, any), kind: enum(a, b)?, next: union(x: int, y: [bool])}]";

fn records(count: u64) -> Value {
    let record = |id: u64| {
        let tags: Vec<_> = (0..id % 20).map(|tag| format!("\"tag {tag}\"")).collect();
        let more = ["{}", "{\"a\": [1, {\"b\": null}]}", "{\"q\": 1.5}"][id as usize % 3];
        let kind = ["\"a\"", "null", "\"b\""][id as usize % 3];
        let next = ["{\"x\": 5}", "{\"y\": [true, false]}"][id as usize % 2];
        format!(r#"{{"id": {id}, "tags": [{}], "more": {more}, "kind": {kind}, "next": {next}}}"#, tags.join(","))
    };
    let items: Vec<_> = (0..count).map(record).collect();
    value(&format!("[{}]", items.join(",")), &shape(SHAPE))
}

/// Written record by record, as a stream is, with a commit behind each.
fn told_one_by_one(value: &Value) -> Vec<u8> {
    let mut file = Vec::new();
    let mut sink = RawSink::new(Output::new(Vec::new(), To(&mut file)), WriteOptions::default());
    let shape = shape(SHAPE);
    let json = Value::to_json(value);
    copy_stream(&mut Window::new(json.as_bytes()), &mut crate::json::Json::default(), &shape, &mut sink, &mut Stop)
        .unwrap();
    drop(sink);
    file
}

trait ToJson {
    fn to_json(&self) -> String;
}

impl ToJson for Value {
    fn to_json(&self) -> String {
        String::from_utf8(crate::json::encode(self).unwrap()).unwrap()
    }
}

#[test]
fn any_window_reads_the_same() {
    let (usual, shape, few, many) = (WriteOptions::default(), shape(SHAPE), records(4), records(25));
    for bytes in [written(&many, &shape).unwrap(), told_one_by_one(&many)] {
        testing::reads_any_window(&usual, &bytes, &[&shape], &many);
    }
    for bytes in [written(&few, &shape).unwrap(), told_one_by_one(&few)] {
        testing::reads_any_pieces(&usual, &bytes, &shape, &few);
    }
}

#[test]
fn an_item_in_pieces_is_decoded_once() {
    let (shape, item) = (shape(&format!("[{SHAPE}]")), Value::List(vec![records(200)]));
    let bytes = written(&item, &shape).unwrap();
    testing::decodes_once(&WriteOptions::default(), &bytes, &shape);
    // Values of any kind, of which each says its own.
    let bytes = written(&item, &Shape::Any.list()).unwrap();
    testing::decodes_once(&WriteOptions::default(), &bytes, &Shape::Any.list());
}

#[test]
fn long_streams_are_blocks() {
    let value = records(3000);
    let bytes = told_one_by_one(&value);
    // The first block has 127 items, and another one follows.
    assert_eq!(bytes[8], 255);
    assert_eq!(read_as(&bytes, &shape(SHAPE), &ReadOptions::default()).unwrap(), value);
    skipped(&bytes, &shape(SHAPE)).unwrap();
    for size in [64, 4096] {
        assert_eq!(streamed(&bytes, size, &shape(SHAPE)).unwrap(), value, "{size}");
    }
}

#[test]
fn deep_values_come_through_small_windows() {
    let mut json = "null".to_string();
    for level in 0..500 {
        json = if level % 2 == 0 {
            format!("[true, {json}, false]")
        } else {
            format!("{{\"a\": {json}, \"b\": {level}}}")
        };
    }
    let value = value(&json, &Shape::Any);
    let bytes = written(&value, &Shape::Any).unwrap();
    for size in [1, 2, 7, 64] {
        let copied =
            testing::copied(WriteOptions::default().reader(), &bytes, size, &Shape::Any, &WriteOptions::default());
        assert!(copied.unwrap() == bytes, "{size}");
    }
    let tree = shape("T{value: int, left: T?, right: T?}");
    let mut json = "null".to_string();
    for level in 0..400 {
        json = format!(r#"{{"value": {level}, "left": {json}, "right": null}}"#);
    }
    let value = super::value(&json, &tree);
    let bytes = written(&value, &tree).unwrap();
    for size in [1, 3, 50] {
        assert_eq!(streamed(&bytes, size, &tree).unwrap(), value, "{size}");
    }
}

#[test]
fn lists_of_unknown_length_leave_the_memory() {
    for len in [None, Some(100), Some(200)] {
        let file = RefCell::default();
        let mut sink = RawSink::new(Output::new(Vec::new(), Watched(&file)), WriteOptions::default());
        let shape = shape("{name: text, items: [{text: text?}], count: int}");
        sink.begin(&shape).unwrap();
        sink.begin_map(None).unwrap();
        sink.key("name").unwrap();
        sink.text("a").unwrap();
        sink.key("items").unwrap();
        sink.begin_list(len).unwrap();
        let count = len.unwrap_or(200);
        for _ in 0..count {
            sink.item().unwrap();
            sink.begin_map(None).unwrap();
            sink.key("text").unwrap();
            sink.text(&"x".repeat(5000)).unwrap();
            sink.end_map().unwrap();
            sink.commit().unwrap();
        }
        assert!(file.borrow().len() > 400_000, "{}", file.borrow().len());
        sink.end_list().unwrap();
        let late = sink.key("name");
        assert_eq!(late.unwrap_err().to_string().split(" comes").next(), Some("the field `name`"));
        sink.key("count").unwrap();
        sink.i64(3).unwrap();
        sink.end_map().unwrap();
        sink.finish().unwrap();
        let value = read_as(&file.borrow(), &shape, &ReadOptions::default()).unwrap();
        let Some(Value::List(items)) = value.get("items") else { panic!("no items") };
        assert_eq!((items.len(), value.get("count")), (count, Some(&Value::Int(3.into()))));
    }
}

#[test]
fn a_count_that_was_written_must_be_right() {
    let error = told("[int]", |sink| {
        sink.begin_list(Some(300))?;
        sink.item()?;
        sink.i64(1)?;
        sink.end_list()
    });
    assert_eq!(error.unwrap_err().to_string(), "300 items were announced and written so, but 1 came");
    // Of a short list nothing is written before it ends.
    let short = told("[int]", |sink| {
        sink.begin_list(Some(3))?;
        sink.item()?;
        sink.i64(1)?;
        sink.end_list()
    });
    assert_eq!(short.unwrap(), b"\x01\x02");
}

#[test]
fn records_are_iterated() {
    let list: Vec<(i64, String)> = (0..300).map(|id| (id, format!("text {id}"))).collect();
    let bytes = super::super::encode(&list).unwrap();
    for size in [1, 7, 1000] {
        let found: Vec<(i64, String)> = testing::iterated(WriteOptions::default().reader(), &bytes, size).unwrap();
        assert_eq!(found, list, "{size}");
    }
}

#[test]
fn a_cut_window_asks_for_more() {
    let bytes = written(&records(3), &shape(SHAPE)).unwrap();
    testing::prefixes_are_incomplete(&WriteOptions::default(), &bytes, &shape(SHAPE));
}

#[test]
fn marks_lead_back() {
    let bytes = written(&records(4), &shape(SHAPE)).unwrap();
    testing::marks_lead_back(&WriteOptions::default(), &bytes, &shape(SHAPE));
}
