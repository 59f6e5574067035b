//! Maps, unions, enums, groups and kinds that are messages.

use super::*;

#[test]
fn maps_are_messages_of_key_and_value() {
    let shape = "m:map(text, int), n:map(int32, M{a:int, n:map(bool, text)})";
    let text = "m { key: 'a' value: 1 } n { value { a: 2 n { key: true value: 'x' } n {} } key: 7 } m { value: 3 }
                m: [{ key: 'b' }, { key: 'a', value: 4 }]";
    let value = read(text, shape).unwrap();
    let Some(Value::Map(entries)) = value.get("m") else { panic!("{value:?}") };
    assert_eq!(entries.len(), 3, "{entries:?}");
    for (key, expected) in [("a", 4), ("b", 0), ("", 3)] {
        let found = entries.iter().find(|(own, _)| *own == Value::Text(key.into()));
        assert_eq!(found.map(|(_, value)| value), Some(&json(&expected.to_string())), "{key}");
    }
    let text = format!("{:?}", value.get("n"));
    assert!(text.contains("Bool(true)") && text.contains("Bool(false)") && text.contains("\"x\""), "{text}");
    assert!(refusal("m { other: 1 }", shape).contains("unknown field `other`"));
    assert!(refusal("m { key: 'a' key: 'b' }", shape).contains("stands here again"));
    assert!(refusal("m: 1", shape).contains("an entry of a map"));
}

#[test]
fn an_absent_message_in_a_map_has_zeros() {
    let value = read("n { key: 1 }", "n:map(int32, M{a:int, l:[text], o:int?})").unwrap();
    let Some(Value::Map(entries)) = value.get("n") else { panic!("{value:?}") };
    assert_eq!(entries[0].1.get("a"), Some(&json("0")));
    assert_eq!(entries[0].1.get("l"), Some(&json("[]")));
}

#[test]
fn a_oneof_has_one_member() {
    let shape = "o:union(p@1: text, q@2: {r:int}, z@3: null)? #proto:oneof, i@9:int?";
    for text in ["p: 'x' i: 1", "i: 1 q { r: 1 }", "q {}", "i: 2", "z: NULL_VALUE i: 1", "i: 1 z: 0"] {
        let shape: Shape = shape.parse().unwrap();
        let wire = to_wire(text, &shape, ReadOptions::default()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let back = from_wire(&wire, &shape, WriteOptions::default()).unwrap();
        assert_eq!(to_wire(&back, &shape, ReadOptions::default()).unwrap(), wire, "{text}: {back}");
    }
    assert!(refusal("p: 'x' q {}", shape).contains("another one of its `oneof`"));
    assert!(refusal("p: 'x' p: 'y'", shape).contains("stands here again"));
    assert!(refusal("o: 1", &format!("{shape}, !")).contains("unknown field `o`"));
    let apart = "a:int? #proto:\"in o\", b:int? #proto:\"in o\", c:int? #proto:\"in p\"";
    assert!(read("a: 1 c: 1", apart).is_ok());
    let error = refusal("a: 1\nc: 1\nb: 2", apart);
    assert!(error.contains("one member of a `oneof`") && error.contains("line 3, column 1"), "{error}");
}

#[test]
fn a_union_is_a_message_of_its_variants() {
    let shape: Shape =
        "u:union(a: int, b: [text], c: {x:int, y:union(d: int, e: text)}), v:[union(a: int)]".parse().unwrap();
    for text in ["u { a: 1 }", "u { b: 'x' b: 'y' } v { a: 1 } v { a: 2 }", "u { c { x: 1 y { e: 'z' } } } v { a: 3 }"]
    {
        let wire = to_wire(text, &shape, ReadOptions::default()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let one_line = WriteOptions { indent: 0, ..WriteOptions::default() };
        assert_eq!(from_wire(&wire, &shape, one_line).unwrap(), format!("{}\n", text.replace('\'', "\"")));
    }
    for text in ["u {}", "u { a: 1 b: 'x' }", "u: 1", "u { f: 1 }"] {
        assert!(to_wire(text, &shape, ReadOptions::default()).is_err(), "{text}");
    }
}

#[test]
fn enums_are_names_or_numbers() {
    let open = "e:[(enum E(zero = 0, one = 1) | int32)]";
    let shape: Shape = open.parse().unwrap();
    let wire = to_wire("e: [one, 0, 7, -1]", &shape, ReadOptions::default()).unwrap();
    assert_eq!(from_wire(&wire, &shape, WriteOptions::default()).unwrap(), "e: one\ne: zero\ne: 7\ne: -1\n");
    assert!(refusal("e: two", open).contains("`two`"));
    assert!(refusal("e: 2147483648", open).contains("enum"));
    let closed = "e:(enum E(zero = 0, one = 1) | int32)? #proto:closed";
    assert!(read("e: 1", closed).is_ok());
    assert!(refusal("e: 7", closed).contains("the number 7"));
    let names = "e:enum(zero = 0, one = 1)";
    assert_eq!(read("e: 0x1", names).unwrap(), json(r#"{"e": "one"}"#));
    assert!(refusal("e: 2", names).contains("the number 2"));
    assert!(refusal("e: 'one'", names).contains("`text` \"one\""));
}

#[test]
fn groups_have_the_name_of_their_type() {
    let shape: Shape = "data@1:Data{a:int?}? #proto:group #proto:\"text_name Data\"".parse().unwrap();
    for text in ["Data { a: 1 }", "data: { a: 1 }"] {
        let wire = to_wire(text, &shape, ReadOptions::default()).unwrap();
        assert_eq!(wire, [0x0b, 8, 1, 0x0c], "{text}");
        assert_eq!(from_wire(&wire, &shape, WriteOptions::default()).unwrap(), "Data {\n  a: 1\n}\n");
    }
    let both = to_wire("Data { a: 1 } data { a: 2 }", &shape, ReadOptions::default());
    assert!(both.unwrap_err().to_string().contains("stands here again"));
}

#[test]
fn times_are_messages_and_other_kinds_text() {
    let shape: Shape = "i:[instant], d:duration?, t:date?, n:decimal?, u:uuid? #proto:bytes, a:text? #proto:ipv4, \
                        b:text? #proto:ip, s:instant? #proto:string"
        .parse()
        .unwrap();
    let text = "i {\n  seconds: -1\n  nanos: 5\n}\ni {\n}\nd {\n  seconds: -1\n  nanos: -500000000\n}\n\
                t: \"2024-02-29\"\nn: \"1.50\"\nu: \"0123456789abcdef\"\na: 16777343\nb: \"\\177\\000\\000\\001\"\n";
    let wire = to_wire(text, &shape, ReadOptions::default()).unwrap();
    assert_eq!(from_wire(&wire, &shape, WriteOptions::default()).unwrap(), text);
    for text in ["i { nanos: 1000000000 }", "d { seconds: 1 nanos: -1 }", "i { x: 1 }", "u: 'x'", "a: 'x'", "t: '2024'"]
    {
        assert!(to_wire(text, &shape, ReadOptions::default()).is_err(), "{text}");
    }
}
