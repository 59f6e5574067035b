//! Documents that are refused, with the place of the fault.

use super::*;

#[test]
fn faults_have_places() {
    let shape = "a:int?, l:[int], m:M{a:int, m:M?}?";
    for (text, message) in [
        ("a 1", "expected `:` or `{`, found `1` (line 1, column 3)"),
        ("a: 1,,", "expected a field, found `,` (line 1, column 6)"),
        ("a: 1;\n;", "expected a field, found `;` (line 2, column 1)"),
        ("a:", "expected a value, found end of input (line 1, column 3)"),
        ("a: ]", "expected a value, found `]` (line 1, column 4)"),
        ("1: 1", "expected a field, found `1` (line 1, column 1)"),
        ("m { a: 1 >", "expected a field or `}`, found `>` (line 1, column 10)"),
        ("m < a: 1 }", "expected a field or `>`, found `}` (line 1, column 10)"),
        ("m {", "expected a field or `}`, found end of input (line 1, column 4)"),
        ("}", "expected a field, found `}` (line 1, column 1)"),
        ("l: [1, 2", "expected `,` or `]`, found end of input (line 1, column 9)"),
        ("l: [1 2]", "expected `,` or `]`, found `2` (line 1, column 7)"),
        ("l: [1; 2]", "expected `,` or `]`, found `;` (line 1, column 6)"),
        ("l: [1,]", "expected a value, found `]` (line 1, column 7)"),
        ("l: [,]", "expected a value, found `,` (line 1, column 5)"),
        ("l: [1, {}]", "expected a scalar, as before in the list, found `{` (line 1, column 8)"),
        ("l [1]", "expected `{`, found `1` (line 1, column 4)"),
        ("l: [[1]]", "expected a value, found `[` (line 1, column 5)"),
        ("a: -x", "expected a number, `inf` or `nan`, found `x` (line 1, column 5)"),
        ("[a b.]: 1", "expected the full name of an extension or a type, found other text in `[…]` (line 1, column 1)"),
        ("[a/%1/b] {}", "expected a URL, found other text before the last `/` (line 1, column 1)"),
        ("[/b] {}", "expected a URL, found other text before the last `/` (line 1, column 1)"),
        ("[a", "expected `]`, found end of input (line 1, column 3)"),
        ("a: 'x", "expected the end of a string, found end of input (line 1, column 6)"),
        ("a: '\\", "expected an escape, found end of input (line 1, column 6)"),
        ("a: \u{0}", "expected a value, found byte 0x00 (line 1, column 4)"),
        ("a: 'x'", "expected int, found `text` \"x\" at `$.a` (line 1, column 4)"),
        ("a: {}", "expected int, found a message at `$.a` (line 1, column 4)"),
        ("m: 1", "expected a message, found `1` at `$.m` (line 1, column 4)"),
        ("m { a: 1 m { a: yes } }", "expected int, found `yes` at `$.m.m.a` (line 1, column 17)"),
        ("a: 1 l: 2 a: 3", "the field `a` stands here again"),
        ("a: [1]", "expected one value, found a list in the field `a`"),
        ("l: [1, x]", "found `x` at `$.l[1]` (line 1, column 8)"),
    ] {
        let error = refusal(text, shape);
        assert!(error.replace("`int`", "int").contains(message), "{text:?}: {error}");
    }
}

#[test]
fn depth_is_limited() {
    let shape = "T{t:T?}";
    let nested = |depth: usize| format!("{}{}", "t{".repeat(depth), "}".repeat(depth));
    assert!(read(&nested(99), shape).is_ok());
    assert!(refusal(&nested(100), shape).contains("the depth of messages"));
    let options = ReadOptions { depth: u32::MAX, ..ReadOptions::default() };
    let error = read_with(nested(100_000).as_bytes(), shape, options).unwrap_err();
    assert!(error.to_string().contains("the depth of messages"), "{error}");
}

#[test]
fn no_cut_of_a_document_panics() {
    let text = "a: -0x1f l: [1, 2.5e-3f] m < a: 1 t: 'x\\u00fc\\101' \"y\" > [p.e]: true # c\n any { [d/p.M] {} }";
    for end in 0..text.len() {
        drop(read(&text[..end], "a:int?, l:[float], m:M{a:int, t:text?, m:M?}?"));
        let changed = text.bytes().enumerate().map(|(at, byte)| if at == end { byte ^ 0x1f } else { byte });
        let changed: Vec<u8> = changed.collect();
        drop(read_with(&changed, "a:any?, l:[any], m:any?", ReadOptions::default()));
    }
}

#[test]
fn many_fields_take_linear_time() {
    let names: Vec<String> = (0..50_000).map(|index| format!("f{index}: {index} x: 1")).collect();
    let value = read(&names.join("\n"), "f0:int, f49999:int, x:[int]").unwrap();
    assert_eq!(value.get("f49999"), Some(&json("49999")));
    assert!(matches!(value.get("x"), Some(Value::List(items)) if items.len() == 50_000));
}
