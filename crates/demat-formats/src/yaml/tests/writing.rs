//! Block style, and quotes where they are needed.

use super::*;
use demat_core::scalar::{DateTime, Duration, Offset};

fn text(value: &str) -> String {
    let text = told(|sink| sink.text(value)).unwrap();
    assert_eq!(read(&text, "any").unwrap(), Value::Text(value.to_string().into()), "{text}");
    for wrapped in [
        Value::List(vec![Value::Text(value.to_string().into())]),
        Value::Map(vec![(Value::Text(value.to_string().into()), Value::Text(value.to_string().into()))]),
        Value::List(vec![Value::Map(vec![(Value::Text("k".into()), Value::Text(value.to_string().into()))])]),
    ] {
        let document = written(&wrapped, &Shape::Any).unwrap();
        assert_eq!(read(&document, "any").unwrap(), wrapped, "{document}");
    }
    text.strip_suffix('\n').unwrap().to_string()
}

#[test]
fn text_has_quotes_where_it_needs_them() {
    for plain in [
        "a",
        "a b",
        "it's",
        "a,b",
        "x[0]",
        "http://x/y?z#a",
        "-a",
        "?x",
        ":x",
        "a:b",
        "é😀",
        "v1.0",
        "192.168.0.1",
        "a\"b",
        "1.2.3",
    ] {
        assert_eq!(text(plain), plain);
    }
    let quoted = "yes no on off y n Y true True null ~ 1 -1 1e3 1.5 .5 0x1F 0o7 017 1_000 1:30 12:30:00 \
            2001-01-01 = << .inf .nan \
                  - ? : --- ... #a &a *a !a |a >a %a @a `a [a] {a} ,a 'a a: \"a\" ---x 2001-12-14T10:00:00Z";
    for quoted in quoted.split_whitespace().chain(["", " a", "a ", "a: b", "a #b", "- a", "? a", ": a"]) {
        assert_eq!(text(quoted), format!("'{}'", quoted.replace('\'', "''")));
    }
    for (value, written) in [
        ("a\tb", "'a\tb'"),
        ("a\r", "\"a\\r\""),
        ("\u{7}\u{85}\u{2028}\u{feff}\u{fffe}", "\"\\x07\\x85\\u2028\\uFEFF\\uFFFE\""),
        ("\n", "\"\\n\""),
        ("a\n", "\"a\\n\""),
        (" a\nb", "\" a\\nb\""),
        ("a \nb", "\"a \\nb\""),
        ("a\nb\n\n", "\"a\\nb\\n\\n\""),
        ("a\n\tb", "\"a\\n\\tb\""),
        ("\"\\\0", "\"\\\"\\\\\\0\""),
    ] {
        assert_eq!(text(value), written, "{value:?}");
    }
}

#[test]
fn lines_of_text_are_a_block() {
    assert_eq!(text("a\nb"), "|-\n  a\n  b");
    assert_eq!(text("a\n\n  b: c\n# d\n"), "|\n  a\n\n    b: c\n  # d");
    assert_eq!(text("---\n..."), "|-\n  ---\n  ...");
    let value = json(r#"{"a": {"b": "x\ny\n"}, "c": ["x\ny"], "d": 1}"#);
    let text = written(&value, &Shape::Any).unwrap();
    assert_eq!(text, "a:\n  b: |\n    x\n    y\nc:\n  - |-\n    x\n    y\nd: 1\n");
    assert_eq!(read(&text, "any").unwrap(), value);
}

#[test]
fn containers_are_blocks() {
    for (value, expected) in [
        ("[]", "[]\n"),
        ("{}", "{}\n"),
        ("null", "null\n"),
        ("[1, [2, [3]], [], {}]", "- 1\n- - 2\n  - - 3\n- []\n- {}\n"),
        (r#"{"a": {"b": {}}, "c": [], "d": null}"#, "a:\n  b: {}\nc: []\nd: null\n"),
        (r#"{"a": [{"b": 1, "c": [2]}, {"d": {"e": 3}}]}"#, "a:\n  - b: 1\n    c:\n      - 2\n  - d:\n      e: 3\n"),
        (r#"[[{"a": 1, "b": 2}]]"#, "- - a: 1\n    b: 2\n"),
    ] {
        let value = json(value);
        let text = written(&value, &Shape::Any).unwrap();
        assert_eq!(text, expected);
        assert_eq!(read(&text, "any").unwrap(), value);
    }
}

#[test]
fn indent_is_an_option() {
    let value = json(r#"{"a": [{"b": {"c": "x\ny"}}]}"#);
    for (indent, expected) in [
        (4, "a:\n    - b:\n          c: |-\n              x\n              y\n"),
        (1, "a:\n - b:\n    c: |-\n     x\n     y\n"),
    ] {
        let mut out = sink(WriteOptions { indent, ..WriteOptions::default() });
        copy(&mut ValueSource::new(&value), &Shape::Any, &mut out).unwrap();
        let text = text_of(out);
        assert_eq!(text, expected);
        assert_eq!(read(&text, "any").unwrap(), value);
    }
}

#[test]
fn scalars_are_read_as_what_they_were() {
    let at = DateTime::parse("2024-05-06T07:08:09.25").unwrap();
    let line =
        |tell: &dyn Fn(&mut YamlSink<Keep>) -> Result<()>| told(|sink| tell(sink)).unwrap().trim_end().to_string();
    assert_eq!(line(&|sink| sink.float(1e300)), "1.0e+300");
    assert_eq!(line(&|sink| sink.float(1.5e-7)), "1.5e-7");
    assert_eq!(line(&|sink| sink.float(1.0)), "1.0");
    assert_eq!(line(&|sink| sink.float(-0.0)), "-0.0");
    assert_eq!(line(&|sink| sink.float32(f32::NAN)), ".nan");
    assert_eq!(line(&|sink| sink.float(f64::NEG_INFINITY)), "-.inf");
    assert_eq!(line(&|sink| sink.date(at.date)), "2024-05-06");
    assert_eq!(line(&|sink| sink.time(at.time)), "'07:08:09.250'");
    assert_eq!(line(&|sink| sink.date_time(at)), "2024-05-06T07:08:09.250");
    assert_eq!(line(&|sink| sink.instant(at, Offset::UTC)), "2024-05-06T07:08:09.250Z");
    assert_eq!(line(&|sink| sink.duration(Duration::new(60, 0).unwrap())), "PT1M");
    assert_eq!(line(&|sink| sink.bytes(b"hel")), "!!binary aGVs");
    assert_eq!(line(&|sink| sink.bytes(b"")), "!!binary \"\"");
    assert_eq!(read("!!binary \"\"", "any").unwrap(), Value::Bytes(b"".into()));
}

#[test]
fn keys_are_scalars() {
    let value = Value::Map(vec![
        (Value::Int(1.into()), Value::Bool(true)),
        (Value::Text("1".into()), Value::Null),
        (Value::Null, Value::List(vec![])),
        (Value::Float(1.5), Value::Map(vec![])),
        (Value::Bytes(b"hel".into()), Value::Text("a\nb".into())),
        (Value::Text("a\nb".into()), Value::Text("c".into())),
    ]);
    let text = written(&value, &Shape::Any).unwrap();
    assert_eq!(text, "1: true\n'1': null\nnull: []\n1.5: {}\n!!binary aGVs: |-\n  a\n  b\n\"a\\nb\": c\n");
    assert_eq!(read(&text, "any").unwrap(), value);
    let error = told(|sink| {
        sink.begin_map(None)?;
        sink.entry()?;
        sink.begin_list(None)
    });
    assert_eq!(error.unwrap_err().to_string(), "a list can't be a key");
}

#[test]
fn long_keys_are_marked() {
    for len in [900, 1000, 1001, 1024, 5000] {
        let key = Value::Text("x".repeat(len).into());
        for inner in ["1", "[1]", r#"{"a": [1]}"#, "{}"] {
            let map = Value::Map(vec![
                (Value::Text("b".into()), Value::Null),
                (key.clone(), json(inner)),
                (Value::Text("z".into()), Value::Null),
            ]);
            let value = Value::List(vec![map.clone(), map]);
            let text = written(&value, &Shape::Any).unwrap();
            assert_eq!(read(&text, "any").unwrap(), value, "{text}");
            assert_eq!(text.contains('?'), len > 1000);
        }
    }
}

#[test]
fn depth_is_limited() {
    let mut out = sink(WriteOptions { depth: 2, ..WriteOptions::default() });
    out.begin_list(None).unwrap();
    out.item().unwrap();
    out.begin_map(None).unwrap();
    out.key("a").unwrap();
    assert_eq!(out.begin_list(None).unwrap_err().to_string(), "the depth of nesting exceeds the limit of 2");
}

#[test]
fn a_rollback_leaves_nothing() {
    let text = told(|sink| {
        sink.begin_list(None)?;
        sink.item()?;
        sink.bool(true)?;
        sink.commit()?;
        sink.item()?;
        sink.begin_map(None)?;
        sink.key("b")?;
        sink.rollback()?;
        sink.item()?;
        sink.begin_map(None)?;
        sink.key("c")?;
        sink.bool(false)?;
        sink.end_map()?;
        sink.end_list()
    });
    assert_eq!(text.unwrap(), "- true\n- c: false\n");
    assert!(told(|sink| sink.begin_map(None)).unwrap_err().to_string().contains("the map has not ended"));
}
