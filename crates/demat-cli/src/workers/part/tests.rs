//! Tests of how files are divided.

use super::{Source, Spans, divided, divided_by, spans};
use demat_formats::csv::Dialect;
use demat_place::Format;
use std::fs;

fn source(name: &str, format: Format, bytes: &[u8]) -> (tempfile::TempDir, Source) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, Source::new(path, format, format.read_options()))
}

#[test]
fn lines_are_divided_between_records() {
    let text = "{\"id\":1}\n".repeat(100);
    let (_folder, source) = source("a.ndjson", Format::NDJSON, text.as_bytes());
    let Spans { ranges: spans, header, quoted, .. } = spans(&source, 100).unwrap();
    assert!(header.is_empty() && !quoted);
    assert_eq!(spans.len(), 9);
    assert_eq!((spans[0].start, spans[8].end), (0, 900));
    assert!(spans.windows(2).all(|pair| pair[0].end == pair[1].start && pair[0].end % 9 == 0));
}

#[test]
fn a_table_has_its_header_before_each_range() {
    let text = format!("id,text\n{}", "1,\"a\nb\"\n".repeat(100));
    let (_folder, source) = source("a.csv", Format::CSV, text.as_bytes());
    let Spans { ranges: spans, header, quoted, cells } = spans(&source, 100).unwrap();
    assert_eq!((&*header, quoted, cells), (&b"id,text\n"[..], true, None));
    assert!(spans.len() > 5);
    assert!(spans[1..].iter().all(|span| span.start % 8 == 0), "{spans:?}");
}

#[test]
fn a_table_without_a_header_has_as_many_cells_in_each_range_as_in_its_first_row() {
    let text = format!("1,a\n{}", "2\n".repeat(100));
    let (_folder, mut source) = source("a.csv", Format::CSV, text.as_bytes());
    source.options.own.change(|own: &mut Dialect| own.header = false);
    let cells: Vec<_> = divided_by(&[source], 100).unwrap().iter().map(|part| part.cells).collect();
    assert_eq!(cells, [None, Some(2), Some(2)]);
}

#[test]
fn what_has_no_visible_records_is_whole() {
    for (name, format, bytes) in [
        ("a.json", Format::JSON, &b"[1,\n2,\n3,\n4,\n5]"[..]),
        ("a.ndjson.gz", Format::NDJSON, b"\x1f\x8b\n\n\n\n\n\n\n\n\n"),
        ("a.csv", Format::CSV, b"\"never\nclosed\n1\n2\n"),
    ] {
        let (_folder, source) = source(name, format, bytes);
        assert_eq!(spans(&source, 2).unwrap().ranges.len(), 1, "{name}");
    }
    let (_folder, small) = source("a.ndjson", Format::NDJSON, b"1\n2\n");
    let parts = divided(&[small], false, 8).unwrap();
    assert!(parts.len() == 1 && parts[0].whole);
}
