use super::reads;

#[test]
fn the_items_of_a_list_may_stand_anywhere() {
    reads("a:[int], b:int", b"\x08\x01\x10\x07\x08\x02\x0a\x02\x03\x04", r#"{"a":[1,2,3,4],"b":7}"#);
    reads("a:[text], b:[int]", b"\x0a\x01x\x10\x01\x0a\x01y\x10\x02\x0a\x01z", r#"{"a":["x","y","z"],"b":[1,2]}"#);
    reads(
        "a:map(text, int), b:int",
        b"\x0a\x05\x0a\x01x\x10\x01\x10\x09\x0a\x05\x0a\x01y\x10\x02",
        r#"{"a":{"x":1,"y":2},"b":9}"#,
    );
    reads(
        "a:[{b:[int]}], c:int",
        b"\x0a\x02\x08\x01\x10\x05\x0a\x06\x08\x02\x10\x00\x08\x03",
        r#"{"a":[{"b":[1]},{"b":[2,3]}],"c":5}"#,
    );
}

#[test]
fn pieces_of_a_message_are_merged() {
    let text = "a:{b:int, c:[int], d:{e:int, f:int}?}, g:int";
    // Adjacent.
    reads(text, b"\x0a\x02\x08\x01\x0a\x02\x10\x05", r#"{"a":{"b":1,"c":[5]},"g":0}"#);
    // Scattered, with a list and a message whose pieces are themselves in several pieces.
    let bytes = b"\x0a\x08\x08\x01\x10\x05\x1a\x02\x08\x01\x10\x07\x0a\x06\x10\x06\x1a\x02\x10\x02\x0a\x02\x08\x09";
    reads(text, bytes, r#"{"a":{"b":9,"c":[5,6],"d":{"e":1,"f":2}},"g":7}"#.replace("\"b\":9,\"c\":[5,6],\"d\":{\"e\":1,\"f\":2}", "\"c\":[5,6],\"d\":{\"e\":1,\"f\":2},\"b\":9").as_str());
}

#[test]
fn a_list_goes_on_in_the_next_piece() {
    for middle in [&b""[..], b"\x12\x00"] {
        let joined = |one: &[u8], other: &[u8]| [one, middle, other].concat();
        let text = "a:{b:[int], c:[text], d:map(text, int), e:[{f:int}]}, g:text";
        let ints = joined(b"\x0a\x02\x08\x01", b"\x0a\x02\x08\x02");
        reads(text, &ints, r#"{"a":{"b":[1,2],"c":[],"d":{},"e":[]},"g":""}"#);
        let packed = joined(b"\x0a\x04\x0a\x02\x01\x02", b"\x0a\x03\x0a\x01\x03");
        reads(text, &packed, r#"{"a":{"b":[1,2,3],"c":[],"d":{},"e":[]},"g":""}"#);
        let texts = joined(b"\x0a\x03\x12\x01x", b"\x0a\x03\x12\x01y");
        reads(text, &texts, r#"{"a":{"c":["x","y"],"b":[],"d":{},"e":[]},"g":""}"#);
        let pairs = joined(b"\x0a\x07\x1a\x05\x0a\x01x\x10\x01", b"\x0a\x07\x1a\x05\x0a\x01y\x10\x02");
        reads(text, &pairs, r#"{"a":{"d":{"x":1,"y":2},"b":[],"c":[],"e":[]},"g":""}"#);
        let records = joined(b"\x0a\x04\x22\x02\x08\x01", b"\x0a\x04\x22\x02\x08\x02");
        reads(text, &records, r#"{"a":{"e":[{"f":1},{"f":2}],"b":[],"c":[],"d":{}},"g":""}"#);
    }
}

#[test]
fn groups_are_merged_too() {
    reads(
        "a:{b:int, c:int} #proto:group, d:int",
        b"\x0b\x08\x01\x0c\x10\x05\x0b\x10\x02\x0c",
        r#"{"a":{"b":1,"c":2},"d":5}"#,
    );
}

#[test]
fn times_are_merged_too() {
    reads("a:duration, b:int", b"\x0a\x02\x08\x02\x10\x01\x0a\x02\x08\x03", r#"{"a":"PT3S","b":1}"#);
}
