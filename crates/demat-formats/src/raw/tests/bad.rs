//! What is refused.

use super::*;
use demat_core::ErrorKind;

#[test]
fn what_is_cut_is_refused_with_its_offset() {
    let cases: [(&[u8], &str, &str); 9] = [
        (b"", "int", "expected a number, found end of input (byte 8)"),
        (b"\x80", "int", "expected a number, found end of input (byte 9)"),
        (b"\x03ab", "text", "expected text of 3 bytes, found 2 bytes and the end of input (byte 11)"),
        (
            b"\xff\xff\xff\xff\x0f",
            "bytes",
            "expected bytes of 4294967295 bytes, found 0 bytes and the end of input (byte 13)",
        ),
        (b"\x02\x02", "[int]", "expected a number, found end of input at `$[1]` (byte 10)"),
        (b"\x7f\x80\xff\xff\xff\x0f", "[int]", "expected a number, found end of input at `$[0]` (byte 14)"),
        (b"\x00\x00", "float32", "expected a float of 4 bytes, found end of input (byte 10)"),
        (b"", "{a: int?}", "expected the bits of a record of 1 bytes, found 0 bytes and the end of input (byte 8)"),
        (b"", "any", "expected the kind of a value, found end of input (byte 8)"),
    ];
    for (bytes, of, message) in cases {
        assert_eq!(refusal(bytes, of), message, "{bytes:x?}");
        let whole = [&super::super::fingerprint(&shape(of)).unwrap()[..], bytes].concat();
        assert_eq!(skipped(&whole, &shape(of)).unwrap_err().kind(), ErrorKind::Syntax);
    }
    for end in 0..8 {
        let error =
            read_as(&super::super::fingerprint(&Shape::Null).unwrap()[..end], &Shape::Null, &ReadOptions::default());
        let message = format!("expected a fingerprint of 8 bytes, found end of input (byte {end})");
        assert_eq!(error.unwrap_err().to_string(), message);
    }
}

#[test]
fn every_value_has_one_form() {
    for (bytes, of) in [
        (&b"\x80\x00"[..], "uint16"),
        (b"\x81\x00", "int"),
        (b"\x80\x00\x011", "int"),
        (b"\x02", "bool"),
        (b"\x02\x02", "int?"),
        (b"\x80", "[int]"),
        (b"\x02", "enum(a, b)"),
        (b"\x02", "union(a: int, b: int)"),
        (b"\x04\x02", "{a: int?}"),
        (b"\x02", "{a: int?}"),
        (b"\x0f", "any"),
        (b"\x01\x01", "[null]"),
        (b"\x80\x80\x80\x80\x02", "date"),
        (b"\x80\xd6\x0a", "time"),
        (b"\x03\x00", "time"),
        (b"\x01x", "decimal"),
        (b"\x01\xff", "text"),
        (b"\x02\x02\x02", "int"),
    ] {
        let error = read(bytes, of).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Syntax | ErrorKind::Constraint | ErrorKind::Type), "{of} {error}");
        assert!(error.position().offset.is_some(), "{of} {error}");
    }
}

#[test]
fn a_count_reserves_nothing_and_promises_no_more_than_there_is() {
    for of in ["[null]", "[{}]", "[enum(a)]", "[(null, null)]", "[int]", "[[null]]"] {
        let error = read(b"\x7f\x80\xff\xff\xff\x0f", of).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{of} {error}");
    }
    let many = read(b"\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "[int]").unwrap_err();
    assert_eq!(many.to_string(), "expected a count of 32 bits, found a larger one (byte 9)");
    let whole = [&super::super::fingerprint(&shape("[[int]]")).unwrap()[..], b"\x01\x7f\x80\xff\xff\xff\x0f"].concat();
    let mut format = Raw::new(&ReadOptions::default()).unwrap();
    format.begin(&shape("[[int]]")).unwrap();
    let mut source = format.whole(Part::whole(&whole));
    source.list().unwrap();
    source.item().unwrap();
    assert_eq!(source.list().unwrap(), None);
}

#[test]
fn depth_has_a_limit_and_needs_no_stack() {
    let cases: [(&str, &[u8]); 6] = [
        ("any", b"\x0d\x01"),
        ("any", b"\x0e\x01\x00"),
        ("T{next: [T]}", b"\x01"),
        ("T{next: T?}", b"\x03"),
        ("union U(a:U, b:int)", b"\x00"),
        ("union U[](a:U, b:int)", b"\x00"),
    ];
    for (of, level) in cases {
        let shape = shape(of);
        let bomb = [&super::super::fingerprint(&shape).unwrap()[..], &level.repeat(1_000_000)].concat();
        assert_eq!(skipped(&bomb, &shape).unwrap_err().kind(), ErrorKind::Limit, "{of}");
        assert_eq!(read_as(&bomb, &shape, &ReadOptions::default()).unwrap_err().kind(), ErrorKind::Limit, "{of}");
    }
    let endless = shape("T{next: T}");
    let bytes = super::super::fingerprint(&endless).unwrap();
    assert_eq!(read_as(&bytes, &endless, &ReadOptions::default()).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn writing_has_a_limit_of_depth() {
    let mut json = "1".to_string();
    for _ in 0..30 {
        json = format!("[{json}]");
    }
    let mut sink = RawSink::new(Output::new(Vec::new(), Keep), WriteOptions { depth: 20 });
    let error = copy(&mut crate::json::JsonSource::new(json.as_bytes()), &Shape::Any, &mut sink).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}
