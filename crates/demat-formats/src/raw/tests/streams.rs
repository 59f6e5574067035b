//! Windows, blocks, and what leaves the memory when.

use super::*;
use crate::stream::Records;
use crate::{Drain, To};
use demat_core::{Error, Signal};
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
fn every_window_gives_the_same() {
    let value = records(25);
    let shape: Shape = shape(SHAPE);
    for bytes in [written(&value, &shape).unwrap(), told_one_by_one(&value)] {
        for size in (1..100).chain([1000, 10_000]) {
            assert_eq!(streamed(&*bytes, size, &shape).unwrap(), value, "{size}");
        }
    }
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
        assert_eq!(streamed(&*bytes, size, &shape(SHAPE)).unwrap(), value, "{size}");
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
        let mut window = Window::with_size(&*bytes, size);
        let mut out = sink();
        let mut format = Raw::new(&ReadOptions::default()).unwrap();
        copy_stream(&mut window, &mut format, &Shape::Any, &mut out, &mut Stop).unwrap();
        assert!(out.into_output().into_parts().0 == bytes, "{size}");
    }
    let tree = shape("T{value: int, left: T?, right: T?}");
    let mut json = "null".to_string();
    for level in 0..400 {
        json = format!(r#"{{"value": {level}, "left": {json}, "right": null}}"#);
    }
    let value = super::value(&json, &tree);
    let bytes = written(&value, &tree).unwrap();
    for size in [1, 3, 50] {
        assert_eq!(streamed(&*bytes, size, &tree).unwrap(), value, "{size}");
    }
}

/// A file that can be looked at while it is written.
struct Watched<'f>(&'f RefCell<Vec<u8>>);

impl Drain for Watched<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.0.borrow_mut().append(buffer);
        Ok(())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
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
        let window = Window::with_size(&*bytes, size);
        let format = Raw::new(&ReadOptions::default()).unwrap();
        let records = Records::<_, _, (i64, String)>::new(window, format);
        assert_eq!(records.collect::<Result<Vec<_>>>().unwrap(), list, "{size}");
    }
}

#[test]
fn a_cut_window_asks_for_more() {
    let shape = shape(SHAPE);
    let bytes = written(&records(3), &shape).unwrap();
    for end in 0..bytes.len() {
        let mut format = Raw::new(&ReadOptions::default()).unwrap();
        format.begin(&shape).unwrap();
        let mut source = format.whole(Part { last: false, ..Part::whole(&bytes[..end]) });
        let signal = source.skip().as_ref().err().and_then(Error::signal);
        assert_eq!(signal, Some(Signal::Incomplete), "{end}");
    }
}

#[test]
fn marks_lead_back() {
    let shape = shape(SHAPE);
    let bytes = written(&records(4), &shape).unwrap();
    let mut format = Raw::new(&ReadOptions::default()).unwrap();
    format.begin(&shape).unwrap();
    let mut source = format.whole(Part::whole(&bytes));
    source.list().unwrap();
    while source.item().unwrap() {
        let mark = source.mark();
        let one = source.span().unwrap();
        source.reset(mark);
        source.map().unwrap();
        assert!(source.entry().unwrap());
        let inner = source.mark();
        assert_eq!(&*source.text().unwrap(), "id");
        source.reset(inner);
        assert_eq!(&*source.text().unwrap(), "id");
        source.reset(mark);
        assert_eq!(source.span().unwrap(), one);
    }
    source.end().unwrap();
}
