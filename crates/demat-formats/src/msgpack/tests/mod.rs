use super::{Msgpack, MsgpackSink, MsgpackSource, ReadOptions, WriteOptions};
use crate::stream::{Stop, Window, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{Result, Shape, Sink, Source, Value, ValueSource, copy};
use std::io::Read;

mod bad;
mod lists;
mod options;
mod streams;
mod suite;
mod values;

fn sink(options: WriteOptions) -> MsgpackSink<Keep> {
    MsgpackSink::new(Output::new(Vec::new(), Keep), options)
}

/// The value as a document.
fn written(value: &Value, shape: &Shape) -> Result<Vec<u8>> {
    let mut sink = sink(WriteOptions::default());
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

/// What calls of a sink write.
fn told(tell: impl FnOnce(&mut MsgpackSink<Keep>) -> Result<()>) -> Result<Vec<u8>> {
    let mut sink = sink(WriteOptions::default());
    tell(&mut sink)?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}

fn read(bytes: &[u8], shape: &str) -> Result<Value> {
    let mut source = MsgpackSource::new(bytes);
    let value = Value::decode_as(&mut source, &shape.parse().unwrap())?;
    source.end()?;
    Ok(value)
}

/// A document, read through a window that begins with so many bytes.
fn streamed(bytes: impl Read, window: usize, shape: &Shape) -> Result<Value> {
    let mut window = Window::with_size(bytes, window);
    Value::build(|sink| copy_stream(&mut window, &mut Msgpack::default(), shape, sink, &mut Stop).map(drop))
}

fn skipped(bytes: &[u8]) -> Result<()> {
    let mut source = MsgpackSource::new(bytes);
    source.skip()?;
    source.end()
}

/// What the error says that reading returns.
fn refusal(bytes: &[u8], shape: &str) -> String {
    read(bytes, shape).unwrap_err().to_string()
}
