//! Tests of SNBT.

use super::{Snbt, SnbtSink};
use crate::nbt::WriteOptions;
use crate::stream::{Part, Stop, Window, Windowed, copy as copy_stream};
use crate::{Keep, Output};
use demat_core::{ErrorKind, Result, Shape, Source, Value, ValueSource, copy};

fn read(text: &str, shape: &str) -> Result<Value> {
    let mut format = Snbt::default();
    let mut source = format.source(Part::whole(text.as_bytes()));
    let value = Value::decode_as(&mut source, &shape.parse().unwrap())?;
    source.end()?;
    Ok(value)
}

fn refusal(text: &str, shape: &str) -> String {
    read(text, shape).unwrap_err().to_string()
}

/// Parses a text and writes it again.
fn again(text: &str, indent: Option<u32>, size: usize) -> Result<String> {
    let mut sink = SnbtSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default(), indent);
    let mut window = Window::with_size(text.as_bytes(), size);
    copy_stream(&mut window, &mut Snbt::default(), &Shape::Any, &mut sink, &mut Stop)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

const ALL: &str = r#"{a:1b,b:-2s,c:3,d:4L,e:0.5f,f:1e300d,g:[B;1b,-1b],h:[I;],i:[L;1L],"j k":"it's \"x\" \\",l:[{},{m:[]}],n:[1s,2s],o:[[I;1],[I;]]}"#;

#[test]
fn text_comes_back() {
    for size in [1, 7, 1000] {
        assert_eq!(again(ALL, None, size).unwrap(), ALL);
    }
    let lines = again(ALL, Some(2), 64).unwrap();
    assert!(lines.starts_with("{\n  a: 1b,\n  b: -2s,\n"), "{lines}");
    assert!(lines.contains("  h: [I;],\n") && lines.ends_with("\n    [I;]\n  ]\n}"), "{lines}");
    assert_eq!(again(&lines, None, 3).unwrap(), ALL);
    assert_eq!(again(" [ 1b , 2B, ] ", None, 64).unwrap(), "[1b,2b]");
    assert_eq!(
        again("{'a':stone,b:true,c:1.5,d:[L;1,2],e:NaNd,f:-Infinityf}", None, 9).unwrap(),
        r#"{a:"stone",b:1b,c:1.5d,d:[L;1L,2L],e:NaNd,f:-Infinityf}"#
    );
    assert_eq!(again(r#""\n\t\b\f\r\s\x41\u00e9\U0001F600\'""#, None, 9).unwrap(), "\"\n\t\u{8}\u{c}\r Aé😀'\"");
    assert_eq!(again("\u{feff}1", None, 1).unwrap(), "1");
}

#[test]
fn values_are_read_as_their_shapes_say() {
    let value = read("{id: 7, tags: [a, 'b c']}", "{id: int8, tags: [text]}").unwrap();
    assert_eq!(value.get("id"), Some(&Value::Int(7.into())));
    assert_eq!(value.get("tags"), Some(&Value::List(vec![Value::Text("a".into()), Value::Text("b c".into())])));
    assert_eq!(read("[B;1b]", "bytes").unwrap(), Value::Bytes(vec![1].into()));
}

#[test]
fn errors_have_their_place() {
    let cases = [
        ("", "expected a value, found end of input (line 1, column 1)"),
        ("{a:1,\n b=2}", "expected `:`, found `=` (line 2, column 3)"),
        ("{a:1 b:2}", "expected `,` or `}`, found `b` (line 1, column 6)"),
        ("[1,", "expected a value, found end of input (line 1, column 4)"),
        ("{a:", "expected a value, found end of input (line 1, column 4)"),
        ("{", "expected a key or `}`, found end of input (line 1, column 2)"),
        ("'abc", "expected the end of the text, found end of input (line 1, column 1)"),
        ("[1,2b]", "expected int as the other items, which all have one tag, found `byte` (line 1, column 4)"),
        ("[B;300]", "expected byte as the other items, which all have one tag, found `int` (line 1, column 4)"),
        ("300b", "expected a number that fits a byte, found `300b` (line 1, column 1)"),
        ("1 2", "expected end of input, found `2` (line 1, column 3)"),
        (r#""\q""#, "expected an escape that SNBT has, found another one (line 1, column 2)"),
        (r#""\ud800""#, "expected the 4 hexadecimal digits of a character, found `U+D800` (line 1, column 2)"),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text, "any"), expected, "{text}");
    }
    let error = refusal("{a: 1,\n b: {c: [x, y]}}", "{a: int, b: {c: [int]}}");
    assert_eq!(error, "expected `int`, found `string` \"x\" at `$.b.c[0]` (line 2, column 10)");
}

#[test]
fn the_depth_has_a_limit() {
    let lists = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    read(&lists(512), "any").unwrap();
    assert_eq!(read(&lists(513), "any").unwrap_err().kind(), ErrorKind::Limit);
    assert!(read(&"[".repeat(1_000_000), "any").is_err());
    assert!(read(&"{a:".repeat(1_000_000), "any").is_err());
}

#[test]
fn every_cut_is_refused() {
    for end in (0..ALL.len()).filter(|end| ALL.is_char_boundary(*end)) {
        assert!(read(&ALL[..end], "any").is_err(), "{end}");
    }
}

#[test]
fn a_span_is_text() {
    let mut format = Snbt::default();
    let mut source = format.source(Part::whole(b"{a: [1b], b: {}}"));
    source.map().unwrap();
    assert!(source.entry().unwrap());
    source.text().unwrap();
    assert_eq!(&*source.span().unwrap(), b"[1b]");
    let mut sink = SnbtSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default(), None);
    demat_core::Sink::begin_list(&mut sink, None).unwrap();
    demat_core::Sink::item(&mut sink).unwrap();
    assert!(demat_core::Sink::as_is(&mut sink, "snbt", b"[1b]").unwrap());
    assert!(!demat_core::Sink::as_is(&mut sink, "snbt", b"[1b").unwrap());
    demat_core::Sink::end_list(&mut sink).unwrap();
    demat_core::Sink::finish(&mut sink).unwrap();
    assert_eq!(sink.into_output().into_parts().0, b"[[1b]]");
}

#[test]
fn no_text_is_written_that_nbt_can_t_hold() {
    let mut sink = SnbtSink::new(Output::new(Vec::new(), Keep), &WriteOptions::default(), None);
    let value = Value::List(vec![Value::Null]);
    assert_eq!(copy(&mut ValueSource::new(&value), &Shape::Any, &mut sink).unwrap_err().kind(), ErrorKind::Encode);
}
