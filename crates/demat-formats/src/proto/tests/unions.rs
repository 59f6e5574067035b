use super::{both, reads, refuses, shape, written};

#[test]
fn a_union_is_a_message_of_one_field() {
    let text = "a:union(x: int, y: {z: text}, w)";
    both(text, r#"{"a":{"x":0}}"#, b"\x0a\x02\x08\0");
    both(text, r#"{"a":{"y":{"z":"q"}}}"#, b"\x0a\x05\x12\x03\x0a\x01q");
    both(text, r#"{"a":"w"}"#, b"\x0a\x02\x18\0");
    both("a:[union(x: int, y: text)]", r#"{"a":[{"x":1},{"y":""}]}"#, b"\x0a\x02\x08\x01\x0a\x02\x12\0");
    reads(text, b"\x0a\x04\x08\x01\x08\x02", r#"{"a":{"x":2}}"#);
    reads(text, b"\x0a\x04\x08\x01\x18\x00", r#"{"a":"w"}"#);
    refuses(text, b"\x0a\0", "expected `x` or `y` or `w`, found a message that has none of them at `$.a` (byte 1)");
}

#[test]
fn its_variants_can_be_fields_of_the_record() {
    let text = "a:int, b:union(x@5: int, y@6: {z: text}, w@7)? #proto:oneof, c:int";
    both(text, r#"{"a":1,"b":{"x":0},"c":2}"#, b"\x08\x01\x28\0\x18\x02");
    both(text, r#"{"a":1,"b":{"y":{"z":"q"}},"c":2}"#, b"\x08\x01\x32\x03\x0a\x01q\x18\x02");
    both(text, r#"{"a":1,"b":"w","c":2}"#, b"\x08\x01\x38\0\x18\x02");
    both(text, r#"{"a":1,"c":2}"#, b"\x08\x01\x18\x02");
    // The last one counts.
    reads(text, b"\x28\x07\x08\x01\x38\0\x18\x02", r#"{"a":1,"b":"w","c":2}"#);
}

#[test]
fn untagged_ones_are_told_apart_by_their_numbers() {
    let text = "a:int | text | {b:int} | {c:int}, d:(int | text)?";
    both(text, r#"{"a":{"c":1}}"#, b"\x0a\x04\x22\x02\x08\x01");
    both(text, r#"{"a":"x","d":0}"#, b"\x0a\x03\x12\x01x\x12\x02\x08\0");
    both("a:[int | null]", r#"{"a":[1,null]}"#, b"\x0a\x02\x08\x01\x0a\x02\x10\0");
}

#[test]
fn numbers_of_open_enums_may_have_no_name() {
    let text = "a:enum(x, y) | int32, b:[enum(x, y) | int32]";
    both(text, r#"{"a":"y","b":["x",2,-1]}"#, b"\x08\x01\x12\x0c\x00\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    both(text, r#"{"a":"x","b":[]}"#, b"");
    both("a:(enum(x, y) | int32)?, b:int", r#"{"a":7,"b":0}"#, b"\x08\x07");
}

#[test]
fn tags_of_other_formats_are_not_needed() {
    let text = "a:union[kind](x: {p: int}, y: {q: int})";
    assert_eq!(written(&shape(text), r#"{"a":{"kind":"y","q":3}}"#).unwrap(), b"\x0a\x04\x12\x02\x10\x03");
    // The tag has one name, which is zero.
    reads(text, b"\x0a\x04\x12\x02\x10\x03", r#"{"a":{"q":3,"kind":"y"}}"#);
}
