//! Notes for single formats on derived fields, and the same notes in shapes made at run time.

use demat::formats::{Keep, Output};
use demat::{Argument, Decode, Encode, Fit, Result, Shape, Shaped, Sink, Value, ValueSource, Vocabulary, Word, copy};
use demat::{msgpack, nbt, proto, txtpb, xml};
use std::borrow::Cow;

#[derive(Debug, Clone, PartialEq, Encode, Decode)]
#[demat(rename = "book")]
struct Book {
    #[demat(xml = "attribute", nbt = "byte", wire = "sint32")]
    id: i64,
    #[demat(xml = "attribute, namespace tag:demat,2024:x", rename = "x:lang")]
    lang: String,
    #[demat(xml = "wrapped author", wire = "expanded", number = 7)]
    authors: Vec<String>,
    #[demat(nbt = "long_array")]
    #[demat(wire = "fixed64, expanded")]
    pages: Vec<u8>,
    #[demat(xml = "mixed", default)]
    body: Vec<Value>,
}

fn book() -> Book {
    Book { id: 7, lang: "en".into(), authors: vec!["A".into(), "B".into()], pages: vec![1, 2], body: Vec::new() }
}

fn notes_of(shape: &Shape) -> Vec<(String, String)> {
    let Shape::Record(record) = shape else { panic!("a record") };
    let record = record.get();
    let notes = record.fields().iter().flat_map(demat::Field::notes);
    notes.map(|(place, note)| (place.to_string(), note.to_string())).collect()
}

#[test]
fn notes_are_split_as_their_format_says() {
    let expected = [
        ("xml", "attribute"),
        ("nbt", "byte"),
        ("proto", "sint32"),
        ("xml", "attribute"),
        ("xml", "namespace tag:demat,2024:x"),
        ("xml", "wrapped author"),
        ("proto", "expanded"),
        ("nbt", "long_array"),
        ("proto", "fixed64"),
        ("proto", "expanded"),
        ("xml", "mixed"),
    ];
    let found = notes_of(Book::SHAPE);
    assert!(found.iter().map(|(place, note)| (&**place, &**note)).eq(expected), "{found:?}");
}

#[derive(Debug, PartialEq, Encode, Decode)]
#[demat(rename = "p")]
struct Paragraph {
    #[demat(xml = "attribute")]
    id: u8,
    #[demat(xml = "mixed")]
    content: Vec<Value>,
}

#[derive(Debug, PartialEq, Encode, Decode)]
#[demat(rename = "price")]
struct Price {
    #[demat(xml = "attribute")]
    currency: String,
    #[demat(xml = "text")]
    amount: f64,
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Books<T> {
    #[demat(xml = "wrapped b")]
    all: Vec<T>,
    #[demat(xml = "namespace urn:n", rename = "n:note")]
    note: Option<T>,
}

/// Returns a value as XML without the declaration.
fn plain<T: Encode>(value: &T) -> String {
    let text = String::from_utf8(xml::encode(value).expect("written")).expect("UTF-8");
    text.split_once('\n').expect("a declaration").1.to_string()
}

#[test]
fn xml_has_the_parts_that_notes_say() {
    let price = Price { currency: "EUR".into(), amount: 2.5 };
    let text = br#"<price currency="EUR">2.5</price>"#;
    assert_eq!(plain(&price), String::from_utf8_lossy(text));
    assert_eq!(xml::decode::<Price>(text).expect("read"), price);
    let text = "<p id=\"1\">Read <b>this</b>!</p>";
    let paragraph: Paragraph = xml::decode(text.as_bytes()).expect("read");
    assert_eq!(paragraph.content.len(), 3);
    assert_eq!(plain(&paragraph), text);
    let books = Books { all: vec![1, 2], note: Some(3) };
    let text = "<Books><all><b>1</b><b>2</b></all><n:note xmlns:n=\"urn:n\">3</n:note></Books>";
    assert_eq!(plain(&books), text);
    assert_eq!(xml::decode::<Books<i32>>(text.as_bytes()).expect("read"), books);
}

#[test]
fn binary_formats_have_the_forms_that_notes_say() {
    let bytes = nbt::encode(&book()).expect("written");
    assert!(bytes.starts_with(b"\x0a\0\0\x01\0\x02id\x07"), "{bytes:?}");
    let array = b"\x0c\0\x05pages\0\0\0\x02\0\0\0\0\0\0\0\x01";
    assert!(bytes.windows(array.len()).any(|window| window == array), "{bytes:?}");
    assert_eq!(nbt::decode::<Book>(&bytes).expect("read"), book());
    let bytes = proto::encode(&book()).expect("written");
    // A zigzag 7, and two fixed numbers that are not packed.
    assert!(bytes.starts_with(b"\x08\x0e"), "{bytes:?}");
    assert!(bytes.ends_with(b"\x21\x01\0\0\0\0\0\0\0\x21\x02\0\0\0\0\0\0\0"), "{bytes:?}");
    assert_eq!(proto::decode::<Book>(&bytes).expect("read"), book());
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Point<'a> {
    #[demat(msgpack = "ext")]
    code: i8,
    data: Cow<'a, [u8]>,
}

#[test]
fn a_record_of_code_and_data_is_an_extension_type() {
    let point = Point { code: 5, data: Cow::Borrowed(&[1]) };
    assert_eq!(msgpack::encode(&point).expect("written"), b"\xd4\x05\x01");
    assert_eq!(msgpack::decode::<Point>(b"\xd4\x05\x01").expect("read"), point);
}

/// The notes of a format that another crate has.
pub const TAPE: Vocabulary =
    Vocabulary::new("tape", &[Word::new("label").with(Argument::Rest("a text")).on(Fit::TEXTS)]);

#[derive(Encode, Decode)]
struct Taped {
    #[demat(self::TAPE = "label side A, left")]
    title: String,
}

#[test]
fn other_formats_have_notes_by_the_path_of_their_vocabulary() {
    assert_eq!(notes_of(Taped::SHAPE), [("tape".to_string(), "label side A, left".to_string())]);
}

/// Writes a value of a shape to a format's sink.
fn written(shape: &str, to: impl FnOnce(&Shape, &mut dyn FnMut(&mut dyn Sink) -> Result<()>) -> Result<()>) -> String {
    let shape: Shape = shape.parse().expect("a shape");
    let map = |value| Value::Map(vec![(Value::Text("a".into()), value)]);
    let value = match shape.row().expect("a record").get().fields()[0].shape() {
        Shape::List(_) => map(Value::List(Vec::new())),
        _ => map(Value::Int(1.into())),
    };
    let outcome = to(&shape, &mut |sink| copy(&mut ValueSource::new(&value), &shape, sink));
    outcome.err().map_or_else(String::new, |error| error.to_string())
}

fn to_nbt(shape: &str) -> String {
    written(shape, |_, write| {
        write(&mut nbt::NbtSink::new(Output::new(Vec::new(), Keep), nbt::WriteOptions::default()))
    })
}

fn to_xml(shape: &str) -> String {
    written(shape, |_, write| {
        write(&mut xml::XmlSink::new(Output::new(Vec::new(), Keep), xml::WriteOptions::default()))
    })
}

fn to_msgpack(shape: &str) -> String {
    written(shape, |_, write| {
        write(&mut msgpack::MsgpackSink::new(Output::new(Vec::new(), Keep), msgpack::WriteOptions::default()))
    })
}

#[test]
fn sinks_refuse_wrong_notes_of_shapes_made_at_run_time() {
    let known = "; its notes are byte, short, int, long, float, double, byte_array, int_array, long_array";
    assert_eq!(to_nbt("a: int #nbt:bite"), format!("`bite` is no note for nbt{known} at `$.a`"));
    assert_eq!(to_nbt("a: int #nbt:byte #nbt:long"), "`long` and `byte` exclude each other as notes for nbt at `$.a`");
    assert_eq!(to_nbt("a: int, b: text? #nbt:byte"), "`byte` is for ints, not for text at `$.b`");
    assert_eq!(
        to_nbt("a: int #nbt:\"byte, byte\""),
        "`byte, byte` is several notes for nbt; each is a note by itself at `$.a`"
    );
    assert_eq!(to_nbt("a: [[int]] #nbt:long_array, b: map(text, int)? #nbt:byte, c: bool? #nbt:int"), "");
    assert_eq!(to_nbt("a: int #nbt:byte #xml:nonsense"), "");

    assert!(to_xml("a: int #xml:atribute").starts_with("`atribute` is no note for xml; its notes are element, "));
    for both in ["#xml:\"attribute, text\"", "#xml:attribute #xml:text"] {
        let expected = "`text` and `attribute` exclude each other as notes for xml at `$.a`";
        assert_eq!(to_xml(&format!("a: int {both}")), expected);
    }
    assert_eq!(to_xml("a: int, b: text? #xml:wrapped"), "`wrapped` is for lists, not for text at `$.b`");
    assert_eq!(to_xml("a: int #xml:text, b: text? #xml:text"), "2 fields are the text of one element in XML");
    assert_eq!(to_xml("a: int #xml:\"attribute, element\" #nbt:nonsense").split(' ').next(), Some("`element`"));
    assert_eq!(to_xml("a: [int] #xml:\"wrapped b\""), "");

    assert_eq!(
        to_msgpack("a: int #msgpack:extension"),
        "`extension` is no note for msgpack; its notes are ext at `$.a`"
    );
    let expected = "`ext` is for the first field of a record of `code` and `data` at `$.a`";
    assert_eq!(to_msgpack("a: int #msgpack:ext"), expected);
    assert_eq!(to_msgpack("a: int #nbt:byte"), "");
}

#[test]
fn sources_refuse_them_as_well() {
    let read = |shape: &str, format: &str, bytes: &[u8]| {
        let shape: Shape = shape.parse().expect("a shape");
        let mut sink = demat::ValueSink::default();
        let outcome = match format {
            "nbt" => copy(&mut nbt::NbtSource::new(bytes), &shape, &mut sink),
            "xml" => copy(&mut xml::XmlSource::new(bytes), &shape, &mut sink),
            "proto" => copy(&mut proto::ProtoSource::new(bytes), &shape, &mut sink),
            "txtpb" => copy(&mut txtpb::TxtpbSource::new(bytes, txtpb::ReadOptions::default()), &shape, &mut sink),
            _ => copy(&mut msgpack::MsgpackSource::new(bytes), &shape, &mut sink),
        };
        outcome.err().map_or_else(String::new, |error| error.to_string())
    };
    assert!(read("a: int #nbt:bite", "nbt", b"\x0a\0\0\x01\0\x01a\x01\0").starts_with("`bite` is no note for nbt"));
    assert!(read("a: int #xml:bite", "xml", b"<r><a>1</a></r>").starts_with("`bite` is no note for xml"));
    assert!(read("a: int #msgpack:bite", "msgpack", b"\x81\xa1a\x01").starts_with("`bite` is no note for msgpack"));
    for format in ["proto", "txtpb"] {
        let bytes: &[u8] = if format == "proto" { b"\x08\x01" } else { b"a: 1" };
        assert!(read("a: int #proto:sint33", format, bytes).starts_with("`sint33` is no note for proto"), "{format}");
        let both = read("a: int #proto:sint32 #proto:fixed32", format, bytes);
        assert!(both.starts_with("`fixed32` and `sint32` exclude each other"), "{format}: {both}");
        let unfit = read("a: int, b: text? #proto:sint32", format, bytes);
        assert!(unfit.starts_with("`sint32` is for ints, not for text"), "{format}: {unfit}");
        assert_eq!(read("a: int #proto:int32, b: [int]? #proto:sint32 #proto:expanded", format, bytes), "");
    }
}
