use super::{both, reads, refuses, unwritten};

#[test]
fn numbers_are_packed() {
    both("d@4:[int32]", r#"{"d":[3,270,86942]}"#, b"\x22\x06\x03\x8e\x02\x9e\xa7\x05");
    both("a:[int32] #proto:sint32", r#"{"a":[0,-1]}"#, b"\x0a\x02\x00\x01");
    both("a:[uint32] #proto:fixed32", r#"{"a":[1,2]}"#, b"\x0a\x08\x01\0\0\0\x02\0\0\0");
    both("a:[float]", r#"{"a":[0.0]}"#, b"\x0a\x08\0\0\0\0\0\0\0\0");
    both("a:[bool]", r#"{"a":[false,true]}"#, b"\x0a\x02\0\x01");
    both("a:[enum(x, y)]", r#"{"a":["x","y"]}"#, b"\x0a\x02\0\x01");
    both("a:(int, int), b:int", r#"{"a":[1,2],"b":3}"#, b"\x0a\x02\x01\x02\x10\x03");
}

#[test]
fn so_are_addresses_that_are_numbers() {
    let two = r#"{"a":["127.0.0.1","10.0.0.2"]}"#;
    both("a:[text] #proto:ipv4", two, b"\x0a\x08\x01\0\0\x7f\x02\0\0\x0a");
    reads("a:[text] #proto:ipv4", b"\x0d\x01\0\0\x7f\x0a\x04\x02\0\0\x0a", two);
    both("a:[text] #proto:ipv4 #proto:expanded", two, b"\x0d\x01\0\0\x7f\x0d\x02\0\0\x0a");
    reads("a:[text] #proto:ipv4 #proto:expanded", b"\x0a\x08\x01\0\0\x7f\x02\0\0\x0a", two);
    both("a:[text] #proto:ip", r#"{"a":["1.2.3.4"]}"#, b"\x0a\x04\x01\x02\x03\x04");
    refuses(
        "a:[text] #proto:ipv4",
        b"\x0a\x03\x01\0\0",
        "expected four bytes, found the end of what it stands in at `$.a[0]` (byte 2)",
    );
}

#[test]
fn what_is_not_packed_is_read_as_well() {
    both("a:[int] #proto:expanded", r#"{"a":[0,1]}"#, b"\x08\0\x08\x01");
    reads("a:[int] #proto:expanded", b"\x0a\x02\x00\x01", r#"{"a":[0,1]}"#);
    reads("a:[int]", b"\x08\0\x08\x01\x0a\x02\x02\x03\x0a\0\x08\x04", r#"{"a":[0,1,2,3,4]}"#);
}

#[test]
fn others_stand_behind_a_tag_each() {
    both("a:[text]", r#"{"a":["","x"]}"#, b"\x0a\0\x0a\x01x");
    both("a:[{b:int}]", r#"{"a":[{"b":0},{"b":7}]}"#, b"\x0a\0\x0a\x02\x08\x07");
    both("a:[duration]", r#"{"a":["PT0S","PT1S"]}"#, b"\x0a\0\x0a\x02\x08\x01");
    both("a:[any]", r#"{"a":[null,true]}"#, b"\x0a\x02\x08\0\x0a\x02\x20\x01");
}

/// `google.protobuf.NullValue` is an enum, which other programs pack.
#[test]
fn nulls_are_read_packed_and_not() {
    both("a:[null], b:int?", r#"{"a":[null,null],"b":1}"#, b"\x08\0\x08\0\x10\x01");
    reads("a:[null], b:int?", b"\x0a\x02\0\0\x10\x01", r#"{"a":[null,null],"b":1}"#);
    reads("a:[null], b:int?", b"\x0a\x01\0\x08\0\x0a\0\x10\x01\x0a\x01\0", r#"{"a":[null,null,null],"b":1}"#);
    reads("a:[null]", b"\x0a\x02\x80\x00", r#"{"a":[null]}"#);
    refuses(
        "a:[null]",
        b"\x0a\x01\x80",
        "expected a whole varint, found the end of what it stands in at `$.a[0]` (byte 2)",
    );
}

#[test]
fn an_empty_list_is_as_none() {
    both("a:[int]?", "{}", b"");
    assert_eq!(super::written(&super::shape("a:[int]?"), r#"{"a":[]}"#).unwrap(), b"");
}

#[test]
fn lists_in_lists_have_no_form() {
    let message = "Protocol Buffers have no form for this: a list in a list, or a tuple of several kinds at `$.a`";
    unwritten("a:[[int]]", r#"{"a":[[1]]}"#, message);
    unwritten("a:(int, text)", r#"{"a":[1,"x"]}"#, message);
    refuses("a:[[int]]", b"\x0a\0", &format!("{message} (byte 0)"));
    unwritten("a:[int?]", r#"{"a":[1,null]}"#, "Protocol Buffers have no null within a list or map at `$.a[1]`");
}
