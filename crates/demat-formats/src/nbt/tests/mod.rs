use super::{Nbt, NbtSink, NbtSource, Packing, ReadOptions, RepeatedKeys, Root, Variant, WriteOptions};
use crate::stream::{Part, Stop, Window, Windowed, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{Error, Result, Shape, Sink, Source, Value, ValueSource, copy};

mod bad;
mod options;
mod streams;
mod suite;
pub(crate) use suite::file as suite_file;
mod typed;
mod values;

const VARIANTS: [Variant; 3] = [Variant::Java, Variant::Bedrock, Variant::BedrockNetwork];

fn sink(options: WriteOptions) -> NbtSink<Keep> {
    NbtSink::new(Output::new(Vec::new(), Keep), options)
}

fn of(variant: Variant) -> ReadOptions {
    ReadOptions { variant: Some(variant), ..ReadOptions::default() }
}

/// Encodes a value as a document with these options.
fn written_with(value: &Value, shape: &Shape, options: WriteOptions) -> Result<Vec<u8>> {
    let mut sink = sink(options);
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

/// Encodes a value as a document.
fn written(value: &Value, shape: &str) -> Result<Vec<u8>> {
    written_with(value, &shape.parse().unwrap(), WriteOptions::default())
}

fn read_with(bytes: &[u8], shape: &Shape, options: &ReadOptions) -> Result<Value> {
    let mut format = Nbt::new(*options);
    let mut source = format.source(Part::whole(bytes));
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

/// Decodes a Java document.
fn read(bytes: &[u8], shape: &str) -> Result<Value> {
    read_with(bytes, &shape.parse().unwrap(), &of(Variant::Java))
}

/// Copies a document through a window with this initial size.
fn copied(bytes: &[u8], size: usize, read: &ReadOptions, write: WriteOptions) -> Result<Vec<u8>> {
    let mut sink = sink(write);
    let mut window = Window::with_size(bytes, size);
    copy_stream(&mut window, &mut Nbt::new(*read), &Shape::Any, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}

fn skipped(bytes: &[u8], options: &ReadOptions) -> Result<()> {
    let mut source = NbtSource::over(Part::whole(bytes), options);
    source.skip()?;
    source.end()
}

/// Returns the message of the error for a Java document.
fn refusal(bytes: &[u8], shape: &str) -> String {
    read(bytes, shape).unwrap_err().to_string()
}

fn text(text: &str) -> Value {
    Value::Text(text.to_string().into())
}

fn map(entries: &[(&str, Value)]) -> Value {
    Value::Map(entries.iter().map(|(key, value)| (text(key), value.clone())).collect())
}

fn int(value: i64) -> Value {
    Value::Int(value.into())
}
