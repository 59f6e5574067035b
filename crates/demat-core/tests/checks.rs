//! Checks of shapes, enforced by a sink.

use demat_core::{
    CheckOptions, Checked, Checks, Error, Nothing, Pattern, Result, Shape, Sink as _, Value, ValueSource, copy,
};

fn int(value: i64) -> Value {
    Value::Int(value.into())
}

fn text(value: &str) -> Value {
    Value::Text(value.to_string().into())
}

fn map(entries: &[(&str, Value)]) -> Value {
    Value::Map(entries.iter().map(|(key, value)| (text(key), value.clone())).collect())
}

/// Returns the path and the expectation of the error, if the value is refused.
fn refused(shape: &str, value: &Value) -> Option<(String, String)> {
    let shape: Shape = shape.parse().unwrap();
    let checks = Checks::of(&shape, CheckOptions::default()).unwrap().expect("it has checks");
    let copied = copy(&mut ValueSource::new(value), &shape, &mut Checked::new(Nothing, checks));
    copied.err().map(|error| (error.path(), error.expectation().unwrap_or_default().to_string()))
}

#[allow(clippy::unnecessary_wraps)] // it has the type of `refused`
fn at(path: &str, expected: &str) -> Option<(String, String)> {
    Some((path.to_string(), expected.to_string()))
}

#[test]
fn a_shape_without_checks_has_none() {
    for shape in ["int", "id: int, tags: [text], more: {a: {text: int}}"] {
        let shape: Shape = shape.parse().unwrap();
        assert!(Checks::of(&shape, CheckOptions::default()).unwrap().is_none());
    }
}

#[test]
fn bounds_are_exact() {
    let big = Value::Int(demat_core::scalar::Int::from_digits("1000000000000000000000000000001").unwrap());
    let shape = r#"n: int #check:"gt 1000000000000000000000000000000""#;
    assert_eq!(refused(shape, &map(&[("n", big)])), None);
    assert_eq!(refused(shape, &map(&[("n", int(i64::MAX))])), at("$.n", "a value > 1000000000000000000000000000000"));
    let shape = r#"n: float #check:"le 0.1""#;
    assert_eq!(refused(shape, &map(&[("n", Value::Float(0.1))])), None);
    assert_eq!(refused(shape, &map(&[("n", Value::Float(0.1f64.next_up()))])), at("$.n", "a value <= 0.1"));
    assert_eq!(refused(shape, &map(&[("n", Value::Float(f64::NAN))])), at("$.n", "a value <= 0.1"));
}

#[test]
fn multiples_are_those_of_decimals() {
    let shape = r#"n: float #check:"multiple_of 0.01""#;
    for (value, is) in [(19.99, true), (19.995, false), (0.0, true), (1e300, true), (5e-324, false), (-0.3, true)] {
        assert_eq!(refused(shape, &map(&[("n", Value::Float(value))])).is_none(), is, "{value}");
    }
}

#[test]
fn parts_are_checked_where_they_are() {
    let shape = r#"a: [[int]] #check:"item item ge 0" #check:"max_length 2", b: map(text, int)? #check:"value lt 5" #check:"key max_length 1""#;
    let lists = |lists: &[&[i64]]| {
        Value::List(lists.iter().map(|items| Value::List(items.iter().copied().map(int).collect())).collect())
    };
    let whole = |a: Value, b: Value| refused(shape, &map(&[("a", a), ("b", b)]));
    assert_eq!(whole(lists(&[&[1], &[0, 2]]), map(&[("x", int(4))])), None);
    assert_eq!(whole(lists(&[&[1], &[0, -2]]), Value::Null), at("$.a[1][1]", "a value >= 0"));
    assert_eq!(whole(lists(&[&[], &[], &[]]), Value::Null), at("$.a", "a length of at most 2"));
    assert_eq!(whole(lists(&[]), map(&[("x", int(5))])), at("$.b.x", "a value < 5"));
    assert_eq!(whole(lists(&[]), map(&[("xy", int(1))])).unwrap().1, "a length of at most 1");
}

#[test]
fn a_unit_that_is_taken_back_is_counted_anew() {
    let shape: Shape = r#"[{a: [int] #check:"max_length 1"}]"#.parse().unwrap();
    let checks = Checks::of(&shape, CheckOptions::default()).unwrap().unwrap();
    let mut sink = Checked::new(Nothing, checks);
    let begin = |sink: &mut Checked<Nothing>, items: i64| -> Result<()> {
        sink.item()?;
        sink.begin_map(None)?;
        sink.entry()?;
        sink.text("a")?;
        sink.value()?;
        sink.begin_list(None)?;
        (0..items).try_for_each(|item| sink.item().and_then(|()| sink.i64(item)))
    };
    sink.begin_list(None).unwrap();
    sink.commit().unwrap();
    // Rollback forgets the item that was written since the last commit.
    for told in [1, 2] {
        begin(&mut sink, told).unwrap();
        sink.rollback().unwrap();
    }
    begin(&mut sink, 1).unwrap();
    sink.end_list().unwrap();
    sink.end_map().unwrap();
    sink.commit().unwrap();
    begin(&mut sink, 2).unwrap();
    let refused = sink.end_list().unwrap_err();
    assert_eq!(refused.expectation(), Some("a length of at most 1"));
    sink.rollback().unwrap();
    sink.end_list().unwrap();
    sink.finish().unwrap();
}

struct Prefix(String);

impl Pattern for Prefix {
    fn is_found(&self, text: &str) -> Result<bool> {
        Ok(text.starts_with(&self.0))
    }
}

#[test]
fn patterns_are_the_hosts() {
    let shape: Shape = r#"a: text #check:"pattern x y""#.parse().unwrap();
    assert!(Checks::of(&shape, CheckOptions::default()).unwrap_err().to_string().contains("regular expressions"));
    let patterns = |pattern: &str| Ok(Box::new(Prefix(pattern.to_string())) as Box<dyn Pattern>);
    let checks = Checks::of(&shape, CheckOptions { patterns: Some(&patterns), ..CheckOptions::default() });
    let checks = checks.unwrap().unwrap();
    let tell = |value: &Value| -> Result<(), Error> {
        copy(&mut ValueSource::new(value), &shape, &mut Checked::new(Nothing, checks.clone()))
    };
    assert!(tell(&map(&[("a", text("x yz"))])).is_ok());
    assert_eq!(tell(&map(&[("a", text("z"))])).unwrap_err().path(), "$.a");
}

#[test]
fn what_cant_be_checked_is_refused() {
    for shape in [
        r#"a: int #check:"near 5""#,
        r#"a: int #check:"ge soon""#,
        r#"a: text #check:"ge 5""#,
        r#"a: int #check:"item ge 5""#,
        r#"a: int #check:"multiple_of 0""#,
        r#"a: int #check:"one_of [1, x]""#,
        r#"a: int #check:"ge""#,
    ] {
        let shape: Shape = shape.parse().unwrap();
        assert!(Checks::of(&shape, CheckOptions::default()).is_err(), "{shape}");
    }
}

#[test]
fn a_record_within_itself_is_checked_all_the_way() {
    let shape: Shape = r#"Node{n: int #check:"ge 0", next: Node?}"#.parse().unwrap();
    let checks = Checks::of(&shape, CheckOptions::default()).unwrap().unwrap();
    let mut value = map(&[("n", int(-1)), ("next", Value::Null)]);
    for n in 0..100 {
        value = map(&[("n", int(n)), ("next", value)]);
    }
    let error = copy(&mut ValueSource::new(&value), &shape, &mut Checked::new(Nothing, checks)).unwrap_err();
    assert_eq!(error.path(), format!("${}.n", ".next".repeat(100)));
}
