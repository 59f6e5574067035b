use super::{Cbor, CborSink, CborSource, ReadOptions, RepeatedKeys, UnknownTags, WriteOptions};
use crate::binary::testing::{self, Tested};
use crate::{Drain, Keep, Output};
use demat_core::{ErrorKind, Kind, Result, Shape, Sink, Source, Value};

mod bad;
mod deterministic;
mod fast;
mod lengths;
mod options;
mod streams;
mod suite;
mod tags;
mod values;

const DETERMINISTIC: WriteOptions = WriteOptions { sequence: false, deterministic: true, depth: 1024 };

impl Tested for WriteOptions {
    type Reader = Cbor;
    type Sink<D: Drain> = CborSink<D>;

    fn reader(&self) -> Cbor {
        Cbor::default()
    }
    fn sink<D: Drain>(&self, output: Output<D>) -> CborSink<D> {
        CborSink::new(output, *self)
    }
    fn output<D: Drain>(sink: CborSink<D>) -> Output<D> {
        sink.into_output()
    }
}

fn written(value: &Value, shape: &Shape, options: WriteOptions) -> Result<Vec<u8>> {
    testing::written(&options, value, shape)
}

fn told(options: WriteOptions, tell: impl FnOnce(&mut CborSink<Keep>) -> Result<()>) -> Result<Vec<u8>> {
    testing::told(&options, tell)
}

fn read(bytes: &[u8], shape: &str) -> Result<Value> {
    read_with(bytes, shape, ReadOptions::default())
}

fn read_with(bytes: &[u8], shape: &str, options: ReadOptions) -> Result<Value> {
    testing::read(Cbor::new(options), bytes, &shape.parse().unwrap())
}

fn streamed(bytes: &[u8], size: usize, shape: &Shape) -> Result<Value> {
    testing::streamed(Cbor::default(), bytes, size, shape)
}

fn skipped(bytes: &[u8]) -> Result<()> {
    testing::skipped(Cbor::default(), bytes, &Shape::Any)
}

/// Returns the error of reading.
fn refusal(bytes: &[u8], shape: &str) -> String {
    read(bytes, shape).unwrap_err().to_string()
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| *byte != b' ').collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}
