use super::{ReadOptions, WriteOptions, Yaml, YamlSink, YamlSource};
use crate::stream::{Part, Stop, Window, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{ErrorKind, Result, Shape, Sink, Source, Value, ValueSource, copy};

mod aliases;
mod bad;
mod reading;
mod streams;
mod suite;
mod writing;

fn sink(options: WriteOptions) -> YamlSink<Keep> {
    YamlSink::new(Output::new(Vec::new(), Keep), options)
}

fn text_of(sink: YamlSink<Keep>) -> String {
    String::from_utf8(sink.into_output().into_parts().0).unwrap()
}

/// Encodes a value as a document.
fn written(value: &Value, shape: &Shape) -> Result<String> {
    let mut sink = sink(WriteOptions::default());
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(text_of(sink))
}

/// Returns what a sink writes for these calls.
fn told(tell: impl FnOnce(&mut YamlSink<Keep>) -> Result<()>) -> Result<String> {
    let mut sink = sink(WriteOptions::default());
    tell(&mut sink)?;
    sink.finish()?;
    Ok(text_of(sink))
}

fn read_with(text: &str, shape: &str, options: ReadOptions) -> Result<Value> {
    let mut source = YamlSource::over(Part::whole(text.as_bytes()), options);
    let value = Value::decode_as(&mut source, &shape.parse().unwrap())?;
    source.end()?;
    Ok(value)
}

fn read(text: &str, shape: &str) -> Result<Value> {
    read_with(text, shape, ReadOptions::default())
}

/// Decodes JSON as a value.
fn json(text: &str) -> Value {
    crate::json::decode(text.as_bytes()).unwrap()
}

/// Returns the message of the error for a document.
fn refusal(text: &str, shape: &str) -> String {
    read(text, shape).unwrap_err().to_string()
}
