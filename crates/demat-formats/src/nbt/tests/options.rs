//! Variants, roots, headers and packing.

use super::bad::all_tags;
use super::*;
use crate::codec::{self, Codec, SettingValue};
use crate::{Format, To};

fn to(variant: Variant) -> WriteOptions {
    WriteOptions { variant, ..WriteOptions::default() }
}

#[test]
fn the_variant_is_found_out() {
    let java = all_tags();
    let value = read_with(&java, &Shape::Any, &of(Variant::Java)).unwrap();
    for variant in VARIANTS {
        let bytes = copied(&java, 64, &of(Variant::Java), to(variant)).unwrap();
        assert_eq!(read_with(&bytes, &Shape::Any, &ReadOptions::default()).unwrap(), value, "{variant:?}");
        for size in [1, 7, 100] {
            assert_eq!(
                copied(&bytes, size, &ReadOptions::default(), to(variant)).unwrap(),
                bytes,
                "{variant:?} {size}"
            );
        }
    }
}

/// The first 64 KiB are looked at, and end in the array.
#[test]
fn the_variant_of_a_long_array_is_found_out() {
    for count in [9_000, 20_000] {
        let shape: Shape = "[{v: [int64]}]".parse().unwrap();
        let value = Value::List(vec![map(&[("v", Value::List(vec![int(7); count]))])]);
        for variant in VARIANTS {
            let bytes = written_with(&value, &shape, to(variant)).unwrap();
            assert_eq!(read_with(&bytes, &shape, &ReadOptions::default()).unwrap(), value, "{variant:?} {count}");
            assert_eq!(copied(&bytes, 64, &ReadOptions::default(), to(variant)).unwrap(), bytes, "{variant:?}");
        }
    }
}

#[test]
fn a_header_is_found_and_written() {
    for version in [1, 8, 10] {
        let options = WriteOptions { header: Some(version), ..to(Variant::Bedrock) };
        let bytes = copied(&all_tags(), 64, &of(Variant::Java), options).unwrap();
        assert_eq!(bytes[..8], [version.to_le_bytes(), (bytes.len() as u32 - 8).to_le_bytes()].concat());
        for read in [of(Variant::Bedrock), ReadOptions::default()] {
            let plain = copied(&bytes, 5, &read, to(Variant::Bedrock)).unwrap();
            assert_eq!(plain, bytes[8..]);
        }
        // With fewer bytes, it may be a document without a header.
        for end in 9..bytes.len() {
            assert!(read_with(&bytes[..end], &Shape::Any, &of(Variant::Bedrock)).is_err(), "{end}");
        }
    }
}

#[test]
fn roots_have_names_or_none() {
    let value = map(&[("a", int(1))]);
    let options = |root: Root| WriteOptions { root, name: "top".into(), ..WriteOptions::default() };
    let named = written_with(&value, &Shape::Any, options(Root::Named)).unwrap();
    assert_eq!(named, b"\x0a\0\x03top\x03\0\x01a\0\0\0\x01\0");
    let nameless = written_with(&value, &Shape::Any, options(Root::Nameless)).unwrap();
    assert_eq!(nameless, b"\x0a\x03\0\x01a\0\0\0\x01\0");
    let read = |bytes: &[u8], root: Root| read_with(bytes, &Shape::Any, &ReadOptions { root, ..of(Variant::Java) });
    assert_eq!(read(&nameless, Root::Nameless).unwrap(), value);
    assert_eq!(read(&named, Root::Named).unwrap(), value);
    let entry = read(&named, Root::Entry).unwrap();
    assert_eq!(entry, map(&[("top", value.clone())]));
    assert_eq!(written_with(&entry, &Shape::Any, options(Root::Entry)).unwrap(), named);
    for bad in [map(&[]), map(&[("a", int(1)), ("b", int(2))]), int(1), Value::List(vec![])] {
        let error = written_with(&bad, &Shape::Any, options(Root::Entry)).unwrap_err();
        assert!(error.to_string().contains("a record of one entry"), "{error}");
    }
    for size in [1, 3, 100] {
        let keep = ReadOptions { root: Root::Entry, ..of(Variant::Java) };
        assert_eq!(copied(&all_tags(), size, &keep, options(Root::Entry)).unwrap(), all_tags());
    }
}

#[test]
fn compounds_one_behind_the_other_are_a_list() {
    let records = Value::List((0..30).map(|at| map(&[("a", int(at))])).collect());
    for variant in VARIANTS {
        let options = WriteOptions { sequence: true, ..to(variant) };
        let bytes = written_with(&records, &Shape::Any, options.clone()).unwrap();
        assert_eq!(read_with(&bytes, &Shape::Any, &of(variant)).unwrap(), records);
        assert_eq!(read_with(&bytes, &"[{a: int}]".parse().unwrap(), &of(variant)).unwrap(), records);
        for size in [1, 5, 64] {
            assert_eq!(copied(&bytes, size, &of(variant), options.clone()).unwrap(), bytes);
        }
        skipped(&bytes, &of(variant)).unwrap();
    }
    let error = written_with(
        &Value::List(vec![int(1)]),
        &Shape::Any,
        WriteOptions { sequence: true, ..WriteOptions::default() },
    );
    assert!(error.unwrap_err().to_string().contains("as every item of a sequence"));
}

/// Returns a document that the codec writes with these options.
fn by_codec(settings: &[(&str, SettingValue)]) -> Vec<u8> {
    let mut options = Format::NBT.write_options();
    for (name, value) in settings {
        Format::NBT.set_write::<Error>(&mut options, name, |_| Ok(value.clone())).unwrap();
    }
    let mut bytes = Vec::new();
    let mut sink = super::super::NbtCodec.sink(&options, Box::new(To(&mut bytes))).unwrap();
    let list = Value::List(vec![text(&"many ".repeat(1000)); 30]);
    copy(&mut ValueSource::new(&list), &Shape::Any, &mut *sink).unwrap();
    drop(sink);
    bytes
}

#[test]
fn documents_are_packed_and_unpacked() {
    let plain = by_codec(&[]);
    for (name, packing) in [("gzip", Packing::Gzip), ("zlib", Packing::Zlib)] {
        let bytes = by_codec(&[("packed", SettingValue::Text(name.into()))]);
        assert!(bytes.len() < plain.len() / 10);
        assert_eq!(packing.unpack(&bytes, 1 << 30).unwrap(), plain);
        let options = ReadOptions::default();
        for size in [1, 10, 1 << 16] {
            assert_eq!(copied(&bytes, size, &options, WriteOptions::default()).unwrap(), plain, "{size}");
        }
        for end in 2..bytes.len() {
            let error = read_with(&bytes[..end], &Shape::Any, &options).unwrap_err();
            assert!(error.to_string().contains(&format!("the {name} data is damaged or cut off")), "{end}: {error}");
        }
        let small = ReadOptions { unpacked: plain.len() - 1, ..options };
        assert_eq!(read_with(&bytes, &Shape::Any, &small).unwrap_err().kind(), demat_core::ErrorKind::Limit);
    }
}

#[test]
fn the_codec_has_every_option() {
    let bytes = by_codec(&[
        ("variant", SettingValue::Text("bedrock".into())),
        ("header", SettingValue::Count(10)),
        ("name", SettingValue::Text("x".into())),
    ]);
    assert_eq!(bytes[..4], [10, 0, 0, 0]);
    assert_eq!(bytes[8..12], [9, 1, 0, b'x']);
    let mut options: codec::ReadOptions = Format::NBT.read_options();
    for (name, value) in
        [("variant", "bedrock-network"), ("root", "nameless"), ("repeated_keys", "refuse"), ("depth", "3")]
    {
        Format::NBT.set_read::<Error>(&mut options, name, |setting| setting.parse(value)).unwrap();
    }
    let own = super::super::codec::read_options(&options);
    assert_eq!((own.variant, own.root, own.depth), (Some(Variant::BedrockNetwork), Root::Nameless, 3));
    assert_eq!(own.repeated_keys, RepeatedKeys::Refuse);
}
