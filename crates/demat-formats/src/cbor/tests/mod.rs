use super::{Cbor, CborSink, CborSource, ReadOptions, RepeatedKeys, UnknownTags, WriteOptions};
use crate::stream::{Part, Stop, Window, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{ErrorKind, Kind, Result, Shape, Sink, Source, Value, ValueSource, copy};
use std::io::Read;

mod bad;
mod deterministic;
mod lengths;
mod options;
mod streams;
mod suite;
mod tags;
mod values;

const DETERMINISTIC: WriteOptions = WriteOptions { sequence: false, deterministic: true, depth: 1024 };

fn sink(options: WriteOptions) -> CborSink<Keep> {
    CborSink::new(Output::new(Vec::new(), Keep), options)
}

/// The value as a document.
fn written(value: &Value, shape: &Shape, options: WriteOptions) -> Result<Vec<u8>> {
    let mut sink = sink(options);
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

/// What calls of a sink write.
fn told(options: WriteOptions, tell: impl FnOnce(&mut CborSink<Keep>) -> Result<()>) -> Result<Vec<u8>> {
    let mut sink = sink(options);
    tell(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}

fn read(bytes: &[u8], shape: &str) -> Result<Value> {
    read_with(bytes, shape, ReadOptions::default())
}

fn read_with(bytes: &[u8], shape: &str, options: ReadOptions) -> Result<Value> {
    let mut source = CborSource::over(Part::whole(bytes), options);
    let value = Value::decode_as(&mut source, &shape.parse().unwrap())?;
    source.end()?;
    Ok(value)
}

/// A document, read through a window that begins with so many bytes.
fn streamed(bytes: impl Read, window: usize, shape: &Shape) -> Result<Value> {
    let mut window = Window::with_size(bytes, window);
    Value::build(|sink| copy_stream(&mut window, &mut Cbor::default(), shape, sink, &mut Stop).map(drop))
}

fn skipped(bytes: &[u8]) -> Result<()> {
    let mut source = CborSource::new(bytes);
    source.skip()?;
    source.end()
}

/// What the error says that reading returns.
fn refusal(bytes: &[u8], shape: &str) -> String {
    read(bytes, shape).unwrap_err().to_string()
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| *byte != b' ').collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}
