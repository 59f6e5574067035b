//! Windows, sequences, and what leaves the memory when.

use super::*;
use std::collections::BTreeMap;

const USUAL: WriteOptions = WriteOptions { sequence: false, deterministic: false, depth: 1024 };
const SEQUENCE: WriteOptions = WriteOptions { sequence: true, ..USUAL };

fn shape() -> Shape {
    "[{id: int, tags: [text], more: map(text, any)}]".parse().unwrap()
}

fn sequence(value: &Value) -> Vec<u8> {
    written(value, &Shape::Any, SEQUENCE).unwrap()
}

/// Appends the value with a tag in front of each value, and every container and text of indefinite length.
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
        scalar => out.extend_from_slice(&written(scalar, &Shape::Any, USUAL).unwrap()),
    }
}

/// Returns the value as counted documents and as one without counts.
fn documents(value: &Value) -> [Vec<u8>; 2] {
    let mut tagged = Vec::new();
    endless(value, &mut tagged);
    [written(value, &Shape::Any, USUAL).unwrap(), tagged]
}

#[test]
fn any_window_reads_the_same() {
    let (few, many) = (testing::records(4, 30), testing::records(35, 30));
    for bytes in documents(&many).iter().chain([&sequence(&many)]) {
        testing::reads_any_window(&USUAL, bytes, &[&shape(), &Shape::Any], &many);
    }
    for bytes in documents(&few).iter().chain([&sequence(&few)]) {
        testing::reads_any_pieces(&USUAL, bytes, &shape(), &few);
    }
}

#[test]
fn deep_values_come_through_small_windows() {
    let value = testing::deep(false);
    let counted = written(&value, &Shape::Any, DETERMINISTIC).unwrap();
    for (bytes, size) in documents(&value).iter().flat_map(|bytes| [1, 2, 7, 64].map(|size| (bytes, size))) {
        let out = testing::copied(Cbor::default(), bytes, size, &Shape::Any, &USUAL).unwrap();
        assert!(read(&out, "any").unwrap() == value, "{size}");
        let out = testing::copied(Cbor::default(), bytes, size, &Shape::Any, &DETERMINISTIC).unwrap();
        assert!(out == counted, "{size}");
    }
}

#[test]
fn an_item_in_pieces_is_decoded_once() {
    for bytes in documents(&Value::List(vec![testing::records(200, 20)])) {
        testing::decodes_once(&USUAL, &bytes, &Shape::Any.list());
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
    assert_eq!(refusal(b"\x05", "[int]"), "expected `list`, found `int` 5 (byte 0)");
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
        testing::skipped(Cbor::new(options), bytes, &Shape::Any).unwrap();
        for size in 1..8 {
            let streamed = testing::streamed(Cbor::new(options), bytes, size, &Shape::Any);
            assert_eq!(streamed.unwrap(), value, "{bytes:x?} {size}");
        }
    }
    assert_eq!(read_with(b"\x01\x82\x02", "any", options).unwrap_err().kind(), ErrorKind::Syntax);
    assert_eq!(sequence(&Value::Bool(true)), b"\xf5");
}

#[test]
fn bytes_leave_whether_or_not_a_count_is_known() {
    let shape = "[{text: text}]".parse().unwrap();
    for (options, len) in [(USUAL, None), (USUAL, Some(100)), (SEQUENCE, None)] {
        assert!(testing::drained_early(&options, &shape, len) > 400_000);
    }
}

#[test]
fn records_are_iterated() {
    for bytes in [
        &b"\x83\xa1\x61a\x01\xa1\x61a\x02\xa1\x61a\x03"[..],
        b"\xa1\x61a\x01\xa1\x61a\x02\xa1\x61a\x03",
        b"\x9f\xbf\x61a\x01\xff\xa1\x61a\x02\xa1\x61a\x03\xff",
    ] {
        let records: Vec<BTreeMap<String, i64>> = testing::iterated(Cbor::default(), bytes, 3).unwrap();
        assert_eq!(records.iter().map(|record| record["a"]).collect::<Vec<_>>(), [1, 2, 3]);
    }
}

#[test]
fn a_cut_window_asks_for_more() {
    for bytes in documents(&testing::records(3, 30)) {
        testing::prefixes_are_incomplete(&USUAL, &bytes, &Shape::Any);
    }
}

#[test]
fn marks_lead_back() {
    for bytes in documents(&testing::records(4, 30)) {
        testing::marks_lead_back(&USUAL, &bytes, &Shape::Any);
    }
}
