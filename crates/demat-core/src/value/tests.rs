use super::{Value, ValueSource};
use crate::scalar::{Date, Decimal, Int};
use crate::{Decode, Kind, Source, copy};
use std::borrow::Cow;
use std::collections::BTreeMap;

fn text(text: &'static str) -> Value {
    Value::Text(Cow::Borrowed(text))
}

fn sample() -> Value {
    Value::Map(vec![
        (text("a"), Value::List(vec![Value::Int(1.into()), Value::Null, Value::List(vec![])])),
        (text("b"), Value::Map(vec![(text("c"), Value::Float(0.5))])),
        (text("d"), Value::Date(Date::parse("2024-02-29").expect("a date"))),
    ])
}

#[test]
fn a_value_comes_back_as_itself() {
    let value = sample();
    assert_eq!(value.to::<Value>().expect("any value is a value"), value);
    assert_eq!(Value::of(&value).expect("any value is a value"), value);
}

#[test]
fn it_copies_into_nothing_to_its_end() {
    let value = sample();
    copy(&mut ValueSource::new(&value), &crate::Shape::Any, &mut crate::Nothing).expect("a value has an end");
}

#[test]
fn each_value_is_skipped_whole_and_marks_lead_back() {
    let value = sample();
    let mut source = ValueSource::new(&value);
    source.map().expect("a map");
    assert!(source.entry().expect("a key"));
    assert_eq!(&*source.text().expect("text"), "a");
    source.value().expect("its value");
    let mark = source.mark();
    source.skip().expect("a list");
    assert!(source.entry().expect("a key"));
    assert_eq!(&*source.text().expect("text"), "b");
    source.reset(mark);
    assert_eq!(source.peek().expect("a value"), Kind::List);
    assert_eq!(source.list().expect("a list"), Some(3));
}

#[test]
fn repeated_keys_are_refused_on_request_only() {
    let value = Value::Map(vec![(text("a"), Value::Bool(false)), (text("a"), Value::Bool(true))]);
    let map: BTreeMap<String, bool> = value.to().expect("the last one wins");
    assert!(map["a"]);
    let refused = BTreeMap::<String, bool>::decode(&mut ValueSource::new(&value).refusing_repeats());
    assert_eq!(refused.expect_err("refused").reason(), "repeated key `a`");
}

#[test]
fn kinds_are_not_mixed_up() {
    let value = Value::Bool(true);
    assert_eq!(value.to::<i64>().expect_err("no int").reason(), "expected `int`, found `bool` true");
    assert_eq!(value.to::<()>().expect_err("no null").reason(), "expected `null`, found `bool` true");
    assert_eq!(value.to::<Vec<u8>>().expect_err("no list").reason(), "expected `list`, found `bool` true");
    assert!(ValueSource::new(&value).span().is_err());
    assert!(ValueSource::new(&value).end().is_err());
    let number: f64 = Value::Int(3.into()).to().expect("a whole number is a float");
    assert!((number - 3.0).abs() < f64::EPSILON);
    let huge = Value::Decimal(Decimal::parse("1e400").expect("a decimal"));
    assert!(huge.to::<f64>().is_err());
}

#[test]
fn texts_are_read_as_kinds_that_formats_write_as_text() {
    assert_eq!(text("2024-02-29").to::<Date>().ok(), Date::parse("2024-02-29"));
    assert_eq!(text("aGk=").to::<Cow<'_, [u8]>>().expect("base64"), &b"hi"[..]);
    assert_eq!(text("1.5").to::<Decimal<'_>>().ok(), Decimal::parse("1.5"));
    assert!(text("1").to::<Int<'_>>().is_err());
}

#[test]
fn depth_costs_memory_and_never_the_call_stack() {
    let mut value = Value::Null;
    for _ in 0..100_000 {
        value = Value::List(vec![value]);
    }
    let mut source = ValueSource::new(&value);
    source.skip().expect("it is one value");
    source.end().expect("and nothing follows");
    // Dropping a value recurses, unlike reading it.
    while let Value::List(mut items) = value {
        value = items.pop().unwrap_or(Value::Null);
    }
}

#[test]
fn what_was_committed_stays_when_the_rest_is_taken_back() {
    let text = |text: &'static str| Value::Text(text.into());
    let told = Value::build(|sink| {
        sink.begin_map(None)?;
        sink.key("a")?;
        sink.begin_list(None)?;
        for number in 0..2 {
            sink.item()?;
            sink.i64(number)?;
            sink.commit()?;
        }
        for turn in 0..3 {
            // The list and the map end, and another container begins; then all of it is rolled back.
            sink.item()?;
            sink.begin_map(None)?;
            if turn > 0 {
                sink.end_map()?;
                sink.end_list()?;
                sink.key("b")?;
                sink.text("gone")?;
            }
            if turn > 1 {
                sink.end_map()?;
            }
            sink.rollback()?;
            sink.rollback()?;
        }
        sink.item()?;
        sink.i64(2)?;
        sink.end_list()?;
        sink.end_map()?;
        sink.commit()?;
        sink.finish()
    });
    let numbers = (0..3).map(|number| Value::Int(number.into())).collect();
    assert_eq!(told.unwrap(), Value::Map(vec![(text("a"), Value::List(numbers))]));
}
