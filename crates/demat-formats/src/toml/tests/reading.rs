//! Values of each kind, and tables that are defined in pieces.

use super::*;
use demat_core::scalar::{Date, DateTime, Decimal, Instant, Int, Time};

/// Returns the value of the key `a`.
fn a(text: &str, shape: &str) -> Value {
    let shape = format!("{{a: {shape}}}");
    read(text, &shape).unwrap_or_else(|error| panic!("{text}: {error}")).get("a").unwrap().clone()
}

#[test]
fn numbers_are_exact() {
    for (text, value) in
        [("1_000", 1000_i64), ("+5", 5), ("-0", 0), ("0xDEAD_beef", 0xDEAD_BEEF), ("0o17", 15), ("0b101", 5)]
    {
        assert_eq!(a(&format!("a = {text}"), "any"), Value::Int(value.into()), "{text}");
    }
    assert_eq!(a("a = -9223372036854775808", "int64"), Value::Int(i64::MIN.into()));
    assert_eq!(
        a("a = 9_007_199_254_740_993", "decimal"),
        Value::Decimal(Decimal::from_int(Int::from(9_007_199_254_740_993_i64)))
    );
    assert_eq!(a("a = 1_0.50", "decimal"), Value::Decimal(Decimal::parse("10.50").unwrap()));
    assert_eq!(a("a = 0x10", "float64"), Value::Float(16.0));
    assert_eq!(a("a = 6.626e-34", "any"), Value::Float(6.626e-34));
    assert_eq!(a("a = -inf", "any"), Value::Float(f64::NEG_INFINITY));
    assert!(matches!(a("a = nan", "any"), Value::Float(nan) if nan.is_nan()));
    assert_eq!(a("a = 0.1", "float32"), Value::Float(f64::from(0.1_f32)));
    assert!(refusal("a = 1e400", "{a: float64}").starts_with("expected `float64`, found `1e400` at `$.a`"));
    assert!(
        refusal("a = 1.0", "{a: int}").starts_with("expected `int`, found `float` 1.0 at `$.a` (line 1, column 5)")
    );
}

#[test]
fn the_four_kinds_of_time_are_kinds() {
    let at = DateTime::parse("1979-05-27T07:32:00").unwrap();
    for text in ["1979-05-27T07:32:00Z", "1979-05-27 07:32:00z", "1979-05-27 07:32Z"] {
        assert_eq!(a(&format!("a = {text}"), "any"), Value::from(Instant::parse("1979-05-27T07:32:00Z").unwrap()));
    }
    assert_eq!(a("a = 1979-05-27T07:32:00", "any"), Value::DateTime(at));
    assert_eq!(a("a = 1979-05-27T07:32:00", "instant"), Value::DateTime(at));
    assert_eq!(a("a = 1979-05-27", "any"), Value::Date(Date::parse("1979-05-27").unwrap()));
    assert_eq!(a("a = 07:32:00.5", "time"), Value::Time(Time::parse("07:32:00.5").unwrap()));
    assert_eq!(a("a = '1979-05-27'", "date"), Value::Date(Date::parse("1979-05-27").unwrap()));
    assert!(refusal("a = 1979-05-27T07:32:00Z", "{a: datetime}").contains("which has an offset"));
    assert!(refusal("a = 1979-05-27", "{a: text}").starts_with("expected `text`, found `date`"));
    assert!(refusal("a = 1979-02-30", "any").contains("(line 1, column 5)"));
}

#[test]
fn texts_are_borrowed_or_unescaped() {
    assert_eq!(a("a = 'C:\\x'", "any"), Value::Text("C:\\x".into()));
    assert_eq!(a("a = \"\\u00e9\\n\"", "any"), Value::Text("é\n".into()));
    assert_eq!(a("a = \"\"\"\nx\\\n   y\"\"\"", "any"), Value::Text("xy".into()));
    let one: std::collections::BTreeMap<&str, &str> = crate::toml::decode(b"a = 'x'").unwrap();
    assert_eq!(one["a"], "x");
}

#[test]
fn tables_come_together() {
    let text = "top = 1\n[b.c]\nx = 1\n[b]\ny.z = 2\ny.w = {v = 3}\n[[list]]\nn = 1\n\
                [list.sub]\nm = 2\n[[list]]\n[[list.deep]]\n";
    let expected = r#"{"top": 1, "b": {"c": {"x": 1}, "y": {"z": 2, "w": {"v": 3}}},
        "list": [{"n": 1, "sub": {"m": 2}}, {"deep": [{}]}]}"#;
    assert_eq!(read(text, "any").unwrap(), json(expected));
    assert_eq!(read("", "any").unwrap(), Value::Map(vec![]));
}

#[test]
fn keys_are_read_as_what_is_asked_for() {
    let int = |value: i64| Value::Int(value.into());
    assert_eq!(
        read("1 = 'a'\n\"-2\" = 'b'", "map(int, text)").unwrap(),
        Value::Map(vec![(int(1), Value::Text("a".into())), (int(-2), Value::Text("b".into())),])
    );
    assert_eq!(read("true = 1", "map(bool, int)").unwrap(), Value::Map(vec![(Value::Bool(true), int(1))]));
    assert!(refusal("x = 1", "map(int, int)").starts_with("expected `int`, found `x`"));
    assert!(read("2024-01-01 = 1", "map(date, int)").is_ok());
}

#[test]
fn what_is_missing_may_be_null() {
    let shape = "{a!: int?, b: int, c!: text?, d!: [int]?}";
    let expected = json(r#"{"b": 1, "a": null, "c": null, "d": null}"#);
    let found = read("b = 1", shape).unwrap();
    assert_eq!(found.get("a"), Some(&Value::Null));
    for key in ["a", "b", "c", "d"] {
        assert_eq!(found.get(key), expected.get(key), "{key}");
    }
    assert_eq!(read("b = 1\nd = [2]", shape).unwrap().get("d"), Some(&json("[2]")));
    assert!(refusal("a = 1", shape).starts_with("expected field `b`, found nothing"));
    assert_eq!(read("b = 1", "{a: int?, b: int}").unwrap(), json(r#"{"b": 1}"#), "not required");
    let nested = read("[[x]]\n[[x]]\na = 1\n", "{x: [{a!: int?}]}").unwrap();
    assert_eq!(nested, json(r#"{"x": [{"a": null}, {"a": 1}]}"#));
}

#[test]
fn a_record_stands_in_its_bytes() {
    let text = "[[x]]\na = 1\n\n[[x]]\na = 2\n[y]\n";
    let mut source = TomlSource::new(text.as_bytes());
    source.map().unwrap();
    source.entry().unwrap();
    source.skip().unwrap();
    source.list().unwrap();
    source.item().unwrap();
    assert_eq!(&*source.span().unwrap(), b"[[x]]\na = 1");
    source.item().unwrap();
    assert_eq!(&*source.span().unwrap(), b"[[x]]\na = 2");
}
