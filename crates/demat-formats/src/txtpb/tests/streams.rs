//! Windows, marks, and several sources over one document.

use super::*;
use demat_core::Signal;

const TEXT: &str =
    "id: 1 n { key: 'a' value { x: [1, 2] } } any { list_value { values { number_value: 1 } } } n { value {} }";
const SHAPE: &str = "id:int, n:map(text, N{x:[int]}), any:any";

#[test]
fn every_window_gives_the_same() {
    let shape: Shape = SHAPE.parse().unwrap();
    let whole = from_text(TEXT, &shape);
    for size in (1..130).chain([1 << 16]) {
        let mut window = Window::with_size(TEXT.as_bytes(), size);
        let mut sink = TxtpbSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
        copy_stream(&mut window, &mut Txtpb::default(), &shape, &mut sink, &mut Stop).unwrap();
        assert_eq!(String::from_utf8(sink.into_output().into_parts().0).unwrap(), whole, "{size}");
    }
}

fn from_text(text: &str, shape: &Shape) -> String {
    let wire = to_wire(text, shape, ReadOptions::default()).unwrap();
    from_wire(&wire, shape, WriteOptions::default()).unwrap()
}

#[test]
fn a_part_is_incomplete() {
    let mut format = Txtpb::default();
    for end in 0..TEXT.len() {
        let part = Part { last: false, ..Part::whole(&TEXT.as_bytes()[..end]) };
        assert_eq!(format.source(part).peek().unwrap_err().signal(), Some(Signal::Incomplete));
    }
}

#[test]
fn marks_lead_back_in_this_and_later_sources() {
    let Shape::Record(record) = SHAPE.parse().unwrap() else { unreachable!() };
    let record = record.own();
    let mut format = Txtpb::default();
    let mut source = format.source(Part::whole(TEXT.as_bytes()));
    source.record(&record).unwrap();
    assert_eq!(source.field(&record, 0).unwrap(), Some(0));
    let mark = source.mark();
    assert_eq!(source.i64().unwrap(), 1);
    source.reset(mark);
    assert_eq!(source.i64().unwrap(), 1);
    let mark = source.mark();
    drop(source);
    let mut source = format.source(Part::whole(TEXT.as_bytes()));
    source.reset(mark);
    assert_eq!(source.field(&record, 1).unwrap(), Some(1));
    source.skip().unwrap();
    assert_eq!(source.field(&record, 2).unwrap(), Some(2));
    source.list().unwrap();
    assert!(source.item().unwrap());
    let mark = source.mark();
    drop(source);
    // Within a list whose end the tape alone does not show.
    let mut source = format.source(Part::whole(TEXT.as_bytes()));
    source.reset(mark);
    assert_eq!(source.i64().unwrap(), 1);
    assert!(!source.item().unwrap());
    assert_eq!(source.field(&record, 3).unwrap(), None);
    source.end().unwrap();
    drop(source);
    // Another document, read by the same reader: nothing of the first one is left.
    let mut source = format.source(Part::whole(b"id: 7"));
    source.record(&record).unwrap();
    source.field(&record, 0).unwrap();
    assert_eq!(source.i64().unwrap(), 7);
}

#[test]
fn values_are_skipped_and_have_spans() {
    let Shape::Record(record) = "a:int?, m:M{a:int}?, l:[int]".parse().unwrap() else { unreachable!() };
    let record = record.own();
    let mut source = TxtpbSource::new(b"l: 1 m { a: 2 } l: [3]", ReadOptions::default());
    source.record(&record).unwrap();
    assert_eq!(source.field(&record, 0).unwrap(), Some(2));
    assert_eq!(&*source.span().unwrap(), b"1\n3\n");
    assert_eq!(source.field(&record, 0).unwrap(), Some(1));
    assert_eq!(&*source.span().unwrap(), b"{ a: 2 }");
    assert_eq!(source.field(&record, 0).unwrap(), None);
    source.end().unwrap();
}
