//! NBT and SNBT: values survive a round trip, and so does every byte.

use crate::support::values::{Shaped, shaped};
use crate::tries;
use crate::ways::Few;
use demat_core::{Result, Shape, Source, Value, ValueSource, copy};
use demat_formats::json::{JsonSink, WriteOptions as JsonOptions};
use demat_formats::nbt::{Nbt, NbtSink, NbtSource, ReadOptions, Variant, WriteOptions};
use demat_formats::snbt::{Snbt, SnbtSink};
use demat_formats::stream::{Part, Stop, Window, Windowed, copy as copy_stream};
use demat_formats::{Keep, Output};
use proptest::prelude::*;

const VARIANTS: [Variant; 3] = [Variant::Java, Variant::Bedrock, Variant::BedrockNetwork];

fn of(variant: Variant) -> ReadOptions {
    ReadOptions { variant: Some(variant), ..ReadOptions::default() }
}

fn sink(variant: Variant) -> NbtSink<Keep> {
    NbtSink::new(Output::new(Vec::new(), Keep), WriteOptions { variant, ..WriteOptions::default() })
}

fn written(value: &Value, shape: &Shape, variant: Variant) -> Result<Vec<u8>> {
    let mut sink = sink(variant);
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn read(bytes: &[u8], shape: &Shape, options: ReadOptions) -> Result<Value> {
    let mut format = Nbt::new(options);
    let mut source = format.source(Part::whole(bytes));
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

/// Copies to the same format through a window.
fn streamed(bytes: &[u8], shape: &Shape, size: usize, variant: Variant) -> Result<Vec<u8>> {
    let mut sink = sink(variant);
    let mut window = Window::with_size(Few(bytes, size), size);
    copy_stream(&mut window, &mut Nbt::new(of(variant)), shape, &mut sink, &mut Stop)?;
    Ok(sink.into_output().into_parts().0)
}

fn skipped(bytes: &[u8], variant: Variant) -> Result<()> {
    let mut source = NbtSource::over(Part::whole(bytes), &of(variant));
    source.skip()?;
    source.end()
}

/// Copies to text and back.
fn through_text(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut text = SnbtSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default(), None);
    copy(&mut NbtSource::new(bytes), &Shape::Any, &mut text)?;
    let text = text.into_output().into_parts().0;
    let mut back = sink(Variant::Java);
    copy_stream(&mut Window::new(&*text), &mut Snbt::default(), &Shape::Any, &mut back, &mut Stop)?;
    Ok(back.into_output().into_parts().0)
}

/// Returns the value as NBT represents it without a shape: bools are ints, kinds without a tag are text, nulls are
/// omitted.
fn plain(value: Value) -> Value {
    let as_text = |value: &Value| {
        let mut text = JsonSink::new(Output::new(Vec::new(), Keep), JsonOptions::default());
        copy(&mut ValueSource::new(value), &Shape::Any, &mut text).unwrap();
        let quoted = text.into_output().into_parts().0;
        Value::Text(String::from_utf8(quoted).unwrap().trim_matches('"').to_string().into())
    };
    match value {
        Value::Bool(value) => Value::Int(i64::from(value).into()),
        Value::Map(entries) => {
            let entries = entries.into_iter().filter(|(_, value)| *value != Value::Null);
            Value::Map(entries.map(|(key, value)| (as_text(&key), plain(value))).collect())
        }
        Value::List(items) => Value::List(items.into_iter().map(plain).collect()),
        Value::Null | Value::Int(_) | Value::Float(_) | Value::Text(_) | Value::Bytes(_) => value,
        other => as_text(&other),
    }
}

/// Shows the value exactly: `-0.0` differs from 0, and the order of entries matters.
fn exactly(value: &Value) -> String {
    format!("{value:?}")
}

/// Returns whether the error refuses a value that NBT can't express.
fn is_refusal(error: &str) -> bool {
    ["64 bits with sign", "NBT has no null", "which all have one tag"].iter().any(|reason| error.contains(reason))
}

proptest! {
    #![proptest_config(tries(100))]

    #[test]
    fn values_come_back(Shaped(shape, value) in shaped()) {
        let normal = Value::decode_as(&mut ValueSource::new(&value), &shape).unwrap();
        for variant in VARIANTS {
            let bytes = match written(&value, &shape, variant) {
                Ok(bytes) => bytes,
                Err(error) => {
                    prop_assert!(is_refusal(&error.to_string()), "{}", error);
                    return Ok(());
                }
            };
            let back = read(&bytes, &shape, of(variant));
            prop_assert!(back.is_ok(), "{:?} {:x?}", back, bytes);
            prop_assert_eq!(exactly(&plain(back.unwrap())), exactly(&plain(normal.clone())), "{:x?}", bytes);
            prop_assert!(skipped(&bytes, variant).is_ok());
            for size in (1..=40).chain([1 << 16]) {
                prop_assert_eq!(&streamed(&bytes, &shape, size, variant).unwrap(), &bytes, "{}", size);
                prop_assert_eq!(&streamed(&bytes, &Shape::Any, size, variant).unwrap(), &bytes, "{}", size);
            }
            for end in 0..bytes.len() {
                prop_assert!(read(&bytes[..end], &shape, of(variant)).is_err(), "{}", end);
                prop_assert!(skipped(&bytes[..end], variant).is_err(), "{}", end);
                let part = Part { last: false, ..Part::whole(&bytes[..end]) };
                let error = NbtSource::over(part, &of(variant)).skip().unwrap_err();
                prop_assert!(error.signal().is_some(), "{} {}", end, error);
            }
            if variant == Variant::Java {
                // Text keeps everything except the tags of empty lists.
                let once = through_text(&bytes).unwrap();
                prop_assert_eq!(&through_text(&once).unwrap(), &once);
                prop_assert_eq!(once.len(), bytes.len());
                let any = |bytes: &[u8]| exactly(&read(bytes, &Shape::Any, of(variant)).unwrap());
                prop_assert_eq!(any(&once), any(&bytes));
                let found = read(&bytes, &Shape::Any, ReadOptions::default()).unwrap();
                prop_assert_eq!(exactly(&found), exactly(&read(&bytes, &Shape::Any, of(variant)).unwrap()));
            }
        }
    }

    #[test]
    fn a_java_document_that_is_cut_off_is_never_another_one(Shaped(shape, value) in shaped()) {
        if let Ok(bytes) = written(&value, &shape, Variant::Java) {
            for end in 0..bytes.len() {
                prop_assert!(read(&bytes[..end], &Shape::Any, ReadOptions::default()).is_err(), "{} {:x?}", end, bytes);
            }
        }
    }

    #[test]
    fn no_bytes_do_harm(bytes in prop::collection::vec(0u8..16, 0..60), random in prop::collection::vec(any::<u8>(), 0..60)) {
        for bytes in [bytes, random] {
            for variant in VARIANTS {
                let whole = read(&bytes, &Shape::Any, of(variant));
                if whole.is_ok() {
                    prop_assert!(skipped(&bytes, variant).is_ok());
                }
                let once = streamed(&bytes, &Shape::Any, 1 << 16, variant);
                for size in [1, 7, 64] {
                    prop_assert_eq!(streamed(&bytes, &Shape::Any, size, variant).is_ok(), once.is_ok());
                }
            }
            let _ = read(&bytes, &Shape::Any, ReadOptions::default());
        }
    }

    #[test]
    fn no_text_does_harm(text in "[\\[\\]{}:,;'\"\\\\a1BbILdx. ]{0,40}") {
        let mut format = Snbt::default();
        let mut source = format.source(Part::whole(text.as_bytes()));
        let whole = source.skip().and_then(|()| source.end());
        drop(source);
        let mut sink = SnbtSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default(), None);
        let mut window = Window::with_size(text.as_bytes(), 3);
        let copied = copy_stream(&mut window, &mut Snbt::default(), &Shape::Any, &mut sink, &mut Stop);
        prop_assert_eq!(whole.is_ok(), copied.is_ok());
    }
}
