use super::{Nbt, NbtSink, NbtSource, Packing, ReadOptions, RepeatedKeys, Root, Variant, WriteOptions};
use crate::binary::testing::{self, Tested};
use crate::stream::{Part, Stop, Window, copy as copy_stream};
use crate::{Drain, Keep, Output};
use demat_core::{Error, Field, Record, Result, Shape, Sink, Source, Value, ValueSource, copy};

mod bad;
mod options;
mod streams;
mod suite;
mod typed;
mod values;

const VARIANTS: [Variant; 3] = [Variant::Java, Variant::Bedrock, Variant::BedrockNetwork];

impl Tested for WriteOptions {
    type Reader = Nbt;
    type Sink<D: Drain> = NbtSink<D>;

    fn reader(&self) -> Nbt {
        Nbt::new(of(self.variant))
    }
    fn sink<D: Drain>(&self, output: Output<D>) -> NbtSink<D> {
        NbtSink::new(output, self.clone())
    }
    fn output<D: Drain>(sink: NbtSink<D>) -> Output<D> {
        sink.into_output()
    }
}

fn sink(options: WriteOptions) -> NbtSink<Keep> {
    NbtSink::new(Output::new(Vec::new(), Keep), options)
}

fn of(variant: Variant) -> ReadOptions {
    ReadOptions { variant: Some(variant), ..ReadOptions::default() }
}

#[allow(clippy::needless_pass_by_value, reason = "tests make the options in place")]
fn written_with(value: &Value, shape: &Shape, options: WriteOptions) -> Result<Vec<u8>> {
    testing::written(&options, value, shape)
}

fn written(value: &Value, shape: &str) -> Result<Vec<u8>> {
    testing::written(&WriteOptions::default(), value, &shape.parse().unwrap())
}

fn read_with(bytes: &[u8], shape: &Shape, options: &ReadOptions) -> Result<Value> {
    testing::read(Nbt::new(*options), bytes, shape)
}

/// Reads Java's document.
fn read(bytes: &[u8], shape: &str) -> Result<Value> {
    read_with(bytes, &shape.parse().unwrap(), &of(Variant::Java))
}

/// Copies a document through a window with an initial size of `size` bytes.
#[allow(clippy::needless_pass_by_value, reason = "tests make the options in place")]
fn copied(bytes: &[u8], size: usize, read: &ReadOptions, write: WriteOptions) -> Result<Vec<u8>> {
    testing::copied(Nbt::new(*read), bytes, size, &Shape::Any, &write)
}

fn skipped(bytes: &[u8], options: &ReadOptions) -> Result<()> {
    let mut source = NbtSource::over(Part::whole(bytes), options);
    source.skip()?;
    source.end()
}

/// Returns the error of reading Java's document.
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
