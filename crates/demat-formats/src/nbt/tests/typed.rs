//! Rust types, notes of fields, and tags that a copy without a shape keeps.

use super::*;
use crate::nbt;
use demat_core::{Field, Record};

#[test]
fn notes_say_tags() {
    let list = || Shape::Int(demat_core::IntWidth::Any).list();
    let fields = [
        ("byte", Shape::Int(demat_core::IntWidth::Any), int(1)),
        ("long", Shape::Int(demat_core::IntWidth::Any), int(1)),
        ("float", Shape::Float(demat_core::FloatWidth::F64), Value::Float(0.1)),
        ("short", list(), Value::List(vec![int(1)])),
        ("int_array", list(), Value::List(vec![int(1)])),
        ("long_array", list().optional(), Value::List(vec![])),
        ("int", list(), Value::List(vec![])),
    ];
    let shapes = fields.iter().enumerate();
    let shapes =
        shapes.map(|(at, (note, shape, _))| Field::new(*note, at as u32 + 1, shape.clone()).with_note("nbt", *note));
    let shape = Shape::record(Record::new("", shapes.collect()).unwrap());
    let value = map(&fields.clone().map(|(name, _, value)| (name, value)));
    let bytes = written_with(&value, &shape, WriteOptions::default()).unwrap();
    let expected = b"\x0a\0\0\
        \x01\0\x04byte\x01\
        \x04\0\x04long\0\0\0\0\0\0\0\x01\
        \x05\0\x05float\x3d\xcc\xcc\xcd\
        \x09\0\x05short\x02\0\0\0\x01\0\x01\
        \x0b\0\x09int_array\0\0\0\x01\0\0\0\x01\
        \x0c\0\x0along_array\0\0\0\0\
        \x09\0\x03int\x03\0\0\0\0\0";
    assert_eq!(bytes, expected);
    let large = map(&[("byte", int(128))]);
    let record = Record::new("", vec![Field::new("byte", 1, fields[0].1.clone()).with_note("nbt", "byte")]).unwrap();
    let error = written_with(&large, &Shape::record(record), WriteOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "expected an int of 8 bits, found `128` at `$.byte`");
}

#[test]
fn types_of_rust_are_encoded_by_their_width() {
    assert_eq!(nbt::encode(&(1i8, 2i8)).unwrap(), b"\x09\0\0\x01\0\0\0\x02\x01\x02");
    assert_eq!(nbt::encode(&vec![1i32]).unwrap()[0], 11);
    assert_eq!(nbt::encode(&vec![vec![1i64]]).unwrap()[..9], *b"\x09\0\0\x0c\0\0\0\x01\0");
    assert_eq!(nbt::decode::<Vec<i64>>(&nbt::encode(&vec![1i16, -5]).unwrap()).unwrap(), [1, -5]);
    let back: Vec<Vec<i32>> = nbt::decode_any(&nbt::encode(&vec![vec![1i32], vec![]]).unwrap()).unwrap();
    assert_eq!(back, [vec![1], vec![]]);
}

#[test]
fn a_copy_without_a_shape_keeps_every_tag() {
    let document = b"\x0a\0\0\
        \x01\0\x01a\x01\x02\0\x01b\0\x01\x04\0\x01c\0\0\0\0\0\0\0\x01\x05\0\x01d\x3f\0\0\0\
        \x09\0\x01e\x01\0\0\0\x01\x05\x09\0\x01f\x03\0\0\0\x01\0\0\0\x05\x0b\0\x01g\0\0\0\x01\0\0\0\x05\
        \x0c\0\x01h\0\0\0\0\x09\0\x01i\x04\0\0\0\0\x09\0\x01j\x0a\0\0\0\0\x09\0\x01k\0\0\0\0\0\
        \x09\0\x01l\x09\0\0\0\x02\x02\0\0\0\0\x0b\0\0\0\0\x09\0\x01m\x0b\0\0\0\x01\0\0\0\0\
        \x07\0\x01n\0\0\0\x01\xff\x09\0\x01o\x09\0\0\0\0\x09\0\x01p\x06\0\0\0\0\0";
    for size in [1, 2, 7, 33, 1 << 16] {
        let copied = copied(document, size, &of(Variant::Java), WriteOptions::default()).unwrap();
        assert!(copied == document, "{size}: {copied:x?}");
    }
    for variant in [Variant::Bedrock, Variant::BedrockNetwork] {
        let options = WriteOptions { variant, ..WriteOptions::default() };
        let other = copied(document, 64, &of(Variant::Java), options).unwrap();
        assert_eq!(copied(&other, 64, &of(variant), WriteOptions::default()).unwrap(), document);
    }
}

#[test]
fn a_span_is_a_document_that_is_written_as_it_was() {
    let inner = b"\x0a\0\0\x02\0\x01b\0\x01\x09\0\x01c\x04\0\0\0\0\0";
    let document = [&b"\x0a\0\0\x0a\0\x01a"[..], &inner[3..], b"\0"].concat();
    for variant in VARIANTS {
        let options = WriteOptions { variant, ..WriteOptions::default() };
        let bytes = copied(&document, 64, &of(Variant::Java), options.clone()).unwrap();
        let mut source = NbtSource::over(Part::whole(&bytes), &of(variant));
        source.map().unwrap();
        assert!(source.entry().unwrap());
        assert_eq!(&*source.text().unwrap(), "a");
        let span = source.span().unwrap();
        assert_eq!(&*span, inner);
        assert!(!source.entry().unwrap());
        source.end().unwrap();
        let mut sink = sink(options);
        sink.begin_map(None).unwrap();
        sink.key("a").unwrap();
        assert!(!sink.as_is("json", b"1").unwrap() && !sink.as_is("nbt", &span[1..]).unwrap());
        assert!(sink.as_is("nbt", &span).unwrap());
        sink.end_map().unwrap();
        sink.finish().unwrap();
        assert_eq!(sink.into_output().into_parts().0, bytes);
    }
}
