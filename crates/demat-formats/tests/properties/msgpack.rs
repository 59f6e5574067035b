//! MessagePack: round trips keep every byte.

use crate::support::values::{Random, Shaped, shaped};
use crate::tries;
use crate::ways::Few;
use demat_core::scalar::{Instant, Offset};
use demat_core::{Field, Record, Result, Shape, Source, Value, ValueSource, copy};
use demat_formats::msgpack::{Msgpack, MsgpackSink, MsgpackSource, ReadOptions, WriteOptions};
use demat_formats::stream::{Part, Stop, Window, copy as copy_stream};
use demat_formats::{Keep, Output};
use proptest::prelude::*;

fn sink(sequence: bool) -> MsgpackSink<Keep> {
    MsgpackSink::new(Output::new(Vec::new(), Keep), WriteOptions { sequence, ..WriteOptions::default() })
}

fn written(value: &Value, shape: &Shape, sequence: bool) -> Result<Vec<u8>> {
    let mut sink = sink(sequence);
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn read(bytes: &[u8], shape: &Shape) -> Result<Value> {
    let mut source = MsgpackSource::new(bytes);
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

/// Copies to the same format through a window.
fn streamed(bytes: &[u8], shape: &Shape, size: usize) -> Result<Vec<u8>> {
    let mut sink = sink(false);
    copy_stream(&mut Window::with_size(Few(bytes, size), size), &mut Msgpack::default(), shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}

fn skipped(bytes: &[u8]) -> Result<()> {
    let mut source = MsgpackSource::new(bytes);
    source.skip()?;
    source.end()
}

/// Returns the value with its instants in UTC, as timestamps are.
fn in_utc(value: Value) -> Value {
    match value {
        Value::Instant(at, offset) => {
            let nanos = at.with_offset(offset).unix_nanos().unwrap();
            let (seconds, nanos) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
            Value::from(Instant::from_unix(seconds as i64, u32::try_from(nanos).unwrap(), Offset::UTC).unwrap())
        }
        Value::List(items) => Value::List(items.into_iter().map(in_utc).collect()),
        Value::Map(entries) => {
            Value::Map(entries.into_iter().map(|(key, value)| (in_utc(key), in_utc(value))).collect())
        }
        value => value,
    }
}

/// Shows the value exactly: `-0.0` differs from 0, and the order of entries matters.
fn exactly(value: &Value) -> String {
    format!("{value:?}")
}

proptest! {
    #![proptest_config(tries(100))]

    #[test]
    fn values_come_back(Shaped(shape, value) in shaped()) {
        let normal = in_utc(Value::decode_as(&mut ValueSource::new(&value), &shape).unwrap());
        let bytes = match written(&value, &shape, false) {
            Ok(bytes) => bytes,
            Err(error) => {
                prop_assert!(error.to_string().contains("64 bits"), "{error}");
                return Ok(());
            }
        };
        let back = read(&bytes, &shape);
        prop_assert!(back.is_ok(), "{:?} {:x?}", back, bytes);
        prop_assert_eq!(exactly(&back.unwrap()), exactly(&normal), "{:x?}", bytes);
        prop_assert!(skipped(&bytes).is_ok());
        // The order of fields and the widths of floats are part of the bytes.
        for size in (1..=40).chain([1 << 16]) {
            prop_assert_eq!(&streamed(&bytes, &shape, size).unwrap(), &bytes, "{}", size);
        }
        for end in 0..bytes.len() {
            prop_assert!(read(&bytes[..end], &shape).is_err(), "{}", end);
            prop_assert!(skipped(&bytes[..end]).is_err(), "{}", end);
            let part = Part { last: false, ..Part::whole(&bytes[..end]) };
            let error = MsgpackSource::over(part, ReadOptions::default()).skip().unwrap_err();
            prop_assert!(error.signal().is_some(), "{} {}", end, error);
        }
    }

    #[test]
    fn a_sequence_is_read_as_the_array(Shaped(shape, first) in shaped(), seed in any::<u64>(), count in 0u64..6) {
        let mut random = Random::new(seed);
        let items = (0..count).map(|_| random.value(&shape, 0)).chain([first]).collect();
        let (value, shape) = (Value::List(items), shape.list());
        if let (Ok(array), Ok(sequence)) = (written(&value, &shape, false), written(&value, &shape, true)) {
            prop_assert_eq!(&array[1..], &*sequence);
            prop_assert_eq!(exactly(&read(&sequence, &shape).unwrap()), exactly(&read(&array, &shape).unwrap()));
            for size in 1..=40 {
                prop_assert_eq!(&streamed(&sequence, &shape, size).unwrap(), &array, "{}", size);
            }
        }
    }

    #[test]
    fn fields_are_found_in_any_order(
        keys in prop::collection::btree_set("[a-z]{1,40}|[a-zä\"]{1,6}|[a-c]", 1..12),
        unknown in prop::collection::vec("[A-Z]{0,34}", 0..4),
        seed in any::<u64>(),
    ) {
        let mut random = Random::new(seed);
        let fields = keys.iter().zip(1..).map(|(key, number)| Field::new(key.clone(), number, Shape::Any)).collect();
        let shape = Shape::record(Record::new("R", fields).unwrap());
        let entry = |(number, key): (usize, &String)| (Value::Text(key.clone().into()), Value::Int((number as u64).into()));
        let mut entries: Vec<_> = unknown.iter().enumerate().map(|one| (false, entry(one))).collect();
        for known in keys.iter().enumerate().map(entry) {
            entries.insert(random.below(entries.len() as u64 + 1) as usize, (true, known));
        }
        let expected = entries.iter().filter(|(known, _)| *known).map(|(_, entry)| entry.clone()).collect();
        let entries = entries.into_iter().map(|(_, entry)| entry).collect();
        let bytes = written(&Value::Map(entries), &Shape::Any, false).unwrap();
        prop_assert_eq!(exactly(&read(&bytes, &shape).unwrap()), exactly(&Value::Map(expected)));
    }

    #[test]
    fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let whole = read(&bytes, &Shape::Any);
        if whole.is_ok() {
            prop_assert!(skipped(&bytes).is_ok());
        }
        for size in [1, 7, 64] {
            prop_assert_eq!(streamed(&bytes, &Shape::Any, size).is_ok(), streamed(&bytes, &Shape::Any, 1 << 16).is_ok());
        }
    }
}
