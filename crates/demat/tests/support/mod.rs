//! What every test of the derive does with a value.
#![allow(dead_code)] // each test file uses a part of it

use demat::json;
use demat::{Decode, Encode, Error, Value, ValueSource, copy};
use std::fmt::Debug;

/// Encodes a value, decodes it from that and from that with all records turned round, and copies it by its shape:
/// everything must agree. Gives what was encoded.
pub(crate) fn round_trip<T>(original: &T) -> Value
where
    T: Encode + for<'a> Decode<'a> + PartialEq + Debug,
{
    let told = Value::of(original).expect("it can be encoded");
    let back: T = told.to().expect("what was encoded can be decoded");
    assert_eq!(back, *original);
    let strict = T::decode(&mut ValueSource::new(&told).refusing_repeats());
    assert_eq!(strict.expect("nothing repeats"), *original);
    let turned = turned_round(&told);
    assert_eq!(turned.to::<T>().expect("the order of fields does not matter"), *original);
    let copied = Value::decode_as(&mut ValueSource::new(&told), T::SHAPE).expect("what was encoded can be copied");
    assert_eq!(copied, told);
    let copied = Value::decode_as(&mut ValueSource::new(&turned), T::SHAPE).expect("the order does not matter");
    // In the order in which fields came, but for tags that had to be found first.
    assert_eq!(copied.to::<T>().expect("a copy can be decoded"), *original);
    copy(&mut ValueSource::new(&told), T::SHAPE, &mut demat::Nothing).expect("to the end");
    through_json(original, &told, &turned);
    told
}

/// The same through text, where predictions are compared in place and marks count bytes.
fn through_json<T>(original: &T, told: &Value, turned: &Value)
where
    T: Encode + for<'a> Decode<'a> + PartialEq + Debug,
{
    let text = json::encode(original).expect("it can be written");
    assert_eq!(text, json::encode(told).expect("values can be written"));
    assert_eq!(json::decode::<T>(&text).expect("what was written can be read"), *original);
    let turned = json::encode(turned).expect("values can be written");
    assert_eq!(json::decode::<T>(&turned).expect("the order of fields does not matter"), *original);
    // Cut off anywhere it is an error, unless it is a number that is shorter then.
    for end in 0..text.len() {
        let cut = json::decode::<T>(&text[..end]);
        assert!(cut.is_err() || matches!(told, Value::Int(_) | Value::Float(_)), "{cut:?}");
    }
}

/// The error of decoding.
pub(crate) fn refusal<T: for<'a> Decode<'a> + Debug>(value: &Value) -> Error {
    let error = value.to::<T>().expect_err("it is refused");
    let text = json::encode(value).expect("values can be written");
    let twin = json::decode::<T>(&text).expect_err("it is refused as text, too");
    assert_eq!((twin.kind(), twin.path(), twin.reason()), (error.kind(), error.path(), error.reason()));
    assert!(twin.position().offset.is_some(), "{twin}");
    error
}

/// The same with the entries of all maps in the opposite order.
pub(crate) fn turned_round(value: &Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.iter().map(turned_round).collect()),
        Value::Map(entries) => {
            Value::Map(entries.iter().rev().map(|(key, value)| (key.clone(), turned_round(value))).collect())
        }
        other => other.clone(),
    }
}

/// Things that can be written as a value in a test.
pub(crate) trait IntoValue {
    fn value(self) -> Value;
}

impl IntoValue for Value {
    fn value(self) -> Value {
        self
    }
}

impl IntoValue for &'static str {
    fn value(self) -> Value {
        Value::Text(self.into())
    }
}

impl IntoValue for i64 {
    fn value(self) -> Value {
        Value::Int(self.into())
    }
}

impl IntoValue for bool {
    fn value(self) -> Value {
        Value::Bool(self)
    }
}

impl IntoValue for () {
    fn value(self) -> Value {
        Value::Null
    }
}

/// A map from texts: `map!{"a": 1, "b": list![true]}`.
#[macro_export]
macro_rules! map {
    ($($key:literal: $value:expr),* $(,)?) => {
        demat::Value::Map(vec![$((
            $crate::support::IntoValue::value($key),
            $crate::support::IntoValue::value($value),
        )),*])
    };
}

/// A list of values.
#[macro_export]
macro_rules! list {
    ($($value:expr),* $(,)?) => {
        demat::Value::List(vec![$($crate::support::IntoValue::value($value)),*])
    };
}
