//! Windows, sequences, and what leaves the memory when.

use super::*;
use crate::Drain;
use crate::stream::Records;
use demat_core::{Error, Signal};
use std::cell::RefCell;

const SHAPE: &str = "[{id: int, tags: [text], more: map(text, any)}]";

fn records(count: u64) -> Value {
    let text = |text: String| Value::Text(text.into());
    let record = |id: u64| {
        let tags = (0..id % 30).map(|tag| text(format!("tag {tag}"))).collect();
        let inner = Value::List((0..id % 3).map(|at| Value::Map(vec![(text(format!("{at}")), Value::Null)])).collect());
        let more = vec![(text("inner".to_string()), inner)];
        let fields = [("id", Value::Int(id.into())), ("tags", Value::List(tags)), ("more", Value::Map(more))];
        Value::Map(fields.into_iter().map(|(key, value)| (text(key.to_string()), value)).collect())
    };
    Value::List((0..count).map(record).collect())
}

fn sequence(value: &Value) -> Vec<u8> {
    written(value, &Shape::Any, WriteOptions { sequence: true, ..WriteOptions::default() }).unwrap()
}

/// The value with a tag in front of each value, and every container and text of indefinite length.
fn endless(value: &Value, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\xd9\xd9\xf7");
    match value {
        Value::List(items) => {
            out.push(0x9f);
            for item in items {
                endless(item, out);
            }
            out.push(0xff);
        }
        Value::Map(entries) => {
            out.push(0xbf);
            for (key, value) in entries {
                endless(key, out);
                endless(value, out);
            }
            out.push(0xff);
        }
        Value::Text(text) => {
            out.push(0x7f);
            for chunk in text.as_bytes().chunks(2) {
                out.push(0x60 | chunk.len() as u8);
                out.extend_from_slice(chunk);
            }
            out.push(0xff);
        }
        scalar => out.extend_from_slice(&written(scalar, &Shape::Any, WriteOptions::default()).unwrap()),
    }
}

#[test]
fn every_window_gives_the_same() {
    let value = records(35);
    let shape: Shape = SHAPE.parse().unwrap();
    let mut tagged = Vec::new();
    endless(&value, &mut tagged);
    let usual = written(&value, &Shape::Any, WriteOptions::default()).unwrap();
    for bytes in [usual, sequence(&value), tagged] {
        for size in (1..100).chain([1000, 10_000]) {
            assert_eq!(streamed(&*bytes, size, &shape).unwrap(), value, "{size}");
            assert_eq!(streamed(&*bytes, size, &Shape::Any).unwrap(), value, "{size}");
        }
    }
}

#[test]
fn deep_values_come_through_small_windows() {
    let mut value = Value::Null;
    for level in 0..500 {
        value = if level % 2 == 0 {
            Value::List(vec![Value::Bool(true), value, Value::Bool(false)])
        } else {
            Value::Map(vec![(Value::Int(1.into()), value), (Value::Int(2.into()), Value::Int(level.into()))])
        };
    }
    let counted = written(&value, &Shape::Any, DETERMINISTIC).unwrap();
    let mut tagged = Vec::new();
    endless(&value, &mut tagged);
    for bytes in [&counted, &tagged] {
        for size in [1, 2, 7, 64] {
            for options in [WriteOptions::default(), DETERMINISTIC] {
                let mut window = Window::with_size(&**bytes, size);
                let mut out = sink(options);
                copy_stream(&mut window, &mut Cbor::default(), &Shape::Any, &mut out, &mut Stop).unwrap();
                let out = out.into_output().into_parts().0;
                assert!(read(&out, "any").unwrap() == value && (!options.deterministic || out == counted), "{size}");
            }
        }
    }
}

#[test]
fn a_sequence_is_a_list_of_its_records() {
    let bytes = b"\xa1\x62id\x01\xd9\xd9\xf7\xa1\x62id\x02";
    assert_eq!(read(bytes, "[{id: int}]").unwrap(), read(b"\x82\xa1\x62id\x01\xa1\x62id\x02", "any").unwrap());
    assert_eq!(read(bytes, "any").unwrap(), read(bytes, "[{id: int}]").unwrap());
    assert_eq!(read(b"\xa1\x62id\x01", "[{id: int}]").unwrap(), read(b"\x81\xa1\x62id\x01", "any").unwrap());
    assert_eq!(read(b"\xa1\x62id\x01", "any").unwrap(), read(b"\xa1\x62id\x01", "{id: int}").unwrap());
    skipped(bytes).unwrap();
    assert_eq!(refusal(bytes, "{id: int}"), "expected end of input, found byte 0xd9 (byte 5)");
    let other = "expected a record or the end of input, found `int`";
    assert!(refusal(b"\xa1\x62id\x01\x05", "[{id: int}]").starts_with(other));
    assert_eq!(refusal(b"\xa0\x05", "any"), "expected end of input, found byte 0x05 (byte 1)");
    assert_eq!(refusal(b"\x05", "[int]"), "expected `list`, found `int` (byte 0)");
    assert_eq!(refusal(b"", "[int]"), "expected a value, found end of input (byte 0)");
}

#[test]
fn a_sequence_has_any_values_if_that_is_said() {
    let options = ReadOptions { sequence: true, ..ReadOptions::default() };
    for (bytes, array) in [
        (&b""[..], &b"\x80"[..]),
        (b"\x01\x82\x02\x03\x61a", b"\x83\x01\x82\x02\x03\x61a"),
        (b"\x80", b"\x81\x80"),
        (b"\xf6", b"\x81\xf6"),
        (b"\xa0", b"\x81\xa0"),
    ] {
        let value = read(array, "any").unwrap();
        assert_eq!(sequence(&value), bytes);
        for shape in ["any", "[any]", "[any]?"] {
            assert_eq!(read_with(bytes, shape, options).unwrap(), value, "{bytes:x?}");
        }
        let mut source = CborSource::over(Part::whole(bytes), options);
        source.skip().unwrap();
        source.end().unwrap();
        for size in 1..8 {
            let mut window = Window::with_size(bytes, size);
            let streamed = Value::build(|sink| {
                copy_stream(&mut window, &mut Cbor::new(options), &Shape::Any, sink, &mut Stop).map(drop)
            });
            assert_eq!(streamed.unwrap(), value, "{bytes:x?} {size}");
        }
    }
    assert_eq!(read_with(b"\x01\x82\x02", "any", options).unwrap_err().kind(), ErrorKind::Syntax);
    assert_eq!(sequence(&Value::Bool(true)), b"\xf5");
}

/// A file that can be looked at while it is written.
pub(super) struct Watched<'f>(pub(super) &'f RefCell<Vec<u8>>);

impl Drain for Watched<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.0.borrow_mut().append(buffer);
        Ok(())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// How many bytes had left before the list ended.
fn left_early(options: WriteOptions, len: Option<usize>) -> usize {
    let file = RefCell::default();
    let mut sink = CborSink::new(Output::new(Vec::new(), Watched(&file)), options);
    sink.begin_list(len).unwrap();
    for _ in 0..100 {
        sink.item().unwrap();
        sink.begin_map(None).unwrap();
        sink.key("text").unwrap();
        sink.text(&"x".repeat(5000)).unwrap();
        sink.end_map().unwrap();
        sink.commit().unwrap();
    }
    let left = file.borrow().len();
    sink.end_list().unwrap();
    sink.finish().unwrap();
    let file = file.borrow();
    assert_eq!(streamed(&**file, 1 << 16, &"[{text: text}]".parse().unwrap()).unwrap(), read(&file, "any").unwrap());
    left
}

#[test]
fn bytes_leave_whether_or_not_a_count_is_known() {
    let usual = WriteOptions::default();
    assert!(left_early(usual, None) > 400_000);
    assert!(left_early(usual, Some(100)) > 400_000);
    assert!(left_early(WriteOptions { sequence: true, ..usual }, None) > 400_000);
}

#[test]
fn records_are_iterated() {
    for bytes in [
        &b"\x83\xa1\x61a\x01\xa1\x61a\x02\xa1\x61a\x03"[..],
        b"\xa1\x61a\x01\xa1\x61a\x02\xa1\x61a\x03",
        b"\x9f\xbf\x61a\x01\xff\xa1\x61a\x02\xa1\x61a\x03\xff",
    ] {
        let window = Window::with_size(bytes, 3);
        let records = Records::<_, _, std::collections::BTreeMap<String, i64>>::new(window, Cbor::default());
        let sums: Result<Vec<i64>> = records.map(|record| record.map(|record| record["a"])).collect();
        assert_eq!(sums.unwrap(), [1, 2, 3]);
    }
}

#[test]
fn a_cut_window_asks_for_more() {
    let value = records(3);
    let mut tagged = Vec::new();
    endless(&value, &mut tagged);
    for bytes in [written(&value, &Shape::Any, WriteOptions::default()).unwrap(), tagged] {
        for end in 0..bytes.len() {
            let part = Part { last: false, ..Part::whole(&bytes[..end]) };
            let mut source = CborSource::over(part, ReadOptions::default());
            let signal = source.skip().as_ref().err().and_then(Error::signal);
            assert_eq!(signal, Some(Signal::Incomplete), "{end}");
        }
    }
}

#[test]
fn marks_lead_back() {
    let value = records(4);
    let mut tagged = Vec::new();
    endless(&value, &mut tagged);
    for bytes in [written(&value, &Shape::Any, WriteOptions::default()).unwrap(), tagged] {
        let mut source = CborSource::new(&bytes);
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
}
