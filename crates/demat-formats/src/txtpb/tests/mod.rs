use super::{Messages, ReadOptions, Txtpb, TxtpbSink, TxtpbSource, WriteOptions};
use crate::proto::{ProtoSink, ProtoSource};
use crate::stream::{Part, Stop, Window, Windowed, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{Result, Shape, Sink, Source, Value, ValueSource, copy};
use std::sync::Arc;

mod any;
mod bad;
mod messages;
mod reading;
mod streams;
mod writing;

/// Returns the value of a text.
fn read(text: &str, shape: &str) -> Result<Value> {
    read_with(text.as_bytes(), shape, ReadOptions::default())
}

fn read_with(text: &[u8], shape: &str, options: ReadOptions) -> Result<Value> {
    let mut source = TxtpbSource::new(text, options);
    let value = Value::decode_as(&mut source, &shape.parse().unwrap())?;
    source.end()?;
    Ok(value)
}

/// Returns the text of the error for a text.
fn refusal(text: &str, shape: &str) -> String {
    read(text, shape).unwrap_err().to_string()
}

/// Returns the value of a text in JSON.
fn json(text: &str) -> Value {
    crate::json::decode(text.as_bytes()).unwrap()
}

/// Returns what is written for a value.
fn written(value: &Value, shape: &str, options: WriteOptions) -> Result<String> {
    let mut sink = TxtpbSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut ValueSource::new(value), &shape.parse().unwrap(), &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// Returns the wire format of a text.
fn to_wire(text: &str, shape: &Shape, options: ReadOptions) -> Result<Vec<u8>> {
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    copy(&mut TxtpbSource::new(text.as_bytes(), options), shape, &mut sink as &mut dyn Sink)?;
    Ok(sink.into_output().into_parts().0)
}

/// Returns the text of a message in the wire format.
fn from_wire(wire: &[u8], shape: &Shape, options: WriteOptions) -> Result<String> {
    let mut sink = TxtpbSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut ProtoSource::new(wire), shape, &mut sink as &mut dyn Sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}
