//! Windows, sequences, and what leaves the memory when.

use super::*;
use crate::stream::{Part, Records};
use crate::{Drain, To};
use demat_core::{Error, Signal};
use std::cell::RefCell;

const SHAPE: &str = "[{id: int, tags: [text], more: map(text, any)}]";

fn records(count: u64) -> Value {
    let text = |text: String| Value::Text(text.into());
    let record = |id: u64| {
        let tags = (0..id % 20).map(|tag| text(format!("tag {tag}"))).collect();
        let inner = Value::List((0..id % 3).map(|at| Value::Map(vec![(text(format!("{at}")), Value::Null)])).collect());
        let more = vec![(text("inner".to_string()), inner)];
        let fields = [("id", Value::Int(id.into())), ("tags", Value::List(tags)), ("more", Value::Map(more))];
        Value::Map(fields.into_iter().map(|(key, value)| (text(key.to_string()), value)).collect())
    };
    Value::List((0..count).map(record).collect())
}

fn sequence(value: &Value) -> Result<Vec<u8>> {
    let mut sink = sink(WriteOptions { sequence: true, ..WriteOptions::default() });
    copy(&mut ValueSource::new(value), &Shape::Any, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

#[test]
fn every_window_gives_the_same() {
    let value = records(25);
    let shape: Shape = SHAPE.parse().unwrap();
    for bytes in [written(&value, &Shape::Any).unwrap(), sequence(&value).unwrap()] {
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
    let bytes = written(&value, &Shape::Any).unwrap();
    for size in [1, 2, 7, 64] {
        let mut window = Window::with_size(&*bytes, size);
        let mut out = sink(WriteOptions::default());
        copy_stream(&mut window, &mut Msgpack::default(), &Shape::Any, &mut out, &mut Stop).unwrap();
        assert!(out.into_output().into_parts().0 == bytes, "{size}");
    }
}

#[test]
fn a_sequence_is_a_list_of_its_records() {
    let bytes = b"\x81\xa2id\x01\x81\xa2id\x02";
    assert_eq!(read(bytes, "[{id: int}]").unwrap(), read(b"\x92\x81\xa2id\x01\x81\xa2id\x02", "any").unwrap());
    assert_eq!(read(bytes, "any").unwrap(), read(bytes, "[{id: int}]").unwrap());
    assert_eq!(read(b"\x81\xa2id\x01", "[{id: int}]").unwrap(), read(b"\x91\x81\xa2id\x01", "any").unwrap());
    assert_eq!(read(b"\x81\xa2id\x01", "any").unwrap(), read(b"\x81\xa2id\x01", "{id: int}").unwrap());
    skipped(bytes).unwrap();
    assert_eq!(refusal(bytes, "{id: int}"), "expected end of input, found byte 0x81 (byte 5)");
    let other = "expected a record or the end of input, found `int`";
    assert!(refusal(b"\x81\xa2id\x01\x05", "[{id: int}]").starts_with(other));
    assert_eq!(refusal(b"\x80\x05", "any"), "expected end of input, found byte 0x05 (byte 1)");
    assert_eq!(refusal(b"\x05", "[int]"), "expected `list`, found `int` (byte 0)");
    assert_eq!(refusal(b"", "[int]"), "expected a value, found end of input (byte 0)");
}

#[test]
fn a_sequence_has_records_only() {
    let value = records(3);
    let bytes = sequence(&value).unwrap();
    assert_eq!(bytes, written(&value, &Shape::Any).unwrap()[1..]);
    let error = sequence(&Value::List(vec![Value::Bool(true)])).unwrap_err();
    assert_eq!(error.reason(), "expected a record, as every item of a sequence, found `bool`");
    assert_eq!(sequence(&Value::List(vec![Value::List(vec![])])).unwrap_err().kind(), demat_core::ErrorKind::Encode);
    assert_eq!(sequence(&Value::Bool(true)).unwrap(), b"\xc3");
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

/// How many bytes had left before the list ended.
fn left_early(options: WriteOptions, len: Option<usize>) -> usize {
    let file = RefCell::default();
    let mut sink = MsgpackSink::new(Output::new(Vec::new(), Watched(&file)), options);
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
fn bytes_leave_as_soon_as_their_headers_are_known() {
    let usual = WriteOptions::default();
    assert_eq!(left_early(usual, None), 0);
    assert!(left_early(usual, Some(100)) > 400_000);
    assert!(left_early(WriteOptions { sequence: true, ..usual }, None) > 400_000);
}

/// A file whose bytes can be overwritten.
struct Patched<'f>(&'f RefCell<Vec<u8>>);

impl Drain for Patched<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.0.borrow_mut().append(buffer);
        Ok(())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
    fn can_patch(&self) -> bool {
        true
    }
    fn patch(&mut self, back: u64, bytes: &[u8]) -> Result<()> {
        let mut file = self.0.borrow_mut();
        let at = file.len() - usize::try_from(back).unwrap();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }
}

#[test]
fn counts_are_patched_in_a_file() {
    // A list within a map, and items that need longer headers themselves, in front of it and inside.
    let tell = |sink: &mut dyn Sink, commits: bool| -> Result<()> {
        let list = |sink: &mut dyn Sink, count: u64, size: usize, commits: bool| {
            sink.begin_list(None)?;
            for at in 0..count {
                sink.item()?;
                sink.begin_map(None)?;
                for key in 0..20 {
                    sink.entry()?;
                    sink.u64(key)?;
                    sink.value()?;
                    sink.text(&format!("{at}{}", "x".repeat(size)))?;
                }
                sink.end_map()?;
                if commits {
                    sink.commit()?;
                    sink.item()?;
                    sink.begin_list(None)?;
                    sink.rollback()?;
                }
            }
            sink.end_list()
        };
        sink.begin_map(None)?;
        sink.key("few")?;
        list(sink, 20, 1, false)?;
        sink.key("many")?;
        list(sink, 100, 500, commits)?;
        sink.end_map()?;
        sink.finish()
    };
    let held = told(|sink| tell(sink, false)).unwrap();
    let file = RefCell::default();
    let mut sink = MsgpackSink::new(Output::new(Vec::new(), Patched(&file)), WriteOptions::default());
    tell(&mut sink, true).unwrap();
    let patched = file.take();
    assert!(patched.len() > held.len());
    assert_eq!(read(&patched, "any").unwrap(), read(&held, "any").unwrap());
    // What is little stays in memory, and has short headers.
    let mut sink = MsgpackSink::new(Output::new(Vec::new(), Patched(&file)), WriteOptions::default());
    sink.begin_list(None).unwrap();
    sink.item().unwrap();
    sink.null().unwrap();
    sink.commit().unwrap();
    sink.end_list().unwrap();
    sink.finish().unwrap();
    assert_eq!(file.take(), b"\x91\xc0");
}

#[test]
fn a_file_that_is_patched_needs_little_memory() {
    let file = RefCell::default();
    let mut sink = MsgpackSink::new(Output::new(Vec::new(), Patched(&file)), WriteOptions::default());
    sink.begin_list(None).unwrap();
    for count in 1..=1000 {
        sink.item().unwrap();
        sink.text(&"x".repeat(1000)).unwrap();
        sink.commit().unwrap();
        assert!(count * 1003 < file.borrow().len() + 70_000);
    }
    sink.end_list().unwrap();
    sink.finish().unwrap();
    assert_eq!(file.borrow()[..5], *b"\xdd\x00\x00\x03\xe8");
}

#[test]
fn a_header_that_has_left_must_be_right() {
    let mut file = Vec::new();
    let mut sink = MsgpackSink::new(Output::new(Vec::new(), To(&mut file)), WriteOptions::default());
    sink.begin_list(Some(3)).unwrap();
    sink.item().unwrap();
    sink.text(&"x".repeat(100_000)).unwrap();
    sink.commit().unwrap();
    let error = sink.end_list().unwrap_err();
    assert!(error.to_string().starts_with("3 items were announced and written so, but 1 came"), "{error}");
}

#[test]
fn records_are_iterated() {
    for bytes in [&b"\x93\x81\xa1a\x01\x81\xa1a\x02\x81\xa1a\x03"[..], b"\x81\xa1a\x01\x81\xa1a\x02\x81\xa1a\x03"] {
        let window = Window::with_size(bytes, 3);
        let records = Records::<_, _, std::collections::BTreeMap<String, i64>>::new(window, Msgpack::default());
        let sums: Result<Vec<i64>> = records.map(|record| record.map(|record| record["a"])).collect();
        assert_eq!(sums.unwrap(), [1, 2, 3]);
    }
}

#[test]
fn a_cut_window_asks_for_more() {
    let bytes = written(&records(3), &Shape::Any).unwrap();
    for end in 0..bytes.len() {
        let mut source =
            MsgpackSource::over(Part { last: false, ..Part::whole(&bytes[..end]) }, ReadOptions::default());
        let signal = source.skip().as_ref().err().and_then(Error::signal);
        assert_eq!(signal, Some(Signal::Incomplete), "{end}");
    }
}

#[test]
fn marks_lead_back() {
    let bytes = written(&records(4), &Shape::Any).unwrap();
    let mut source = MsgpackSource::new(&bytes);
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
