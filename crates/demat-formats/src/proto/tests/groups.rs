//! Members of a oneof that are individual optional fields: only the last one is returned.

use super::{reads, refuses};

const TEXT: &str = r#"id@1:int, a@2:int32? #proto:"in k", b@3:text? #proto:"in k", c@4:{x:int?}? #proto:"in k", d@5:int? #proto:"in q",
    e@6:int? #proto:"in q", f@7:int? #proto:sint64"#;
const A: &[u8] = b"\x10\x07";
const B: &[u8] = b"\x1a\x02hi";
const C: &[u8] = b"\x22\x02\x08\x05";
const D: &[u8] = b"\x28\x01";
const E: &[u8] = b"\x30\x02";
const F: &[u8] = b"\x38\x06";

#[test]
fn the_last_member_is_the_one_that_is_told() {
    let cases: [(&[&[u8]], &str); 15] = [
        (&[A], r#""a":7"#),
        (&[A, B], r#""b":"hi""#),
        (&[B, A], r#""a":7"#),
        (&[B, A, B], r#""b":"hi""#),
        (&[A, A], r#""a":7"#),
        (&[A, A, B, B], r#""b":"hi""#),
        (&[A, B, A, B, A], r#""a":7"#),
        (&[A, C], r#""c":{"x":5}"#),
        (&[C, A], r#""a":7"#),
        (&[C, A, C], r#""c":{"x":5}"#),
        (&[C, C, A, A], r#""a":7"#),
        // Members of another oneof do not matter, and fields with other notes are in no oneof.
        (&[A, D, B, E], r#""b":"hi","e":2"#),
        (&[E, D, A], r#""d":1,"a":7"#),
        (&[F, A, B, F], r#""b":"hi","f":3"#),
        (&[D, E, D, B, C, A], r#""d":1,"a":7"#),
    ];
    for (parts, members) in cases {
        let bytes = [b"\x08\x09", &*parts.concat()].concat();
        reads(TEXT, &bytes, &format!(r#"{{"id":9,{members}}}"#));
        let listed = [&[bytes.len() as u8][..], &bytes].concat();
        reads(&format!("[{{{TEXT}}}]"), &listed.repeat(2), &format!(r#"[{{"id":9,{members}}},{{"id":9,{members}}}]"#));
        // In a message that is in two pieces.
        let (head, tail) = parts.split_at(parts.len() / 2);
        let pieces = [[b"\x08\x09", &*head.concat()].concat(), tail.concat()];
        let pieces = pieces.map(|part| [b"\x0a", &[part.len() as u8][..], &part].concat());
        reads(&format!("m:{{{TEXT}}}"), &pieces.concat(), &format!(r#"{{"m":{{"id":9,{members}}}}}"#));
    }
}

#[test]
fn a_member_that_does_not_count_has_to_be_one_all_the_same() {
    refuses(TEXT, b"\x12\x01x\x1a\x02hi", "expected a varint, found bytes with a length at `$.a` (byte 0)");
    refuses(TEXT, b"\x10\x07\x1a\x05hi", "expected 5 bytes, found `2` at `$.b` (byte 3)");
}

/// The rest of a message is scanned at most twice, whatever the number of members.
#[test]
fn members_by_turns_take_no_square_of_time() {
    reads(TEXT, &[A, B].concat().repeat(100_000), r#"{"b":"hi","id":0}"#);
    reads(TEXT, &[A.repeat(100_000), C.to_vec()].concat(), r#"{"c":{"x":5},"id":0}"#);
    reads(TEXT, &A.repeat(1000), r#"{"a":7,"id":0}"#);
}

/// From the 65th field on, presence is recorded in a set.
#[test]
fn a_group_may_stand_behind_many_fields() {
    let many: Vec<_> = (1..80).map(|number| format!("f{number}@{number}:int?")).collect();
    let text = format!(r#"{}, a@80:int? #proto:"in k", b@81:int? #proto:"in k""#, many.join(", "));
    reads(&text, b"\x80\x05\x01\x88\x05\x02\x80\x05\x03", r#"{"a":3}"#);
}
