//! The binary form.

use super::*;
use demat_core::ErrorKind;

/// Returns a document with these objects, whose sizes have one byte.
fn document(objects: &[&[u8]], root: u8) -> Vec<u8> {
    let mut bytes = b"bplist00".to_vec();
    let mut offsets = Vec::new();
    for object in objects {
        offsets.push(bytes.len() as u8);
        bytes.extend_from_slice(object);
    }
    let at = bytes.len() as u64;
    bytes.extend_from_slice(&offsets);
    bytes.extend_from_slice(&[0, 0, 0, 0, 0, 0, 1, 1]);
    for number in [objects.len() as u64, root.into(), at] {
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    bytes
}

fn of(object: &[u8]) -> Result<Value> {
    read(&document(&[object], 0), "any")
}

#[test]
fn objects_are_values() {
    let int = |text: &str| Value::Int(demat_core::scalar::Int::from_digits(text).unwrap().into_owned());
    assert_eq!(of(b"\x08").unwrap(), Value::Bool(false));
    assert_eq!(of(b"\x09").unwrap(), Value::Bool(true));
    assert_eq!(of(b"\x10\xff").unwrap(), int("255"));
    assert_eq!(of(b"\x11\xff\xff").unwrap(), int("65535"));
    assert_eq!(of(b"\x12\xff\xff\xff\xff").unwrap(), int("4294967295"));
    assert_eq!(of(b"\x13\xff\xff\xff\xff\xff\xff\xff\xff").unwrap(), int("-1"));
    let wide = b"\x14\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff";
    assert_eq!(of(wide).unwrap(), int("18446744073709551615"));
    assert_eq!(of(b"\x22\x3f\xc0\0\0").unwrap(), Value::Float(1.5));
    assert_eq!(of(b"\x23\x3f\xf8\0\0\0\0\0\0").unwrap(), Value::Float(1.5));
    let date = read(&document(&[b"\x33\x3f\xf8\0\0\0\0\0\0"], 0), "instant").unwrap();
    assert_eq!(date, value("\"2001-01-01T00:00:01.5Z\"", &shape("instant")));
    assert_eq!(of(b"\x42\0\xff").unwrap(), Value::Bytes(vec![0, 0xff].into()));
    assert_eq!(of(b"\x51a").unwrap(), Value::Text("a".into()));
    assert_eq!(of(b"\x5f\x10\x01a").unwrap(), Value::Text("a".into()));
    assert_eq!(of(b"\x62\x20\xac\0b").unwrap(), Value::Text("€b".into()));
    assert_eq!(of(b"\x80\x07").unwrap(), value("{\"CF$UID\": 7}", &Shape::Any));
    assert_eq!(read(&document(&[b"\x81\x01\x00"], 0), "int").unwrap(), int("256"));
    let nested = document(&[b"\xd1\x01\x02", b"\x51a", b"\xa2\x03\x03", b"\x10\x05"], 0);
    assert_eq!(read(&nested, "any").unwrap(), value("{\"a\": [5, 5]}", &Shape::Any));
}

#[test]
fn text_and_data_are_borrowed() {
    let bytes = document(&[b"\xa2\x01\x02", b"\x53abc", b"\x42\0\x01"], 0);
    let mut format = Plist::default();
    let mut source = format.whole(Part::whole(&bytes));
    source.list().unwrap();
    assert!(source.item().unwrap());
    assert!(matches!(source.text().unwrap(), demat_core::Text::Input("abc")));
    assert!(source.item().unwrap());
    assert!(matches!(source.bytes().unwrap(), std::borrow::Cow::Borrowed([0, 1])));
}

#[test]
fn what_lies_is_refused() {
    for object in [
        &b"\x00"[..],
        b"\x0f",
        b"\x15\0",
        b"\x21\0",
        b"\x3f\0\0\0\0\0\0\0\0",
        b"\x33\x7f\xf0\0\0\0\0\0\0",
        b"\x33\x7e\xf0\0\0\0\0\0\0",
        b"\x45abc",
        b"\x4f\x13\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"\x4f\x13\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x4f\x14\0",
        b"\x4f\x51a",
        b"\x51\x80",
        b"\x61\xd8\0",
        b"\x6f\x13\x40\0\0\0\0\0\0\0",
        b"\x71\xff",
        b"\xa1\x01",
        b"\xaf\x13\x40\0\0\0\0\0\0\0",
        b"\xd1\0",
        b"\xdf\x13\x40\0\0\0\0\0\0\0",
        b"\xe0",
    ] {
        let error = of(object).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Syntax | ErrorKind::Constraint), "{object:x?} {error}");
        assert!(error.position().offset.is_some(), "{object:x?} {error}");
    }
    let good = document(&[b"\x09"], 0);
    for (at, byte) in
        [(10 + 6, 0), (10 + 6, 9), (10 + 7, 0), (10 + 15, 2), (10 + 8, 0xff), (10 + 23, 1), (10 + 31, 40), (9, 200)]
    {
        let mut bad = good.clone();
        bad[at] = byte;
        assert_eq!(read(&bad, "any").unwrap_err().kind(), ErrorKind::Syntax, "{at} {byte}");
    }
    // A prefix that is shorter than `bplist` parses as text of the old form.
    for end in 6..good.len() {
        assert!(read(&good[..end], "any").is_err(), "{end}");
    }
    assert!(refusal(b"bplist15", "any").starts_with("expected version 00"));
    let key = document(&[b"\xd1\x01\x01", b"\x10\x05"], 0);
    assert_eq!(refusal(&key, "any"), "expected text as a key, found `int` (byte 11)");
}

#[test]
fn cycles_and_bombs_are_refused() {
    for objects in [&[&b"\xa1\x00"[..]][..], &[b"\xa1\x01", b"\xa1\x00"], &[b"\xd1\x01\x00", b"\x51a"]] {
        let error = read(&document(objects, 0), "any").unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::Constraint, "an object contains itself".to_string()));
    }
    // Each list contains the next one twice: a document of 300 bytes with 2^60 values.
    let lists: Vec<Vec<u8>> = (1..=60).map(|next| vec![0xa2, next, next]).chain([vec![0xa0]]).collect();
    let lists: Vec<&[u8]> = lists.iter().map(Vec::as_slice).collect();
    let error = read(&document(&lists, 0), "any").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.reason().starts_with("the number of values that shared objects stand for"), "{error}");
    // Overlapping arrays, each with all of the references.
    let many = [&[0xaf, 0x10, 200][..], &[0; 200]].concat();
    let mut overlapping = document(&[&many, b"\x09"], 0);
    let at = overlapping.len() - 32 - 2;
    overlapping[at + 1] = 8;
    assert_eq!(read(&overlapping, "any").unwrap_err().reason(), "objects overlap");
    // A shared object is read once for each reference.
    let shared = document(&[b"\xa3\x01\x01\x01", b"\xa1\x02", b"\x51a"], 0);
    assert_eq!(read(&shared, "any").unwrap(), value(r#"[["a"], ["a"], ["a"]]"#, &Shape::Any));
    let deep: Vec<Vec<u8>> = (1..200).map(|next| vec![0xa1, next]).chain([vec![0xa0]]).collect();
    let deep: Vec<&[u8]> = deep.iter().map(Vec::as_slice).collect();
    // Offsets of one byte end at 255.
    let options = ReadOptions { depth: 20, ..ReadOptions::default() };
    assert_eq!(
        read_as(&document(&deep[deep.len() - 40..], 0), &Shape::Any, options).unwrap_err().kind(),
        ErrorKind::Syntax
    );
    let chain: Vec<Vec<u8>> = (1..40).map(|next| vec![0xa1, next]).chain([vec![0xa0]]).collect();
    let chain: Vec<&[u8]> = chain.iter().map(Vec::as_slice).collect();
    assert_eq!(read_as(&document(&chain, 0), &Shape::Any, options).unwrap_err().kind(), ErrorKind::Limit);
}
