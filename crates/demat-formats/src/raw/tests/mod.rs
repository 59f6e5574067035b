use super::{Raw, RawSink, ReadOptions, WriteOptions};
use crate::binary::testing::{self, Tested};
use crate::stream::{Part, Stop, Window, Windowed, copy as copy_stream};
use crate::{Drain, Keep, Output};
use demat_core::{Result, Shape, Sink, Source, Value, copy};

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

impl Tested for WriteOptions {
    type Reader = Raw;
    type Sink<D: Drain> = RawSink<D>;

    fn reader(&self) -> Raw {
        Raw::new(&ReadOptions::default()).unwrap()
    }
    fn sink<D: Drain>(&self, output: Output<D>) -> RawSink<D> {
        RawSink::new(output, *self)
    }
    fn output<D: Drain>(sink: RawSink<D>) -> Output<D> {
        sink.into_output()
    }
}

fn sink() -> RawSink<Keep> {
    RawSink::new(Output::new(Vec::new(), Keep), WriteOptions::default())
}

fn written(value: &Value, shape: &Shape) -> Result<Vec<u8>> {
    testing::written(&WriteOptions::default(), value, shape)
}

/// Returns what calls of a sink write behind the fingerprint.
fn told(of: &str, tell: impl FnOnce(&mut RawSink<Keep>) -> Result<()>) -> Result<Vec<u8>> {
    let tell = |sink: &mut RawSink<Keep>| sink.begin(&shape(of)).and_then(|()| tell(sink));
    testing::told(&WriteOptions::default(), tell).map(|mut bytes| bytes.split_off(8))
}

/// Returns the value of JSON.
fn value(json: &str, shape: &Shape) -> Value {
    Value::decode_as(&mut crate::json::JsonSource::new(json.as_bytes()), shape).unwrap()
}

/// Returns JSON as a document, without the fingerprint.
fn encoded(json: &str, of: &str) -> Vec<u8> {
    let shape = shape(of);
    written(&value(json, &shape), &shape).unwrap().split_off(8)
}

fn read_as(bytes: &[u8], shape: &Shape, options: &ReadOptions) -> Result<Value> {
    testing::read(Raw::new(options)?, bytes, shape)
}

/// Reads a document from the bytes behind its fingerprint.
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
    testing::skipped(Raw::new(&ReadOptions::default())?, bytes, shape)
}

fn streamed(bytes: &[u8], size: usize, shape: &Shape) -> Result<Value> {
    testing::streamed(Raw::new(&ReadOptions::default())?, bytes, size, shape)
}

/// Returns the error of reading.
fn refusal(bytes: &[u8], of: &str) -> String {
    read(bytes, of).unwrap_err().to_string()
}
