//! Properties that hold for any sample.

use super::{Inference, InferenceOptions, options};
use crate::scalar::{Decimal, Int};
use crate::{Shape, Value, ValueSource};
use proptest::prelude::*;
use std::borrow::Cow;

fn scalars() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|int| Value::Int(Int::I64(int))),
        (-9i64..9).prop_map(|int| Value::Int(Int::I64(int))),
        (-9.0..9.0).prop_map(Value::Float),
        Just(Value::Decimal(Decimal::parse("1.50").expect("a decimal"))),
        "[a-c]{0,2}".prop_map(|text| Value::Text(Cow::Owned(text))),
    ]
}

fn values() -> impl Strategy<Value = Value> {
    scalars().prop_recursive(4, 40, 5, |inner| {
        let key = prop_oneof![
            6 => "[a-d]".prop_map(|key| Value::Text(Cow::Owned(key))),
            1 => (0i64..3).prop_map(|int| Value::Int(Int::I64(int))),
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::List),
            proptest::collection::vec((key, inner), 0..5).prop_map(Value::Map),
        ]
    })
}

/// Options with few keys, so that the limit is reached.
fn narrow() -> InferenceOptions {
    InferenceOptions { keys: 3, depth: 3, ..InferenceOptions::default() }
}

fn infer<'v>(values: impl Iterator<Item = &'v Value>) -> Inference {
    let mut inference = Inference::new(narrow());
    for value in values {
        inference.observe(&mut ValueSource::new(value)).expect("a value");
    }
    inference
}

/// Shows the shape with its fields sorted by name.
fn sorted(shape: &Shape) -> String {
    match shape {
        Shape::Option(inner) => format!("{}?", sorted(inner)),
        Shape::List(item) => format!("[{}]", sorted(item)),
        Shape::Map(key, value) => format!("map({}, {})", sorted(key), sorted(value)),
        Shape::Record(record) => {
            let record = record.get();
            let mut fields: Vec<_> =
                record.fields().iter().map(|f| format!("{}:{}", f.key(), sorted(f.shape()))).collect();
            fields.sort();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.to_string(),
    }
}

proptest! {
    #[test]
    fn every_value_of_the_sample_is_of_the_shape(sample in proptest::collection::vec(values(), 1..6)) {
        let shape = infer(sample.iter()).shape();
        for value in &sample {
            let again = Value::decode_as(&mut ValueSource::new(value), &shape);
            prop_assert!(again.is_ok(), "{value:?} is no `{shape}`: {again:?}");
        }
    }

    #[test]
    fn the_order_of_the_sample_does_not_count(sample in proptest::collection::vec(values(), 1..6)) {
        let (forth, back) = (infer(sample.iter()).shape(), infer(sample.iter().rev()).shape());
        prop_assert_eq!(sorted(&forth), sorted(&back));
    }

    #[test]
    fn the_shape_has_a_text(sample in values()) {
        let mut inference = Inference::new(options());
        inference.observe(&mut ValueSource::new(&sample)).expect("a value");
        let shape = inference.shape();
        prop_assert_eq!(shape.to_string().parse::<Shape>().expect("its own text"), shape);
    }
}
