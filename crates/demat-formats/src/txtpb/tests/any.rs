//! `google.protobuf.Value`, `google.protobuf.Any`, extensions and unknown fields.

use super::*;

#[test]
fn any_is_a_message_that_says_the_kind() {
    let text = "v { struct_value { fields { key: 'a' value { list_value { values { number_value: 1 }
                values { null_value: NULL_VALUE } values { list_value {} } values { struct_value {} } } } }
                fields { value { bool_value: t } key: 'b' } fields { key: 'c' value { string_value: 'x' } } } } w: 1";
    let value = read(text, "v:any, w:int").unwrap();
    let expected = json(r#"{"a": [1, null, [], {}], "b": true, "c": "x"}"#);
    assert_eq!(value.get("v"), Some(&expected));
    assert_eq!(value.get("w"), Some(&json("1")));
    let shape: Shape = "v:any, w:int".parse().unwrap();
    let wire = to_wire(text, &shape, ReadOptions::default()).unwrap();
    for indent in [0, 2] {
        let back = from_wire(&wire, &shape, WriteOptions { indent, ..WriteOptions::default() }).unwrap();
        assert_eq!(to_wire(&back, &shape, ReadOptions::default()).unwrap(), wire, "{back}");
    }
    for text in ["v {}", "v { bool_value: true number_value: 1 }", "v: 1", "v { x: 1 }", "v { null_value: 1 }"] {
        assert!(read(text, "v:any").is_err(), "{text}");
    }
}

#[test]
fn an_optional_list_or_map_of_any_is_not_null() {
    let one = "{ string_value: 'a' }";
    let two = "[{ string_value: 'a' }, { null_value: NULL_VALUE }]";
    let entry = "{ key: 'k' value { null_value: NULL_VALUE } }";
    for (shape, text, expected) in [
        ("[any]?", one, r#"["a"]"#),
        ("[any]?", two, r#"["a", null]"#),
        ("[any?]?", two, r#"["a", null]"#),
        ("[null]?", "[NULL_VALUE, 0]", "[null, null]"),
        ("map(text, any)?", entry, r#"{"k": null}"#),
        ("map(text, any?)?", "{ key: 'k' value { number_value: 1 } }", r#"{"k": 1}"#),
        ("map(text, null)?", "{ key: 'k' value: NULL_VALUE }", r#"{"k": null}"#),
    ] {
        let shape = format!("v:{shape}");
        let value = read(&format!("v: {text}"), &shape).unwrap_or_else(|error| panic!("{shape} {text}: {error}"));
        assert_eq!(value.get("v"), Some(&json(expected)), "{shape} {text}");
        let shape: Shape = shape.parse().unwrap();
        let wire = to_wire(&format!("v: {text}"), &shape, ReadOptions::default()).unwrap();
        let back = from_wire(&wire, &shape, WriteOptions::default()).unwrap();
        assert_eq!(to_wire(&back, &shape, ReadOptions::default()).unwrap(), wire, "{back}");
    }
}

#[test]
fn what_stands_in_an_item_does_not_change_the_next_one() {
    for (shape, json) in [
        ("[union(a: enum(x, y), b: int)]", r#"[{"a": "x"}, {"b": 1}, {"a": "y"}]"#),
        ("[union(a: [any], b: map(text, any))]", r#"[{"a": [1]}, {"b": {"k": []}}, {"a": [{}]}]"#),
        ("map(text, {a:int?, b:text?})", r#"{"1": {"a": 1}, "2": {"b": "t"}}"#),
        ("map(text, union(a: [text], b: any))", r#"{"1": {"a": ["s"]}, "2": {"b": {"c": [1]}}, "3": {"a": ["t"]}}"#),
        ("map(text, any)", r#"{"1": [[1]], "2": {"a": {"b": []}}, "3": 4}"#),
    ] {
        let shape: Shape = format!("v:{shape}").parse().unwrap_or_else(|error| panic!("{shape}: {error}"));
        let value = super::json(&format!("{{\"v\": {json}}}"));
        let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
        copy(&mut ValueSource::new(&value), &shape, &mut sink).unwrap();
        let wire = sink.into_output().into_parts().0;
        let text = from_wire(&wire, &shape, WriteOptions::default()).unwrap();
        let read = to_wire(&text, &shape, ReadOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read, wire, "{text}");
    }
}

fn messages() -> Messages {
    Messages::new(Arc::new(|name: &str| match name {
        "p.M" => {
            "M{a:int? #proto:implicit, any:Any{type_url:text? #proto:implicit #proto:\"json any\", value@2:bytes? \
                  #proto:implicit}?}"
                .parse()
                .ok()
        }
        _ => None,
    }))
}

const ANY: &str = "x:Any{type_url:text? #proto:implicit #proto:\"json any\", value@2:bytes? #proto:implicit}?, y:int?";

#[test]
fn an_expanded_any_is_its_message() {
    let shape: Shape = ANY.parse().unwrap();
    let reading = ReadOptions { messages: Some(messages()), ..ReadOptions::default() };
    for text in ["x { [d.e/p.M] { a: 150 } } y: 1", "x: { [ d.e # c\n /p. M ]: < a: 150 >; } y: 1"] {
        let wire = to_wire(text, &shape, reading.clone()).unwrap();
        assert_eq!(wire, b"\x0a\x0e\x0a\x07d.e/p.M\x12\x03\x08\x96\x01\x10\x01", "{text}");
        let writing = WriteOptions { messages: Some(messages()), ..WriteOptions::default() };
        let expanded = "x {\n  [d.e/p.M] {\n    a: 150\n  }\n}\ny: 1\n";
        assert_eq!(from_wire(&wire, &shape, writing.clone()).unwrap(), expanded);
        let one_line = WriteOptions { indent: 0, ..writing };
        assert_eq!(from_wire(&wire, &shape, one_line).unwrap(), "x { [d.e/p.M] { a: 150 } } y: 1\n");
        let plain = "x {\n  type_url: \"d.e/p.M\"\n  value: \"\\010\\226\\001\"\n}\ny: 1\n";
        assert_eq!(from_wire(&wire, &shape, WriteOptions::default()).unwrap(), plain);
        assert_eq!(to_wire(plain, &shape, ReadOptions::default()).unwrap(), wire);
    }
    let nested = "x { [d/p.M] { any { [d/p.M] { a: 1 } } } }";
    assert!(to_wire(nested, &shape, reading.clone()).is_ok());
    for text in
        ["x { [d/p.N] {} }", "x { [d/p.M] {} type_url: '' }", "x { [d/p.M] { b: 1 a: '' } }", "x { [d/p.M]: 1 }"]
    {
        assert!(to_wire(text, &shape, reading.clone()).is_err(), "{text}");
    }
    let error = to_wire(nested, &shape, ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("`d/p.M` names no message that is known"), "{error}");
}

#[test]
fn anys_nest_to_a_limit() {
    let shape: Shape = ANY.parse().unwrap();
    let depth = 60;
    let text = format!("x {{ [d/p.M] {{ {}{} }} }}", "any { [d/p.M] { ".repeat(depth), "} }".repeat(depth));
    let options = ReadOptions { depth: 1000, messages: Some(messages()), ..ReadOptions::default() };
    assert!(to_wire(&text, &shape, options).unwrap_err().to_string().contains("`Any` in `Any`"));
}

#[test]
fn extensions_have_their_full_name() {
    let shape: Shape = "M{\"[p.ext]\"@100:int?, \"[p.n]\"@101:M?}".parse().unwrap();
    let text = "[p.ext]: 1\n[p.n] {\n  [p.ext]: 2\n}\n";
    let wire = to_wire("[p . ext]: 1 [p.n] { [ p.ext ]: 2 }", &shape, ReadOptions::default()).unwrap();
    assert_eq!(from_wire(&wire, &shape, WriteOptions::default()).unwrap(), text);
}

#[test]
fn unknown_fields_are_written_by_number_on_demand() {
    let shape: Shape = "a:int?, ...rest@99:map(text, bytes)".parse().unwrap();
    let wire =
        b"\x08\x01\x12\x03hi!\x1a\x02\x08\x05\x23\x28\x07\x24\x2d\x01\0\0\0\x31\x02\0\0\0\0\0\0\0\x38\x09\x38\x0a";
    assert_eq!(from_wire(wire, &shape, WriteOptions::default()).unwrap(), "a: 1\n");
    let options = WriteOptions { unknown_fields: true, ..WriteOptions::default() };
    let text = "a: 1\n2: \"hi!\"\n3 {\n  1: 5\n}\n4 {\n  5: 7\n}\n5: 0x00000001\n6: 0x0000000000000002\n7: 9\n7: 10\n";
    assert_eq!(from_wire(wire, &shape, options).unwrap(), text);
}
