use super::{both, reads, refuses, unwritten};

#[test]
fn an_entry_is_a_message() {
    both("g@7:map(text, int)", r#"{"g":{"x":1,"y":0}}"#, b"\x3a\x05\x0a\x01x\x10\x01\x3a\x05\x0a\x01y\x10\0");
    both("a:map(int, {b:text})", r#"{"a":{"0":{"b":"x"}}}"#, b"\x0a\x07\x08\0\x12\x03\x0a\x01x");
    both(
        "a:map(int32, uint32) #proto:\"key sint32\" #proto:fixed32",
        r#"{"a":{"-1":1}}"#,
        b"\x0a\x07\x08\x01\x15\x01\0\0\0",
    );
    both("a:map(bool, enum(x, y))", r#"{"a":{"true":"y"}}"#, b"\x0a\x04\x08\x01\x10\x01");
    both("a:map(text, text), b:int", r#"{"a":{"":""},"b":1}"#, b"\x0a\x04\x0a\0\x12\0\x10\x01");
}

#[test]
fn parts_of_an_entry_may_be_missing_or_stand_the_other_way() {
    reads("a:map(text, int)", b"\x0a\x05\x10\x07\x0a\x01x", r#"{"a":{"x":7}}"#);
    reads("a:map(text, int)", b"\x0a\0", r#"{"a":{"":0}}"#);
    reads("a:map(text, {b:int}), c:int", b"\x0a\x03\x0a\x01x\x10\x01", r#"{"a":{"x":{"b":0}},"c":1}"#);
    reads("a:map(text, int)", b"\x0a\x0b\x0a\x01y\x10\x01\x1a\x01?\x0a\x01x", r#"{"a":{"x":1}}"#);
}

#[test]
fn the_last_of_several_entries_counts() {
    reads("a:map(text, int)", b"\x0a\x05\x0a\x01x\x10\x01\x0a\x05\x0a\x01x\x10\x02", r#"{"a":{"x":2}}"#);
}

#[test]
fn what_has_no_form_is_refused() {
    let message = "Protocol Buffers have no form for this: a list in a list, or a tuple of several kinds at `$.a`";
    unwritten("a:map(text, [int])", r#"{"a":{"x":[1]}}"#, message);
    unwritten(
        "a:map(text, int?)",
        r#"{"a":{"x":null}}"#,
        "Protocol Buffers have no null within a list or map at `$.a.x`",
    );
    refuses("a:map(text, int)", b"\x08\x01", "expected bytes with a length, found a varint at `$.a` (byte 0)");
    refuses("a:map(text, int)", b"\x0a\x02\x08\x01", "expected bytes with a length, found a varint at `$.a` (byte 2)");
}
