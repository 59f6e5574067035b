use super::{both, reads};

#[test]
fn numbers_have_the_bytes_that_the_encoding_guide_gives() {
    both("a:int32", r#"{"a":150}"#, b"\x08\x96\x01");
    both("b@2:text", r#"{"b":"testing"}"#, b"\x12\x07testing");
    both("a:int", r#"{"a":-1}"#, b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    both("a:int32", r#"{"a":-129}"#, b"\x08\xff\xfe\xff\xff\xff\xff\xff\xff\xff\x01");
    both("a:uint64", r#"{"a":18446744073709551615}"#, b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    both("a:uint32", r#"{"a":4294967295}"#, b"\x08\xff\xff\xff\xff\x0f");
    both("a:bool", r#"{"a":true}"#, b"\x08\x01");
    both("a:float", r#"{"a":1.5}"#, b"\x09\0\0\0\0\0\0\xf8\x3f");
    both("a:float32", r#"{"a":1.5}"#, b"\x0d\0\0\xc0\x3f");
    both("a:bytes", r#"{"a":"AP8="}"#, b"\x0a\x02\x00\xff");
}

#[test]
fn notes_choose_other_forms() {
    both("a:int32 #proto:sint32", r#"{"a":-2}"#, b"\x08\x03");
    both("a:int32 #proto:sint32", r#"{"a":-2147483648}"#, b"\x08\xff\xff\xff\xff\x0f");
    both("a:int #proto:sint64", r#"{"a":-9223372036854775808}"#, b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    both("a:uint32 #proto:fixed32", r#"{"a":4294967295}"#, b"\x0d\xff\xff\xff\xff");
    both("a:int32 #proto:sfixed32", r#"{"a":-2}"#, b"\x0d\xfe\xff\xff\xff");
    both("a:uint64 #proto:fixed64", r#"{"a":18446744073709551615}"#, b"\x09\xff\xff\xff\xff\xff\xff\xff\xff");
    both("a:int #proto:sfixed64", r#"{"a":-2}"#, b"\x09\xfe\xff\xff\xff\xff\xff\xff\xff");
}

#[test]
fn of_a_narrow_number_the_lowest_bits_count() {
    // 2^32 + 1, as an encoder with a wider field writes it.
    reads("a:int32", b"\x08\x81\x80\x80\x80\x10", r#"{"a":1}"#);
    reads("a:uint32", b"\x08\x81\x80\x80\x80\x10", r#"{"a":1}"#);
    reads("a:int32 #proto:sint32", b"\x08\x81\x80\x80\x80\x10", r#"{"a":-1}"#);
    reads("a:bool", b"\x08\x81\x80\x80\x80\x10", r#"{"a":true}"#);
    reads("a:enum(x, y)", b"\x08\x81\x80\x80\x80\x10", r#"{"a":"y"}"#);
}

#[test]
fn zero_is_nothing_unless_nothing_is_something_else() {
    for (kind, json) in [
        ("int", "0"),
        ("uint64 #proto:fixed64", "0"),
        ("bool", "false"),
        ("float", "0.0"),
        ("float32", "0.0"),
        ("text", "\"\""),
        ("bytes", "\"\""),
        ("enum(x, y)", "\"x\""),
        ("[int]", "[]"),
        ("[text]", "[]"),
        ("map(text, int)", "{}"),
    ] {
        both(&format!("a:{kind}"), &format!("{{\"a\":{json}}}"), b"");
    }
    both("a:float", r#"{"a":-0.0}"#, b"\x09\0\0\0\0\0\0\0\x80");
    both("a:int?", r#"{"a":0}"#, b"\x08\0");
    both("a:int?", r"{}", b"");
    both("a:text?", r#"{"a":""}"#, b"\x0a\0");
    both("a:int = 0", r#"{"a":0}"#, b"");
    both("a:int = 5", r#"{"a":0}"#, b"\x08\0");
    both("a:int = 5", r#"{"a":5}"#, b"\x08\x05");
    reads("a:int = 5", b"", r#"{"a":5}"#);
}

#[test]
fn kinds_that_other_formats_have_as_text_are_text_here() {
    both("a:date", r#"{"a":"2026-02-03"}"#, b"\x0a\x0a2026-02-03");
    both("a:time", r#"{"a":"12:00:00"}"#, b"\x0a\x0812:00:00");
    both("a:datetime", r#"{"a":"2026-02-03T04:05:06"}"#, b"\x0a\x132026-02-03T04:05:06");
    both("a:decimal", r#"{"a":1.50}"#, b"\x0a\x041.50");
    let uuid = r#"{"a":"00112233-4455-6677-8899-aabbccddeeff"}"#;
    both("a:uuid", uuid, b"\x0a\x2400112233-4455-6677-8899-aabbccddeeff");
    let bytes = b"\x0a\x10\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff";
    both("a:uuid #proto:bytes", uuid, bytes);
}

#[test]
fn times_are_the_well_known_messages() {
    both("a:instant", r#"{"a":"1970-01-01T00:00:01.500Z"}"#, b"\x0a\x08\x08\x01\x10\x80\xca\xb5\xee\x01");
    both("a:instant", r#"{"a":"1970-01-01T00:00:00Z"}"#, b"\x0a\0");
    // Negative seconds, and positive nanoseconds on top of them.
    let before = b"\x0a\x11\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x80\xca\xb5\xee\x01";
    both("a:instant", r#"{"a":"1969-12-31T23:59:59.500Z"}"#, before);
    both("a:duration", r#"{"a":"PT1.5S"}"#, b"\x0a\x08\x08\x01\x10\x80\xca\xb5\xee\x01");
    let negative = b"\x0a\x16\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x80\xb6\xca\x91\xfe\xff\xff\xff\xff\x01";
    both("a:duration", r#"{"a":"-PT1.5S"}"#, negative);
    both("a:instant #proto:string", r#"{"a":"2026-02-03T04:05:06+02:00"}"#, b"\x0a\x192026-02-03T04:05:06+02:00");
    both("a:duration #proto:string", r#"{"a":"PT1.5S"}"#, b"\x0a\x06PT1.5S");
}

#[test]
fn names_are_numbers() {
    both("a:enum(x, y = 5, z)", r#"{"a":"z"}"#, b"\x08\x06");
    both("a:enum(x, y = -1)", r#"{"a":"y"}"#, b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}
