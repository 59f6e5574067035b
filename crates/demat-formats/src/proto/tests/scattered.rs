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

#[test]
fn the_value_of_an_entry_is_merged() {
    let text = "a:map(int, {b:int, c:[int], d:{e:int}?})";
    let (key, one, other): (_, &[u8], &[u8]) = (&b"\x08\x07"[..], b"\x12\x04\x08\x01\x10\x05", b"\x12\x02\x10\x06");
    for parts in [[key, one, other], [one, key, other], [one, other, key]] {
        let entry = parts.concat();
        let bytes = [&[0x0a, entry.len() as u8], &*entry].concat();
        reads(text, &bytes, r#"{"a":{"7":{"b":1,"c":[5,6]}}}"#);
        reads(text, &bytes.repeat(2), r#"{"a":{"7":{"b":1,"c":[5,6]}}}"#);
    }
    // A message in the pieces, and an empty last piece.
    let deep = b"\x0a\x0c\x12\x04\x1a\x02\x08\x04\x12\x02\x08\x03\x12\x00";
    reads(text, deep, r#"{"a":{"0":{"d":{"e":4},"b":3,"c":[]}}}"#);
    let union = b"\x0a\x0e\x12\x04\x0a\x02\x08\x01\x12\x06\x0a\x04\x10\x02\x08\x03";
    reads("a:map(int, union(b:{x:int, y:int}, c:int))", union, r#"{"a":{"0":{"b":{"y":2,"x":3}}}}"#);
    let instant = b"\x0a\x08\x12\x02\x08\x05\x12\x02\x10\x01";
    reads("a:map(int, instant)", instant, r#"{"a":{"0":"1970-01-01T00:00:05.000000001Z"}}"#);
}

#[test]
fn a_value_of_any_kind_is_merged() {
    let (text, number): (&[u8], &[u8]) = (b"\x0a\x03\x1a\x01x", b"\x0a\x09\x11\0\0\0\0\0\0\xf0\x3f");
    reads("a:any, b:int", &[number, text].concat(), r#"{"a":"x","b":0}"#);
    reads("a:any, b:int", &[text, b"\x10\x05", number].concat(), r#"{"a":1,"b":5}"#);
    reads("a:any", &[text, b"\x0a\x00"].concat(), r#"{"a":"x"}"#);
    reads("a:any", &[b"\x0a\x00", text].concat(), r#"{"a":"x"}"#);
    // Structs and lists go on, unless another kind came between.
    let (list, more): (&[u8], &[u8]) = (b"\x32\x04\x0a\x02\x20\x01", b"\x32\x08\x0a\x02\x20\0\x0a\x02\x08\0");
    let one = |parts: &[&[u8]]| [&[0x0a, parts.concat().len() as u8], &*parts.concat()].concat();
    reads("a:any", &one(&[list, more]), r#"{"a":[true,false,null]}"#);
    reads("a:any", &[one(&[list]), one(&[more])].concat(), r#"{"a":[true,false,null]}"#);
    reads("a:any", &one(&[list, b"\x20\x01", more]), r#"{"a":[false,null]}"#);
    reads("a:any", &[one(&[list]), one(&[more, b"\x20\x01"])].concat(), r#"{"a":true}"#);
    let entry: &[u8] = b"\x2a\x09\x0a\x07\x0a\x01x\x12\x02\x20\x01";
    let other: &[u8] = b"\x2a\x09\x0a\x07\x0a\x01y\x12\x02\x20\x00";
    reads("a:any", &one(&[entry, other]), r#"{"a":{"x":true,"y":false}}"#);
    reads(
        "a:any, b:int",
        &[&one(&[entry]), &b"\x10\x05"[..], &one(&[other])].concat(),
        r#"{"a":{"x":true,"y":false},"b":5}"#,
    );
    // In a message and in an entry that are in pieces themselves.
    let outer = |inner: &[u8]| [&[0x0a, inner.len() as u8], inner].concat();
    let pieces = [outer(&one(&[list])), outer(text), outer(&one(&[list])), outer(&one(&[more]))].concat();
    reads("a:{a:any}", &pieces, r#"{"a":{"a":[true,false,null]}}"#);
    reads("a:{a:any}", &[outer(number), outer(text)].concat(), r#"{"a":{"a":"x"}}"#);
    let value = |parts: &[u8]| [&[0x12, parts.len() as u8], parts].concat();
    reads("a:map(text, any)", &outer(&[value(list), value(more)].concat()), r#"{"a":{"":[true,false,null]}}"#);
}
