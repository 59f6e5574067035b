use super::header::{write_number, write_sized};
use super::{Avro, AvroSink, Compression, ReadOptions, WriteOptions};
use crate::binary::testing::{self, Tested};
use crate::stream::{Part, Windowed};
use crate::{Drain, Output};
use demat_core::{Result, Shape, Source, Value};

mod bad;
mod resolution;
mod schemas;
mod streams;
mod unions;
mod values;

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

impl Tested for WriteOptions {
    type Reader = Avro;
    type Sink<D: Drain> = AvroSink<D>;

    fn reader(&self) -> Avro {
        Avro::default()
    }
    fn sink<D: Drain>(&self, output: Output<D>) -> AvroSink<D> {
        AvroSink::new(output, *self)
    }
    fn output<D: Drain>(sink: AvroSink<D>) -> Output<D> {
        sink.into_output()
    }
}

const ALL: [Compression; 4] = [Compression::Null, Compression::Deflate, Compression::Snappy, Compression::Zstandard];

fn options(compression: Compression) -> WriteOptions {
    WriteOptions { compression, ..WriteOptions::default() }
}

/// Returns the value of JSON.
fn value(json: &str, shape: &Shape) -> Value {
    Value::decode_as(&mut crate::json::JsonSource::new(json.as_bytes()), shape).unwrap()
}

fn written(json: &str, of: &str, options: &WriteOptions) -> Result<Vec<u8>> {
    let shape = shape(of);
    testing::written(options, &value(json, &shape), &shape)
}

/// Returns a file with this schema, and one block of so many values.
fn file(schema: &str, count: i64, data: &[u8]) -> Vec<u8> {
    file_of(schema, Compression::Null, &[(count, data)])
}

fn file_of(schema: &str, compression: Compression, blocks: &[(i64, &[u8])]) -> Vec<u8> {
    let sync = [7; 16];
    let mut out = Vec::new();
    super::header::Header::write(schema, compression, false, &sync, &mut out);
    for (count, data) in blocks {
        let mut packed = Vec::new();
        compression.pack(data, &mut packed).unwrap();
        write_number(&mut out, *count);
        write_sized(&mut out, &packed);
        out.extend_from_slice(&sync);
    }
    out
}

fn read(bytes: &[u8], of: &str) -> Result<Value> {
    testing::read(Avro::default(), bytes, &shape(of))
}

/// Reads a file as JSON.
fn json(bytes: &[u8], of: &str) -> String {
    let shape = shape(of);
    let value = testing::read(Avro::default(), bytes, &shape).unwrap();
    String::from_utf8(crate::json::encode(&value).unwrap()).unwrap()
}

/// Returns the shape that a file states.
fn declared(bytes: &[u8]) -> String {
    let mut format = Avro::new(ReadOptions::default());
    format.source(Part::whole(bytes)).list().unwrap();
    format.declared().unwrap().to_string()
}
