//! Windows, marks, and the walk to records.

use super::*;
use crate::stream::{RecordPath, Records, Walk};
use demat_core::{Error, Signal};

const DOCUMENT: &str = "\u{feff}<?xml version='1.0' encoding='UTF-8'?>\n<!-- c --><list xmlns:p='u'>\n\
    <r id='1'><t>é &amp; x</t><n>1</n><t>b</t></r> <!-- <r> -->\n<r id='2'/><?p q?>\
    <p:r id=\"3\"><t><![CDATA[<]]>\r\n</t></p:r>\n</list>\n<!-- end -->\n";

#[test]
fn every_window_gives_the_same() {
    for shape in ["[{id \"@id\": int, t: [text], n: int?}]", "any", "[any]", "{r: [map(text, any)]}"] {
        let shape: Shape = shape.parse().unwrap();
        let whole = read_with(DOCUMENT.as_bytes(), &shape, ReadOptions::default()).unwrap();
        for size in (1..200).chain([1000]) {
            assert_eq!(streamed(DOCUMENT.as_bytes(), size, &shape).unwrap(), whole, "{size}");
        }
    }
}

#[test]
fn a_cut_window_asks_for_more() {
    for end in 0..DOCUMENT.len() - "\n<!-- end -->\n".len() {
        let part = Part { last: false, ..Part::whole(&DOCUMENT.as_bytes()[..end]) };
        let mut source = XmlSource::over(part, ReadOptions::default());
        let signal = source.skip().as_ref().err().and_then(Error::signal);
        assert_eq!(signal, Some(Signal::Incomplete), "{end}");
    }
}

#[test]
fn records_are_iterated() {
    let text = "<a><b>1</b><b>2</b><b>3</b></a>";
    let records = Records::<_, _, i64>::new(Window::with_size(text.as_bytes(), 3), Xml::default());
    assert_eq!(records.collect::<Result<Vec<_>>>().unwrap(), [1, 2, 3]);
}

/// The records at a path, read through a window of this size.
fn walked(text: &str, at: &str, size: usize) -> Result<(Vec<String>, usize)> {
    let mut window = Window::with_size(text.as_bytes(), size);
    let mut format = Xml::default();
    let mut walk = Walk::new(&RecordPath::of_elements(at).unwrap());
    let mut found = Vec::new();
    loop {
        let mut source = crate::stream::Windowed::source(&mut format, window.part());
        if let Some(mark) = walk.mark() {
            source.reset(mark);
        }
        let ended = loop {
            match walk.next(&mut source).and_then(|more| if more { source.span().map(Some) } else { Ok(None) }) {
                Ok(Some(span)) => found.push(String::from_utf8_lossy(&span).into_owned()),
                Ok(None) => break true,
                Err(error) if error.signal() == Some(Signal::Incomplete) => break false,
                Err(error) => return Err(walk.within(error, false)),
            }
            walk.taken(&source);
        };
        drop(source);
        if ended {
            return Ok((found, window.capacity()));
        }
        let passed = walk.passed();
        window.consume(passed);
        walk.moved(passed);
        if passed > 0 || !walk.deepen(window.part().bytes.len()) {
            window.fill(passed == 0)?;
        }
    }
}

#[test]
fn a_path_leads_to_records() {
    let text = "<c>t<x><b>no</b></x><s><b>1</b><y/>u<b>2</b></s><s/><b>no</b><s><b>3</b></s></c>";
    for size in [1, 2, 7, 30, 1000] {
        assert_eq!(walked(text, "c/s/b", size).unwrap().0, ["<b>1</b>", "<b>2</b>", "<b>3</b>"], "{size}");
        assert_eq!(walked(text, "/c/b", size).unwrap().0, ["<b>no</b>"]);
        assert_eq!(walked(text, "c", size).unwrap().0, [text]);
        assert!(walked(text, "c/none", size).unwrap().0.is_empty());
        assert!(walked(text, "d/b", size).unwrap_err().to_string().contains("expected the root element `d`"));
        assert!(walked("<c><b/></d>", "c/b", size).unwrap_err().to_string().contains("expected `</c>`"));
    }
}

#[test]
fn what_is_between_records_need_not_fit_the_window() {
    let rest = format!("<z>{}</z>", "<y><w>text</w></y>".repeat(20_000));
    let text = format!("<c>{rest}<b>1</b>{rest}<b>2</b></c>");
    let (found, capacity) = walked(&text, "c/b", 1024).unwrap();
    assert_eq!(found, ["<b>1</b>", "<b>2</b>"]);
    assert!(capacity < 16 * 1024, "{capacity}");
}

#[test]
fn memory_is_bounded_by_the_longest_record() {
    let text = format!("<c>{}</c>", "<b><n>1</n></b>\n".repeat(100_000));
    let mut window = Window::with_size(text.as_bytes(), 1024);
    let shape = "[{n: int}]".parse().unwrap();
    copy_stream(&mut window, &mut Xml::default(), &shape, &mut demat_core::Nothing, &mut Stop).unwrap();
    assert!(window.capacity() < 8 * 1024, "{}", window.capacity());
}

#[test]
fn marks_lead_back() {
    let mut source = XmlSource::new(DOCUMENT.as_bytes());
    source.list().unwrap();
    while source.item().unwrap() {
        let mark = source.mark();
        let one = source.span().unwrap();
        source.reset(mark);
        source.map().unwrap();
        assert!(source.entry().unwrap());
        let inner = source.mark();
        assert_eq!(&*source.text().unwrap(), "@id");
        source.reset(inner);
        assert_eq!(&*source.text().unwrap(), "@id");
        source.value().unwrap();
        source.skip().unwrap();
        while source.entry().unwrap() {
            let key = source.mark();
            source.text().unwrap();
            source.value().unwrap();
            source.skip().unwrap();
            source.reset(key);
            source.text().unwrap();
            source.value().unwrap();
            source.skip().unwrap();
        }
        source.reset(mark);
        assert_eq!(source.span().unwrap(), one);
    }
    source.end().unwrap();
}

#[test]
fn a_root_lists_records_or_is_one() {
    let lists = |text: &str, record: Option<&str>| {
        let shape: Option<Shape> = record.map(|record| record.parse().unwrap());
        let record =
            shape.as_ref().and_then(|shape| if let Shape::Record(record) = shape { Some(record.get()) } else { None });
        XmlSource::new(text.as_bytes()).lists_records(record.as_deref()).unwrap()
    };
    let (two, other) = ("<r xmlns='u'> <a>1<b/></a><!-- c --><a/>x</r>", "<r><a/><b/></r>");
    assert!(lists(two, None) && lists(two, Some("Task{a: [text]}")) && lists(other, Some("Task{a: text}")));
    assert!(!lists(two, Some("r{a: [text]}")) && lists(two, Some("{a: [text]}")));
    // A root under any name is the record if it begins as one.
    for text in ["<r><!-- c --><a> 1</a><b/></r>", "<r a='1'><b/></r>", "<r><a><![CDATA[]]></a></r>"] {
        assert!(!lists(text, Some("Task{a: text, b: text?}")), "{text}");
    }
    for text in
        ["<r><a><b/></a></r>", "<r><a> </a></r>", "<r><a b='1'>1</a></r>", "<r><c>1</c></r>", "<r/>", "<r>a</r>"]
    {
        assert!(lists(text, Some("Task{a: text, b: text?}")), "{text}");
    }
    for text in [other, "<r/>", "<r>x</r>", "<r><a/></r>", "<r i='1'><a/><a/></r>", "<r>x<a/><a/></r>"] {
        assert!(!lists(text, None), "{text}");
    }
    let mut source = XmlSource::over(Part { last: false, ..Part::whole(b"<r><a/>") }, ReadOptions::default());
    let error = source.lists_records(None).unwrap_err();
    assert_eq!(error.signal(), Some(Signal::Incomplete));
}
