use super::refuses;

#[test]
fn tags_that_mean_nothing_are_refused() {
    refuses("a:int", b"\0\0", "expected a tag, found field number 0 (byte 0)");
    refuses("a:int", b"\x0e\0", "expected a tag, found wire type 6 (byte 0)");
    refuses("a:int", b"\x0f\0", "expected a tag, found wire type 7 (byte 0)");
    refuses(
        "a:int",
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        "expected a varint of ten bytes at most, found `more` (byte 0)",
    );
    refuses("a:int", b"\x80\x80\x80\x80\x80\x01\0", "expected a tag, found field number 4294967296 (byte 0)");
}

#[test]
fn other_wire_types_than_the_field_has_are_refused() {
    refuses("a:int", b"\x0a\0", "expected a varint, found bytes with a length at `$.a` (byte 0)");
    refuses("a:text", b"\x08\0", "expected bytes with a length, found a varint at `$.a` (byte 0)");
    refuses("a:float", b"\x0d\0\0\0\0", "expected eight bytes, found four bytes at `$.a` (byte 0)");
    refuses("a:{b:int}", b"\x08\0", "expected bytes with a length, found a varint at `$.a` (byte 0)");
}

#[test]
fn lengths_beyond_the_end_are_refused_before_anything_is_made() {
    refuses(
        "a:text",
        b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        "expected 18446744073709551615 bytes, found `0` at `$.a` (byte 1)",
    );
    refuses("a:text", b"\x0a\x05abc", "expected 5 bytes, found `3` at `$.a` (byte 1)");
    refuses(
        "a:{b:text}, c:int",
        b"\x0a\x02\x0a\x05\x08\x01\x08\x01",
        "expected 5 bytes, found `0` at `$.a.b` (byte 3)",
    );
    refuses(
        "a:[uint32] #proto:fixed32",
        b"\x0a\x05\0\0\0\0\0",
        "expected four bytes, found the end of what it stands in at `$.a[1]` (byte 6)",
    );
}

#[test]
fn text_is_utf_8() {
    refuses("a:text", b"\x0a\x01\xff", "expected `UTF-8`, found other bytes at `$.a` (byte 1)");
}

#[test]
fn groups_end_as_they_began() {
    refuses("a:int", b"\x0c", "expected a varint, found the end of a group at `$.a` (byte 0)");
    refuses("a:int", b"\x13\x1c", "expected the end of group 2, found that of 3 (byte 1)");
    refuses("a:int", b"\x13", "expected the end of a group, found the end of what it stands in (byte 1)");
    refuses(
        "a:{b:int} #proto:group",
        b"\x0b\x08\x01",
        "expected the end of a group, found the end of what it stands in at `$.a` (byte 3)",
    );
}

#[test]
fn depth_is_limited() {
    let deep = |levels: usize| {
        let mut bytes = Vec::new();
        for _ in 0..levels {
            let mut outer = vec![0x0a];
            super::super::write_varint(&mut outer, bytes.len() as u64);
            outer.extend_from_slice(&bytes);
            bytes = outer;
        }
        bytes
    };
    let text = "T{a:T?}";
    assert!(super::read(&super::shape(text), &deep(100)).is_ok());
    let error = super::read(&super::shape(text), &deep(101)).unwrap_err();
    assert_eq!(error.kind(), demat_core::ErrorKind::Limit, "{error}");
    // Unknown groups, too.
    let groups: Vec<u8> = [vec![0x13; 1_000_000], vec![0x14; 1_000_000]].concat();
    let error = super::read(&super::shape("a:int"), &groups).unwrap_err();
    assert_eq!(error.kind(), demat_core::ErrorKind::Limit, "{error}");
}

#[test]
fn without_a_type_nothing_is_read() {
    let message =
        "Protocol Buffers have no names and kinds of fields in them: a message can only be read as a type (byte 0)";
    refuses("any", b"\x08\x01", message);
    refuses("map(text, any)", b"\x08\x01", message);
}

#[test]
fn tags_have_five_bytes_at_most() {
    super::reads("a:int", b"\x88\x80\x80\x80\x00\x07", r#"{"a":7}"#);
    refuses("a:int", b"\x88\x80\x80\x80\x80\x00\x07", "expected a tag, found one of 6 bytes (byte 0)");
    refuses("a:int", b"\x98\x80\x80\x80\x80\x80\x80\x80\x00\x07", "expected a tag, found one of 9 bytes (byte 0)");
}
