//! Tests of ranges.

use super::{Mark, Span, SpanReader, border, is_plain, line_feeds};
use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn a_range_begins_at_the_next_line() {
    let (_folder, path) = file("a", b"one\ntwo\nthree");
    let mut open = File::open(path).unwrap();
    let found = [0, 1, 3, 4, 5, 9].map(|offset| border(&mut open, offset, 13).unwrap());
    assert_eq!(found, [0, 4, 4, 4, 8, 13]);
}

#[test]
fn no_range_begins_with_a_sign() {
    let (_folder, path) = file("a", b"one\n\x1f\x8bx\n\xff\xfey\nz\n");
    let mut open = File::open(path).unwrap();
    assert_eq!(border(&mut open, 1, 14).unwrap(), 12);
}

#[test]
fn a_long_line_is_looked_through() {
    let mut bytes = vec![b'x'; 200_000];
    bytes.extend_from_slice(b"\nlast\n");
    let (_folder, path) = file("a", &bytes);
    let mut open = File::open(path).unwrap();
    assert_eq!(border(&mut open, 5, bytes.len() as u64).unwrap(), 200_001);
}

#[test]
fn packed_files_are_not_plain() {
    for (bytes, plain) in [(&b"\x1f\x8b"[..], false), (b"\xff\xfe", false), (b"\xef\xbb\xbfa", true), (b"", true)] {
        let (_folder, path) = file("a", bytes);
        assert_eq!(is_plain(&mut File::open(path).unwrap()).unwrap(), plain, "{bytes:?}");
    }
}

#[test]
fn a_range_is_read_behind_its_header_and_until_it_is_stopped() {
    let (_folder, path) = file("a", b"h\none\ntwo\n");
    let stopped = Arc::new(AtomicBool::new(false));
    let open = || SpanReader::open(&path, Span { start: 6, end: 10 }, Arc::from(&b"h\n"[..]), None, stopped.clone());
    let mut text = String::new();
    open().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "h\ntwo\n");
    let mut reader = open().unwrap();
    stopped.store(true, Ordering::Relaxed);
    assert!(reader.read_to_string(&mut text).is_err());
    assert_eq!(line_feeds(&path, Span { start: 1, end: 9 }).unwrap(), 2);
}

#[test]
fn a_file_that_changes_is_refused() {
    let (_folder, path) = file("a", b"one\ntwo\n");
    let mark = Mark::of(&path.metadata().unwrap()).unwrap();
    mark.check(&path).unwrap();
    fs::write(&path, b"one\n").unwrap();
    assert!(mark.check(&path).unwrap_err().reason().contains("changed"));
    let span = Span { start: 0, end: 8 };
    let open = |mark| SpanReader::open(&path, span, Arc::from([]), mark, Arc::default());
    assert!(open(Some(&mark)).unwrap_err().reason().contains("changed"));
    let shorter = open(None).unwrap().read_to_end(&mut Vec::new()).unwrap_err();
    assert!(shorter.to_string().contains("shorter"));
}
