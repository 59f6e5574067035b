//! Raw: what is written is read again, and no byte is lost or made up.

use crate::support::values::{Shaped, shaped};
use crate::tries;
use crate::ways::Few;
use demat_core::{Error, Result, Shape, Source, Value, ValueSource, copy};
use demat_formats::json::{JsonSink, WriteOptions as JsonOptions};
use demat_formats::raw::{Raw, RawSink, ReadOptions, WriteOptions};
use demat_formats::stream::{Part, Stop, Window, Windowed, copy as copy_stream};
use demat_formats::{Keep, Output};
use proptest::prelude::*;

fn sink() -> RawSink<Keep> {
    RawSink::new(Output::new(Vec::new(), Keep), WriteOptions::default())
}

fn written(value: &Value, shape: &Shape) -> Result<Vec<u8>> {
    let mut sink = sink();
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn format(shape: &Shape, writer: Option<&Shape>) -> Raw {
    let options = ReadOptions { writer: writer.cloned(), ..ReadOptions::default() };
    let mut format = Raw::new(&options).unwrap();
    format.begin(shape).unwrap();
    format
}

fn read(bytes: &[u8], shape: &Shape) -> Result<Value> {
    let mut format = format(shape, None);
    let mut source = format.whole(Part::whole(bytes));
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

fn skipped(bytes: &[u8], shape: &Shape, last: bool) -> Result<()> {
    let mut format = format(shape, None);
    let mut source = format.whole(Part { last, ..Part::whole(bytes) });
    source.skip()?;
    source.end()
}

/// Copied to the same format, through a window.
fn streamed(bytes: &[u8], shape: &Shape, size: usize) -> Result<Vec<u8>> {
    let mut sink = sink();
    let mut format = format(shape, None);
    copy_stream(&mut Window::with_size(Few(bytes, size), size), &mut format, shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}

/// The value as JSON whose keys are in order: fields are written in that of the shape.
fn json(value: &Value, shape: &Shape) -> String {
    let options = JsonOptions { sorted_keys: true, ..JsonOptions::default() };
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut ValueSource::new(value), shape, &mut sink).unwrap();
    String::from_utf8(sink.into_output().into_parts().0).unwrap()
}

proptest! {
    #![proptest_config(tries(100))]

    #[test]
    fn values_come_back(Shaped(shape, value) in shaped()) {
        let bytes = written(&value, &shape).unwrap();
        let back = read(&bytes, &shape);
        prop_assert!(back.is_ok(), "{:?} {:x?}", back, bytes);
        let back = back.unwrap();
        prop_assert_eq!(json(&back, &shape), json(&value, &shape), "{:x?}", bytes);
        prop_assert_eq!(&written(&back, &shape).unwrap(), &bytes);
        prop_assert!(skipped(&bytes, &shape, true).is_ok());
        // Blocks are as long as what was told of the length.
        for size in (1..=40).chain([1 << 16]) {
            let again = streamed(&bytes, &shape, size);
            prop_assert!(again.is_ok(), "{} {:?}", size, again);
            prop_assert_eq!(&read(&again.unwrap(), &shape).unwrap(), &back, "{}", size);
        }
        for end in 0..bytes.len() {
            let cut = read(&bytes[..end], &shape);
            // Behind the end there may be values without bytes.
            prop_assert!(cut.is_err() || cut.unwrap() == back && end == bytes.len(), "{}", end);
            prop_assert!(skipped(&bytes[..end], &shape, true).is_err(), "{}", end);
            let error = skipped(&bytes[..end], &shape, false).unwrap_err();
            prop_assert!(error.signal().is_some(), "{} {}", end, error);
        }
    }

    #[test]
    fn a_writer_of_the_same_shape_changes_nothing(Shaped(shape, value) in shaped()) {
        let bytes = written(&value, &shape).unwrap();
        // Of another fingerprint: an item more.
        let both = |own: &Shape| {
            Shape::Tuple(demat_core::Ref::Shared(
                [own.clone(), Shape::Bool].into_iter().map(demat_core::Ref::new).collect(),
            ))
        };
        let whole = Value::List(vec![value.clone(), Value::Bool(true)]);
        let old = both(&shape);
        let new = both(&shape.clone().optional());
        let listed = written(&whole, &old).unwrap();
        let mut format = format(&new, Some(&old));
        let mut source = format.whole(Part::whole(&listed));
        let found = Value::decode_as(&mut source, &new).and_then(|found| source.end().map(|()| found));
        let Ok(Value::List(found)) = found else { panic!("{found:?}") };
        prop_assert_eq!(json(&found[0], &shape), json(&value, &shape), "{:x?}", bytes);
    }

    #[test]
    fn no_bytes_do_harm(Shaped(shape, _) in shaped(), bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let bytes = [&demat_formats::raw::fingerprint(&shape).unwrap()[..], &bytes].concat();
        let whole = read(&bytes, &shape);
        if whole.is_ok() {
            prop_assert!(skipped(&bytes, &shape, true).is_ok());
        }
        let known = |error: &Error| error.to_string().contains("too large to be held");
        for size in [1, 7, 64] {
            match (streamed(&bytes, &shape, size), streamed(&bytes, &shape, 1 << 16)) {
                (Err(one), _) if known(&one) => {}
                (one, two) => prop_assert_eq!(one.is_ok(), two.is_ok(), "{:?} {:?}", one, two),
            }
        }
    }
}
