//! Windows, sequences, and what leaves the memory when.

use super::*;
use crate::binary::testing::Patched;
use std::cell::RefCell;
use std::collections::BTreeMap;

const SEQUENCE: WriteOptions = WriteOptions { sequence: true, depth: 1024 };

fn shape() -> Shape {
    "[{id: int, tags: [text], more: map(text, any)}]".parse().unwrap()
}

fn sequence(value: &Value) -> Result<Vec<u8>> {
    testing::written(&SEQUENCE, value, &Shape::Any)
}

#[test]
fn any_window_reads_the_same() {
    let (usual, few, many) = (WriteOptions::default(), testing::records(4, 20), testing::records(25, 20));
    for (value, bytes) in [(&many, written(&many, &Shape::Any).unwrap()), (&many, sequence(&many).unwrap())] {
        testing::reads_any_window(&usual, &bytes, &[&shape(), &Shape::Any], value);
    }
    for bytes in [written(&few, &Shape::Any).unwrap(), sequence(&few).unwrap()] {
        testing::reads_any_pieces(&usual, &bytes, &shape(), &few);
    }
}

#[test]
fn deep_values_come_through_small_windows() {
    let bytes = written(&testing::deep(false), &Shape::Any).unwrap();
    for size in [1, 2, 7, 64] {
        let copied = testing::copied(Msgpack::default(), &bytes, size, &Shape::Any, &WriteOptions::default());
        assert!(copied.unwrap() == bytes, "{size}");
    }
}

#[test]
fn an_item_in_pieces_is_decoded_once() {
    let item = Value::List(vec![testing::records(200, 20)]);
    let bytes = written(&item, &Shape::Any).unwrap();
    testing::decodes_once(&WriteOptions::default(), &bytes, &Shape::Any.list());
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
    assert_eq!(refusal(b"\x05", "[int]"), "expected `list`, found `int` 5 (byte 0)");
    assert_eq!(refusal(b"", "[int]"), "expected a value, found end of input (byte 0)");
}

#[test]
fn a_sequence_has_records_only() {
    let value = testing::records(3, 20);
    let bytes = sequence(&value).unwrap();
    assert_eq!(bytes, written(&value, &Shape::Any).unwrap()[1..]);
    let error = sequence(&Value::List(vec![Value::Bool(true)])).unwrap_err();
    assert_eq!(error.reason(), "expected a record, as every item of a sequence, found `bool`");
    assert_eq!(sequence(&Value::List(vec![Value::List(vec![])])).unwrap_err().kind(), demat_core::ErrorKind::Encode);
    assert_eq!(sequence(&Value::Bool(true)).unwrap(), b"\xc3");
}

#[test]
fn bytes_leave_as_soon_as_their_headers_are_known() {
    let (usual, shape) = (WriteOptions::default(), "[{text: text}]".parse().unwrap());
    assert_eq!(testing::drained_early(&usual, &shape, None), 0);
    assert!(testing::drained_early(&usual, &shape, Some(100)) > 400_000);
    assert!(testing::drained_early(&SEQUENCE, &shape, None) > 400_000);
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
    testing::refuses_a_wrong_count(&WriteOptions::default());
}

#[test]
fn records_are_iterated() {
    for bytes in [&b"\x93\x81\xa1a\x01\x81\xa1a\x02\x81\xa1a\x03"[..], b"\x81\xa1a\x01\x81\xa1a\x02\x81\xa1a\x03"] {
        let records: Vec<BTreeMap<String, i64>> = testing::iterated(Msgpack::default(), bytes, 3).unwrap();
        assert_eq!(records.iter().map(|record| record["a"]).collect::<Vec<_>>(), [1, 2, 3]);
    }
}

#[test]
fn a_cut_window_asks_for_more() {
    let bytes = written(&testing::records(3, 20), &Shape::Any).unwrap();
    testing::prefixes_are_incomplete(&WriteOptions::default(), &bytes, &Shape::Any);
}

#[test]
fn marks_lead_back() {
    let bytes = written(&testing::records(4, 20), &Shape::Any).unwrap();
    testing::marks_lead_back(&WriteOptions::default(), &bytes, &Shape::Any);
}
