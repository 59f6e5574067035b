//! YAML: values survive a round trip, and invalid text is an error, not a panic.

use crate::support::values::{Shaped, shaped};
use crate::tries;
use crate::ways::Few;
use demat_core::{Result, Shape, Source, Value, ValueSource, copy};
use demat_formats::stream::{Stop, Window, copy as copy_stream};
use demat_formats::yaml::{WriteOptions, Yaml, YamlSink, YamlSource};
use demat_formats::{Keep, Output};
use proptest::prelude::*;

fn sink(indent: u8, documents: bool) -> YamlSink<Keep> {
    let options = WriteOptions { indent, documents, ..WriteOptions::default() };
    YamlSink::new(Output::new(Vec::new(), Keep), options)
}

fn written(value: &Value, shape: &Shape, mut sink: YamlSink<Keep>) -> Result<String> {
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

fn read(text: &str, shape: &Shape) -> Result<Value> {
    let mut source = YamlSource::new(text.as_bytes());
    let value = Value::decode_as(&mut source, shape)?;
    source.end()?;
    Ok(value)
}

/// Copies to the same format through a window.
fn streamed(text: &str, shape: &Shape, size: usize) -> Result<String> {
    let mut sink = sink(2, false);
    let mut window = Window::with_size(Few(text.as_bytes(), size), size);
    copy_stream(&mut window, &mut Yaml::default(), shape, &mut sink, &mut Stop)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// Shows the value exactly: `-0.0` differs from 0, and the order of entries matters.
fn exactly(value: &Value) -> String {
    format!("{value:?}")
}

/// Pieces of YAML.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "- ",
            "a",
            "b: ",
            ": ",
            "? ",
            "\n",
            "\n  ",
            "\n    ",
            "&x ",
            "*x",
            "<<: ",
            "[",
            "]",
            "{",
            "}",
            ", ",
            "'",
            "\"",
            "|\n",
            ">-\n",
            "!!str ",
            "!x ",
            "---\n",
            "...\n",
            "# c\n",
            "1",
            "0x1F",
            "1.5",
            "~",
            "true",
            "\t",
            " ",
            "%YAML 1.2\n",
            "\\",
        ])
        .prop_map(str::to_string),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(tries(150))]

    #[test]
    fn values_come_back(Shaped(shape, value) in shaped(), indent in 1_u8..9) {
        let normal = Value::decode_as(&mut ValueSource::new(&value), &shape).unwrap();
        let text = written(&value, &shape, sink(indent, false)).unwrap();
        let back = read(&text, &shape);
        prop_assert!(back.is_ok(), "{:?}\n{}", back, text);
        prop_assert_eq!(exactly(&back.unwrap()), exactly(&normal), "{}", text);
        let usual = written(&value, &shape, sink(2, false)).unwrap();
        for size in [1, 2, 7, 64, 1 << 16] {
            prop_assert_eq!(&streamed(&text, &shape, size).unwrap(), &usual, "{}", size);
        }
    }

    #[test]
    fn documents_are_read_as_the_list(Shaped(shape, value) in shaped(), count in 0_usize..5) {
        let list = Value::List(vec![value; count]);
        let shape = shape.list();
        if let Ok(text) = written(&list, &shape, sink(2, true)) {
            let normal = Value::decode_as(&mut ValueSource::new(&list), &shape).unwrap();
            prop_assert_eq!(exactly(&read(&text, &shape).unwrap()), exactly(&normal), "{}", text);
        }
    }

    #[test]
    fn no_text_does_harm(text in pieces()) {
        let whole = read(&text, &Shape::Any);
        let mut source = YamlSource::new(text.as_bytes());
        let skipped = source.skip().and_then(|()| source.end());
        if let Ok(value) = &whole {
            prop_assert!(skipped.is_ok());
            let again = written(value, &Shape::Any, sink(2, false)).unwrap();
            prop_assert_eq!(exactly(&read(&again, &Shape::Any).unwrap()), exactly(value), "{}", again);
        }
        for size in [1, 7, 64] {
            prop_assert_eq!(streamed(&text, &Shape::Any, size).is_ok(), whole.is_ok());
        }
    }
}
