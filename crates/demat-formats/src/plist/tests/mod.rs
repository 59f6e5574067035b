use super::{Plist, PlistSink, ReadOptions, Variant, WriteOptions};
use crate::stream::{Part, Stop, Window, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{Result, Shape, Sink, Source, Value, ValueSource, copy};
use std::io::Read;

mod bad;
mod binary;
mod openstep;
mod streams;
mod writing;
mod xml;

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

fn sink(variant: Variant) -> PlistSink<Keep> {
    PlistSink::new(Output::new(Vec::new(), Keep), WriteOptions { variant, ..WriteOptions::default() })
}

/// Encodes a value as a document.
fn written(value: &Value, shape: &Shape, variant: Variant) -> Result<Vec<u8>> {
    let mut sink = sink(variant);
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

/// Decodes JSON as a value of a shape.
fn value(json: &str, shape: &Shape) -> Value {
    Value::decode_as(&mut crate::json::JsonSource::new(json.as_bytes()), shape).unwrap()
}

fn read(bytes: &[u8], of: &str) -> Result<Value> {
    read_as(bytes, &shape(of), ReadOptions::default())
}

fn read_as(bytes: &[u8], shape: &Shape, options: ReadOptions) -> Result<Value> {
    let mut format = Plist::new(options);
    let mut source = format.whole(Part::whole(bytes));
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

/// Wraps a value in the outer tags of XML.
fn xml(inner: &str) -> Vec<u8> {
    format!("<plist version=\"1.0\">{inner}</plist>").into_bytes()
}

/// Decodes a document through a window with this initial size.
fn streamed(bytes: impl Read, window: usize, shape: &Shape) -> Result<Value> {
    let mut window = Window::with_size(bytes, window);
    let mut format = Plist::default();
    Value::build(|sink| copy_stream(&mut window, &mut format, shape, sink, &mut Stop).map(drop))
}

/// Returns the message of the error for a document.
fn refusal(bytes: &[u8], of: &str) -> String {
    read(bytes, of).unwrap_err().to_string()
}
