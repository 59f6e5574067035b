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
    // The last one wins.
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
    // The enum of the tag has one name, with number zero.
    reads(text, b"\x0a\x04\x12\x02\x10\x03", r#"{"a":{"q":3,"kind":"y"}}"#);
}

/// The last member of a oneof wins. Pieces of it before another member are discarded, and not merged with those behind.
#[test]
fn a_message_begins_anew_behind_another_member() {
    const A: &[u8] = b"\x1a\x02\x08\x05";
    const B: [&[u8]; 2] = [b"\x22\x02\x08\x01", b"\x22\x02\x10\x02"];
    const C: &[u8] = b"\x28\x07";
    let cases: [(&[&[u8]], &str, &str); 9] = [
        (&[B[0], A, B[1]], "b", r#"{"y":2}"#),
        (&[B[0], B[1]], "b", r#"{"x":1,"y":2}"#),
        (&[A, B[0], B[1]], "b", r#"{"x":1,"y":2}"#),
        (&[B[0], A, B[1], B[0]], "b", r#"{"y":2,"x":1}"#),
        (&[B[0], B[1], A], "a", r#"{"z":5}"#),
        (&[A, B[0], A], "a", r#"{"z":5}"#),
        (&[B[0], C, B[1]], "b", r#"{"y":2}"#),
        (&[B[0], A, B[1], C], "c", "7"),
        (&[C, A, B[0], A, B[1], A, B[0], B[1]], "b", r#"{"x":1,"y":2}"#),
    ];
    let variants = "a@3: {z:int}, b@4: {x:int?, y:int?}, c@5: int";
    for (parts, name, value) in cases {
        let bytes = parts.concat();
        reads(&format!("k:union({variants})? #proto:oneof"), &bytes, &format!(r#"{{"k":{{"{name}":{value}}}}}"#));
        let within = [b"\x0a", &[bytes.len() as u8][..], &bytes].concat();
        reads(&format!("k:union({variants})"), &within, &format!(r#"{{"k":{{"{name}":{value}}}}}"#));
        // In two pieces, which are merged first.
        let (head, tail) = parts.split_at(1);
        let pieces = [head.concat(), tail.concat()].map(|part| [b"\x0a", &[part.len() as u8][..], &part].concat());
        reads(&format!("k:union({variants})"), &pieces.concat(), &format!(r#"{{"k":{{"{name}":{value}}}}}"#));
        reads(
            &format!("m:{{k:union({variants})? #proto:oneof}}"),
            &pieces.concat(),
            &format!(r#"{{"m":{{"k":{{"{name}":{value}}}}}}}"#),
        );
    }
}

/// Of individual fields in a oneof only the winning one is returned, from where its last run begins.
#[test]
fn members_by_themselves_begin_anew_too() {
    let text = r#"a@3:{z:int}? #proto:"in k", b@4:{x:int?, y:int?}? #proto:"in k", d@6:{x:int?, y:int?}?"#;
    let (a, b1, b2): (&[u8], &[u8], &[u8]) = (b"\x1a\x02\x08\x05", b"\x22\x02\x08\x01", b"\x22\x02\x10\x02");
    reads(text, &[b1, a, b2].concat(), r#"{"b":{"y":2}}"#);
    reads(text, &[b1, b2].concat(), r#"{"b":{"x":1,"y":2}}"#);
    reads(text, &[b1, a, b1, b2].concat(), r#"{"b":{"x":1,"y":2}}"#);
    reads(text, &[a, b1, a].concat(), r#"{"a":{"z":5}}"#);
    reads(text, &[b1, a].concat(), r#"{"a":{"z":5}}"#);
    // A field in no oneof is merged from all of its pieces.
    reads(text, b"\x32\x02\x08\x01\x1a\x02\x08\x05\x32\x02\x10\x02", r#"{"d":{"x":1,"y":2},"a":{"z":5}}"#);
}

/// The search for members happens once per message, not once per member.
#[test]
fn members_by_turns_take_no_square_of_time() {
    let turns = b"\x22\x02\x08\x01\x1a\x02\x08\x05".repeat(50_000);
    reads("k:union(a@3: {z:int}, b@4: {x:int?, y:int?})? #proto:oneof", &turns, r#"{"k":{"a":{"z":5}}}"#);
    reads(r#"a@3:{z:int}? #proto:"in k", b@4:{x:int}? #proto:"in k""#, &turns, r#"{"a":{"z":5}}"#);
}

/// Of members by themselves, one of any kind that is null is not set.
#[test]
fn a_member_of_any_kind_that_is_null_is_not_written() {
    let text = r#"a@3:any = null #proto:"in k", b@4:bool? #proto:"in k", c@5:any"#;
    let written = |json: &str| super::written(&super::shape(text), json).unwrap();
    assert_eq!(written(r#"{"b":false,"c":1}"#)[..2], *b"\x20\0");
    assert_eq!(written(r#"{"a":null,"b":false,"c":null}"#), b"\x20\0\x2a\x02\x08\0");
    assert_eq!(written(r#"{"a":0,"c":null}"#)[..2], *b"\x1a\x09");
    assert_eq!(written(r#"{"a":false,"c":null}"#)[..4], *b"\x1a\x02\x20\0");
    assert_eq!(written(r#"{"a":[null],"c":null}"#)[..8], *b"\x1a\x06\x32\x04\x0a\x02\x08\0");
}
