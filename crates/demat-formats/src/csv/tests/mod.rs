//! Tests of CSV, grouped by subject.

mod borders;
mod cells;
mod differential;
mod reading;
mod rows;
mod spectrum;
mod typed;
mod writing;

use super::{Csv, CsvSink, Dialect};
use crate::output::{Keep, Output};
use crate::stream::{OnError, Part, Windowed};
use demat_core::{Encode, Error, Field, Record, Result, Shape, Sink, Value};

/// Decodes a table.
fn read_in(dialect: Dialect, bytes: &[u8], shape: &Shape) -> Result<Value> {
    let mut csv = Csv::new(dialect)?;
    let mut source = csv.source(Part::whole(bytes));
    Value::decode_as(&mut source, shape)
}

fn read(text: &str, shape: &Shape) -> Result<Value> {
    read_in(Dialect::default(), text.as_bytes(), shape)
}

fn untyped(text: &str) -> Result<Value> {
    read(text, &Shape::Any)
}

fn bare() -> Dialect {
    Dialect::default().without_header()
}

fn record(fields: &[(&'static str, Shape)]) -> Record {
    let fields = fields.iter().enumerate();
    let fields = fields.map(|(index, (name, shape))| Field::new(*name, index as u32 + 1, shape.clone())).collect();
    Record::new("Row", fields).expect("names that differ")
}

fn rows_of(record: Record) -> Shape {
    Shape::record(record).list()
}

/// Encodes a value as a table.
fn write_in(dialect: Dialect, value: &impl Encode) -> Result<String> {
    let mut sink = CsvSink::new(dialect, Output::new(Vec::new(), Keep))?;
    value.encode(&mut sink)?;
    sink.finish()?;
    Ok(String::from_utf8(sink.into_output().buffer).expect("text of texts"))
}

/// Shows a decoded value in a short notation: `[{a:1 b:null}]`.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Text(value) => format!("{value:?}"),
        Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" ")),
        Value::Map(entries) => {
            let entry = |(key, value): &(Value, Value)| format!("{}:{}", shown(key).trim_matches('"'), shown(value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(" "))
        }
        other => format!("{other:?}"),
    }
}

#[track_caller]
fn error(result: Result<Value>) -> Error {
    match result {
        Ok(value) => panic!("refused nothing: {}", shown(&value)),
        Err(error) => error,
    }
}

/// Collects the records that were left out.
#[derive(Default)]
struct Rejects(Vec<(String, String)>);

impl OnError for Rejects {
    fn goes_on(&mut self, _: &Error) -> bool {
        true
    }
    fn reject(&mut self, error: Error, bytes: &[u8]) -> Result<()> {
        self.0.push((String::from_utf8_lossy(bytes).into_owned(), error.to_string()));
        Ok(())
    }
}
