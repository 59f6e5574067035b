//! Tables read through windows of all sizes, and cut anywhere: the outcome always equals that of the whole table.

use super::*;
use crate::stream::{self, Stop, Window};
use demat_core::{ErrorKind, IntWidth, Source};

const TEXTS: [&str; 9] = [
    "a,b\n1,2\r\n3,\"x\"\"y\"\r4,\"two\r\nlines\"\n\n\"\",\n",
    "\u{feff}a,b\r\n\r\n\"1\",é\r\n2,\"ü,\"\r\n",
    "a\n1\n\n\r\n\r2\n",
    "a,b\n5\" pipe,x\"\n1,2\n",
    "a,b\n1,2\n3\n",
    "a,b\n1,2\n\"x\"y,3\n",
    "a,b\n1,2\n\"x,3\n",
    "a,a\n1,2\n",
    "",
];

fn whole(text: &[u8], shape: &Shape) -> Result<String, String> {
    let mut sink = CsvSink::new(Dialect::default(), Output::new(Vec::new(), Keep)).unwrap();
    let mut csv = Csv::default();
    demat_core::copy(&mut csv.over(Part::whole(text)), shape, &mut sink).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(sink.into_output().buffer).unwrap())
}

fn in_windows(text: &[u8], shape: &Shape, size: usize) -> Result<String, String> {
    let mut sink = CsvSink::new(Dialect::default(), Output::new(Vec::new(), Keep)).unwrap();
    let mut window = Window::with_size(text, size);
    stream::copy(&mut window, &mut Csv::default(), shape, &mut sink, &mut Stop).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(sink.into_output().buffer).unwrap())
}

#[test]
fn windows_of_every_size() {
    let int = Shape::Int(IntWidth::Signed(64)).optional();
    let typed = rows_of(record(&[("b", Shape::Text.optional()), ("a", int)]));
    let one = rows_of(record(&[("a", Shape::Text.optional())]));
    for text in TEXTS {
        for shape in [&Shape::Any, &one] {
            let expected = whole(text.as_bytes(), shape);
            for size in 1..text.len() + 2 {
                assert_eq!(in_windows(text.as_bytes(), shape, size), expected, "{text:?} by {size}");
            }
        }
        let expected = in_windows(text.as_bytes(), &typed, 1000);
        for size in 1..text.len() + 2 {
            assert_eq!(in_windows(text.as_bytes(), &typed, size), expected, "{text:?} by {size}");
        }
    }
}

#[test]
fn texts_cut_at_every_byte_are_read_or_refused() {
    for text in TEXTS {
        for cut in 0..text.len() {
            for shape in [Shape::Any, rows_of(record(&[("b", Shape::Text)]))] {
                let text = &text.as_bytes()[..cut];
                let expected = in_windows(text, &shape, 1000);
                assert_eq!(in_windows(text, &shape, 1), expected, "{text:?}");
            }
        }
    }
}

/// A part that ends for certain is never reported as incomplete, and an incomplete one never as ended.
#[test]
fn parts_that_are_not_the_last() {
    for text in TEXTS {
        for cut in 0..text.len() {
            let mut csv = Csv::default();
            let part = Part { last: false, ..Part::whole(&text.as_bytes()[..cut]) };
            let mut source = csv.source(part);
            let outcome = source.skip().unwrap_err();
            assert!(outcome.signal().is_some() || outcome.kind() != ErrorKind::Io, "{text:?} {cut}");
            if whole(text.as_bytes(), &Shape::Any).is_ok() {
                assert!(outcome.signal().is_some(), "{text:?} {cut}: {outcome}");
            }
        }
    }
}

#[test]
fn marks_hold_in_later_windows_and_within_rows() {
    let text = b"a,b,c\n1,2,3\n4,\"5\",6\n7,8,9\n";
    let mut csv = Csv::default();
    let (mut row, mut within) = (demat_core::Mark::default(), demat_core::Mark::default());
    {
        let mut source = csv.source(Part::whole(text));
        source.list().unwrap();
        source.item().unwrap();
        source.skip().unwrap();
        source.item().unwrap();
        row.clone_from(&source.mark());
        source.list().unwrap();
        source.item().unwrap();
        source.skip().unwrap();
        source.item().unwrap();
        within.clone_from(&source.mark());
    }
    let start = row.offset;
    let base = crate::stream::Base::default().after(&text[..start]);
    let mut source = csv.source(Part { bytes: &text[start..], last: true, base });
    for (mark, expected) in [(within, 5), (row, 4), (within, 5)] {
        source.reset(demat_core::Mark { offset: mark.offset - start, ..mark });
        // That of the row, or of the cell that is read next.
        assert_eq!(source.position().offset, Some(if expected == 4 { 12 } else { 14 }));
        if expected == 4 {
            source.list().unwrap();
            source.item().unwrap();
        }
        assert_eq!(source.i64().unwrap(), expected);
        let position = source.position();
        assert_eq!((position.line, position.record), (Some(3), Some(2)));
    }
    assert!(source.item().unwrap());
    assert_eq!(source.i64().unwrap(), 6);
    assert!(!source.item().unwrap());
    assert!(source.item().unwrap());
    assert_eq!(&*source.span().unwrap(), b"7,8,9");
    source.reset(demat_core::Mark { offset: usize::MAX, state: [3, 0, 0, 0] });
    assert!(source.text().is_err());
}

#[test]
fn a_long_table_through_small_windows() {
    let mut text = String::from("id,title\n");
    for id in 0..3000 {
        let quote = if id % 7 == 0 { "\"" } else { "" };
        let rest = if id % 7 == 0 { ",\"\"x\"\"" } else { "" };
        text.extend([&id.to_string(), ",", quote, "title", rest, quote, "\n"]);
    }
    for size in [1, 10, 1000, 30_000] {
        assert_eq!(in_windows(text.as_bytes(), &Shape::Any, size).as_deref(), Ok(&*text));
    }
}
