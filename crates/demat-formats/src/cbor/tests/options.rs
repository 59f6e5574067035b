//! Options, and bytes that are taken as they stand.

use super::*;
use crate::codec::{Codec, SettingValue};
use crate::stream::Part;
use crate::{Format, To};
use demat_core::Error;

#[test]
fn a_repeated_key_counts_last_or_is_refused() {
    let refuse = ReadOptions { repeated_keys: RepeatedKeys::Refuse, ..ReadOptions::default() };
    for bytes in [&b"\xa2\x61a\x01\x61a\x02"[..], b"\xbf\x61a\x01\x61a\x02\xff"] {
        let last = read(b"\xa1\x61a\x02", "any").unwrap();
        assert_eq!(streamed(bytes, 100, &"{a: int}".parse().unwrap()).unwrap(), last);
        let error = read_with(bytes, "{a: int}", refuse).unwrap_err();
        assert!(error.to_string().starts_with("the key `a` stands here again"), "{error}");
    }
}

fn flag(format: Format, options: &mut crate::codec::WriteOptions, name: &str) {
    format.set_write(options, name, |_| Ok::<_, Error>(SettingValue::Flag(true))).unwrap();
}

#[test]
fn options_are_set_by_name() {
    let format = Format::CBOR;
    let mut options = format.write_options();
    flag(format, &mut options, "sequence");
    flag(format, &mut options, "deterministic");
    format.set_write(&mut options, "depth", |setting| setting.parse("2")).unwrap();
    let mut bytes = Vec::new();
    let mut sink = crate::cbor::CborCodec.sink(&options, Box::new(To(&mut bytes))).unwrap();
    sink.begin_list(None).unwrap();
    sink.item().unwrap();
    sink.float(1.0).unwrap();
    sink.item().unwrap();
    sink.begin_map(None).unwrap();
    sink.key("b").unwrap();
    let error = sink.begin_list(None).unwrap_err();
    assert_eq!(error.to_string(), "the depth of nesting exceeds the limit of 2");
    sink.null().unwrap();
    sink.key("a").unwrap();
    sink.null().unwrap();
    sink.end_map().unwrap();
    sink.end_list().unwrap();
    sink.finish().unwrap();
    drop(sink);
    assert_eq!(bytes, b"\xf9\x3c\x00\xa2\x61a\xf6\x61b\xf6");

    let mut options = format.read_options();
    format.set_read(&mut options, "sequence", |setting| setting.parse("true")).unwrap();
    format.set_read(&mut options, "unknown_tags", |setting| setting.parse("refuse")).unwrap();
    let mut reader = crate::cbor::CborCodec.reader(&options).unwrap().boxed();
    let mut source = reader.boxed_source(Part::whole(b"\x01\xd8\x20\x02"));
    source.list().unwrap();
    assert!(source.item().unwrap());
    assert_eq!(source.i64().unwrap(), 1);
    assert!(source.item().unwrap());
    assert!(source.i64().unwrap_err().to_string().contains("found tag 32"));
}

#[test]
fn one_value_is_taken_as_it_stands() {
    let taken = |bytes: &[u8], options: WriteOptions| {
        told(options, |sink| {
            sink.begin_list(None)?;
            sink.item()?;
            if sink.as_is("cbor", bytes)? { sink.end_list() } else { Err(Error::expected("a value", "other bytes")) }
        })
    };
    let usual = WriteOptions::default();
    assert_eq!(taken(b"\x19\x00\x01", usual).unwrap(), b"\x81\x19\x00\x01");
    assert_eq!(taken(b"\xd8\x20\x9f\xff", usual).unwrap(), b"\x81\xd8\x20\x9f\xff");
    assert!(taken(b"\xa0\xa0", usual).is_err(), "a sequence");
    assert!(taken(b"\x81", usual).is_err());
    assert!(taken(b"\x01", DETERMINISTIC).is_err());
    assert!(!usual.sink(Output::new(Vec::new(), Keep)).as_is("json", b"1").unwrap());
}
