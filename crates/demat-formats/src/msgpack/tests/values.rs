//! Kinds of values, and how they are written.

use super::*;
use crate::msgpack::{Ext, decode, encode};
use demat_core::scalar::{Instant, Int};
use demat_core::{Encode, Kind, Shaped};

fn of_text(shape: &str, text: &str) -> Vec<u8> {
    written(&Value::Text(text.to_string().into()), &shape.parse().unwrap()).unwrap()
}

#[test]
fn ints_have_the_smallest_form() {
    let cases: [(i64, &[u8]); 16] = [
        (0, b"\x00"),
        (127, b"\x7f"),
        (128, b"\xcc\x80"),
        (255, b"\xcc\xff"),
        (256, b"\xcd\x01\x00"),
        (65_535, b"\xcd\xff\xff"),
        (65_536, b"\xce\x00\x01\x00\x00"),
        (4_294_967_296, b"\xcf\x00\x00\x00\x01\x00\x00\x00\x00"),
        (-1, b"\xff"),
        (-32, b"\xe0"),
        (-33, b"\xd0\xdf"),
        (-128, b"\xd0\x80"),
        (-129, b"\xd1\xff\x7f"),
        (-32_769, b"\xd2\xff\xff\x7f\xff"),
        (-2_147_483_648, b"\xd2\x80\x00\x00\x00"),
        (-2_147_483_649, b"\xd3\xff\xff\xff\xff\x7f\xff\xff\xff"),
    ];
    for (value, bytes) in cases {
        assert_eq!(encode(&value).unwrap(), bytes, "{value}");
        assert_eq!(decode::<i64>(bytes).unwrap(), value);
    }
    assert_eq!(encode(&u64::MAX).unwrap(), b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff");
    assert_eq!(decode::<u64>(&encode(&u64::MAX).unwrap()).unwrap(), u64::MAX);
    let error = told(|sink| sink.int(&Int::from_digits("18446744073709551616").unwrap())).unwrap_err();
    assert_eq!(error.to_string(), "expected an int of at most 64 bits, found `18446744073709551616`");
}

#[test]
fn floats_keep_their_width() {
    assert_eq!(encode(&0.1_f32).unwrap(), b"\xca\x3d\xcc\xcc\xcd");
    assert_eq!(encode(&0.5_f64).unwrap(), b"\xcb\x3f\xe0\x00\x00\x00\x00\x00\x00");
    assert_eq!(decode::<f32>(b"\xca\x3d\xcc\xcc\xcd").unwrap().to_bits(), 0.1_f32.to_bits());
    assert_eq!(decode::<f64>(b"\x07").unwrap().to_bits(), 7_f64.to_bits());
    assert_eq!(decode::<f32>(b"\xff").unwrap().to_bits(), (-1_f32).to_bits());
    assert!(decode::<f64>(&encode(&f64::NAN).unwrap()).unwrap().is_nan());
    let large = b"\xcb\x7f\xef\xff\xff\xff\xff\xff\xff";
    assert!(refusal(large, "float32").starts_with("expected `float32`, found `17976931"));
    assert_eq!(refusal(b"\xca\x3f\x80\x00\x00", "int"), "expected `int`, found `float` 1.0 (byte 0)");
}

#[test]
fn texts_and_bytes_have_the_smallest_length() {
    let lengths: [(usize, &[u8], &[u8]); 6] = [
        (31, b"\xbf", b"\xc4\x1f"),
        (32, b"\xd9\x20", b"\xc4\x20"),
        (255, b"\xd9\xff", b"\xc4\xff"),
        (256, b"\xda\x01\x00", b"\xc5\x01\x00"),
        (65_535, b"\xda\xff\xff", b"\xc5\xff\xff"),
        (65_536, b"\xdb\x00\x01\x00\x00", b"\xc6\x00\x01\x00\x00"),
    ];
    for (len, text, bytes) in lengths {
        testing::has_headers(&WriteOptions::default(), len, text, bytes);
    }
    assert_eq!(refusal(b"\xc4\x01a", "text"), "expected `text`, found `bytes` b\"a\" (byte 0)");
    assert_eq!(refusal(b"\xa1a", "bytes"), "expected `bytes`, found `text` \"a\" (byte 0)");
}

#[test]
fn text_and_bytes_are_borrowed() {
    testing::decodes_borrowed(MsgpackSource::new(b"\x92\xa3abc\xc4\x02\x00\x01"));
}

#[test]
fn instants_are_timestamps() {
    let cases: [(&str, &[u8]); 5] = [
        ("1970-01-01T00:00:00Z", b"\xd6\xff\x00\x00\x00\x00"),
        ("2018-01-02T03:04:05Z", b"\xd6\xff\x5a\x4a\xf6\xa5"),
        ("2018-01-02T03:04:05.678901234Z", b"\xd7\xff\xa1\xdc\xd7\xc8\x5a\x4a\xf6\xa5"),
        ("2106-02-07T06:28:16Z", b"\xd7\xff\x00\x00\x00\x01\x00\x00\x00\x00"),
        ("1969-12-31T23:59:59Z", b"\xc7\x0c\xff\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"),
    ];
    for (text, bytes) in cases {
        assert_eq!(of_text("instant", text), bytes, "{text}");
        let expected = Value::from(Instant::parse(text).unwrap());
        assert_eq!(read(bytes, "instant").unwrap(), expected);
        assert_eq!(read(bytes, "any").unwrap(), expected);
    }
    assert_eq!(of_text("instant", "2018-01-02T05:04:05+02:00"), cases[1].1, "the offset is lost");
    assert_eq!(of_text("datetime", "2018-01-02T03:04:05"), b"\xb32018-01-02T03:04:05");
    assert_eq!(refusal(cases[1].1, "datetime"), "expected `datetime`, found `instant` 2018-01-02T03:04:05Z (byte 0)");
}

#[test]
fn other_scalars_are_texts() {
    assert_eq!(of_text("date", "2024-02-29"), b"\xaa2024-02-29");
    assert_eq!(of_text("time", "12:30:00"), b"\xa812:30:00");
    assert_eq!(of_text("duration", "PT1S"), b"\xa4PT1S");
    assert_eq!(of_text("decimal", "1.50"), b"\xa41.50");
    assert_eq!(read(b"\x07", "decimal").unwrap(), read(b"\xa17", "decimal").unwrap());
    let uuid = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
    let text = of_text("uuid", uuid);
    assert_eq!(text, [b"\xd9\x24", uuid.as_bytes()].concat());
    let binary = b"\xc4\x10\xf8\x1d\x4f\xae\x7d\xec\x11\xd0\xa7\x65\x00\xa0\xc9\x1e\x6b\xf6";
    assert_eq!(read(binary, "uuid").unwrap(), read(&text, "uuid").unwrap());
    assert_eq!(refusal(b"\xc4\x01a", "uuid"), "expected `uuid` of 16 bytes, found bytes of length 1 (byte 0)");
}

#[test]
fn maps_have_any_scalar_as_a_key() {
    let ints = b"\x82\x01\xa1a\xff\xa1b";
    let map = read(ints, "map(int, text)").unwrap();
    assert_eq!(map, read(ints, "any").unwrap());
    assert_eq!(written(&map, &"map(int, text)".parse().unwrap()).unwrap(), ints);
    let bools = b"\x82\xc2\x00\xc3\x01";
    let map = read(bools, "map(bool, int)").unwrap();
    assert_eq!(written(&map, &"map(bool, int)".parse().unwrap()).unwrap(), bools);
    assert!(refusal(b"\x81\xa11\x00", "map(int, int)").starts_with("expected `int`, found `text`"));
    let error = told(|sink| {
        sink.begin_map(None)?;
        sink.entry()?;
        sink.begin_list(None)
    });
    assert_eq!(error.unwrap_err().to_string(), "expected a scalar as a key, found `list`");
}

#[test]
fn records_are_maps_of_texts() {
    let shape = "T{id: int, name: text?, kind: enum(a, b)}";
    let bytes = b"\x83\xa2id\x01\xa4name\xc0\xa4kind\xa1b";
    let value = read(bytes, shape).unwrap();
    assert_eq!(written(&value, &shape.parse().unwrap()).unwrap(), bytes);
    assert_eq!(refusal(b"\x81\xa2id\xa1x", shape), "expected `int`, found `text` \"x\" at `$.id` (byte 4)");
    let union = "union(a: int, b: null)";
    for bytes in [&b"\x81\xa1a\x05"[..], b"\xa1b"] {
        let value = read(bytes, union).unwrap();
        assert_eq!(written(&value, &union.parse().unwrap()).unwrap(), bytes);
    }
}

#[test]
fn extension_types_are_records_of_a_code_and_bytes() {
    let cases: [(&[u8], i8, usize); 8] = [
        (b"\xc7\x00\x80", -128, 0),
        (b"\xd4\x05", 5, 1),
        (b"\xd5\x05", 5, 2),
        (b"\xc7\x03\x05", 5, 3),
        (b"\xd7\x7f", 127, 8),
        (b"\xd8\xfb", -5, 16),
        (b"\xc8\x01\x00\x05", 5, 256),
        (b"\xc9\x00\x01\x00\x00\x05", 5, 65_536),
    ];
    for (head, code, len) in cases {
        let ext = Ext { code, data: vec![7; len] };
        let bytes = [head, &ext.data].concat();
        assert_eq!(encode(&ext).unwrap(), bytes);
        assert_eq!(decode::<Ext>(&bytes).unwrap(), ext);
        skipped(&bytes).unwrap();
        let entries = [("code", Value::Int(i64::from(code).into())), ("data", Value::Bytes(ext.data.into()))];
        let value = Value::Map(entries.map(|(key, value)| (Value::Text(key.into()), value)).into());
        assert_eq!(read(&bytes, "any").unwrap(), value);
        assert_eq!(
            read(&bytes, "{data: bytes, code: int}").unwrap(),
            read(&bytes, "{code: int, data: bytes}").unwrap()
        );
        // A copy without a shape keeps it, by itself and within others.
        for bytes in [&bytes, &[b"\x92\x01", &*bytes].concat(), &[b"\x81\xa1a", &*bytes].concat()] {
            for size in [1, 5, 1000] {
                let copied = testing::copied(Msgpack::default(), bytes, size, &Shape::Any, &WriteOptions::default());
                assert!(copied.unwrap() == *bytes, "{code} {size}");
            }
        }
    }
    assert_eq!(
        encode(&vec![Ext::default(); 20]).unwrap(),
        [&b"\xdc\x00\x14"[..], &b"\xc7\x00\x00".repeat(20)].concat()
    );
}

#[test]
fn extension_types_are_nothing_else() {
    assert_eq!(refusal(b"\xd4\xfb\x00", "int"), "expected `int`, found extension type -5 (byte 0)");
    assert_eq!(refusal(b"\xd4\xfb\x00", "bytes"), "expected `bytes`, found extension type -5 (byte 0)");
    assert_eq!(refusal(b"\xd4\x05\x00", "{code: text}"), "expected `text`, found `int` at `$.code` (byte 0)");
    assert_eq!(refusal(b"\xd4\x05\x00", "{other: int}"), "expected field `other`, found nothing (byte 3)");
    assert_eq!(
        refusal(b"\xd6\xff\0\0\0\0", "{code: int}"),
        "expected `record`, found `instant` 1970-01-01T00:00:00Z (byte 0)"
    );
    assert_eq!(
        refusal(b"\xc7\x03\x05a", "any"),
        "expected an extension of 3 bytes, found 1 bytes and the end of input at `$.data` (byte 4)"
    );
    assert_eq!(read(b"\x82\xa1x\xd4\x05\x00\xa2id\x01", "{id: int}").unwrap(), read(b"\x81\xa2id\x01", "any").unwrap());
    assert_eq!(MsgpackSource::new(b"\xd6\xff\x00\x00\x00\x00").peek().unwrap(), Kind::Instant);
    let error = encode(&Ext { code: -1, data: vec![0; 4] }).unwrap_err();
    assert_eq!(error.to_string(), "expected an instant, which is written as the timestamp, found extension type -1");
    let error = told(|sink| {
        let Shape::Record(record) = Ext::SHAPE else { unreachable!() };
        sink.begin_record(&record.get())?;
        sink.key("code")?;
        sink.text("a")?;
        sink.end_map()
    });
    let message = "expected an extension type with `code` (int8) and `data` (bytes), found another record";
    assert!(error.unwrap_err().to_string().starts_with(message));
    let one = vec![Ext { code: 1, data: vec![] }];
    assert!(testing::told(&WriteOptions { sequence: true, depth: 9 }, |sink| one.encode(sink)).is_err());
}

#[test]
fn an_extension_type_that_is_refused_says_nothing_of_what_comes_later() {
    let written = told(|sink| {
        let Shape::Record(ext) = Ext::SHAPE else { unreachable!() };
        sink.begin_list(None)?;
        sink.commit()?;
        sink.item()?;
        sink.begin_map(None)?;
        sink.entry()?;
        assert!(sink.begin_record(&ext.get()).is_err());
        sink.rollback()?;
        sink.item()?;
        sink.begin_map(None)?;
        sink.key("a")?;
        sink.u64(1)?;
        sink.end_map()?;
        sink.end_list()
    });
    assert_eq!(written.unwrap(), b"\x91\x81\xa1a\x01");
}

#[test]
fn parts_of_an_extension_type_have_spans_and_marks() {
    let mut source = MsgpackSource::new(b"\xd5\x05ab");
    source.map().unwrap();
    let mut spans = Vec::new();
    while source.entry().unwrap() {
        let mark = source.mark();
        spans.push(source.span().unwrap());
        source.value().unwrap();
        source.skip().unwrap();
        source.reset(mark);
        source.skip().unwrap();
        source.value().unwrap();
        spans.push(source.span().unwrap());
    }
    assert_eq!(spans, [&b"\xa4code"[..], b"\xd0\x05", b"\xa4data", b"\xc6\x00\x00\x00\x02ab"]);
    source.end().unwrap();
}
