//! Values of each kind.

use super::*;
use demat_core::scalar::{DateTime, Duration, Int, Offset};

/// Returns the text of the value of the key `a`.
fn a(tell: impl FnOnce(&mut TomlSink<Keep>) -> Result<()>) -> Result<String> {
    let text = told(|sink| {
        sink.begin_map(None)?;
        sink.key("a")?;
        tell(sink)?;
        sink.end_map()
    })?;
    Ok(text.strip_prefix("a = ").and_then(|text| text.strip_suffix('\n')).unwrap_or(&text).to_string())
}

#[test]
fn scalars_are_written_as_toml_has_them() {
    let at = DateTime::parse("2024-05-06T07:08:09.25").unwrap();
    assert_eq!(a(|sink| sink.bool(true)).unwrap(), "true");
    assert_eq!(a(|sink| sink.int(&Int::from(i64::MIN))).unwrap(), "-9223372036854775808");
    assert_eq!(a(|sink| sink.float(1e300)).unwrap(), "1e+300");
    assert_eq!(a(|sink| sink.float(-0.0)).unwrap(), "-0.0");
    assert_eq!(a(|sink| sink.float(f64::NEG_INFINITY)).unwrap(), "-inf");
    assert_eq!(a(|sink| sink.float32(0.1)).unwrap(), "0.1");
    assert_eq!(a(|sink| sink.date(at.date)).unwrap(), "2024-05-06");
    assert_eq!(a(|sink| sink.time(at.time)).unwrap(), "07:08:09.250");
    assert_eq!(a(|sink| sink.date_time(at)).unwrap(), "2024-05-06T07:08:09.250");
    assert_eq!(a(|sink| sink.instant(at, Offset::UTC)).unwrap(), "2024-05-06T07:08:09.250Z");
    assert_eq!(a(|sink| sink.duration(Duration::new(60, 0).unwrap())).unwrap(), "\"PT1M\"");
    assert_eq!(a(|sink| sink.bytes(b"\x00")).unwrap(), "\"AA==\"");
}

#[test]
fn text_is_quoted_once_and_right() {
    for (text, quoted) in [
        ("", "\"\""),
        ("plain", "\"plain\""),
        ("C:\\x", "'C:\\x'"),
        ("it's", "\"it's\""),
        ("say \"hi\"", "'say \"hi\"'"),
        ("it's \"x\"", "\"it's \\\"x\\\"\""),
        ("a\nb", "\"a\\nb\""),
        ("\u{7f}\u{0}", "\"\\u007F\\u0000\""),
        ("é😀", "\"é😀\""),
    ] {
        assert_eq!(a(|sink| sink.text(text)).unwrap(), quoted);
        let document = told(|sink| {
            sink.begin_map(None)?;
            sink.key(text)?;
            sink.text(text)?;
            sink.end_map()
        });
        let value = Value::Map(vec![(Value::Text(text.to_string().into()), Value::Text(text.to_string().into()))]);
        assert_eq!(read(&document.unwrap(), "any").unwrap(), value);
    }
}

#[test]
fn what_toml_cannot_hold_is_refused() {
    let big = Int::from(u64::MAX);
    assert!(a(|sink| sink.int(&big)).unwrap_err().to_string().starts_with("expected an int of 64 bits with sign"));
    assert!(a(|sink| sink.u64(u64::MAX)).is_err());
    let at = DateTime::parse("2024-05-06T07:08:09").unwrap();
    assert!(a(|sink| sink.instant(at, Offset::new(1).unwrap())).unwrap_err().to_string().contains("whole minutes"));
    let error = a(Sink::null).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string()),
        (ErrorKind::Encode, "TOML has no null, which stands in a map here".into())
    );
    let list = |sink: &mut TomlSink<Keep>| {
        sink.begin_list(None)?;
        sink.item()?;
        sink.null()
    };
    assert_eq!(a(list).unwrap_err().to_string(), "TOML has no null, which stands in a list here");
    assert!(told(|sink| sink.text("x")).unwrap_err().to_string().starts_with("expected a record or a map"));
    assert!(told(Sink::null).is_err() && told(|sink| sink.begin_list(None)).is_err());
    let error = written(&json("[1]"), &Shape::Any).unwrap_err();
    assert_eq!(error.to_string(), "expected a record or a map, which a TOML document is, found `list`");
}

#[test]
fn fields_that_are_null_are_left_out() {
    let shape: Shape = "{a!: int?, b: [{c!: text?, d: int}]}".parse().unwrap();
    let value = json(r#"{"a": null, "b": [{"c": null, "d": 1}, {"c": "x", "d": 2}]}"#);
    let text = written(&value, &shape).unwrap();
    assert_eq!(text, "[[b]]\nd = 1\n\n[[b]]\nc = \"x\"\nd = 2\n");
    let back = read(&text, &shape.to_string()).unwrap();
    assert_eq!(written(&back, &shape).unwrap(), text);
}

#[test]
fn keys_of_other_kinds_are_text() {
    let value = Value::Map(vec![(Value::Int(1.into()), Value::Bool(true)), (Value::Bool(true), Value::Bool(false))]);
    assert_eq!(written(&value, &Shape::Any).unwrap(), "1 = true\ntrue = false\n");
    let error = told(|sink| {
        sink.begin_map(None)?;
        sink.entry()?;
        sink.begin_list(None)
    });
    assert_eq!(error.unwrap_err().to_string(), "a list can't be a key in TOML");
}

#[test]
fn depth_is_limited() {
    let nested = |maps: usize, lists: usize| {
        told(|sink| {
            for _ in 0..maps {
                sink.begin_map(None)?;
                sink.key("a")?;
            }
            for _ in 0..lists {
                sink.begin_list(None)?;
                sink.item()?;
            }
            sink.bool(true)?;
            (0..lists).try_for_each(|_| sink.end_list())?;
            (0..maps).try_for_each(|_| sink.end_map())
        })
    };
    assert_eq!(nested(1, 129).unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(nested(1025, 0).unwrap_err().kind(), ErrorKind::Limit);
    let text = nested(896, 128).unwrap();
    assert!(read(&text, "any").is_ok());
}

#[test]
fn a_rollback_leaves_nothing() {
    let text = told(|sink| {
        sink.begin_map(None)?;
        sink.key("a")?;
        sink.bool(true)?;
        sink.commit()?;
        sink.key("b")?;
        sink.begin_list(None)?;
        sink.item()?;
        sink.rollback()?;
        sink.key("c")?;
        sink.bool(false)?;
        sink.end_map()
    });
    assert_eq!(text.unwrap(), "a = true\nc = false\n");
    assert!(told(|sink| sink.begin_map(None)).unwrap_err().to_string().contains("the map has not ended"));
}
