//! Files that are damaged, or made to do harm: each gives an error, soon and in little memory.

use super::*;
use demat_core::ErrorKind;

#[test]
fn damaged_files_are_refused() {
    let good = file(r#""string""#, 1, b"\x04hi");
    assert_eq!(json(&good, "[text]"), r#"["hi"]"#);
    let long = "[text]";
    assert_eq!(
        read(b"PAR1", long).unwrap_err().reason(),
        "expected the first bytes of an Avro file, `Obj` and 1, found `b\"PAR1\"`"
    );
    assert_eq!(read(b"Ob", long).unwrap_err().reason(), "expected an Avro file, found end of input");
    let mut other = good.clone();
    let last = other.len() - 1;
    other[last] ^= 1;
    assert_eq!(
        read(&other, long).unwrap_err().reason(),
        "expected the marker at the end of a block, found other bytes"
    );
    let more = file(r#""string""#, 1, b"\x04hi!");
    assert_eq!(read(&more, long).unwrap_err().reason(), "1 bytes follow the last value of a block");
    let less = file(r#""string""#, 1, b"\x06hi");
    assert_eq!(read(&less, long).unwrap_err().reason(), "expected `text`, found the end of a block");
    let negative = file(r#""string""#, 1, b"\x01");
    assert_eq!(read(&negative, long).unwrap_err().reason(), "expected a length, found `-1`");
}

#[test]
fn no_change_of_a_byte_does_harm() {
    let schema = r#"{"type": "record", "name": "R", "fields": [
        {"name": "a", "type": ["null", "R"]}, {"name": "b", "type": {"type": "array", "items": "null"}},
        {"name": "c", "type": {"type": "map", "values": "bytes"}}]}"#;
    for compression in ALL {
        let good = file_of(schema, compression, &[(1, b"\x02\x00\x06\x00\x00\x04\x00\x02\x02k\x04vv\x00")]);
        read(&good, "any").unwrap();
        for at in 0..good.len() {
            for change in [1, 0x80, 0xff] {
                let mut bad = good.clone();
                bad[at] ^= change;
                let read = read(&bad, "any").is_ok();
                let skipped = testing::skipped(Avro::default(), &bad, &Shape::Any);
                assert_eq!(read, skipped.is_ok(), "{compression:?} {at} {change}: {skipped:?}");
            }
            // A file may end after its header.
            let cut = super::read(&good[..at], "any");
            assert!(cut.is_err() || cut.is_ok_and(|value| value == Value::List(Vec::new())));
        }
    }
}

#[test]
fn unknown_compressions_are_named() {
    let mut bytes = file(r#""int""#, 0, b"");
    let at = bytes.windows(4).position(|four| four == b"null").unwrap();
    bytes.splice(at - 1..at + 4, *b"\x0abzip2");
    let error = read(&bytes, "[int]").unwrap_err();
    assert_eq!(error.reason(), "the codec is one of null, deflate, snappy, zstandard, and not `bzip2`");
    assert_eq!(error.kind(), ErrorKind::Constraint);
}

#[test]
fn counts_are_limited_by_the_bytes() {
    let nulls = r#"{"type": "array", "items": "null"}"#;
    let mut data = Vec::new();
    write_number(&mut data, 1 << 60);
    let error = read(&file(nulls, 1, &data), "any").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    let ints = r#"{"type": "array", "items": "int"}"#;
    let error = read(&file(ints, 1, &data), "any").unwrap_err();
    assert_eq!(error.reason(), "expected at most 0 items, one for each byte of the block, found `1152921504606846976`");
    let error = read(&file(r#""null""#, 1 << 60, b""), "any").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(read(&file(nulls, 1, &[1, 1, 0]), "any").is_err());
    assert_eq!(json(&file(nulls, 1, &[4, 0]), "any"), "[[null,null]]");
}

#[test]
fn depth_is_limited() {
    let itself = r#"{"type": "record", "name": "R", "fields": [{"name": "a", "type": "R"}]}"#;
    for bytes in [
        file(itself, 1, b""),
        file(r#"{"type": "record", "name": "R", "fields": [{"name": "a", "type": ["R"]}]}"#, 1, &[0; 5_000]),
    ] {
        let error = testing::skipped(Avro::default(), &bytes, &Shape::Any).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert_eq!(read(&bytes, "any").unwrap_err().kind(), ErrorKind::Limit);
    }
}

#[test]
fn blocks_are_limited() {
    let zeros = vec![0; 1 << 20];
    let mut data = Vec::new();
    write_sized(&mut data, &zeros);
    for compression in ALL {
        let bytes = file_of(r#""bytes""#, compression, &[(1, &data)]);
        let mut format = Avro::new(ReadOptions { block: 1 << 16, ..ReadOptions::default() });
        let mut source = format.whole(Part::whole(&bytes));
        source.list().unwrap();
        let error = source.item().unwrap_err();
        assert_eq!(error.reason(), "the length of a block exceeds the limit of 65536 bytes", "{compression:?}");
        read(&bytes, "[bytes]").unwrap();
    }
}

#[test]
fn a_decimal_without_bytes_is_counted() {
    let schema = r#"{"type": "array", "items": {"type": "fixed", "name": "F", "size": 0, "logicalType": "decimal",
        "precision": 1}}"#;
    // Many runs, each of which declares as many items as bytes are left.
    let mut data = Vec::new();
    for left in (2..6_000).rev() {
        write_number(&mut data, left);
    }
    data.push(0);
    let error = testing::skipped(Avro::default(), &file(schema, 1, &data), &Shape::Any).unwrap_err();
    assert!(error.reason().starts_with("the number of values without bytes in a block exceeds"), "{error}");
}

#[test]
fn headers_are_limited() {
    let schema = format!(r#"{{"type": "int", "doc": [{}0]}}"#, "0,".repeat(3 << 20));
    let error = read(&file(&schema, 0, b""), "[int]").unwrap_err();
    assert_eq!(error.reason(), "the length of the schema exceeds the limit of 4194304 bytes");
    let mut many = b"Obj\x01".to_vec();
    let entry = [&[2, b'k'][..], &[0x80, 0x80, 0x80, 1], &vec![b'v'; 1 << 20]].concat();
    write_number(&mut many, 1_000);
    for _ in 0..20 {
        many.extend_from_slice(&entry);
    }
    let error = read(&many, "[int]").unwrap_err();
    assert_eq!(error.reason(), "the length of the header exceeds the limit of 16777216 bytes");
}

#[test]
fn numbers_of_more_than_64_bits_are_refused() {
    let most = [&[0xff; 9][..], &[1]].concat();
    assert_eq!(json(&file(r#""long""#, 1, &most), "[int]"), "[-9223372036854775808]");
    let more = [&[0xff; 9][..], &[3]].concat();
    assert_eq!(
        read(&file(r#""long""#, 1, &more), "[int]").unwrap_err().reason(),
        "expected a number, found a longer number"
    );
}

#[test]
fn schemas_of_types_that_come_twice_are_refused() {
    for (schema, reason) in [
        (r#"["int", "string", "int"]"#, "the schema is invalid: a union has `int32` twice"),
        (
            r#"{"type": "enum", "name": "E", "symbols": ["a", "b", "a"]}"#,
            "the schema is invalid: `E` has the symbol `a` twice",
        ),
    ] {
        assert_eq!(read(&file(schema, 0, b""), "[any]").unwrap_err().reason(), reason);
    }
}
