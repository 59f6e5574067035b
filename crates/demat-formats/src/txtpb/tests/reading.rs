//! Literals and the grammar.

use super::*;

/// Returns the value of the field `v` of this shape.
fn value(text: &str, shape: &str) -> Result<Value> {
    read(&format!("v: {text}"), &format!("v:{shape}")).map(|value| value.get("v").unwrap().clone())
}

#[test]
fn ints_have_bases_and_signs() {
    for (text, json) in [
        ("0", "0"),
        ("-1", "-1"),
        ("- # sign\n 1", "-1"),
        ("0x7FfF", "32767"),
        ("-0X10", "-16"),
        ("017", "15"),
        ("9223372036854775807", "9223372036854775807"),
        ("-0x8000000000000000", "-9223372036854775808"),
    ] {
        assert_eq!(value(text, "int").unwrap(), super::json(json), "{text}");
    }
    assert_eq!(value("01777777777777777777777", "uint64").unwrap(), super::json("18446744073709551615"));
    for (text, shape) in [
        ("09", "int"),
        ("0x", "int"),
        ("1.0", "int"),
        ("1f", "int"),
        ("+1", "int"),
        ("1a", "int"),
        ("1_0", "int"),
        ("0b1", "int"),
        ("'1'", "int"),
        ("-0", "uint32"),
        ("2147483648", "int32"),
        ("-2147483649", "int32"),
        ("18446744073709551616", "uint64"),
        ("9223372036854775808", "int"),
    ] {
        assert!(value(text, shape).is_err(), "{text}");
    }
}

#[test]
fn floats_are_decimal_and_may_be_infinite() {
    let float = |text: &str| match value(text, "float").unwrap() {
        Value::Float(value) => value,
        other => panic!("{other:?}"),
    };
    for (text, expected) in [
        ("1", 1.0),
        ("-1.5", -1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        (".1E-1f", 0.01),
        ("10F", 10.0),
        ("1e999", f64::INFINITY),
        ("-Infinity", f64::NEG_INFINITY),
        ("iNf", f64::INFINITY),
        ("1e-18446744073709551616", 0.0),
    ] {
        assert_eq!(float(text).to_bits(), expected.to_bits(), "{text}");
    }
    assert_eq!(float("-0").to_bits(), (-0.0_f64).to_bits());
    assert!(float("NaN").is_nan() && float("-nan").is_nan());
    for text in ["0x1", "012", "1e", "1.2.3", ".", "e5", "- x", "infinit", "1ff", "--1"] {
        assert!(value(text, "float").is_err(), "{text}");
    }
    assert_eq!(value("3.4028235e+39", "float32").unwrap(), Value::Float(f64::INFINITY));
}

#[test]
fn strings_have_escapes_and_are_concatenated() {
    for (text, expected) in [
        (
            r#"'a' "b"  # c
            'c'"#,
            "abc",
        ),
        (r#""\a\b\f\n\r\t\v\?\\\'\"""#, "\x07\x08\x0c\n\r\t\x0b?\\'\""),
        (r"'\1\12\1234'", "\u{1}\nS4"),
        (r"'\x41\x4g'", "A\u{4}g"),
        (r"'\u00fc\U0001F600'", "ü😀"),
        (r"'\303\274'", "ü"),
        ("'ü\t'", "ü\t"),
        ("''", ""),
    ] {
        assert_eq!(value(text, "text").unwrap(), Value::Text(expected.to_string().into()), "{text}");
    }
    let refused =
        [r"'\'", "'a\nb'", "'", r"'\q'", r"'\x'", r"'\u12'", r"'\ud800'", r"'\U00110000'", r"'\400'", r"'\xc0'", "a"];
    for text in refused {
        assert!(value(text, "text").is_err(), "{text}");
    }
    assert_eq!(value(r"'\xc0' '\0'", "bytes").unwrap(), Value::Bytes(vec![0xc0, 0].into()));
}

#[test]
fn bools_have_several_names() {
    for text in ["true", "True", "t", "1", "0x1", "01"] {
        assert_eq!(value(text, "bool").unwrap(), Value::Bool(true), "{text}");
    }
    for text in ["false", "False", "f", "0"] {
        assert_eq!(value(text, "bool").unwrap(), Value::Bool(false), "{text}");
    }
    for text in ["TRUE", "2", "-0", "'true'", "yes"] {
        assert!(value(text, "bool").is_err(), "{text}");
    }
}

#[test]
fn fields_have_separators_and_lists() {
    let shape = "a:int?, l:[int], m:M{a:int?}?, n:[M]";
    let expected = json(r#"{"a": 1, "l": [1, 2], "m": {"a": 3}, "n": [{"a": 1}, {"a": null}, {"a": 2}]}"#);
    for text in [
        "a: 1 l: 1 l: 2 m { a: 3 } n { a: 1 } n {} n { a: 2 }",
        "a:1,l:[1,2];m:{a:3,}n[{a:1},{}]n:<a:2>",
        "n { a: 1 } a: 1 n { } l: [1] l: [] l: [2], m < a: 3; >; n: [< a: 2 >]",
        "# comment\na:1 # another\nl:1,l:2 m{a:3}n:[{a:1}, <> , {a:2}] # last",
    ] {
        let value = read(text, shape).unwrap_or_else(|error| panic!("{text}: {error}"));
        for key in ["a", "l", "m"] {
            assert_eq!(value.get(key), expected.get(key), "{text}");
        }
        let text = format!("{:?}", value.get("n"));
        assert_eq!(text.matches("Int").count(), 2, "{text}");
    }
}

#[test]
fn values_are_absent_as_in_the_wire_format() {
    let shape = "i:int, t:text, b:bytes, l:[int], m:map(text, int), o:int?, e:enum(zero = 0, one = 1)";
    let value = read("e: one", shape).unwrap();
    for (key, expected) in [("i", "0"), ("t", "\"\""), ("l", "[]"), ("m", "{}"), ("e", "\"one\"")] {
        assert_eq!(value.get(key), Some(&json(expected)), "{key}");
    }
    assert!(refusal("", "m:M{a:int}").contains('m'));
}

#[test]
fn fields_go_by_name_alias_and_the_rule_for_others() {
    assert_eq!(read("b: 1 other { x: [1] }", "b:int").unwrap(), json(r#"{"b": 1}"#));
    let error = refusal("a: 1\nother: 2", "a:int, !");
    assert!(error.contains("`other`") && error.contains("line 2, column 1"), "{error}");
    let kept = "a:int, ...r@9:map(text, bytes) #proto:\"reserved old\"";
    assert!(refusal("r: 1", kept).contains("unknown field `r`"));
    assert!(read("a: 1 old: [{}, {}]", kept).is_ok());
    let options = ReadOptions { ignore_unknown: true, ..ReadOptions::default() };
    assert!(read_with(b"a: 1 r { key: '' }", kept, options).is_ok());
}
