use super::{Raw, RawSink, ReadOptions, WriteOptions};
use crate::stream::{Part, Stop, Window, Windowed, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{Result, Shape, Sink, Source, Value, ValueSource, copy};
use std::io::Read;

mod bad;
mod evolution;
mod fingerprints;
mod order;
mod size;
mod streams;
mod values;

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

fn sink() -> RawSink<Keep> {
    RawSink::new(Output::new(Vec::new(), Keep), WriteOptions::default())
}

/// The value as a document.
fn written(value: &Value, shape: &Shape) -> Result<Vec<u8>> {
    let mut sink = sink();
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

/// What calls of a sink write, behind the fingerprint.
fn told(of: &str, tell: impl FnOnce(&mut RawSink<Keep>) -> Result<()>) -> Result<Vec<u8>> {
    let mut sink = sink();
    sink.begin(&shape(of))?;
    tell(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0.split_off(8))
}

/// JSON as the value of a shape.
fn value(json: &str, shape: &Shape) -> Value {
    Value::decode_as(&mut crate::json::JsonSource::new(json.as_bytes()), shape).unwrap()
}

/// JSON as a document of the shape, behind the fingerprint.
fn encoded(json: &str, of: &str) -> Vec<u8> {
    let shape = shape(of);
    written(&value(json, &shape), &shape).unwrap().split_off(8)
}

fn read_as(bytes: &[u8], shape: &Shape, options: &ReadOptions) -> Result<Value> {
    let mut format = Raw::new(options)?;
    format.begin(shape)?;
    let mut source = format.whole(Part::whole(bytes));
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

/// Reads what stands behind the fingerprint.
fn read(bytes: &[u8], of: &str) -> Result<Value> {
    let shape = shape(of);
    let whole = [&super::fingerprint(&shape)?[..], bytes].concat();
    let skipped = skipped(&whole, &shape);
    let found = read_as(&whole, &shape, &ReadOptions::default());
    if found.is_ok() {
        skipped.unwrap();
    }
    found
}

fn skipped(bytes: &[u8], shape: &Shape) -> Result<()> {
    let mut format = Raw::new(&ReadOptions::default())?;
    format.begin(shape)?;
    let mut source = format.whole(Part::whole(bytes));
    source.skip()?;
    source.end()
}

/// A document, read through a window that begins with so many bytes.
fn streamed(bytes: impl Read, window: usize, shape: &Shape) -> Result<Value> {
    let mut window = Window::with_size(bytes, window);
    let mut format = Raw::new(&ReadOptions::default())?;
    Value::build(|sink| copy_stream(&mut window, &mut format, shape, sink, &mut Stop).map(drop))
}

/// What the error says that reading returns.
fn refusal(bytes: &[u8], of: &str) -> String {
    read(bytes, of).unwrap_err().to_string()
}
