//! Values with tags.

use super::*;
use demat_core::copy;
use demat_core::scalar::{Date, Decimal, Instant, Uuid};

fn value(shape: &str, text: &str) -> Value {
    Value::decode_as(&mut demat_core::ValueSource::new(&Value::Text(text.to_string().into())), &shape.parse().unwrap())
        .unwrap()
}

#[test]
fn instants_are_text_with_their_offset() {
    let text = "2013-03-21T20:04:00.500+02:00";
    let bytes = [b"\xc0\x78\x1d", text.as_bytes()].concat();
    let instant = Value::from(Instant::parse(text).unwrap());
    assert_eq!(written(&instant, &Shape::Instant, WriteOptions::default()).unwrap(), bytes);
    for shape in ["instant", "any"] {
        assert_eq!(read(&bytes, shape).unwrap(), instant);
    }
    assert_eq!(read(&bytes[1..], "instant").unwrap(), instant, "without a tag");
    assert_eq!(refusal(&bytes, "text"), "expected `text`, found `instant` (byte 0)");
    assert_eq!(refusal(&bytes, "datetime"), "expected `datetime`, found `instant` (byte 0)");
    // In pieces.
    let pieces = [b"\xc0\x7f\x74", &text.as_bytes()[..20], b"\x69", &text.as_bytes()[20..], b"\xff"].concat();
    assert_eq!(read(&pieces, "any").unwrap(), instant);
    let message = "expected a date and time as RFC 3339, with an offset, found `text` \"2013-03-21T20:04:00\" (byte 1)";
    assert_eq!(refusal(b"\xc0\x732013-03-21T20:04:00", "any"), message);
    assert!(skipped(b"\xc0\x61x").is_err() && skipped(b"\xc0\x01").is_err() && skipped(b"\xc0\xc0\x61x").is_err());
}

#[test]
fn epochs_are_ints_and_floats() {
    for (bytes, text) in [
        (&b"\xc1\x1a\x51\x4b\x67\xb0"[..], "2013-03-21T20:04:00Z"),
        (b"\xc1\xfb\x41\xd4\x52\xd9\xec\x20\x00\x00", "2013-03-21T20:04:00.500Z"),
        (b"\xc1\x20", "1969-12-31T23:59:59Z"),
        (b"\xc1\xf9\xb4\x00", "1969-12-31T23:59:59.750Z"),
        (b"\xc1\xfa\x3f\xc0\x00\x00", "1970-01-01T00:00:01.500Z"),
    ] {
        assert_eq!(read(bytes, "instant").unwrap(), Value::from(Instant::parse(text).unwrap()), "{bytes:x?}");
        assert_eq!(read(bytes, "any").unwrap(), read(bytes, "instant").unwrap());
        skipped(bytes).unwrap();
    }
    for bytes in
        [&b"\xc1\x1b\xff\xff\xff\xff\xff\xff\xff\xff"[..], b"\xc1\xf9\x7e\x00", b"\xc1\xf9\xfc\x00", b"\xc1\x60"]
    {
        let message = "expected seconds since 1970 in the years 1 to 9999, found other content (byte 1)";
        assert_eq!(refusal(bytes, "instant"), message);
        assert_eq!(skipped(bytes).unwrap_err().kind(), ErrorKind::Constraint);
    }
    assert_eq!(refusal(b"\x01", "instant"), "expected `instant`, found `int` 1 (byte 0)");
}

#[test]
fn dates_are_text_or_days() {
    let date = Value::Date(Date::parse("1940-10-09").unwrap());
    let bytes = b"\xd9\x03\xec\x6a1940-10-09";
    assert_eq!(written(&date, &Shape::Date, WriteOptions::default()).unwrap(), bytes);
    for bytes in [&bytes[..], b"\xd8\x64\x39\x29\xb3"] {
        assert_eq!(read(bytes, "any").unwrap(), date, "{bytes:x?}");
        assert_eq!(read(bytes, "date").unwrap(), date);
    }
    assert_eq!(read(&bytes[3..], "date").unwrap(), date);
    assert!(refusal(b"\xd8\x64\x1a\x7f\xff\xff\xff", "date").starts_with("expected days since 1970"));
    assert!(refusal(b"\xd9\x03\xec\x611", "date").starts_with("expected a date as YYYY-MM-DD"));
}

#[test]
fn uuids_are_bytes() {
    let text = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
    let uuid = Value::Uuid(Uuid::parse(text).unwrap());
    let bytes = b"\xd8\x25\x50\xf8\x1d\x4f\xae\x7d\xec\x11\xd0\xa7\x65\x00\xa0\xc9\x1e\x6b\xf6";
    assert_eq!(written(&uuid, &Shape::Uuid, WriteOptions::default()).unwrap(), bytes);
    assert_eq!(read(bytes, "any").unwrap(), uuid);
    for bytes in [bytes.to_vec(), bytes[2..].to_vec(), [b"\x78\x24", text.as_bytes()].concat()] {
        assert_eq!(read(&bytes, "uuid").unwrap(), uuid);
    }
    assert_eq!(refusal(b"\xd8\x25\x41a", "any"), "expected `uuid` of 16 bytes, found bytes of length 1 (byte 0)");
    assert_eq!(refusal(bytes, "bytes"), "expected `bytes`, found `uuid` (byte 0)");
}

#[test]
fn numbers_have_all_their_digits() {
    for (shape, text, bytes) in [
        ("decimal", "273.15", &b"\xc4\x82\x21\x19\x6a\xb3"[..]),
        ("decimal", "1.50", b"\xc4\x82\x21\x18\x96"),
        ("decimal", "-7", b"\xc4\x82\x00\x26"),
        ("decimal", "1e30", b"\xc4\x82\x18\x1e\x01"),
        ("decimal", "0.1844674407370955161600", b"\xc4\x82\x35\xc2\x49\x64\0\0\0\0\0\0\0\0"),
    ] {
        let decimal = value(shape, text);
        assert_eq!(written(&decimal, &Shape::Any, WriteOptions::default()).unwrap(), bytes, "{text}");
        let Value::Decimal(found) = read(bytes, "any").unwrap() else { panic!("{text}") };
        assert_eq!(found.as_str(), text);
        assert_eq!(read(bytes, "float").unwrap(), Value::Float(Decimal::parse(text).unwrap().to_f64()));
    }
    for bytes in [&b"\xc4\x82\x20\x0f"[..], b"\xc5\x82\x20\x03", b"\xc5\x9f\x20\x03\xff", b"\x631.5"] {
        assert_eq!(read(bytes, "decimal").unwrap(), value("decimal", "1.5"), "{bytes:x?}");
    }
    assert_eq!(read(b"\xc2\x49\x01\0\0\0\0\0\0\0\0", "decimal").unwrap(), value("decimal", "18446744073709551616"));
    assert_eq!(
        read(b"\x3b\xff\xff\xff\xff\xff\xff\xff\xff", "float").unwrap(),
        Value::Float(-18_446_744_073_709_551_616.0)
    );
    for bytes in ["c4820102ff", "c48101", "c4830102ff", "c49f010203ff", "c482f90000 01", "c48201f90000", "c482c2410101"]
    {
        assert!(read(&bytes_of(bytes), "any").is_err() && skipped(&bytes_of(bytes)).is_err(), "{bytes}");
    }
    assert_eq!(refusal(b"\xc4\x82\x20\x0f", "int"), "expected `int`, found `decimal` (byte 0)");
    let wide = Value::Decimal(Decimal::parse("1e9223372036854775808").unwrap());
    let error = written(&wide, &Shape::Any, WriteOptions::default()).unwrap_err();
    assert_eq!((error.kind(), &*error.reason()), (ErrorKind::Encode, "the exponent of a decimal is beyond 64 bits"));
}

#[test]
fn other_tags_are_ignored_or_refused() {
    let ignore = ReadOptions { unknown_tags: UnknownTags::Ignore, ..ReadOptions::default() };
    let refuse = ReadOptions { unknown_tags: UnknownTags::Refuse, ..ReadOptions::default() };
    for (bytes, plain) in [
        (&b"\xd7\x44\x01\x02\x03\x04"[..], &b"\x44\x01\x02\x03\x04"[..]),
        (b"\xd8\x20\x61a", b"\x61a"),
        (b"\xd9\x01\x02\x82\x01\x02", b"\x82\x01\x02"),
        (b"\xdb\xff\xff\xff\xff\xff\xff\xff\xff\xa1\x61a\xd8\x20\x01", b"\xa1\x61a\x01"),
        (b"\xd8\x20\xc2\x41\x01", b"\x01"),
    ] {
        assert_eq!(read_with(bytes, "any", ignore).unwrap(), read(plain, "any").unwrap());
        skipped(bytes).unwrap();
        let error = read_with(bytes, "any", refuse).unwrap_err();
        assert!(error.to_string().starts_with("expected a tag that Demat has a kind for, found tag"), "{error}");
    }
    assert_eq!(read_with(b"\xd9\xd9\xf7\xd9\xd9\xf7\x01", "any", refuse).unwrap(), read(b"\x01", "any").unwrap());
    assert_eq!(
        read_with(b"\xa2\x61x\xd8\x20\x01\x61a\x01", "{a: int}", refuse).unwrap(),
        read(b"\xa1\x61a\x01", "any").unwrap()
    );
}

#[test]
fn references_are_refused() {
    let message = "expected a value, found tag 29, which refers to another value at `$[1]` (byte 2)";
    assert_eq!(refusal(b"\x82\x01\xd8\x1d\x00", "any"), message);
    assert_eq!(
        refusal(b"\xd8\x19\x00", "int"),
        "expected a value, found tag 25, which refers to another value (byte 0)"
    );
    assert_eq!(read(b"\xa2\x61x\xd8\x1d\x00\x61a\x01", "{a: int}").unwrap(), read(b"\xa1\x61a\x01", "any").unwrap());
}

#[test]
fn kinds_are_known_without_a_shape() {
    for (bytes, kind) in [
        (&b"\xc0\x60"[..], Kind::Instant),
        (b"\xc1\x00", Kind::Instant),
        (b"\xc3\x40", Kind::Int),
        (b"\xc5\x82\x00\x00", Kind::Decimal),
        (b"\xd8\x64\x00", Kind::Date),
        (b"\xd8\x25\x40", Kind::Uuid),
        (b"\xd9\xd9\xf7\x9f\xff", Kind::List),
        (b"\xf7", Kind::Null),
        (b"\xf9\x00\x00", Kind::Float),
    ] {
        assert_eq!(CborSource::new(bytes).peek().unwrap(), kind, "{bytes:x?}");
    }
}

/// Tags without a kind, with the record that each is without a type.
const KEPT: [(&[u8], &str); 7] = [
    (b"\xd8\x20\x61a", r#"{"tag":32,"value":"a"}"#),
    (b"\xc6\x01", r#"{"tag":6,"value":1}"#),
    (
        b"\xdb\xff\xff\xff\xff\xff\xff\xff\xff\xa1\x61a\xd8\x20\x01",
        r#"{"tag":18446744073709551615,"value":{"a":{"tag":32,"value":1}}}"#,
    ),
    (b"\xd9\x01\x02\x82\x01\xd9\x01\x02\x80", r#"{"tag":258,"value":[1,{"tag":258,"value":[]}]}"#),
    (b"\xd8\x20\xd8\x21\xc6\xf6", r#"{"tag":32,"value":{"tag":33,"value":{"tag":6,"value":null}}}"#),
    (b"\x82\xd8\x20\x01\x02", r#"[{"tag":32,"value":1},2]"#),
    (b"\xda\x00\x01\x00\x00\xf4", r#"{"tag":65536,"value":false}"#),
];

/// Copies without a type.
fn copied(bytes: &[u8], options: WriteOptions) -> Vec<u8> {
    let mut sink = CborSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut CborSource::new(bytes), &Shape::Any, &mut sink).unwrap();
    sink.finish().unwrap();
    sink.into_output().into_parts().0
}

#[test]
fn unknown_tags_are_records_without_a_type_and_are_written_as_they_were() {
    for (bytes, json) in KEPT {
        let value: Value = crate::json::decode(json.as_bytes()).unwrap();
        let found = read(bytes, "any").unwrap();
        assert_eq!(crate::json::encode(&found).unwrap(), crate::json::encode(&value).unwrap());
        assert_eq!(copied(bytes, WriteOptions::default()), bytes);
        let deterministic = WriteOptions { deterministic: true, ..WriteOptions::default() };
        assert_eq!(copied(bytes, deterministic), bytes);
        skipped(bytes).unwrap();
        for size in [1, 2, 3, 7] {
            assert_eq!(streamed(bytes, size, &Shape::Any).unwrap(), found, "{json} {size}");
        }
        // Truncated at each byte.
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len], "any").is_err(), "{json} {len}");
        }
    }
}

#[test]
fn a_type_reads_the_value_alone_or_the_tag() {
    assert_eq!(crate::cbor::decode::<String>(b"\xd8\x20\x61a").unwrap(), "a");
    assert_eq!(crate::cbor::decode::<Vec<u8>>(b"\xd9\x01\x02\x82\x01\x02").unwrap(), [1, 2]);
    let tag = crate::cbor::Tag { tag: 258, value: vec![1u8, 2] };
    assert_eq!(crate::cbor::decode::<crate::cbor::Tag<Vec<u8>>>(b"\xd9\x01\x02\x82\x01\x02").unwrap(), tag);
    assert_eq!(crate::cbor::encode(&tag).unwrap(), b"\xd9\x01\x02\x82\x01\x02");
    for options in [UnknownTags::Refuse, UnknownTags::Ignore] {
        let options = ReadOptions { unknown_tags: options, ..ReadOptions::default() };
        let read = read_with(b"\xd8\x20\x61a", "tag: int #cbor:tag, value: text", options).unwrap();
        assert_eq!(read.get("value"), Some(&Value::Text("a".into())));
    }
    // A record of these keys is one, as well.
    let read = read(b"\xa2\x63tag\x01\x65value\x02", "tag: int #cbor:tag, value: int").unwrap();
    assert_eq!(read.get("tag"), Some(&Value::Int(1.into())));
    let error = crate::cbor::decode::<crate::cbor::Tag<i64>>(b"\xc1\x00").unwrap_err();
    assert!(error.to_string().starts_with("expected `record`, found `"), "{error}");
}

#[test]
fn tags_nest_as_deep_as_other_values() {
    for (depth, fits) in [(1024, true), (1025, false)] {
        let bytes = [vec![0xc6; depth], vec![0x01]].concat();
        assert_eq!(read(&bytes, "any").is_ok(), fits, "{depth}");
        skipped(&bytes).unwrap();
    }
}

/// Writes a record with the shape of a tag.
fn tag_of(json: &str) -> Result<Vec<u8>, String> {
    let value: Value = crate::json::decode(json.as_bytes()).unwrap();
    let shape: Shape = "tag: any #cbor:tag, value: any".parse().unwrap();
    let mut sink = CborSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    copy(&mut demat_core::ValueSource::new(&value), &shape, &mut sink).map_err(|error| error.to_string())?;
    sink.finish().unwrap();
    Ok(sink.into_output().into_parts().0)
}

#[test]
fn a_record_is_written_as_a_tag_in_either_order() {
    let many = format!("[{}1]", "1,".repeat(30));
    let plain = [&b"\x98\x1f"[..], &[1; 31]].concat();
    for json in [format!(r#"{{"tag":300,"value":{many}}}"#), format!(r#"{{"value":{many},"tag":300}}"#)] {
        assert_eq!(tag_of(&json).unwrap(), [&b"\xd9\x01\x2c"[..], &plain].concat());
    }
    let nested = r#"{"value":{"a":{"value":2,"tag":7}},"tag":6}"#;
    // What is inside has no type, and so it is a record.
    assert_eq!(tag_of(nested).unwrap(), b"\xc6\xa1\x61a\xa2\x65value\x02\x63tag\x07");
    for (json, found) in [
        (r#"{"tag":1,"value":2}"#, "tag 1, which is written for values of its kind"),
        (r#"{"tag":25,"value":2}"#, "tag 25, which refers to another value"),
        (r#"{"tag":-1,"value":2}"#, "a `tag` that is no number"),
        (r#"{"tag":"a","value":2}"#, "a `tag` that is no number"),
        (r#"{"value":2,"tag":18446744073709551616}"#, "a `tag` that is no number"),
    ] {
        let error = tag_of(json).unwrap_err();
        assert!(error.contains("expected a tag of `tag` (uint64) and `value`") && error.contains(found), "{error}");
    }
}

#[test]
fn wrong_notes_are_refused() {
    for shape in ["tag: int #cbor:tags, value: int", "tag: int, value: int #cbor:tag", "a: int #cbor:tag, value: int"] {
        let error = read(b"\xa1\x61a\x01", shape).unwrap_err();
        assert!(error.to_string().contains("for cbor") || error.to_string().contains("`tag` is for"), "{error}");
    }
}
