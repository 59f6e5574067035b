use super::AcceptSingle;
use crate::{Lax, Shape, Value, ValueSink, ValueSource, copy};

fn int(value: i64) -> Value {
    Value::Int(value.into())
}

fn copied(value: &Value, shape: &str) -> crate::Result<Value> {
    let mut sink = ValueSink::default();
    copy(&mut AcceptSingle::new(ValueSource::new(value)), &shape.parse::<Shape>()?, &mut sink)?;
    Ok(sink.whole())
}

#[test]
fn a_single_value_is_a_list_of_one() {
    let record = Value::Map(vec![(Value::Text("a".into()), int(1))]);
    let within = Value::Map(vec![(Value::Text("a".into()), Value::List(vec![int(1)]))]);
    for (value, shape, expected) in [
        (int(1), "[int]", Value::List(vec![int(1)])),
        (int(1), "[[int]]", Value::List(vec![Value::List(vec![int(1)])])),
        (int(1), "[int]?", Value::List(vec![int(1)])),
        (Value::List(vec![int(1), int(2)]), "[int]", Value::List(vec![int(1), int(2)])),
        (Value::List(vec![]), "[int]", Value::List(vec![])),
        (
            Value::List(vec![int(1), Value::List(vec![int(2)])]),
            "[[int]]",
            Value::List(vec![Value::List(vec![int(1)]), Value::List(vec![int(2)])]),
        ),
        (record.clone(), "[{a:int}]", Value::List(vec![record.clone()])),
        (record.clone(), "{a:[int]}", within.clone()),
        (record.clone(), "[{a:[int?]}]", Value::List(vec![within.clone()])),
        (record.clone(), "map(text, [int])", within),
        (record.clone(), "[map(text, int)]", Value::List(vec![record.clone()])),
        (Value::Null, "[int]?", Value::Null),
        // Without a shape nothing is requested.
        (int(1), "any", int(1)),
        (record.clone(), "any", record),
    ] {
        assert_eq!(copied(&value, shape).unwrap(), expected, "{shape}");
    }
}

#[test]
fn null_tuples_and_wrong_items_are_refused() {
    for (value, shape, path) in [
        (Value::Null, "[int]", "$"),
        (Value::Null, "[int?]", "$"),
        (int(1), "(int,)", "$"),
        (Value::Text("a".into()), "[int]", "$[0]"),
        (Value::Text("a".into()), "[[int]]", "$[0][0]"),
        (Value::Map(vec![(Value::Text("a".into()), Value::Text("b".into()))]), "[{a:[int]}]", "$[0].a[0]"),
    ] {
        assert_eq!(copied(&value, shape).unwrap_err().path(), path, "{shape}");
    }
}

#[test]
fn it_works_over_other_wrappers() {
    let text = Value::Text(" 7".into());
    let mut sink = ValueSink::default();
    let mut source = AcceptSingle::new(Lax::new(ValueSource::new(&text)));
    copy(&mut source, &"[int]".parse().unwrap(), &mut sink).unwrap();
    assert_eq!(sink.whole(), Value::List(vec![int(7)]));
    let mut sink = ValueSink::default();
    let mut source = Lax::new(AcceptSingle::new(ValueSource::new(&text)));
    copy(&mut source, &"[int]".parse().unwrap(), &mut sink).unwrap();
    assert_eq!(sink.whole(), Value::List(vec![int(7)]));
}
