//! What is refused.

use super::*;

#[test]
fn what_is_cut_is_refused_with_its_offset() {
    let cases: [(&[u8], &str); 10] = [
        (b"", "expected a value, found end of input (byte 0)"),
        (b"\x19\x01", "expected a value, found end of input (byte 2)"),
        (b"\x63ab", "expected text of 3 bytes, found 2 bytes and the end of input (byte 3)"),
        (b"\x5a\xff\xff\xff\xff", "expected bytes of 4294967295 bytes, found 0 bytes and the end of input (byte 5)"),
        (b"\x82\x01", "expected a value, found end of input at `$[1]` (byte 2)"),
        (b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff", "expected a value, found end of input at `$[0]` (byte 9)"),
        (b"\xa1\x61a", "expected a value, found end of input at `$.a` (byte 3)"),
        (b"\x9f\x01", "expected a value or a break, found end of input (byte 2)"),
        (b"\x7f\x61a", "expected a value, found end of input (byte 3)"),
        (b"\xd9\xd9\xf7", "expected a value, found end of input (byte 3)"),
    ];
    for (bytes, message) in cases {
        assert_eq!(refusal(bytes, "any"), message, "{bytes:x?}");
        assert_eq!(skipped(bytes).unwrap_err().kind(), ErrorKind::Syntax);
    }
}

/// RFC 8949, appendix F: what is not well-formed.
#[test]
fn what_is_not_well_formed_is_refused() {
    let mut cases: Vec<Vec<u8>> = Vec::new();
    // Reserved additional information, in each major type.
    for major in 0..8_u8 {
        cases.extend((28..=30).map(|info| vec![major << 5 | info, 0, 0]));
    }
    // Simple values below 32 in two bytes.
    cases.extend((0..32).map(|value| vec![0xf8, value]));
    for text in [
        // Breaks where there is no item, or in place of one.
        "ff",
        "81ff",
        "8200ff",
        "a1ff",
        "a1ff00",
        "a100ff",
        "a20000ff",
        "9f81ff",
        "9f829f819f9fffffffff",
        "bf00ff",
        "bf000000ff",
        "c1ff",
        "d8ff",
        "d9d9f7ff",
        // Items of indefinite length that have none.
        "1f",
        "3f",
        "df",
        "1f00ff",
        // Pieces of another kind, or of indefinite length.
        "5f00ff",
        "5f21ff",
        "5f6100ff",
        "5f80ff",
        "5fa0ff",
        "5fc000ff",
        "5fe0ff",
        "7f4100ff",
        "5f5f4100ffff",
        "7f7f6100ffff",
        "7f00ff",
        "7fc06161ff",
        // Text that is no UTF-8, also in one of its pieces.
        "61ff",
        "63c3bcff",
        "7f61c361bcff",
    ] {
        cases.push(bytes_of(text));
    }
    for bytes in cases {
        let error = read(&bytes, "any").unwrap_err();
        assert_eq!((error.kind(), error.position().offset.is_some()), (ErrorKind::Syntax, true), "{bytes:x?}: {error}");
        assert_eq!(skipped(&bytes).unwrap_err().kind(), ErrorKind::Syntax, "{bytes:x?}");
        let inner = [b"\x81", &*bytes].concat();
        assert_eq!(skipped(&inner).unwrap_err().kind(), ErrorKind::Syntax, "{inner:x?}");
    }
    assert_eq!(refusal(b"\x82\x01\xff", "any"), "expected a value, found a break at `$[1]` (byte 2)");
    assert_eq!(refusal(b"\x1c", "any"), "expected a value, found byte 0x1c (byte 0)");
    assert_eq!(refusal(b"\xf8\x20", "null"), "expected `null`, found simple value 32 (byte 0)");
    assert_eq!(refusal(b"\xf8\x14", "any"), "expected a value, found simple value 20 in two bytes (byte 0)");
    assert_eq!(refusal(b"\x5f\x61a\xff", "any"), "expected a piece of the bytes or a break, found byte 0x61 (byte 1)");
    assert_eq!(refusal(b"\x62a\xff", "any"), "expected text in UTF-8, found byte 0xff (byte 2)");
}

#[test]
fn what_follows_is_refused() {
    assert_eq!(refusal(b"\x01\x02", "any"), "expected end of input, found byte 0x02 (byte 1)");
    assert_eq!(refusal(b"\x80\x80", "any"), "expected end of input, found byte 0x80 (byte 1)");
}

#[test]
fn depth_has_a_limit_and_needs_no_stack() {
    for head in [&b"\x81"[..], b"\x9f", b"\xa1\x00", b"\xbf\x00", b"\xd9\xd9\xf7\x81"] {
        let mut bomb = head.repeat(1_000_000);
        bomb.push(0xf6);
        if matches!(head[0], 0x9f | 0xbf) {
            bomb.resize(bomb.len() + 1_000_000, 0xff);
        }
        let error = skipped(&bomb).unwrap_err();
        assert_eq!((error.kind(), error.position().offset.is_some()), (ErrorKind::Limit, true));
        assert_eq!(read(&bomb, "any").unwrap_err().kind(), ErrorKind::Limit);
        let options = ReadOptions { depth: u32::MAX, ..ReadOptions::default() };
        CborSource::over(crate::stream::Part::whole(&bomb), options).skip().unwrap();
    }
    let mut deep = vec![0x81; 1024];
    deep.push(0xf6);
    skipped(&deep).unwrap();
    deep.insert(0, 0x81);
    assert_eq!(skipped(&deep).unwrap_err().to_string(), "the depth of nesting exceeds the limit of 1024 (byte 1024)");
}

#[test]
fn many_tags_cost_no_more_than_their_bytes() {
    let mut bytes = [0xd8, 0x20].repeat(1_000_000);
    bytes.extend_from_slice(b"\x05");
    assert_eq!(read(&bytes, "int").unwrap(), read(b"\x05", "any").unwrap());
    skipped(&bytes).unwrap();
    // Without a type each is a record.
    assert_eq!(read(&bytes, "any").unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn a_count_reserves_nothing() {
    let huge = b"\x81\x9b\xff\xff\xff\xff\xff\xff\xff\xff";
    assert_eq!(CborSource::new(huge).pass_one().unwrap_err().kind(), ErrorKind::Syntax);
    let mut map = huge.to_vec();
    map[1] = 0xbb;
    assert_eq!(CborSource::new(&map).pass_one().unwrap_err().kind(), ErrorKind::Syntax);
    let mut source = CborSource::new(b"\x82\x9a\xff\xff\xff\xff\x81\x00");
    source.list().unwrap();
    source.item().unwrap();
    assert_eq!(source.list().unwrap(), None);
}

#[test]
fn ints_and_bigfloats_have_a_limit() {
    let int = |len: u16| [&[0xc2, 0x59][..], &len.to_be_bytes(), &vec![0xff; len.into()]].concat();
    assert!(matches!(read(&int(4096), "any").unwrap(), Value::Int(_)));
    assert_eq!(refusal(&int(4097), "any"), "the length of an int exceeds the limit of 4096 bytes (byte 1)");
    assert_eq!(skipped(&int(4097)).unwrap_err().kind(), ErrorKind::Limit);
    let bigfloat = b"\xc5\x82\x1a\x7f\xff\xff\xff\x01";
    assert_eq!(refusal(bigfloat, "any"), "the exponent of a bigfloat exceeds the limit of 4096 (byte 1)");
    let decimal = read(b"\xc4\x82\x1b\x7f\xff\xff\xff\xff\xff\xff\xff\x01", "any").unwrap();
    assert_eq!(decimal, read(b"\x751e9223372036854775807", "decimal").unwrap());
    let float = "expected float64, found a larger number (byte 0)";
    assert!(refusal(b"\xc4\x82\x19\x10\x00\x01", "float").contains("a larger number"), "{float}");
}
