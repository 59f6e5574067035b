//! Kinds of values, and how they are written.

use super::*;

/// Writes JSON of a shape, expects these bytes, and reads them again.
fn round(json: &str, of: &str, bytes: &[u8]) {
    assert_eq!(encoded(json, of), bytes, "{json} of {of}");
    assert_eq!(read(bytes, of).unwrap(), value(json, &shape(of)), "{json} of {of}");
}

#[test]
fn ints_are_varints_and_zigzag_if_signed() {
    round("0", "int", b"\x00");
    round("-1", "int", b"\x01");
    round("1", "int", b"\x02");
    round("63", "int64", b"\x7e");
    round("64", "int32", b"\x80\x01");
    round("-9223372036854775808", "int64", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    round("127", "uint16", b"\x7f");
    round("128", "uint64", b"\x80\x01");
    round("18446744073709551615", "uint64", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    round("-128", "int8", b"\x80");
    round("255", "uint8", b"\xff");
    let wide = [&[0xff; 18][..], b"\x03"].concat();
    round("340282366920938463463374607431768211455", "uint128", &wide);
    round("-170141183460469231731687303715884105728", "int", &wide);
    round("170141183460469231731687303715884105728", "int", b"\x80\x00\x27170141183460469231731687303715884105728");
}

#[test]
fn scalars_have_their_bytes() {
    round("true", "bool", b"\x01");
    round("null", "null", b"");
    round("1.5", "float", b"\x00\x00\x00\x00\x00\x00\xf8\x3f");
    round("1.5", "float32", b"\x00\x00\xc0\x3f");
    round("\"hé\"", "text", b"\x03h\xc3\xa9");
    round("\"AP8=\"", "bytes", b"\x02\x00\xff");
    round("\"1.50\"", "decimal", b"\x041.50");
    round("\"1970-01-01\"", "date", b"\x00");
    round("\"1969-12-31\"", "date", b"\x01");
    round("\"00:00:01\"", "time", b"\x02");
    round("\"00:00:01.5\"", "time", b"\x03\x80\xca\xb5\xee\x01");
    round("\"1970-01-02T00:00:01\"", "datetime", b"\x02\x02");
    round("\"1970-01-02T00:00:01\"", "instant", b"\x02\x02\x00");
    round("\"1970-01-02T00:00:01Z\"", "instant", b"\x02\x02\x01");
    round("\"1970-01-02T00:00:01+01:00\"", "instant", b"\x02\x02\xf1\x01");
    round("\"1970-01-02T00:00:01-00:00:01\"", "instant", b"\x02\x02\x04");
    round("\"PT1S\"", "duration", b"\x04");
    round("\"-PT1.5S\"", "duration", b"\x07\x80\xca\xb5\xee\x01");
    round(
        "\"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\"",
        "uuid",
        b"\xf8\x1d\x4f\xae\x7d\xec\x11\xd0\xa7\x65\x00\xa0\xc9\x1e\x6b\xf6",
    );
}

#[test]
fn options_enums_and_unions_have_a_number() {
    round("null", "int?", b"\x00");
    round("1", "int?", b"\x01\x02");
    round("\"b\"", "enum(a, b)", b"\x01");
    round("\"a\"", "enum(a)", b"");
    round("{\"b\": 5}", "union(a: text, b: int)", b"\x01\x0a");
    round("\"b\"", "union(a: text, b: null)", b"\x01");
}

#[test]
fn lists_and_maps_have_a_count() {
    round("[]", "[int]", b"\x00");
    round("[1, 2]", "[int]", b"\x02\x02\x04");
    round("[1, \"a\"]", "(int, text)", b"\x02\x01a");
    round("{\"a\": 1}", "map(text, int)", b"\x01\x01a\x02");
    // Children without bytes have a byte each, so that a count can't lie.
    round("[null, null]", "[null]", b"\x02\x00\x00");
    round("[\"a\"]", "[enum(a)]", b"\x01\x00");
    let many = vec![Value::Bool(true); 300];
    let bytes = written(&Value::List(many), &shape("[bool]")).unwrap();
    assert_eq!(bytes[8..11], [127, 173, 1]);
    assert_eq!(bytes.len(), 8 + 3 + 300);
}

#[test]
fn records_have_bits_for_what_may_be_missing() {
    round("{\"a\": 1, \"b\": \"x\"}", "{a: int, b: text}", b"\x02\x01x");
    assert_eq!(super::super::description(&shape("{a: int?, b: text}")).unwrap(), "raw1{1:a=1~i;1:b=2!s}");
    round("{\"a\": null, \"b\": \"x\"}", "{a: int?, b: text}", b"\x01\x01x");
    round("{\"b\": \"x\"}", "{a: int?, b: text}", b"\x00\x01x");
    round("{\"a\": 3, \"b\": \"x\"}", "{a: int?, b: text}", b"\x03\x06\x01x");
}

#[test]
fn any_values_say_their_kind() {
    let json = "{\"a\": [null, true, 1, 0.5, \"x\"]}";
    let bytes = b"\x0e\x01\x04\x01a\x0d\x05\x00\x01\x01\x02\x02\x03\x00\x00\x00\x00\x00\x00\xe0\x3f\x04\x01x";
    round(json, "any", bytes);
    let date = Value::Date(demat_core::scalar::Date::new(1970, 1, 2).unwrap());
    let bytes = written(&date, &Shape::Any).unwrap();
    assert_eq!((&bytes[8..], read(&bytes[8..], "any").unwrap()), (&b"\x07\x02"[..], date));
}

#[test]
fn values_of_other_kinds_are_refused() {
    let error = |of: &str, tell: fn(&mut RawSink<Keep>) -> Result<()>| told(of, tell).unwrap_err().to_string();
    assert_eq!(error("int", |sink| sink.text("a")), "expected `int`, found `text`");
    assert_eq!(error("int8", |sink| sink.i64(200)), "expected `int8`, found `200`");
    assert!(error("float", |sink| sink.i64(i64::MAX)).starts_with("expected a number that the float holds exactly"));
    assert_eq!(told("float", |sink| sink.i64(2)).unwrap(), 2_f64.to_le_bytes());
    assert_eq!(error("enum(a, b)", |sink| sink.text("c")), "expected `a` or `b`, found `c`");
    assert_eq!(error("{a: int}", Sink::null), "expected `record`, found `null`");
    assert_eq!(told("date", |sink| sink.text("1970-01-02")).unwrap(), b"\x02");
    assert_eq!(error("date", |sink| sink.text("x")), "expected `date`, found `x`");
    let mut sink = sink();
    assert!(sink.i64(1).unwrap_err().to_string().starts_with("raw must know the type"));
    assert!(sink.finish().is_err());
}
