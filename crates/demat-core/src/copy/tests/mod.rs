//! Tests of the copier, with a source in memory and a sink that records its calls.
#![allow(
    clippy::format_collect,
    clippy::cast_possible_wrap,
    clippy::unnecessary_wraps,
    reason = "short tests before quick ones"
)]

mod cut;
mod maps;
mod paths;
mod pieces;
mod records;
mod rows;
mod transcript;
mod unions;

use crate::scalar::Int;
use crate::{Error, IntWidth, Record, Ref, Result, Shape, Value, ValueSource, copy};
use transcript::Transcript;

const INT: Shape = Shape::Int(IntWidth::Any);

fn int(value: i64) -> Value {
    Value::Int(Int::I64(value))
}

fn text(value: &str) -> Value {
    Value::Text(value.to_string().into())
}

fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::List(items.into_iter().collect())
}

fn map<'k>(entries: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (text(key), value)).collect())
}

fn map_of(key: Shape, value: Shape) -> Shape {
    Shape::Map(Ref::new(key), Ref::new(value))
}

/// Returns a record shape of required fields.
fn record<'n>(fields: impl IntoIterator<Item = (&'n str, Shape)>) -> Shape {
    Shape::record(plain(fields))
}

fn plain<'n>(fields: impl IntoIterator<Item = (&'n str, Shape)>) -> Record {
    let fields = fields.into_iter().zip(1..);
    let fields =
        fields.map(|((name, shape), number)| crate::Field::new(name.to_string(), number, shape).with_required(true));
    Record::new("", fields.collect()).unwrap()
}

/// Copies the value, and returns the transcript of the sink's calls.
fn copied(value: &Value, shape: &Shape) -> Result<String> {
    let mut sink = Transcript::default();
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.whole())
}

#[track_caller]
fn refused(value: &Value, shape: &Shape, message: &str) -> Error {
    let error = copied(value, shape).unwrap_err();
    assert_eq!(error.to_string(), message);
    error
}
