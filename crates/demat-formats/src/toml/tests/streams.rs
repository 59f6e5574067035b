//! Windows, marks, and several sources over one document.

use super::*;
use demat_core::{Error, Signal};

const TEXT: &str = "top = 1\n[[x]]\nid = 1\ntags = ['a', \"b\\n\"]\n[[x]]\nid = 2\n[y]\nz = {w = 1}\n";

#[test]
fn every_window_gives_the_same() {
    let whole = read(TEXT, "any").unwrap();
    for size in (1..80).chain([1 << 16]) {
        for shape in ["any", "{top: int, x: [{id: int, tags: [text]?}], y: any}"] {
            let mut window = Window::with_size(TEXT.as_bytes(), size);
            let shape: Shape = shape.parse().unwrap();
            let value =
                Value::build(|sink| copy_stream(&mut window, &mut Toml::default(), &shape, sink, &mut Stop).map(drop));
            let value = value.unwrap();
            assert_eq!((value.get("top"), value.get("y")), (whole.get("top"), whole.get("y")), "{size}");
        }
    }
}

#[test]
fn a_part_is_incomplete() {
    for end in 0..TEXT.len() {
        let part = Part { last: false, ..Part::whole(&TEXT.as_bytes()[..end]) };
        let error = TomlSource::over(part, ReadOptions::default()).peek().unwrap_err();
        assert_eq!(error.signal(), Some(Signal::Incomplete));
    }
}

#[test]
fn marks_lead_back_in_this_and_later_sources() {
    use crate::stream::Windowed;
    let mut format = Toml::default();
    let mut source = format.source(Part::whole(TEXT.as_bytes()));
    source.map().unwrap();
    assert!(source.entry().unwrap());
    let mark = source.mark();
    assert_eq!(&*source.text().unwrap(), "top");
    source.reset(mark);
    assert_eq!(&*source.text().unwrap(), "top");
    drop(source);
    let mut source = format.source(Part::whole(TEXT.as_bytes()));
    source.reset(mark);
    assert_eq!(&*source.text().unwrap(), "top");
    drop(source);
    // Another document through the same reader: nothing of the first one remains.
    let mut source = format.source(Part::whole(b"other = 1"));
    source.map().unwrap();
    source.entry().unwrap();
    assert_eq!(&*source.text().unwrap(), "other");
    // A mark of another reader.
    let mut source = TomlSource::new(TEXT.as_bytes());
    source.reset(mark);
    assert_eq!(&*source.text().unwrap(), "top");
}

#[test]
fn errors_of_values_have_positions() {
    let error = read(TEXT, "{x: [{id: int, tags: [int]}]}").unwrap_err();
    assert_eq!(error.to_string(), "expected `int`, found `text` \"a\" at `$.x[0].tags[0]` (line 4, column 9)");
    let error: Error = read(TEXT, "{x: [{id: text}]}").unwrap_err();
    assert!(error.to_string().ends_with("at `$.x[0].id` (line 3, column 6)"), "{error}");
}
