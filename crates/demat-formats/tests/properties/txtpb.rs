//! The text format of Protocol Buffers: what is written is read again as the wire format has it, and no text does harm.

use crate::support::values::{Shaped, shaped};
use crate::tries;
use demat_core::{ErrorKind, Field, Record, Result, Shape, Source, Value, ValueSource, copy};
use demat_formats::proto::{ProtoSink, ProtoSource};
use demat_formats::stream::{Stop, Window, copy as copy_stream};
use demat_formats::txtpb::{ReadOptions, Txtpb, TxtpbSink, TxtpbSource, WriteOptions};
use demat_formats::{Keep, Output};
use proptest::prelude::*;

fn sink(indent: u32) -> TxtpbSink<Keep> {
    TxtpbSink::new(Output::new(Vec::new(), Keep), WriteOptions { indent, ..WriteOptions::default() })
}

fn text_of(sink: TxtpbSink<Keep>) -> String {
    String::from_utf8(sink.into_output().into_parts().0).unwrap()
}

fn written(value: &Value, shape: &Shape, indent: u32) -> Result<String> {
    let mut sink = sink(indent);
    copy(&mut ValueSource::new(value), shape, &mut sink)?;
    Ok(text_of(sink))
}

fn wire<'a>(source: &mut impl Source<'a>, shape: &Shape) -> Result<Vec<u8>> {
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    copy(source, shape, &mut sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn read<'a>(text: &'a str, shape: &Shape) -> Result<Vec<u8>> {
    wire(&mut TxtpbSource::<'a>::new(text.as_bytes(), ReadOptions { depth: 10_000, ..ReadOptions::default() }), shape)
}

/// Whether all names in the shape are identifiers: the text format has no form for others.
fn is_named(shape: &Shape) -> bool {
    let text = shape.to_string();
    // In a shape's text, names with other characters of ASCII are in quotes.
    text.is_ascii() && !text.contains('"') && !text.contains('-')
}

/// Pieces of the text format.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "a",
            "b: ",
            ": ",
            "{",
            "}",
            "<",
            ">",
            "[",
            "]",
            ",",
            ";",
            "'",
            "\"",
            "'x'",
            "1",
            "-",
            "0x1F",
            "017",
            "1.5f",
            "inf",
            "true",
            "a: 1 ",
            "m { ",
            "l: [1, 2] ",
            "key: 'k' ",
            "value: 1 ",
            "[p.e]",
            "[d/p.M]",
            "# c\n",
            "\\",
            "\n",
            " ",
            ".",
            "x",
        ])
        .prop_map(str::to_string),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(tries(200))]

    #[test]
    fn what_the_wire_format_holds_the_text_format_holds(Shaped(shape, value) in shaped()) {
        let value = Value::Map(vec![(Value::Text("value".into()), value)]);
        let shape = Shape::record(Record::new("", vec![Field::new("value", 1, shape)]).unwrap());
        let wanted = wire(&mut ValueSource::new(&value), &shape);
        let text = match (written(&value, &shape, 2), &wanted) {
            (Ok(text), Ok(_)) => text,
            (Err(error), Ok(_)) => {
                prop_assert!(error.kind() == ErrorKind::Encode && !is_named(&shape), "{}", error);
                return Ok(());
            }
            (text, Err(error)) => {
                prop_assert!(text.is_err(), "{}: {:?}", error, text);
                return Ok(());
            }
        };
        let line = written(&value, &shape, 0).unwrap();
        // What the wire format reads again, the text format reads as the same.
        let again = wire(&mut ProtoSource::new(wanted.as_ref().unwrap()), &shape);
        for text in [&text, &line] {
            match (read(text, &shape), &again) {
                (Ok(read), Ok(again)) => prop_assert_eq!(&read, again, "{}", text),
                // The wire format writes enums as keys of maps, but does not read them.
                (_, Err(_)) => {}
                (read, again) => prop_assert!(false, "{:?} {:?}\n{}", read, again, text),
            }
        }
    }

    #[test]
    fn no_text_does_harm(text in pieces()) {
        for shape in ["a:int?, b:text?, m:map(text, int), l:[int]", "a:any, m:M{a:int?, m:M?}?, x:int | text"] {
            let shape: Shape = shape.parse().unwrap();
            let whole = read(&text, &shape);
            for size in [1, 7, 64] {
                let mut sink = sink(2);
                let mut window = Window::with_size(text.as_bytes(), size);
                let streamed = copy_stream(&mut window, &mut Txtpb::default(), &shape, &mut sink, &mut Stop);
                prop_assert_eq!(streamed.is_ok(), whole.is_ok(), "{:?} {:?}", streamed, whole);
                if let (Ok(_), Ok(wire)) = (&streamed, &whole) {
                    prop_assert_eq!(&read(&text_of(sink), &shape).unwrap(), wire);
                }
            }
        }
    }
}
