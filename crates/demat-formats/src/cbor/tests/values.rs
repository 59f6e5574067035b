//! Kinds of values, and how they are written.

use super::*;
use crate::cbor::{decode, encode};
use demat_core::scalar::Int;

#[test]
fn ints_have_the_smallest_form() {
    let cases: [(i64, &[u8]); 14] = [
        (0, b"\x00"),
        (23, b"\x17"),
        (24, b"\x18\x18"),
        (255, b"\x18\xff"),
        (256, b"\x19\x01\x00"),
        (65_536, b"\x1a\x00\x01\x00\x00"),
        (4_294_967_296, b"\x1b\x00\x00\x00\x01\x00\x00\x00\x00"),
        (-1, b"\x20"),
        (-24, b"\x37"),
        (-25, b"\x38\x18"),
        (-257, b"\x39\x01\x00"),
        (-65_537, b"\x3a\x00\x01\x00\x00"),
        (i64::MAX, b"\x1b\x7f\xff\xff\xff\xff\xff\xff\xff"),
        (i64::MIN, b"\x3b\x7f\xff\xff\xff\xff\xff\xff\xff"),
    ];
    for (value, bytes) in cases {
        assert_eq!(encode(&value).unwrap(), bytes, "{value}");
        assert_eq!(decode::<i64>(bytes).unwrap(), value);
    }
    assert_eq!(decode::<u64>(&encode(&u64::MAX).unwrap()).unwrap(), u64::MAX);
    // Any width is read, and a tag around a small one.
    for bytes in [
        &b"\x1b\0\0\0\0\0\0\0\x05"[..],
        b"\x18\x05",
        b"\xc2\x41\x05",
        b"\xc2\x43\0\0\x05",
        b"\xc2\x5f\x41\0\x41\x05\xff",
    ] {
        assert_eq!(decode::<i64>(bytes).unwrap(), 5, "{bytes:x?}");
    }
    assert_eq!(decode::<i64>(b"\xc3\x41\x05").unwrap(), -6);
    assert_eq!(refusal(b"\xf9\x00\x00", "int"), "expected `int`, found `float` 0.0 (byte 0)");
    let long = format!("1{}", "0".repeat(10_000));
    let error = told(WriteOptions::default(), |sink| sink.int(&Int::from_digits(&long).unwrap())).unwrap_err();
    assert_eq!((error.kind(), &*error.reason()), (ErrorKind::Encode, "an int is longer than 4096 bytes"));
}

#[test]
fn floats_keep_their_width() {
    assert_eq!(encode(&0.1_f32).unwrap(), b"\xfa\x3d\xcc\xcc\xcd");
    assert_eq!(encode(&0.5_f64).unwrap(), b"\xfb\x3f\xe0\x00\x00\x00\x00\x00\x00");
    assert_eq!(decode::<f32>(b"\xfa\x3d\xcc\xcc\xcd").unwrap().to_bits(), 0.1_f32.to_bits());
    assert_eq!(decode::<f32>(b"\xf9\x3e\x00").unwrap().to_bits(), 1.5_f32.to_bits());
    assert_eq!(decode::<f64>(b"\xf9\x3e\x00").unwrap().to_bits(), 1.5_f64.to_bits());
    assert_eq!(decode::<f64>(b"\x07").unwrap().to_bits(), 7_f64.to_bits());
    assert_eq!(decode::<f32>(b"\x20").unwrap().to_bits(), (-1_f32).to_bits());
    assert!(decode::<f64>(&encode(&f64::NAN).unwrap()).unwrap().is_nan());
    let large = b"\xfb\x7f\xef\xff\xff\xff\xff\xff\xff";
    assert!(refusal(large, "float32").starts_with("expected `float32`, found `17976931"));
}

#[test]
fn texts_and_bytes_have_the_smallest_length() {
    let lengths: [(usize, &[u8], &[u8]); 4] = [
        (23, b"\x77", b"\x57"),
        (24, b"\x78\x18", b"\x58\x18"),
        (256, b"\x79\x01\x00", b"\x59\x01\x00"),
        (65_536, b"\x7a\x00\x01\x00\x00", b"\x5a\x00\x01\x00\x00"),
    ];
    for (len, text, bytes) in lengths {
        testing::has_headers(&WriteOptions::default(), len, text, bytes);
    }
    assert_eq!(refusal(b"\x41a", "text"), "expected `text`, found `bytes` b\"a\" (byte 0)");
    assert_eq!(refusal(b"\x61a", "bytes"), "expected `bytes`, found `text` \"a\" (byte 0)");
}

#[test]
fn pieces_are_put_together() {
    for (bytes, text) in [(&b"\x7f\xff"[..], ""), (b"\x7f\x62ab\x60\x63\xc3\xbcc\xff", "ab\u{fc}c")] {
        assert_eq!(decode::<String>(bytes).unwrap(), text);
        assert_eq!(read(bytes, "any").unwrap(), Value::Text(text.to_string().into()));
        skipped(bytes).unwrap();
    }
    assert_eq!(read(b"\x5f\x42\x01\x02\x40\x41\x03\xff", "bytes").unwrap(), Value::Bytes(vec![1, 2, 3].into()));
    // Also in keys.
    assert_eq!(read(b"\xbf\x7f\x61i\x61d\xff\x01\xff", "{id: int}").unwrap(), read(b"\xa1\x62id\x01", "any").unwrap());
}

#[test]
fn text_and_bytes_are_borrowed() {
    testing::decodes_borrowed(CborSource::new(b"\x82\x63abc\x42\x00\x01"));
}

#[test]
fn what_has_no_form_is_text() {
    for (shape, text) in [("datetime", "2018-01-02T03:04:05"), ("time", "03:04:05"), ("duration", "PT1H")] {
        let bytes = written(&Value::Text(text.to_string().into()), &shape.parse().unwrap(), WriteOptions::default());
        assert_eq!(read(&bytes.unwrap(), "text").unwrap(), Value::Text(text.to_string().into()));
    }
}

#[test]
fn simple_values_are_few() {
    assert_eq!(read(b"\x84\xf4\xf5\xf6\xf7", "any").unwrap(), read(b"\x84\xf4\xf5\xf6\xf6", "any").unwrap());
    for bytes in [&b"\xe0"[..], b"\xf3", b"\xf8\x20", b"\xf8\xff"] {
        assert!(refusal(bytes, "any").starts_with("expected a value that Demat has a kind for, found simple value"));
        skipped(bytes).unwrap();
    }
}

#[test]
fn maps_have_any_scalar_as_a_key() {
    let usual = WriteOptions::default();
    for (shape, bytes) in
        [("map(int, text)", &b"\xa2\x01\x61a\x20\x61b"[..]), ("map(bool, int)", b"\xa2\xf4\x00\xf5\x01")]
    {
        let map = read(bytes, shape).unwrap();
        assert_eq!(map, read(bytes, "any").unwrap());
        assert_eq!(written(&map, &shape.parse().unwrap(), usual).unwrap(), bytes);
    }
    assert!(refusal(b"\xa1\x611\x00", "map(int, int)").starts_with("expected `int`, found `text`"));
    assert_eq!(refusal(b"\xa1\x80\x00", "any"), "expected a scalar as key, found `list` (byte 1)");
    let error = told(usual, |sink| {
        sink.begin_map(None)?;
        sink.entry()?;
        sink.begin_list(None)
    });
    assert_eq!(error.unwrap_err().to_string(), "expected a scalar as a key, found `list`");
}

#[test]
fn records_are_maps_of_texts() {
    let shape = "T{id: int, name: text?, kind: enum(a, b)}";
    let bytes = b"\xa3\x62id\x01\x64name\xf6\x64kind\x61b";
    let value = read(bytes, shape).unwrap();
    assert_eq!(written(&value, &shape.parse().unwrap(), WriteOptions::default()).unwrap(), bytes);
    assert_eq!(refusal(b"\xa1\x62id\x61x", shape), "expected `int`, found `text` \"x\" at `$.id` (byte 4)");
    let union = "union(a: int, b: null)";
    for bytes in [&b"\xa1\x61a\x05"[..], b"\x61b"] {
        let value = read(bytes, union).unwrap();
        assert_eq!(written(&value, &union.parse().unwrap(), WriteOptions::default()).unwrap(), bytes);
    }
}
