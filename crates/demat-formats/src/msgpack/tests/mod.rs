use super::{Msgpack, MsgpackSink, MsgpackSource, ReadOptions, WriteOptions};
use crate::binary::testing::{self, Tested};
use crate::{Drain, Keep, Output};
use demat_core::{Result, Shape, Sink, Source, Value};

mod bad;
mod lists;
mod options;
mod short;
mod splices;
mod streams;
mod suite;
mod values;

impl Tested for WriteOptions {
    type Reader = Msgpack;
    type Sink<D: Drain> = MsgpackSink<D>;

    fn reader(&self) -> Msgpack {
        Msgpack::default()
    }
    fn sink<D: Drain>(&self, output: Output<D>) -> MsgpackSink<D> {
        MsgpackSink::new(output, *self)
    }
    fn output<D: Drain>(sink: MsgpackSink<D>) -> Output<D> {
        sink.into_output()
    }
}

fn written(value: &Value, shape: &Shape) -> Result<Vec<u8>> {
    testing::written(&WriteOptions::default(), value, shape)
}

fn told(tell: impl FnOnce(&mut MsgpackSink<Keep>) -> Result<()>) -> Result<Vec<u8>> {
    testing::told(&WriteOptions::default(), tell)
}

fn read(bytes: &[u8], shape: &str) -> Result<Value> {
    testing::read(Msgpack::default(), bytes, &shape.parse().unwrap())
}

fn skipped(bytes: &[u8]) -> Result<()> {
    testing::skipped(Msgpack::default(), bytes, &Shape::Any)
}

/// Returns the error of reading.
fn refusal(bytes: &[u8], shape: &str) -> String {
    read(bytes, shape).unwrap_err().to_string()
}
