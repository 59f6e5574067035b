//! CBOR: what is written is read again, no byte is lost or made up, and equal values have equal bytes where that is
//! asked.

use crate::support::values::{Random, Shaped, shaped};
use crate::tries;
use crate::ways::Few;
use demat_core::scalar::Decimal;
use demat_core::{Result, Shape, Source, Value, ValueSource, copy};
use demat_formats::cbor::{Cbor, CborSink, CborSource, ReadOptions, WriteOptions};
use demat_formats::stream::{Part, Stop, Window, copy as copy_stream};
use demat_formats::{Keep, Output};
use proptest::prelude::*;

const USUAL: WriteOptions = WriteOptions { sequence: false, deterministic: false, depth: 1024 };
const SEQUENCE: WriteOptions = WriteOptions { sequence: true, ..USUAL };
const DETERMINISTIC: WriteOptions = WriteOptions { deterministic: true, ..USUAL };

fn written(value: &Value, shape: &Shape, options: WriteOptions) -> Result<Vec<u8>> {
    let mut sink = CborSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn read(bytes: &[u8], shape: &Shape, options: ReadOptions) -> Result<Value> {
    let mut source = CborSource::over(Part::whole(bytes), options);
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

/// Copied to the same format, through a window.
fn streamed(bytes: &[u8], shape: &Shape, size: usize, read: ReadOptions, write: WriteOptions) -> Result<Vec<u8>> {
    let mut sink = CborSink::new(Output::new(Vec::new(), Keep), write);
    let mut window = Window::with_size(Few(bytes, size), size);
    copy_stream(&mut window, &mut Cbor::new(read), shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}

fn skipped(bytes: &[u8]) -> Result<()> {
    let mut source = CborSource::new(bytes);
    source.skip()?;
    source.end()
}

/// The value with its decimals as CBOR gives them back: as a mantissa and an exponent.
fn normal(value: Value) -> Value {
    match value {
        Value::Decimal(decimal) => Value::Decimal(plain(&decimal)),
        Value::List(items) => Value::List(items.into_iter().map(normal).collect()),
        Value::Map(entries) => {
            Value::Map(entries.into_iter().map(|(key, value)| (normal(key), normal(value))).collect())
        }
        value => value,
    }
}

fn plain(decimal: &Decimal<'_>) -> Decimal<'static> {
    let text = match decimal.as_str() {
        "-0.0" => "0.0",
        "1E-7" => "1e-7",
        text => text,
    };
    Decimal::parse(text).unwrap().into_owned()
}

/// As text, where `-0.0` is not 0 and the order of entries counts.
fn exactly(value: &Value) -> String {
    format!("{value:?}")
}

proptest! {
    #![proptest_config(tries(100))]

    #[test]
    fn values_come_back(Shaped(shape, value) in shaped()) {
        let usual = ReadOptions::default();
        let wanted = normal(Value::decode_as(&mut ValueSource::new(&value), &shape).unwrap());
        let bytes = written(&value, &shape, USUAL).unwrap();
        let back = read(&bytes, &shape, usual);
        prop_assert!(back.is_ok(), "{:?} {:x?}", back, bytes);
        prop_assert_eq!(exactly(&back.unwrap()), exactly(&wanted), "{:x?}", bytes);
        prop_assert!(skipped(&bytes).is_ok());
        let one = written(&value, &shape, DETERMINISTIC).unwrap();
        for size in (1..=40).chain([1 << 16]) {
            // What is in pieces has no counts.
            let piecewise = streamed(&bytes, &shape, size, usual, USUAL).unwrap();
            prop_assert_eq!(exactly(&read(&piecewise, &shape, usual).unwrap()), exactly(&wanted), "{}", size);
            prop_assert_eq!(&streamed(&piecewise, &shape, size, usual, DETERMINISTIC).unwrap(), &one, "{}", size);
        }
        // Without a shape the values have the same kinds, and so the same one encoding.
        prop_assert_eq!(&streamed(&one, &Shape::Any, 7, usual, DETERMINISTIC).unwrap(), &one);
        for end in 0..bytes.len() {
            prop_assert!(read(&bytes[..end], &shape, usual).is_err(), "{}", end);
            prop_assert!(skipped(&bytes[..end]).is_err(), "{}", end);
            let part = Part { last: false, ..Part::whole(&bytes[..end]) };
            let error = CborSource::over(part, usual).skip().unwrap_err();
            prop_assert!(error.signal().is_some(), "{} {}", end, error);
        }
    }

    #[test]
    fn a_sequence_is_read_as_the_array(Shaped(shape, first) in shaped(), seed in any::<u64>(), count in 0u64..6) {
        let mut random = Random::new(seed);
        let items = (0..count).map(|_| random.value(&shape, 0)).chain([first]).collect();
        let (value, shape) = (Value::List(items), shape.list());
        let sequence = ReadOptions { sequence: true, ..ReadOptions::default() };
        let array = written(&value, &shape, USUAL).unwrap();
        let bytes = written(&value, &shape, SEQUENCE).unwrap();
        prop_assert_eq!(&array[1..], &*bytes);
        let wanted = exactly(&read(&array, &shape, ReadOptions::default()).unwrap());
        prop_assert_eq!(exactly(&read(&bytes, &shape, sequence).unwrap()), wanted);
        let one = written(&value, &shape, DETERMINISTIC).unwrap();
        for size in 1..=40 {
            prop_assert_eq!(&streamed(&bytes, &shape, size, sequence, DETERMINISTIC).unwrap(), &one, "{}", size);
        }
    }

    #[test]
    fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let usual = ReadOptions::default();
        if read(&bytes, &Shape::Any, usual).is_ok() {
            prop_assert!(skipped(&bytes).is_ok());
        }
        for size in [1, 7, 64] {
            let few = streamed(&bytes, &Shape::Any, size, usual, USUAL);
            let all = streamed(&bytes, &Shape::Any, 1 << 16, usual, USUAL);
            prop_assert_eq!(few.is_ok(), all.is_ok());
        }
    }
}
