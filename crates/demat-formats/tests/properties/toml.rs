//! TOML: values survive a round trip, and invalid text is an error, not a panic.

use crate::support::values::{Shaped, shaped};
use crate::tries;
use crate::ways::Few;
use demat_core::{ErrorKind, Field, Record, Result, Shape, Source, Value, ValueSource, copy};
use demat_formats::stream::{Stop, Window, copy as copy_stream};
use demat_formats::toml::{Toml, TomlSink, TomlSource, WriteOptions};
use demat_formats::{Keep, Output};
use proptest::prelude::*;

fn sink() -> TomlSink<Keep> {
    TomlSink::new(Output::new(Vec::new(), Keep), WriteOptions::default())
}

fn written(value: &Value, shape: &Shape) -> Result<String> {
    let mut sink = sink();
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

fn read(text: &str, shape: &Shape) -> Result<Value> {
    let mut source = TomlSource::new(text.as_bytes());
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

/// Copies to the same format through a window.
fn streamed(text: &str, shape: &Shape, size: usize) -> Result<String> {
    let mut sink = sink();
    let mut window = Window::with_size(Few(text.as_bytes(), size), size);
    copy_stream(&mut window, &mut Toml::default(), shape, &mut sink, &mut Stop)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// Shows the value without null fields, with sorted entries and with keys as text.
fn normal(value: &Value) -> String {
    match value {
        Value::Map(entries) => {
            let entries = entries.iter().filter(|(_, value)| *value != Value::Null);
            let mut entries: Vec<_> = entries.map(|(key, value)| format!("{key:?}: {}", normal(value))).collect();
            entries.sort();
            format!("{{{}}}", entries.join(", "))
        }
        Value::List(items) => format!("[{}]", items.iter().map(normal).collect::<Vec<_>>().join(", ")),
        other => format!("{other:?}"),
    }
}

/// Pieces of TOML.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "a",
            "b",
            ".",
            " = ",
            "\n",
            "[",
            "]",
            "[[",
            "]]",
            "{",
            "}",
            ", ",
            "'",
            "\"",
            "'''",
            "\"\"\"",
            "1",
            "0x1F",
            "1.5",
            "1e3",
            "true",
            "2024-01-01",
            "12:30:00",
            "T",
            "Z",
            "# c\n",
            "\\",
            "\r",
            " ",
            "\t",
            "_",
            "-",
            "inf",
        ])
        .prop_map(str::to_string),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(tries(150))]

    #[test]
    fn values_come_back(Shaped(shape, value) in shaped()) {
        let value = Value::Map(vec![(Value::Text("value".into()), value)]);
        let shape = Shape::record(Record::new("", vec![Field::new("value", 1, shape)]).unwrap());
        let wanted = Value::decode_as(&mut ValueSource::new(&value), &shape).unwrap();
        let text = match written(&value, &shape) {
            Ok(text) => text,
            Err(error) => {
                let says = error.to_string();
                let known = ["null", "64 bits", "whole minutes"].iter().any(|reason| says.contains(reason));
                prop_assert!(error.kind() == ErrorKind::Encode && known, "{}", says);
                return Ok(());
            }
        };
        let back = read(&text, &shape);
        prop_assert!(back.is_ok(), "{:?}\n{}", back, text);
        prop_assert_eq!(normal(&back.unwrap()), normal(&wanted), "{}", text);
        for size in [1, 2, 7, 64, 1 << 16] {
            prop_assert_eq!(&streamed(&text, &shape, size).unwrap(), &text, "{}", size);
        }
    }

    #[test]
    fn no_text_does_harm(text in pieces()) {
        let whole = read(&text, &Shape::Any);
        let mut source = TomlSource::new(text.as_bytes());
        let skipped = source.skip().and_then(|()| source.end());
        if let Ok(value) = &whole {
            prop_assert!(skipped.is_ok());
            let again = written(value, &Shape::Any).unwrap();
            prop_assert_eq!(normal(&read(&again, &Shape::Any).unwrap()), normal(value), "{}", again);
        }
        for size in [1, 7, 64] {
            prop_assert_eq!(streamed(&text, &Shape::Any, size).is_ok(), whole.is_ok());
        }
    }
}
