//! What is refused.

use super::*;
use demat_core::ErrorKind;

#[test]
fn what_is_cut_is_refused_with_its_offset() {
    let cases: [(&[u8], &str); 8] = [
        (b"", "expected a value, found end of input (byte 0)"),
        (b"\xcd\x01", "expected a value, found end of input (byte 2)"),
        (b"\xa3ab", "expected text of 3 bytes, found 2 bytes and the end of input (byte 3)"),
        (b"\xc6\xff\xff\xff\xff", "expected bytes of 4294967295 bytes, found 0 bytes and the end of input (byte 5)"),
        (b"\x92\x01", "expected a value, found end of input at `$[1]` (byte 2)"),
        (b"\xdd\xff\xff\xff\xff", "expected a value, found end of input at `$[0]` (byte 5)"),
        (b"\x81\xa1a", "expected a value, found end of input at `$.a` (byte 3)"),
        (b"\x91\xc1", "expected a value, found byte 0xc1 at `$[0]` (byte 1)"),
    ];
    for (bytes, message) in cases {
        assert_eq!(refusal(bytes, "any"), message, "{bytes:x?}");
        assert_eq!(skipped(bytes).unwrap_err().kind(), ErrorKind::Syntax);
    }
}

#[test]
fn what_follows_is_refused() {
    assert_eq!(refusal(b"\x01\x02", "any"), "expected end of input, found byte 0x02 (byte 1)");
    assert_eq!(refusal(b"\x90\x90", "any"), "expected end of input, found byte 0x90 (byte 1)");
}

#[test]
fn text_is_utf8() {
    let message = "expected text in UTF-8, found byte 0xff (byte 2)";
    assert_eq!(refusal(b"\xa2a\xff", "any"), message);
    assert_eq!(skipped(b"\xa2a\xff").unwrap_err().kind(), ErrorKind::Syntax);
    assert_eq!(read(b"\xc4\x01\xff", "any").unwrap(), Value::Bytes(vec![0xff].into()));
}

#[test]
fn depth_has_a_limit_and_needs_no_stack() {
    for byte in [0x91, 0x81] {
        let mut bomb = Vec::new();
        for _ in 0..1_000_000 {
            bomb.push(byte);
            bomb.extend((byte == 0x81).then_some(0));
        }
        bomb.push(0xc0);
        let error = skipped(&bomb).unwrap_err();
        assert_eq!((error.kind(), error.position().offset.is_some()), (ErrorKind::Limit, true));
        assert_eq!(read(&bomb, "any").unwrap_err().kind(), ErrorKind::Limit);
        let options = ReadOptions { depth: u32::MAX, ..ReadOptions::default() };
        MsgpackSource::over(crate::stream::Part::whole(&bomb), options).skip().unwrap();
    }
    let mut deep = vec![0x91; 1024];
    deep.push(0xc0);
    skipped(&deep).unwrap();
    deep.insert(0, 0x91);
    assert_eq!(skipped(&deep).unwrap_err().to_string(), "the depth of nesting exceeds the limit of 1024 (byte 1024)");
}

#[test]
fn a_count_reserves_nothing() {
    assert_eq!(MsgpackSource::new(b"\x91\xdd\xff\xff\xff\xff").pass_one().unwrap_err().kind(), ErrorKind::Syntax);
    let mut source = MsgpackSource::new(b"\x92\xdd\xff\xff\xff\xff\x91\x00");
    source.list().unwrap();
    source.item().unwrap();
    assert_eq!(source.list().unwrap(), None);
}

#[test]
fn timestamps_are_of_known_years_and_lengths() {
    for bytes in [
        &b"\xd4\xff\x00"[..],
        b"\xd7\xff\xff\xff\xff\xff\x00\x00\x00\x00",
        b"\xc7\x0c\xff\x00\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff",
    ] {
        let message = "expected a timestamp of 4, 8 or 12 bytes in the years 1 to 9999, found another one (byte 0)";
        assert_eq!(refusal(bytes, "instant"), message);
        assert!(skipped(bytes).is_err());
    }
}
