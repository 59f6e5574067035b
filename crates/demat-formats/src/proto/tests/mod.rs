//! Tests of Protocol Buffers. They use shapes in text form and JSON, which shows the kind of each value.

mod bad;
mod groups;
mod lists;
mod maps;
mod marks;
mod messages;
mod picks;
mod scalars;
mod scattered;
mod streams;
mod truncated;
mod unions;
mod values;
mod varints;

use super::{ProtoSink, ProtoSource};
use crate::json::{JsonSink, JsonSource, WriteOptions};
use crate::{Keep, Output};
use demat_core::{Result, Shape, Sink, Source, copy};

/// Parses a shape.
fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

/// Encodes JSON as a message.
fn written(shape: &Shape, json: &str) -> Result<Vec<u8>> {
    let mut source = JsonSource::new(json.as_bytes());
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    copy(&mut source, shape, &mut sink)?;
    source.end()?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}

/// Decodes a message to JSON.
fn read(shape: &Shape, bytes: &[u8]) -> Result<String> {
    let mut source = ProtoSource::new(bytes);
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    copy(&mut source, shape, &mut sink)?;
    source.end()?;
    sink.finish()?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// Checks encoding and decoding.
fn both(text: &str, json: &str, bytes: &[u8]) {
    let shape = shape(text);
    let found = written(&shape, json).unwrap_or_else(|error| panic!("{text} {json}: {error}"));
    assert_eq!(found, bytes, "{text} {json}");
    assert_eq!(read(&shape, bytes).unwrap_or_else(|error| panic!("{text} {json}: {error}")), json, "{text}");
}

/// Checks decoding, for bytes that the sink would write differently.
fn reads(text: &str, bytes: &[u8], json: &str) {
    assert_eq!(read(&shape(text), bytes).unwrap_or_else(|error| panic!("{text} {bytes:?}: {error}")), json, "{text}");
}

/// Checks that decoding fails.
fn refuses(text: &str, bytes: &[u8], message: &str) {
    let error = read(&shape(text), bytes).unwrap_err();
    assert_eq!(error.to_string(), message, "{text} {bytes:?}");
}

/// Checks that encoding fails.
fn unwritten(text: &str, json: &str, message: &str) {
    let error = written(&shape(text), json).unwrap_err();
    assert_eq!(error.to_string(), message, "{text} {json}");
}
