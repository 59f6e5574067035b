//! Values of each kind, and the types of text without quotes.

use super::*;
use demat_core::scalar::{Date, DateTime, Decimal, Instant, Time};

#[test]
fn the_core_schema_is_read() {
    let text = "null: ~\nempty:\nint: -12\noctal: 0o14\nhex: 0xC\nzero: 007\n\
                float: 1.5e3\npoint: .5\nno: no\nbool: true\n\
                date: 2001-12-14\nquoted: '12'\ntime: 12:30:00\n";
    let found = read(text, "any").unwrap();
    let expected = r#"{"empty": null, "int": -12, "octal": 12, "hex": 12, "zero": 7, "float": 1500.0, "point": 0.5,
        "no": "no", "bool": true, "date": "2001-12-14", "quoted": "12", "time": "12:30:00"}"#;
    let Value::Map(mut entries) = found else { panic!() };
    assert_eq!(entries.remove(0), (Value::Null, Value::Null));
    assert_eq!(Value::Map(entries), json(expected));
    assert_eq!(read("123456789012345678901234567890", "any").unwrap(), json("123456789012345678901234567890"));
    assert_eq!(read("[.inf, -.Inf]", "any").unwrap(), Value::of(&[f64::INFINITY, f64::NEG_INFINITY][..]).unwrap());
    assert!(matches!(read(".nan", "any").unwrap(), Value::Float(nan) if nan.is_nan()));
}

#[test]
fn a_number_without_quotes_is_no_text() {
    let message = "expected `text`, found `1.10`, which is float without quotes at `$.version` (line 1, column 10)";
    assert_eq!(refusal("version: 1.10", "{version: text}"), message);
    assert!(refusal("yes", "bool").starts_with("expected `bool`, found `text`"));
    assert!(refusal("~", "text").starts_with("expected `text`, found `null`"));
    assert!(refusal("'12'", "int").starts_with("expected `int`, found `text`"));
    assert_eq!(read("no", "text").unwrap(), Value::Text("no".into()));
}

#[test]
fn kinds_that_are_text_elsewhere_are_read_without_quotes() {
    let at = DateTime::parse("2001-12-14T21:59:43.100").unwrap();
    for text in ["2001-12-14", "'2001-12-14'", "!!timestamp 2001-12-14", "!!timestamp '2001-12-14'"] {
        assert_eq!(read(text, "date").unwrap(), Value::Date(Date::parse("2001-12-14").unwrap()), "{text}");
    }
    for text in ["2001-12-14T21:59:43.1", "2001-12-14 21:59:43.10", "!!timestamp 2001-12-14 21:59:43.1"] {
        assert_eq!(read(text, "datetime").unwrap(), Value::DateTime(at), "{text}");
        assert_eq!(read(text, "instant").unwrap(), Value::DateTime(at), "{text}");
    }
    let instant = Value::from(Instant::parse("2001-12-14T21:59:43.1-05:00").unwrap());
    for text in ["2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5"] {
        assert_eq!(read(text, "instant").unwrap(), instant, "{text}");
        assert!(refusal(text, "datetime").contains("datetime"), "{text}");
    }
    assert_eq!(read("12:30:00", "time").unwrap(), Value::Time(Time::parse("12:30:00").unwrap()));
    assert_eq!(read("1.10", "decimal").unwrap(), Value::Decimal(Decimal::parse("1.10").unwrap()));
    assert_eq!(read("'1.10'", "decimal").unwrap(), read("1.10", "decimal").unwrap());
    assert_eq!(read("0x10", "decimal").unwrap(), Value::Decimal(Decimal::parse("16").unwrap()));
    for text in ["-0", "-0.0", "-0.00"] {
        let Value::Decimal(zero) = read(text, "decimal").unwrap() else { panic!("{text}") };
        assert_eq!(zero.as_str(), text);
    }
    for (text, digits) in [("-00", "-0"), ("+0", "0"), ("007", "7")] {
        let Value::Decimal(number) = read(text, "decimal").unwrap() else { panic!("{text}") };
        assert_eq!(number.as_str(), digits);
    }
    assert!(refusal(".inf", "decimal").contains("decimal"));
    for text in [
        "12345678123456781234567812345678",
        "1234567812345678123456781234567e",
        "'12345678-1234-5678-1234-567812345678'",
    ] {
        assert!(matches!(read(text, "uuid"), Ok(Value::Uuid(_))), "{text}");
    }
    assert!(matches!(read("PT1M", "duration"), Ok(Value::Duration(_))));
    assert_eq!(read("!!binary aGVs\n", "any").unwrap(), Value::Bytes(b"hel".into()));
    assert_eq!(read("!!binary |\n  aG\n  Vs\n", "bytes").unwrap(), Value::Bytes(b"hel".into()));
    assert_eq!(read("aGVs", "bytes").unwrap(), Value::Bytes(b"hel".into()));
    assert_eq!(read("0x10", "float64").unwrap(), Value::Float(16.0));
    assert_eq!(read("012", "float64").unwrap(), Value::Float(12.0));
    assert_eq!(read("0.1", "float32").unwrap(), Value::Float(f64::from(0.1_f32)));
    assert!(refusal("1e999", "float64").starts_with("expected `float64`, found `1e999`"));
}

#[test]
fn tags_of_the_core_schema_are_honoured() {
    for (text, value) in [
        ("!!str 12", "\"12\""),
        ("! 12", "\"12\""),
        ("!!int '12'", "12"),
        ("!!float 12", "12.0"),
        ("!!bool 'true'", "true"),
        ("!!null ''", "null"),
        ("!!seq [1]", "[1]"),
        ("!!map {a: !!str}", "{\"a\": \"\"}"),
        ("! [1]", "[1]"),
        ("!<tag:yaml.org,2002:str> 1", "\"1\""),
    ] {
        assert_eq!(read(text, "any").unwrap(), json(value), "{text}");
    }
    let date = read("!!timestamp 2001-12-14", "any").unwrap();
    assert_eq!(date, Value::Date(Date::parse("2001-12-14").unwrap()));
    for text in ["!x 1", "!!python/object:os.system a", "!!set {a}", "!!omap [a: 1]", "!x {a: 1}", "!<!y> [1]", "!!x a"]
    {
        let error = read(text, "any").unwrap_err();
        assert!(error.to_string().starts_with("expected a tag of the core schema, found `!"), "{text}: {error}");
        assert_eq!(error.position().column, Some(1), "{text}");
    }
    for text in
        ["!!int x", "!!float x", "!!bool yes", "!!null x", "!!seq x", "!!map x", "!!binary '*'", "!!timestamp x"]
    {
        assert!(refusal(text, "any").contains("as the tag says, found"), "{text}");
    }
    assert!(refusal("!!seq {}", "any").starts_with("expected a tag that fits"));
}

#[test]
fn keys_are_scalars_of_any_kind() {
    let found = read("1: a\n0x10: b\ntrue: c\n1.5: d\n2001-01-01: e\n'1': f\n", "any").unwrap();
    let Value::Map(entries) = found else { panic!() };
    assert_eq!(entries.len(), 6);
    assert_eq!((&entries[1].0, &entries[5].0), (&json("16"), &json("\"1\"")));
    assert!(read("1: a\n-2: b", "map(int, text)").is_ok());
    assert!(read("2001-01-01: a", "map(date, text)").is_ok());
    assert!(refusal("[1]: a", "any").contains("a scalar as key"));
    assert!(read("{[1]: a}", "{b: int?}").is_err());
    let mut source = YamlSource::new(b"? [1]\n: {a: 1}\n");
    source.skip().unwrap();
    source.end().unwrap();
}

#[test]
fn records_stand_in_their_lines() {
    let text = "x:\n  - a: 1\n    b: 2\n\n  # comment\n  - a: 3\n    b: |\n      text\n";
    let mut source = YamlSource::new(text.as_bytes());
    source.map().unwrap();
    source.entry().unwrap();
    source.skip().unwrap();
    source.list().unwrap();
    for expected in ["    a: 1\n    b: 2", "    a: 3\n    b: |\n      text"] {
        assert!(source.item().unwrap());
        let span = source.span().unwrap().into_owned();
        assert_eq!(String::from_utf8(span.clone()).unwrap(), expected);
        assert!(YamlSource::new(&span).skip().is_ok());
    }
}

/// A block that the input ends within has no break at its end, as in other readers; one that is there is kept.
#[test]
fn a_block_at_the_end_of_the_input_gets_no_break() {
    for (text, value) in [
        ("a: |\n  x", "x"),
        ("a: |\n  x\n", "x\n"),
        ("a: |+\n  x", "x"),
        ("a: |+\n  x\n\n", "x\n\n"),
        ("a: |-\n  x", "x"),
        ("a: >\n  x\n  y", "x y"),
        ("a: >\n  x\n\n   y", "x\n\n y"),
        ("a: |\n  x\n   ", "x\n \n"),
        ("a: |\n  x\n ", "x\n"),
        ("a: |\n  x\n# x", "x\n"),
        ("a: |\n  # x\n# x", "# x\n"),
        ("a: |\r\n  x\r\n  y", "x\ny"),
        ("a: |\n  é", "é"),
        ("a: \"x\\n\"", "x\n"),
    ] {
        let found = read(text, "a:text").unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(found, Value::Map(vec![(Value::Text("a".into()), Value::Text(value.into()))]), "{text:?}");
    }
}
