use super::{Chunks, Stop, json, ndjson, to_json};
use crate::json::{Json, JsonSink, WriteOptions};
use crate::stream::{Summary, Window, copy};
use crate::{Output, To};
use demat_core::{ErrorKind, IntWidth, Shape};
use std::io::{self, Read};

const SIZES: [&[usize]; 7] = [&[1], &[2], &[3, 1], &[0, 1], &[0, 0, 7, 1, 0, 100], &[4096], &[1 << 20]];

#[test]
fn chunks_of_any_size_and_interruptions_change_nothing() {
    let items: Vec<String> = (0..300)
        .map(|i| format!("{{\"id\":{i},\"text\":\"{}\",\"list\":[1,[2,{{}}]]}}", "ä€😀".repeat(i % 9)))
        .collect();
    let (list, lines) = (format!("[{}]", items.join(",")), items.join("\n"));
    for sizes in SIZES {
        for size in [1, 16, 1000, 1 << 18] {
            assert!(
                json(&mut Window::with_size(Chunks::new(&list, sizes), size), &Shape::Any).unwrap() == list,
                "{sizes:?}, {size}"
            );
            assert!(
                ndjson(&mut Window::with_size(Chunks::new(&lines, sizes), size), &Shape::Any).unwrap() == list,
                "{sizes:?}, {size}"
            );
        }
    }
}

#[test]
fn a_byte_order_mark_may_come_in_pieces() {
    for sizes in SIZES {
        for size in [1, 2, 3, 100] {
            for text in ["\u{feff}[1,2]", "\u{feff} [1, 2] "] {
                assert_eq!(json(&mut Window::with_size(Chunks::new(text, sizes), size), &Shape::Any).unwrap(), "[1,2]");
            }
            assert_eq!(
                ndjson(&mut Window::with_size(Chunks::new("\u{feff}1\n2\n", sizes), size), &Shape::Any).unwrap(),
                "[1,2]"
            );
        }
    }
}

#[test]
fn a_reader_s_error_ends_the_copy_and_is_told() {
    struct Broken<'t>(&'t [u8]);
    impl Read for Broken<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::Error::other("the cable is out"));
            }
            self.0.read(buffer)
        }
    }
    let text = b"[1, 2, 3, 4";
    for cut in 0..text.len() {
        let mut out = Vec::new();
        let mut sink = JsonSink::new(Output::new(Vec::new(), To(&mut out)), WriteOptions::default());
        let error = copy(
            &mut Window::new(Broken(&text[..cut])),
            &mut Json::default(),
            &Shape::Any,
            &mut sink,
            &mut super::Rejects::default(),
        )
        .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(error.to_string(), "reading or writing failed: the cable is out");
    }
}

#[test]
fn what_is_counted() {
    let count = |text: &str, shape: &Shape| {
        to_json(&mut Window::with_size(text.as_bytes(), 2), &mut Json::default(), shape, &mut Stop).unwrap().1
    };
    let records = |records| Summary { records, rejected: 0 };
    assert_eq!(count("[]", &Shape::Any), records(0));
    assert_eq!(count("[1,[2,3],{}]", &Shape::Any), records(3));
    assert_eq!(count("{\"a\":[1,2,3]}", &Shape::Any), records(1));
    assert_eq!(count("5", &Shape::Int(IntWidth::Any)), records(1));
    assert_eq!(count("null", &Shape::Any.list().optional()), records(1));
}

#[test]
fn blanks_may_follow_and_nothing_else() {
    for blanks in [0, 1, 5000, 300_000] {
        let text = format!("[1]{}", " \n".repeat(blanks));
        assert_eq!(json(&mut Window::with_size(Chunks::new(&text, &[7]), 64), &Shape::Any).unwrap(), "[1]");
        let error =
            json(&mut Window::with_size(Chunks::new(&format!("{text}x"), &[4096]), 64), &Shape::Any).unwrap_err();
        assert_eq!(error.position().offset, Some(text.len() as u64));
        assert_eq!(error.position().line, Some(blanks as u64 + 1));
    }
}
